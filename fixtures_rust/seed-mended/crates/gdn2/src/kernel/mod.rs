mod chunk_adjoint_cube;
mod chunk_cube;

pub use chunk_adjoint_cube::backward;
pub use chunk_cube::forward;
