//! Not a `mod.rs`: inside an inline module the file's own name joins the folder, outside it does not.

pub mod inline {
    #[path = "five.rs"]
    pub mod fifth;
}

#[path = "six.rs"]
pub mod sibling;
