"""`python -m cfglint`."""

from __future__ import annotations

import sys

from cfglint.cli.main import main

sys.exit(main())
