"""The native engine: every kernel and its rounding in one call of a library that is compiled ahead of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.numpy import NumPy, round_enclosures
from clmath.kernels import FORMS
from clmath.locks import once
from clmath.numbers.formats import FORMATS
from clmath.numbers.lane_rounding import MODE_NUMBERS
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath import errors
    from clmath.engines.native.library import Library
    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Loop, Types, Vectors
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Native"]

_FORM_NUMBERS = {form: number for number, form in enumerate(FORMATS)}
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
        library, ready = self._ready(kernel, args)
        if library is None or ready is None:
            return _PLAIN.rounded(kernel, form, mode, args, targets)
        number, plain = ready
        if form.name in FORMS[kernel.phase]:
            return library.rounded(number, _FORM_NUMBERS[form], MODE_NUMBERS[mode], plain, targets)
        found = _enclosures(library, kernel, number, plain, refined=False)
        return round_enclosures(kernel, form, mode, [a.astype(np.float64) for a in args], found, targets)

    def ufunc_loop(
        self,
        kernel: Kernel,
        form: Format,
        mode: Rounding,
        types: Types,
        decide: Decide,
    ) -> Loop | None:
        """Return the loop of a ufunc that rounds every result of ``kernel``, or None if it is not compiled.

        ``types``: types of arguments, and of results. ``decide`` computes the results of undecided elements.
        """
        library, number = self._number(kernel, form)
        if library is None:
            return None
        return library.ufunc_loop((number, _FORM_NUMBERS[form], MODE_NUMBERS[mode]), types, decide)

    def whole_ufunc_loop(self, label: str, types: Types, decide: Decide) -> Loop | None:
        """Return the loop of a ufunc for the built-in ``label``, or None if it is not compiled."""
        return self.library.wholes.ufunc_loop(label, types, decide) if self.library else None

    def ufunc_loop_of_vectors(self, labels: Mapping[int, str], vectors: Vectors, other: Loop) -> Loop:
        """Return the loop of a generalised ufunc for the built-in with ``labels`` by width; ``other`` without.

        That runs for vectors of other widths, too.
        """
        return self.library.wholes.ufunc_loop_of_vectors(labels, vectors, other) if self.library else other

    def _number(self, kernel: Kernel, form: Format) -> tuple[Library | None, int]:
        """Return the library that has ``kernel`` and rounds to ``form``, and its number there, or (None, 0)."""
        library = self.library
        compiled = library.kernels.get(kernel) if library and form.name in FORMS[kernel.phase] else None
        return (None, 0) if compiled is None else (library, compiled.number)

    def whole(self, label: str, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64] | None:
        """Store the results of the whole built-in ``label``; return the elements it leaves, None if it is not here."""
        library = self.library
        number = library.wholes.numbers.get(label) if library else None
        if library is None or number is None:
            return None
        return library.wholes.evaluate(number, args, targets)

    def enclosure(self, kernel: Kernel, args: Sequence[Values]) -> Enclosure:
        """Return the enclosures of ``kernel``, which has one result, on a chunk; exact results are found."""
        library, ready = self._ready(kernel, args)
        if library is None or ready is None:
            return _PLAIN.enclosure(kernel, args)
        return Enclosure.of(**kernel.named_parts(_enclosures(library, kernel, *ready, refined=True)))

    def _ready(
        self, kernel: Kernel, args: Sequence[Values]
    ) -> tuple[Library | None, tuple[int, Sequence[Values]] | None]:
        """Return the library, and the number of ``kernel`` in it with its converted ``args`` or None."""
        library = self.library
        compiled = library.kernels.get(kernel) if library else None
        if compiled is None:
            return library, None
        number, dtypes = compiled
        if any(array.size != args[0].size for array in args):
            return library, None
        if all(array.dtype == dtype for array, dtype in zip(args, dtypes, strict=True)):
            return library, (number, args)
        plain = [_widened(array, dtype) for array, dtype in zip(args, dtypes, strict=True)]
        given = [array for array in plain if array is not None]
        return library, (number, given) if len(given) == len(args) else None


def _widened(array: Values, dtype: np.dtype) -> Values | None:
    """Return ``array`` as ``dtype``, or None if that does not hold all its numbers."""
    fits = array.dtype.kind == dtype.kind if dtype.kind == "i" else array.dtype.kind not in "iub"
    return array.astype(dtype) if fits and array.dtype.itemsize <= dtype.itemsize else None


@once
def _installed() -> Library | None:
    from clmath.engines.native.library import installed

    return installed()


def _enclosures(
    library: Library, kernel: Kernel, number: int, plain: Sequence[Values], *, refined: bool
) -> list[Values]:
    """The parts of the enclosures of each result of ``kernel``."""
    kinds = [np.int64 if part == "exponent" else np.float64 for part in kernel.parts]
    found = [np.empty(plain[0].shape, kind) for kind in kinds * kernel.results]
    library.enclosures(number, plain, found, refined=refined)
    return found
