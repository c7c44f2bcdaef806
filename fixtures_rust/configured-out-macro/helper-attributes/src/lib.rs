//! A helper attribute is there where a derive that may own it is.

#[cfg_attr(feature = "shapes", derive(derives::Shape))]
pub struct Bare {
    #[shape(skip)]
    //~^ CFG002 cfg(not(feature = "shapes"))
    pub one: u8,
    #[cfg_attr(feature = "shapes", shape(skip))]
    pub two: u8,
    #[cfg(feature = "both")]
    #[shape(skip)]
    pub three: u8,
    #[cfg(feature = "extra")]
    #[shape(skip)]
    //~^ CFG002 cfg(all(feature = "extra", not(feature = "shapes")))
    pub four: u8,
}

#[cfg_attr(feature = "shapes", derive(Clone, derives::Shape))]
#[derive(Debug)]
pub enum Kinds {
    #[shape]
    //~^ CFG002 cfg(not(feature = "shapes"))
    One(#[cfg_attr(feature = "shapes", shape)] u8),
    #[cfg(feature = "shapes")]
    #[shape]
    Two {
        #[shape]
        field: u8,
    },
}

#[cfg_attr(feature = "shapes", derive(derives::Shape))]
#[shape(whole)]
//~^ CFG002 cfg(not(feature = "shapes"))
pub struct Whole;

#[derive(derives::Shape)]
#[cfg_attr(feature = "extra", derive(derives::Deserialize))]
pub struct Always {
    #[shape(skip)]
    pub one: u8,
}

#[derive(Debug)]
#[cfg_attr(feature = "extra", derive(derives::Deserialize))]
pub struct Known {
    #[serde(skip)]
    //~^ CFG002 cfg(not(feature = "extra"))
    pub one: u8,
}

#[cfg_attr(not(feature = "shapes"), derives::cleared)]
#[cfg_attr(feature = "shapes", derive(derives::Shape))]
pub struct Taken {
    #[shape(skip)]
    pub one: u8,
}
