pub use seam::{launch, Launcher};
