fn main() {
    cfg_aliases::cfg_aliases! {
        native: { not(target_arch = "wasm32") },
        gl_native: { all(feature = "gl", native) },
        any_backend: { any(feature = "gl", all(feature = "metal", not(windows))) },
    }
}
