"""rustc as the judge of cfglint: random packages, compiled in every closed feature set, against the JSON report.

Nothing here imports cfglint; the only thing shared with it is the JSON contract of `cfglint check --format json`.
"""
