//! `Trait<Item: Bound>` names an associated type, which stands in no scope.

#[cfg(feature = "x")]
pub fn argument(_: impl IntoIterator<Item: AsRef<str>>) {}

#[cfg(feature = "x")]
pub fn bounds<T: Iterator<Item: Clone + Copy>>(_: T)
where
    T: IntoIterator<IntoIter: Clone>,
{
}

#[cfg(feature = "x")]
pub fn bound(_: impl IntoIterator<Item: Missing>) {}
//~^ CFG012 cfg(feature = "x")
