"""cfglint decides every feature combination of a Cargo workspace from source alone."""

__version__ = "0.1.0"
