"""The syntax room: tree-sitter trees of Rust, the attributes in them, and the only place that names grammar nodes."""
