"""The manifest room: what Cargo knows about a workspace before anything is compiled.

`workspace` finds packages, `package` reads one, `inherit` and `dependency` and `targets` are its parts, `feature_model`
turns the feature table into implications, `platform` knows the targets of rustc, `solver` decides conditions over all of
it, and `configuration` names the cargo command of one configuration. Nothing here starts a process or reads Rust code.
"""
