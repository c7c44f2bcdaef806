"""Suppressions: comments in the source that allow a rule for one item, one line or one file, and why.

directives reads them, matching applies them and says which of them do nothing (CFG900).
"""
