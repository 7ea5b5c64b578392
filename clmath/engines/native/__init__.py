"""The native engine: every kernel and its rounding in one call of a library that is compiled ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.numpy import NumPy, round_enclosures
from clmath.engines.ufuncs import Loop
from clmath.kernels import FORMS
from clmath.locks import once
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath import errors
    from clmath.engines.native.library import Library
    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Types, Vectors
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Native"]

_PLAIN = NumPy()


class Native:
    """Runs kernels that were compiled when clmath was built; runs all others as NumPy does.

    ``library``: the library to use instead of the installed one.
    """

    name = "native"

    def __init__(self, library: Library | None = None) -> None:
        self._given = library

    @property
    def library(self) -> Library | None:
        """The library, or None if none runs here."""
        return self._given or _installed()

    def missing(self, call: str) -> errors.MissingDependencyError:
        """Return the error of a ``call`` that needs the missing library."""
        from clmath.engines.native.library import absent

        return absent(call)

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of elements into ``targets``; return the undecided elements."""
        ready = self._ready(kernel, args)
        if ready is None:
            return _PLAIN.rounded(kernel, form, mode, args, targets)
        library, plain = ready
        if form.name in FORMS[kernel.phase]:
            return library.rounded(kernel, form, mode, plain, targets)
        found = library.enclosures(kernel, plain)
        return round_enclosures(kernel, form, mode, [a.astype(np.float64) for a in args], found, targets)

    def enclosure(self, kernel: Kernel, args: Sequence[Values], *, narrowed: bool = False) -> Enclosure:
        """Return the enclosures of ``kernel``, which has one result, on a chunk; exact results are found."""
        ready = self._ready(kernel, args)
        if ready is None:
            return _PLAIN.enclosure(kernel, args, narrowed=narrowed)
        library, plain = ready
        return Enclosure.of(**kernel.named_parts(library.enclosures(kernel, plain, closer=1 + narrowed)))

    def _ready(self, kernel: Kernel, args: Sequence[Values]) -> tuple[Library, Sequence[Values]] | None:
        """Return the library, and ``args`` in the types that ``kernel`` takes there; None if it takes no such ones."""
        from clmath.engines.native.library import dtypes

        library = self.library
        if library is None or kernel not in library.kernels or any(array.size != args[0].size for array in args):
            return None
        found = [_widened(array, dtype) for array, dtype in zip(args, dtypes(kernel), strict=True)]
        plain = [array for array in found if array is not None]
        return (library, plain) if len(plain) == len(found) else None

    def whole(self, label: str, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64] | None:
        """Store the results of the whole built-in ``label``; return the elements it leaves, None if it is not here."""
        library = self.library
        return library.evaluate(label, args, targets) if library and label in library.wholes else None

    def ufunc_loop(self, kernel: Kernel, form: Format, mode: Rounding, types: Types, decide: Decide) -> Loop | None:
        """Return the loop of a ufunc that rounds every result of ``kernel``, or None if it is not compiled.

        ``types``: types of arguments, and of results. ``decide`` computes the results of undecided elements.
        """
        library = self.library
        if library is None or kernel not in library.kernels or form.name not in FORMS[kernel.phase]:
            return None
        numbers = library.numbers(kernel, form, mode)
        return Loop.of(library.address("clmath_loop"), numbers, types, decide, halves_as_floats=True)

    def whole_ufunc_loop(self, label: str, types: Types, decide: Decide) -> Loop | None:
        """Return the loop of a ufunc for the built-in ``label``, or None if it is not compiled."""
        library = self.library
        if library is None or label not in library.wholes:
            return None
        numbers = library.wholes[label], 0, 0
        return Loop.of(library.address("clmath_whole_loop"), numbers, types, decide, halves_as_floats=False)

    def ufunc_loop_of_vectors(self, labels: Mapping[int, str], vectors: Vectors, other: Loop) -> Loop:
        """Return the loop of a generalised ufunc for the built-in that has ``labels`` by the width of vectors.

        ``other`` runs for vectors of other widths, and without compiled loops.
        """
        found = {
            width: self.whole_ufunc_loop(label, vectors.components(width), vectors.function)
            for width, label in labels.items()
        }
        by_width = {width: loop for width, loop in found.items() if loop is not None}
        if self.library is None or not by_width:
            return other
        return Loop.of_widths(self.library.address("clmath_whole_vectors"), by_width, other, vectors)


def _widened(array: Values, dtype: np.dtype) -> Values | None:
    """Return ``array`` as ``dtype``, or None if that does not hold all its numbers."""
    fits = array.dtype.kind == dtype.kind if dtype.kind == "i" else array.dtype.kind not in "iub"
    return array.astype(dtype, copy=False) if fits and array.dtype.itemsize <= dtype.itemsize else None


@once
def _installed() -> Library | None:
    from clmath.engines.native.library import installed

    return installed()
