//! Macros of the standard library, bare and by path. Nothing is reported.

pub fn go() {
    let _ = std::format!("{}", core::stringify!(a::b));
    std::println!("{}", line!());
    let _ = (file!(), column!(), module_path!(), option_env!("NOTHING"), env!("PATH"));
    let _ = std::array::from_fn::<u8, 2, _>(|_| 0);
    std::thread_local! { static LOCAL: u8 = 1; }
    if false {
        todo!();
        unimplemented!();
        unreachable!("{}", 1);
    }
    let _ = std::ptr::addr_of!(std_marker);
    let _ = include_bytes!("lib.rs");
}

#[allow(non_upper_case_globals)]
static std_marker: u8 = 0;
