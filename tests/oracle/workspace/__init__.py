"""Random workspaces of two and three members: what `cargo check -p MEMBER` says, against the JSON report.

Nothing here imports cfglint, and nothing works out what a dependency's features are: that is what cargo is asked.
"""
