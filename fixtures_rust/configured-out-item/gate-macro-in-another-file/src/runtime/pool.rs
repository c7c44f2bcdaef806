pub struct Pool;

cfg_not_rt! {
    pub fn unreachable_from_anywhere() {
        nothing();
    }
}
