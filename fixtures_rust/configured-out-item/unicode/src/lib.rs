//! Names and strings beyond ASCII: columns are bytes, lines stay lines.

#[cfg(feature = "größe")]
pub mod größe {
    pub fn messen() {}
}

pub fn über() {
    let _ = "漢字 🦀"; größe::messen();
    //~^ CFG001 cfg(not(feature = "größe"))
}

/* ein Kommentar über
   zwei Zeilen — 🦀 */ #[cfg(feature = "x")] pub fn 名前() { größe::messen(); }
//~^ CFG001 cfg(all(feature = "x", not(feature = "größe")))
