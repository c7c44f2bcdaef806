pub fn made() {}
pub struct Part;
impl Part {
    pub fn new() -> Part {
        Part
    }
}

#[cfg(feature = "x")]
pub fn part_of_x() {}

macro_rules! shown {
    () => {
        made()
    };
}
