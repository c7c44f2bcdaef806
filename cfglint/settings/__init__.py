"""Settings: what a project says about itself in `cfglint.toml`, `[workspace.metadata.cfglint]` or `[package.metadata.cfglint]`.

finding looks for the file that counts, reading turns a table into Settings or says what is wrong in it and where, packages
adds what single packages say once the workspace is known. The command line wins over all of them (config).
"""
