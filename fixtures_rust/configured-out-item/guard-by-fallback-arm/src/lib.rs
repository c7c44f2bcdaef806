//! The last arm of a selection is the guard: builds that would take it do not count.

cfg_select! {
    feature = "gl" => {
        pub fn draw() {}
    }
    feature = "vk" => {
        pub fn draw() {}
        pub fn only_vk() {}
    }
    _ => {
        compile_error!("choose `gl` or `vk`");
        //~^ INVALID cfg(not(any(feature = "gl", feature = "vk")))
    }
}

pub fn frame() {
    draw();
}

#[cfg(feature = "x")]
pub fn present() {
    only_vk();
    //~^ CFG001 cfg(all(feature = "x", feature = "gl"))
}
