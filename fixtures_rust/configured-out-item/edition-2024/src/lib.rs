//! 2024: `unsafe extern`, `gen` reserved, let chains, async closures.

#[cfg(feature = "a")]
pub async fn fetch() -> Option<u8> {
    None
}

unsafe extern "C" {
    pub safe fn abs(n: i32) -> i32;
}

#[unsafe(no_mangle)]
pub extern "C" fn exported() {}

pub async fn chain(first: Option<u8>) -> u8 {
    if let Some(n) = first
        && let Some(m) = fetch().await
        //~^ CFG001 cfg(not(feature = "a"))
    {
        return n + m;
    }
    let later = async || fetch().await;
    //~^ CFG001 cfg(not(feature = "a"))
    let _ = later;
    0
}
