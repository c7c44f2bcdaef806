"""The command line: one module a command. Nothing is decided here; everything is asked of the rooms below."""
