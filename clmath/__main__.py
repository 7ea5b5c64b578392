"""The command ``clmath``, also as ``python -m clmath``."""

from __future__ import annotations

import sys

from clmath.cli import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
