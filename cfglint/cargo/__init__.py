"""Running cargo: the only room that starts a process, and only when the user has asked for it."""
