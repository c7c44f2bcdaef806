"""The graph room: what leads from a reference to what it names, and findings made of it."""
