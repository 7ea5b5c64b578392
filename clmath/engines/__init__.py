"""The engines that run kernels: plain NumPy, kernels compiled ahead of time, and devices.

``clmath.engines()`` tells which of them run here; engines are parts of the package that is called so.
"""

from __future__ import annotations

import sys
from types import ModuleType


class _Package(ModuleType):
    """A package that is a public function, too."""

    def __call__(self) -> dict[str, str]:
        """What each engine is, by name, and what would bring it where it cannot run; the first runs by itself.

        >>> import clmath
        >>> list(clmath.engines())
        ['native', 'numpy']
        """
        from clmath.engines import choice

        return choice.told()


sys.modules[__name__].__class__ = _Package
