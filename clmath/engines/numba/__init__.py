"""The Numba engine: every kernel and its rounding in one compiled call."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.engines.numba.loops import FORMS
from clmath.engines.numba.screens import are_screened
from clmath.engines.numpy import NumPy, round_enclosures
from clmath.kernels import RUNGS
from clmath.numbers.formats import FLOAT, format_of
from clmath.numbers.lane_rounding import MODE_NUMBERS
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Numba", "Screen", "Seen"]

_PLAIN = NumPy()


class Screen(NamedTuple):
    """What is asked of results in float. Errors are in ulp.

    ``allowed``, ``refused``, ``tolerance``: for each range of arguments, the first twelve bits of their encodings, what
    passes in ulp and as an absolute error, and beyond which errors, in ulp and absolute, results fail that are normal
    numbers and have normal arguments; the first ``shown`` of these are not counted. ``beyond``: exact results of this
    size or larger, and NaN, are left out; NaN: none are. ``floor``: smaller errors are only counted; ``known``: for
    each stretch of arguments, the first nine bits of their encodings, an error that needs not be looked for.
    """

    allowed: NDArray[np.float64]
    refused: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    beyond: float
    shown: int
    floor: float
    known: NDArray[np.float64]


class Seen(NamedTuple):
    """What is to be said of results beside their counts.

    ``others``: the lanes that are not counted. ``leading``: of those counted and not rounded correctly, the lanes that
    may have the largest error of their stretch. ``failed``: how many of those counted fail. ``out``: how many are left
    out. ``floor``: for the next ones, the largest error that is known by then.
    """

    others: NDArray[np.int64]
    leading: NDArray[np.int64]
    failed: int
    out: int
    floor: float


class Numba:
    """Compiles a kernel, and its rounding to half and float, when it is first asked for, and keeps it on disk."""

    name = "numba"
    package = "numba"
    extra = "fast"
    chunk = 1 << 17  # compiled loops have no temporaries

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of lanes into ``targets``; the lanes that are undecided."""
        from clmath.engines.numba import compiled

        plain = [_compilable(a) for a in args]
        if form.name not in FORMS[kernel.rung]:
            found = _enclosures(kernel, plain)
            return round_enclosures(kernel, form, mode, [a.astype(np.float64) for a in args], found, targets)
        codes = [target.view(form.bits_dtype) for target in targets]
        undecided = np.empty(len(targets) * args[0].size, np.int64)
        count = compiled.run(kernel, f"{form}_loop", plain, MODE_NUMBERS[mode], *codes, undecided)
        left = undecided[:count] if len(targets) == 1 else np.unique(undecided[:count])
        return _PLAIN.again(kernel, form, mode, args, targets, left)

    def enclosure(self, kernel: Kernel, args: Sequence[Values]) -> Enclosure:
        """The enclosures of ``kernel``, which has one result, on a chunk of lanes, exact results found."""
        from clmath.engines.numba import compiled

        plain = [_compilable(a) for a in args]
        parts = _enclosures(kernel, plain)
        if kernel.refining:
            compiled.run(kernel, "refine_loop", plain, *parts)
        return Enclosure.of(**kernel.named_parts(parts))

    def screens(self, kernels: Sequence[Kernel], arguments: int, form: Format) -> bool:
        """Whether ``screened`` serves ``kernels`` with so many arguments."""
        return form is FLOAT and are_screened(kernels, arguments)

    def screened(
        self,
        kernels: tuple[Kernel, ...],
        x: Values,
        results: Sequence[Values],
        asked: Screen,
        counts: NDArray[np.int64],
    ) -> Seen:
        """Compare ``results``, floats and ints, with what ``kernels`` give of one argument, rounded to nearest.

        Calls that certainly conform, or certainly fail, and are off by less than the floor are counted: the first of
        ``counts`` is that of the correctly rounded ones, then follow those off by 1, 2, up to 4, 8 ... floats, those
        farther off, and one that stays as it is. Of several results the farthest counts; wrong ints are not counted.
        """
        from clmath.engines.numba import compiled

        best = np.full(len(asked.known), -1.0)
        others, wrong = (np.empty(x.size, np.int64) for _ in range(2))
        bounds = np.empty(x.size)
        codes = [_compilable(result).view(np.int32) for result in results]
        given = (*codes, *asked, best, counts, others, wrong, bounds)
        left, marked, failed, out, floor = compiled.screened(kernels, _compilable(x), *given)
        lanes = wrong[:marked]
        stretches = FLOAT.bits(x[lanes]) >> FLOAT.precision - 1
        return Seen(others[:left], lanes[bounds[:marked] >= best[stretches]], failed, out, floor)


def _enclosures(kernel: Kernel, plain: Sequence[Values]) -> list[Values]:
    """The parts of the enclosures of each result of ``kernel``, exact results not yet found."""
    from clmath.engines.numba import compiled

    kinds = [np.int64 if part == "exponent" else np.float64 for part in RUNGS[kernel.rung].parts]
    found = [np.empty(plain[0].shape, kind) for kind in kinds * kernel.results]
    compiled.run(kernel, "enclosure_loop", plain, *found)
    return found


def _compilable(array: Values) -> Values:
    """A view of ``array``, contiguous and not writeable; short formats, which Numba does not know, are widened.

    Numba would compile a loop once more for arrays that are writeable.
    """
    form = format_of(array.dtype)
    plain = np.ascontiguousarray(array, np.float32 if form is not None and form.is_short else None)[:]
    plain.flags.writeable = False
    return plain
