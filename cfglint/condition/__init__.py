"""Conditions: formulas over features, flags and key-value options, in canonical form.

The lowest room of the package. `atom` names what a condition is made of, `diagram` decides, `predicate` holds a cfg as
written, `parse` reads it from text, `cover` minimises, `display` prints. Nothing here knows Cargo or the grammar of
Rust: that two atoms are related (`unix` and `windows`, a feature and what it enables) is the feature model's business,
which arrives here only as a care set.
"""
