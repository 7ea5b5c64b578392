"""Protocol of an engine: it runs a kernel on a chunk of elements and rounds the decided results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Enclosure, Rounding

Values: TypeAlias = "np.ndarray"


class Engine(Protocol):
    """Runs kernels; all engines give equal bits of enclosures and of results.

    ``name``: as calls ask for it.
    """

    name: str

    def __hash__(self) -> int:
        """Hash the identity: each engine is one object."""

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of elements into ``targets``; return the undecided elements."""

    def enclosure(self, kernel: Kernel, args: Sequence[Values], *, narrowed: bool = False) -> Enclosure:
        """Return the enclosures of ``kernel``, which has one result, on a chunk; exact results are found.

        ``narrowed``: narrow the enclosures after that, if a function does so.
        """
