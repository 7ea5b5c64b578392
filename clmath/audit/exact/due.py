"""What the results of a call may be: one value, one of several, or whatever lies between two."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import public
from clmath.audit.exact import contraction, images, left_open
from clmath.audit.exact.types import Whole
from clmath.pragmas import select_rounding_mode
from clmath.spec.editions import true_lanes
from clmath.spec.families import keywords, reads_truths

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.exact.law import ExactLaw
    from clmath.audit.exact.rows import ExactItem

__all__ = ["Due", "due"]

Args: TypeAlias = "tuple[NDArray[Any], ...]"
Bools: TypeAlias = "NDArray[np.bool_]"
Ends: TypeAlias = "tuple[NDArray[Any], NDArray[Any]]"


@dataclass(frozen=True)
class Due:
    """``wanted``: the result that is shown as the expected one. Others that are right as well are in ``also``, or lie
    within ``ends``. ``is_free``: where the specification leaves the result open. ``bits_of_nan``: a NaN has the bits of
    the one that is due, otherwise any will do.
    """

    wanted: NDArray[Any]
    is_free: Bools
    also: tuple[NDArray[Any], ...] = ()
    ends: Ends | None = None
    bits_of_nan: bool = False

    def accepts(self, got: NDArray[Any]) -> Bools:
        """Which results are right; those that are left open aside."""
        right = same(got, self.wanted, bits_of_nan=self.bits_of_nan)
        for other in self.also:
            right |= same(got, other, bits_of_nan=self.bits_of_nan)
        if self.ends is not None:
            low, high = self.ends
            right |= (got >= low) & (got <= high)
        return right


def same(one: NDArray[Any], other: NDArray[Any], *, bits_of_nan: bool = False) -> Bools:
    """Where two arrays of one type hold the same bits; any NaN is like any other unless ``bits_of_nan``."""
    if one.dtype.kind in "iub":
        return np.asarray(one == other)
    unsigned = f"u{one.dtype.itemsize}"
    alike = np.ascontiguousarray(one).view(unsigned) == np.ascontiguousarray(other).view(unsigned)
    return np.asarray(alike if bits_of_nan else alike | (np.isnan(one) & np.isnan(other)))


def due(item: ExactItem, args: Args, law: ExactLaw) -> Due:
    """What is due for ``args``, arrays with the lanes of vectors on their last axis."""
    with np.errstate(all="ignore"), select_rounding_mode(law.mode):
        found = _CHAPTERS[item.builtin.chapter](item, args, law)
    free = found.is_free
    if law.waives("not finite", item):
        free = free | ~_all_finite((*args, found.wanted), found.wanted)
    also = found.also
    if law.waives("signs of zero", item) and not item.builtin.moves_bits and found.wanted.dtype.kind == "f":
        also += tuple(np.where(v == 0, np.negative(v), v) for v in (found.wanted, *also))
    return Due(found.wanted, free, also, found.ends, item.builtin.moves_bits)


def _all_finite(values: Args, like: NDArray[Any]) -> Bools:
    finite = np.ones(like.shape, np.bool_)
    for v in values:
        if v.dtype.kind == "f":
            here = np.isfinite(v)
            finite &= here if here.shape == finite.shape else _by_call(here, finite)
    return finite


def _by_call(values: Bools, like: Bools) -> Bools:
    """One value a call, against results that have lanes, or the other way round."""
    whole = values.all(axis=-1) if values.ndim > like.ndim else values[:, np.newaxis]
    return np.asarray(np.broadcast_to(whole, like.shape))


def _declared(item: ExactItem, args: Args, law: ExactLaw) -> Due:
    """Of the integer and relational chapters: what clmath's function gives; true is 1, of vectors -1.

    What is true of a lane that is asked is what the edition says, each of several ways being right.
    """
    row = item.builtin
    told = [keywords(row, vector=item.vector > 1)]
    if reads_truths(row):
        told = [{"vector": way == "sign bit"} for way in true_lanes(law.edition)]
    function = getattr(public, row.name)
    found, *also = (np.asarray(function(*args, **t)).astype(item.result.dtype, copy=False) for t in told)
    return Due(found, left_open.of_call(item, args, found), tuple(also))


def _conversion(item: ExactItem, args: Args, law: ExactLaw) -> Due:
    """A conversion: integers that do not saturate are left open beyond their range, but for what wraps."""
    words = item.builtin.name.split("_")
    saturates, mode = "sat" in words, next((w for w in words if w in ("rte", "rtz", "rtp", "rtn")), None)
    rounding: Any = mode or (None if isinstance(item.result, Whole) else law.mode)
    found = public.convert(args[0], item.result.name, sat=saturates, rounding=rounding)
    return Due(np.asarray(found), left_open.of_conversion(args[0], item.result, saturates=saturates))


def _reinterpretation(item: ExactItem, args: Args, law: ExactLaw) -> Due:  # noqa: ARG001
    return _certain(np.asarray(public.as_type(args[0], item.result.name)))


def _memory(item: ExactItem, args: Args, law: ExactLaw) -> Due:
    """A half loaded or stored: converted, by the mode of the name or the default one."""
    mode = item.builtin.name.rpartition("_")[2]
    rounding: Any = mode if mode in ("rte", "rtz", "rtp", "rtn") else law.mode
    return _certain(np.asarray(public.convert(args[0], item.result.name, rounding=rounding)))


def _constant(item: ExactItem, args: Args, law: ExactLaw) -> Due:  # noqa: ARG001
    """A macro: the value that clmath gives it, or another that the text allows."""
    values = left_open.values_of_macro(item)
    wanted, *also = (np.full(len(args[0]), value, item.result.dtype) for value in values)
    return Due(wanted, np.zeros(len(wanted), np.bool_), tuple(also))


def _contraction(item: ExactItem, args: Args, law: ExactLaw) -> Due:
    wanted, *also = contraction.results(item, args, law.mode)
    return Due(wanted, np.full(wanted.shape, law.contracts), tuple(also))


def _image(item: ExactItem, args: Args, law: ExactLaw) -> Due:  # noqa: ARG001
    wanted, also, ends, is_free = images.allowed(item, args[0])
    return Due(wanted, is_free, also, ends)


def _certain(wanted: NDArray[Any]) -> Due:
    return Due(wanted, np.zeros(wanted.shape, np.bool_))


_CHAPTERS: dict[str, Callable[[ExactItem, Args, ExactLaw], Due]] = {
    "integer": _declared,
    "relational": _declared,
    "conversions": _conversion,
    "reinterpretation": _reinterpretation,
    "memory": _memory,
    "constants": _constant,
    "contraction": _contraction,
    "images": _image,
}
