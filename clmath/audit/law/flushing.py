"""Results excused by other arguments: by flushed operands (OpenCL C++ 1.0, 4.5.3), or by zeros of the other sign."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.law.batch import Batch, Call, side_by_side
from clmath.audit.law.conformity import codes_of
from clmath.audit.law.prescribed import decided_by_edges
from clmath.numbers.rounding import Enclosure
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["excused", "subnormal_operands", "zero_operands"]

Bools: TypeAlias = "NDArray[np.bool_]"


def excused(batch: Batch, *, any_zero: bool = False) -> Bools:
    """Which calls of a device that flushes conform by one of the four rules of 4.5.3, or by the rule for nextafter.

    Rules 1 and 2: the result conforms, or is zero where a conforming result is subnormal. Rules 3 and 4: the same for
    subnormal operands that are flushed. ``any_zero``: operands that are zero may also have the other sign, since a
    build option ignores signs of zeros; of a device that does not flush, this alone is tried.
    """
    fine = _conform(batch)
    replaced = subnormal_operands(batch) if batch.flushing else [np.zeros(v.shape, np.bool_) for v in batch.values]
    if any_zero:
        replaced = [r | z for r, z in zip(replaced, zero_operands(batch), strict=True)]
    for zeros in _choices(batch):
        tried = ~fine
        for column in zeros:
            tried = tried & replaced[column]
        if tried.any():
            fine[tried] = _conform(_with_zeros(batch, zeros, tried))
    return fine


def _with_zeros(batch: Batch, zeros: Mapping[int, float], tried: Bools) -> Batch:
    """The calls ``tried``, with some columns replaced by ``zeros``."""
    lanes = int(tried.sum())
    values = tuple(np.full(lanes, zeros[i], v.dtype) if i in zeros else v[tried] for i, v in enumerate(batch.values))
    return Batch.of(batch.item, values, tuple(r[tried] for r in batch.results), batch.law, flushing=batch.flushing)


def _conform(batch: Batch) -> Bools:
    """Which calls have only results that conform, or are zeros where a subnormal number is due."""
    wrong = [codes != 0 for codes in codes_of(batch)]
    bad = [found & ~_flushed(batch, k, found) for k, found in enumerate(wrong)]
    return np.asarray(~side_by_side(bad).any(axis=-1))


def _flushed(batch: Batch, k: int, wrong: Bools) -> Bools:
    """Which ``wrong`` results ``k`` are zeros of any sign, while some conforming result is subnormal before rounding.

    Such a result conforms to the limit and to the prescribed results alike.
    """
    exact = batch.truth[k].exact
    if not (batch.flushing and isinstance(exact, Enclosure)):
        return np.zeros(wrong.shape, np.bool_)
    found = wrong & (batch.results[k] == 0) & (exact.hi != 0)
    calls = np.flatnonzero(found.reshape(len(found), -1).any(axis=-1))
    if calls.size:
        asked = batch.picked(calls, flushing=True)
        result = np.where(found[calls], _smallest(asked, k, exact.lanes(calls)), asked.results[k])
        found[calls] &= codes_of(asked.with_result(k, result))[k] == 0
    return np.asarray(found)


def _smallest(batch: Batch, k: int, exact: Enclosure) -> np.ndarray:
    """The correctly rounded result ``k`` where it is subnormal before rounding, else the largest one that may be.

    With a limit in ulp it is the smallest normal number, to which a number just below it rounds. A result that is
    correctly rounded, or prescribed, is the exact value before rounding.
    """
    form = batch.form
    is_rounded = (batch.limit.bound(batch.args, exact, form) > 0.5) & ~decided_by_edges(batch)[k]
    border = np.where(is_rounded, form.smallest_normal, form.smallest_normal - form.smallest_subnormal)
    border = np.copysign(border, exact.hi).astype(form.dtype)
    return np.where(_is_subnormal(exact, form), batch.truth[k].rounded, border)


def _is_subnormal(exact: Enclosure, form: Format) -> Bools:
    """Whether exact values lie below the smallest normal number, before rounding."""
    with np.errstate(all="ignore"):
        size = np.ldexp(np.abs(exact.hi), np.clip(exact.exponent - form.emin, -4000, 4000))
    inward = (exact.lo != 0) & (np.signbit(exact.lo) != np.signbit(exact.hi))
    return np.asarray((size < 1.0) | ((size == 1.0) & inward))


def subnormal_operands(call: Call) -> list[Bools]:
    """Which arguments, column by column, may be flushed."""
    border = number(call.law.openings["flushed_below"].get(call.name, "smallest normal"), call.form)
    kinds = zip(call.values, call.item.columns, strict=True)
    return [_is_small(v, border) if kind == "gentype" else np.zeros(v.shape, np.bool_) for v, kind in kinds]


def zero_operands(call: Call) -> list[Bools]:
    """Which arguments, column by column, are zeros of either sign."""
    return [np.asarray((v == 0) & (kind == "gentype")) for v, kind in zip(call.values, call.item.columns, strict=True)]


def _is_small(values: np.ndarray, border: float) -> Bools:
    return np.asarray((np.abs(values) < border) & (values != 0))


def _choices(batch: Batch) -> Iterator[Mapping[int, float]]:
    """All choices of zeros for columns, those that replace most columns first; lanes of vectors are replaced by +0.

    For vectors +0 is enough: signs of zeros among their results are left open then.
    """
    columns = [i for i, kind in enumerate(batch.item.columns) if kind == "gentype"]
    signs = (0.0,) if batch.item.width else (0.0, -0.0)
    for count in range(len(columns), 0, -1):
        for chosen in itertools.combinations(columns, count):
            for zeros in itertools.product(signs, repeat=count):
                yield dict(zip(chosen, zeros, strict=True))
