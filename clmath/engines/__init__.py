"""The engines that run kernels: plain NumPy, kernels compiled ahead of time, and devices.

``clmath.engines()`` lists them and says which run here; an engine is a subpackage or module of its name.
"""

from __future__ import annotations

import sys
from types import ModuleType


class _Package(ModuleType):
    """A package that is also a public function."""

    def __call__(self) -> dict[str, str]:
        """Return a description of each engine by name, with a remedy if it cannot run; the default engine is first.

        >>> import clmath
        >>> list(clmath.engines())
        ['native', 'numpy']
        """
        from clmath.engines import choice

        return choice.states()


sys.modules[__name__].__class__ = _Package
