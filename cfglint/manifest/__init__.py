"""The manifest room: what Cargo knows about a workspace before anything is compiled.

`workspace` finds packages (`document`, `positions`, `globs` read what it needs), `package` with `targets` and `dependency`
says what one declares. `feature_model` turns the feature table into implications, `platform` and `target_predicate` know
the targets. `space` puts both together, `solver` decides conditions in it, and `configuration` names the cargo command of
what it finds. Nothing here starts a process or reads Rust code.
"""
