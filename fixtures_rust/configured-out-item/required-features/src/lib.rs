//! `required-features` joins the condition of a binary's root.
