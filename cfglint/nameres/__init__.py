"""The name resolution room: one DefMap a crate root for all configurations; nothing is dropped."""
