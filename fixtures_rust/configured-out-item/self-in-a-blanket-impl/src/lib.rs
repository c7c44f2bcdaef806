//! In a blanket impl `Self` is the parameter: its associated types come from its bounds.
#[cfg(feature = "a")]
mod dns {
pub trait Service { type Error; type Future; fn poll(&mut self) -> Result<(), Self::Error>; fn call(&mut self) -> Self::Future; }
pub trait Resolve {
    type Error;
    type Future;
    fn poll(&mut self) -> Result<(), Self::Error>;
    fn resolve(&mut self) -> Self::Future;
}
impl<S> Resolve for S where S: Service {
    type Error = S::Error;
    type Future = S::Future;
    fn poll(&mut self) -> Result<(), Self::Error> { Service::poll(self) }
    fn resolve(&mut self) -> Self::Future { Service::call(self) }
}
}
