use super::Part;

pub fn inside() -> u8 {
    let _ = Part::new;
    super::only_x();
    //~^ CFG001 cfg(not(feature = "x"))
    1
}

#[cfg(feature = "x")]
pub fn inside_of_x() {}
