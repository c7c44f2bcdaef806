pub struct Inner {
    pub value: u8,
}
