"""The items room: one file in, one ItemTree out. Pure, serializable, knows nothing of Cargo or of other files."""
