"""Change variables of the environment for a while, for modules that read them once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


@contextlib.contextmanager
def variables(**values: str) -> Iterator[None]:
    """Give variables these values within a with block, and restore their former values afterwards."""
    before = {name: os.environ[name] for name in values if name in os.environ}
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            del os.environ[name]
        os.environ.update(before)
