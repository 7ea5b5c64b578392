"""The NumPy engine: a kernel's lines run on arrays of doubles, one operation after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.ufuncs import keep_freed_memory
from clmath.numbers.rounded_encodings import (
    MODE_NUMBERS,
    encoded_ends,
    near_boundary,
    saturated,
    to_normal_double,
    wide,
)
from clmath.numbers.rounding import Enclosure, canonical, narrow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.callables import AnyFunction
    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

_WORTH_NARROWING = 128  # undecided elements: the reference decides fewer in the time that NumPy takes for a call


class NumPy:
    """Runs kernels as NumPy functions, without compilation."""

    name = "numpy"

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of elements into ``targets``; return the undecided elements."""
        keep_freed_memory(1 << (args[0].size - 1).bit_length())
        doubles = [a.astype(np.float64, copy=False) for a in args]
        return round_enclosures(kernel, form, mode, doubles, _found(kernel, doubles), targets)

    def enclosure(self, kernel: Kernel, args: Sequence[Values], *, narrowed: bool = False) -> Enclosure:
        """Return the enclosures of ``kernel``, which has one result, on a chunk; exact results are found."""
        doubles = [a.astype(np.float64, copy=False) for a in args]
        parts = kernel.refined(doubles, _found(kernel, doubles))
        if narrowed and kernel.narrow is not None:
            parts = kernel.narrow(*doubles, *parts)
        return Enclosure.of(**kernel.named_parts(parts))


def _found(kernel: Kernel, doubles: Sequence[Values]) -> tuple[Values, ...]:
    """Return the parts of each result's enclosures, by the ordinary code path if it holds for all arguments."""
    ordinary = kernel.record.ordinary
    if ordinary is not None and ordinary.holds(*doubles).all():
        return tuple(ordinary.function(*doubles))
    return tuple(kernel.function(*doubles))


def round_enclosures(  # noqa: PLR0917 - a kernel, its request, its enclosures
    kernel: Kernel,
    form: Format,
    mode: Rounding,
    args: Sequence[Values],
    found: Sequence[Values],
    targets: Sequence[Values],
) -> NDArray[np.int64]:
    """Round ``found``, the parts of each result in turn, into ``targets``; return the undecided elements."""
    rounded = _narrow if form.is_narrow else _double
    of_each = zip(kernel.narrowing, _of_each(found, len(targets)), targets, strict=True)
    undecided = [rounded(kernel, one, form, mode, args, parts, target) for one, parts, target in of_each]
    return undecided[0] if len(undecided) == 1 else np.unique(np.concatenate(undecided))


def _of_each(found: Sequence[Values], results: int) -> Iterator[tuple[Values, ...]]:
    """The parts of each result."""
    count = len(found) // results
    return (tuple(found[i * count : (i + 1) * count]) for i in range(results))


def _narrow(  # noqa: PLR0917 - as above, of one result
    kernel: Kernel,
    alone: Kernel | None,  # noqa: ARG001 - enclosures of narrow formats are not narrowed
    form: Format,
    mode: Rounding,
    args: Sequence[Values],
    parts: tuple[Values, ...],
    target: Values,
) -> NDArray[np.int64]:
    """Round the middles of enclosures, and round again where they are close to a boundary."""
    value, err = parts
    target[...] = narrow(value, form, mode)
    canonical(target, form)
    close = near_boundary(value, form)
    if kernel.record.is_wide:
        close |= wide(value, err)
    elements = np.flatnonzero(close & (err > 0.0))
    if not elements.size:
        return elements
    value, err = kernel.refined([a[elements] for a in args], (value[elements], err[elements]))
    target[elements] = narrow(value, form, mode)
    below, above = (form.bits(narrow(end, form, mode)) for end in (value - err, value + err))
    below, above = (form.bits(narrow(end, form, mode)) for end in (value - err, value + err))
    undecided: NDArray[np.int64] = elements[(below != above) & ~np.isnan(value)]
    return undecided


def _double(  # noqa: PLR0917 - as above
    kernel: Kernel,
    alone: Kernel | None,
    form: Format,
    mode: Rounding,
    args: Sequence[Values],
    parts: tuple[Values, ...],
    target: Values,
) -> NDArray[np.int64]:
    """Round to normal doubles where possible, and round the others again; ``alone`` narrows the undecided ones."""
    hi, lo, err, exponent = parts
    codes, again = to_normal_double(hi, lo, err, exponent, MODE_NUMBERS[mode])
    target.view(form.bits_dtype)[...] = codes.view(form.bits_dtype)
    elements = np.flatnonzero(again)
    if not elements.size:
        return elements
    few = tuple(part[elements] if isinstance(part, np.ndarray) else np.full(elements.size, part) for part in parts)
    code, holds = saturated(few[0], few[3], MODE_NUMBERS[mode])
    encodings = target.view(np.int64)
    encodings[elements] = code
    left = np.flatnonzero(~holds)
    if not left.size:
        return left
    elements, few = _still_open(None, mode, args, elements[left], tuple(part[left] for part in few), encodings)
    if kernel.record.refine is not None and elements.size:
        elements, few = _still_open(kernel.record.refine, mode, args, elements, few, encodings)
    if alone is not None and elements.size >= _WORTH_NARROWING:
        elements, few = _still_open(alone.narrow, mode, args, elements, few, encodings)
    return elements


def _still_open(  # noqa: PLR0917 - a function and its enclosures
    closer: AnyFunction | None,
    mode: Rounding,
    args: Sequence[Values],
    elements: NDArray[np.int64],
    parts: tuple[Values, ...],
    encodings: NDArray[np.int64],
) -> tuple[NDArray[np.int64], tuple[Values, ...]]:
    """Round ``parts``, enclosures of ``elements`` made ``closer``, to ``encodings``; return the undecided ones."""
    found = parts if closer is None else closer(*[a[elements] for a in args], *parts)
    encodings[elements], undecided = _decided(found, mode)
    return elements[undecided], tuple(np.broadcast_to(part, elements.shape)[undecided] for part in found)


def _decided(parts: tuple[Values, ...], mode: Rounding) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the encodings of any enclosures' results, and which of them are undecided."""
    hi, lo, err, exponent = parts
    below, above = encoded_ends(hi, lo, err, exponent, MODE_NUMBERS[mode])
    return below, (below != above) & (err > 0.0)
