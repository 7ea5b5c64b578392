"""Results that a call may return, by chapter: one value, one of several, or any between two."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.spread import same
from clmath.audit.exact import contraction, groups, images, left_open, printed_texts, sampled_reads
from clmath.audit.exact.exact_criteria import is_saturated
from clmath.audit.exact.results import NOWHERE, AllowedResults, are_subnormal, signals
from clmath.audit.plan.types import Whole
from clmath.numbers.formats import format_of, is_float
from clmath.numbers.rounding import MODES
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.conversions import converted, reinterpreted
from clmath.reference.bitwise.integers import INTEGERS
from clmath.reference.bitwise.operators import COMPARED, applied
from clmath.reference.bitwise.relational import TESTS, bitselect, joined, select, shuffled, truths
from clmath.spec.families import is_sampled, reads_truths, widens
from clmath.spec.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.audit.exact.exact_criteria import Calls
    from clmath.audit.exact.results import Args
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.ir.values import Truth
    from clmath.numbers.rounding import Rounding

__all__ = ["allowed_results", "waived"]


def allowed_results(calls: Calls) -> AllowedResults:
    """Return the acceptable results of calls."""
    item, criteria, moves = calls.item, calls.criteria, calls.item.builtin.moves_bits
    with np.errstate(all="ignore"):
        found = _CHAPTERS[item.builtin.chapter](calls)
    wanted, free, also = found.wanted, found.is_free, found.also
    floats = [values for values in (*calls.args, wanted) if is_float(values.dtype)]
    if criteria.waives("not finite", item):
        free = free | ~_for_all(item, np.isfinite, floats, wanted)
    quiet = found.is_quiet
    if is_float(wanted.dtype) and not moves:
        if criteria.waives("signs of zero", item):
            also += tuple(np.where(v == 0, np.negative(v), v) for v in (wanted, *also))
        if not item.builtin.any_nan:  # a NaN must be quiet if no argument signals
            quiet = _for_all(item, lambda values: ~signals(values), calls.args, wanted)
    free = np.broadcast_to(free, wanted.shape)
    return found._replace(is_free=free, also=also, bits_of_nan=moves, is_quiet=quiet)


def _for_all(
    item: ExactItem, holds: Callable[[np.ndarray], Truth], values: Sequence[np.ndarray], like: np.ndarray
) -> Truth:
    """Return, in the shape ``like``, where a condition holds for all values that a result depends on.

    In groups, these are the values of all work-items, else the values of the call or component.
    """
    found = np.ones(like.shape, np.bool_)
    for one in values:
        here = np.asarray(holds(one))
        if here.ndim < like.ndim:
            here = here[:, np.newaxis]
        elif here.ndim > like.ndim or (here.ndim > 1 and item.builtin.chapter == "groups"):
            here = np.asarray(here.all(axis=-1, keepdims=here.ndim == like.ndim))
        found &= here
    return found


def _integer(calls: Calls) -> AllowedResults:
    return _unless_left_open(calls, INTEGERS[calls.item.builtin.called], calls.args)


def _relational(calls: Calls) -> AllowedResults:
    """Return the truths of tests, or the values that a truth selects.

    The edition says which integers in a vector are true. If it allows several readings, each is right, and results are
    unspecified where these differ.
    """
    item, args = calls.item, calls.args
    name, is_vector = item.builtin.called, item.vector > 1
    if name in TESTS:
        return AllowedResults(truths(TESTS[name](*args), item.result.dtype, vector=is_vector))
    if reads_truths(item.builtin):
        said = statement("true_lanes", calls.criteria.edition).says
        return _one_of([joined(name, args[0], truth_of) for truth_of in said])
    if name in ("shuffle", "shuffle2"):
        return AllowedResults(shuffled(args[-1], *args[:-1]))
    return AllowedResults(bitselect(*args) if name == "bitselect" else select(*args, vector=is_vector))


def _operator(calls: Calls) -> AllowedResults:
    """Return the result of an operator; true is 1, in the components of a vector -1."""
    item, args = calls.item, calls.item.widened(calls.args)
    name, dtype = item.builtin.called, item.result.dtype
    if name == "select":  # c ? b : a
        return AllowedResults(select(*args, vector=item.vector > 1))
    if name in COMPARED:
        is_vector = item.vector > 1 or widens(item.builtin)
        return AllowedResults(truths(COMPARED[name](*args), dtype, vector=is_vector))
    return _unless_left_open(calls, functools.partial(applied, name, dtype), args)


def _unless_left_open(calls: Calls, function: Callable[..., np.ndarray], args: Args) -> AllowedResults:
    """Return the results of a function of integers, unless they are unspecified."""
    wanted = in_blocks(function, *args) if calls.wanted is None else calls.wanted
    return AllowedResults(wanted, left_open.of_row(calls.item.builtin, args, wanted, calls.criteria.edition))


def _one_of(results: Sequence[np.ndarray], is_small: Truth | None = None) -> AllowedResults:
    """Return that results equal one of several, which are unspecified where these differ."""
    wanted, *also = results
    disputed = functools.reduce(np.logical_or, [~same(wanted, other) for other in also], NOWHERE)
    return AllowedResults(wanted, also=tuple(also), is_small=is_small, is_disputed=disputed)


def _conversion(calls: Calls) -> AllowedResults:
    """Return the results of a conversion, or of a load or store of half, which convert in their mode.

    To integers without saturation, values out of range may be unspecified. To a format, a conversion whose name has no
    mode rounds in any of the modes allowed.
    """
    item, criteria, x = calls.item, calls.criteria, calls.args[0]
    named, saturates = next((mode for mode in MODES if mode in item.builtin.name.split("_")), None), is_saturated(item)

    def by(mode: Rounding) -> np.ndarray:
        return in_blocks(functools.partial(converted, dtype=item.result.dtype, mode=mode, sat=saturates), x)

    if isinstance(item.result, Whole):
        mode = named or "rtz"
        free = left_open.of_conversion(x, item.result, mode, criteria.edition, saturates=saturates)
        return AllowedResults(by(mode) if calls.wanted is None else calls.wanted, free)
    small = None
    if item.result.name in criteria.flushed_in(item):
        small = (np.abs(by("rtz")) < item.result.smallest_normal) & (x != 0)
    return _one_of([by(mode) for mode in ((named,) if named else criteria.modes)], small)


def _memory(calls: Calls) -> AllowedResults:
    """Return the results of a load or store: a half is converted in its mode, all other types keep their bits."""
    return AllowedResults(calls.args[0]) if calls.item.builtin.moves_bits else _conversion(calls)


def _constant(calls: Calls) -> AllowedResults:
    """Return the value of a macro: the text's, or another one that the text allows and that the target returns."""
    item, shape = calls.item, calls.args[0].shape
    possible = left_open.values_of_macro(item, calls.criteria.flushed)
    values = left_open.values_that_agree(possible, calls.criteria.returned)
    if not values:  # no value agrees with all that is returned
        return AllowedResults(np.full(shape, possible[0], item.result.dtype), is_right=NOWHERE)
    wanted, *also = (np.full(shape, value, item.result.dtype) for value in values)
    return AllowedResults(wanted, np.asarray(item.builtin.optional), tuple(also))


def _image(calls: Calls) -> AllowedResults:
    item = calls.item
    if is_sampled(item.builtin):
        return sampled_reads.allowed(item.builtin, item.form.name, calls.args[0], calls.criteria.freedom(item))
    return images.allowed(calls)


_CHAPTERS: dict[str, Callable[[Calls], AllowedResults]] = {
    "integer": _integer,
    "relational": _relational,
    "operators": _operator,
    "conversions": _conversion,
    "reinterpretation": lambda calls: AllowedResults(reinterpreted(calls.args[0], calls.item.result.dtype)),
    "memory": _memory,
    "constants": _constant,
    "contraction": contraction.allowed,
    "images": _image,
    "groups": groups.allowed,
    "printf": printed_texts.allowed,
}


def waived(calls: Calls) -> Truth:
    """Return which calls have results that are right if subnormal numbers are flushed to zeros of any sign: 4.5.3.

    Arguments, results and intermediate results of expressions may be flushed; components of vectors, independently.
    """
    item, got, flushed = calls.item, calls.got, calls.criteria.flushed_in(calls.item)
    assert got is not None  # as results are judged
    right = np.zeros(got.shape, np.bool_)
    if not flushed or not len(got) or item.builtin.moves_bits:
        return np.zeros(len(got), np.bool_)
    calls = calls._replace(wanted=None, flushing=item.form.name in flushed)
    choices = (_kept_or_flushed(a, t in flushed) for a, t in zip(calls.args, item.arguments, strict=True))
    for chosen in itertools.product(*choices):
        values, changed = zip(*chosen, strict=True)
        # the other calls belong to another choice
        here = np.flatnonzero(np.logical_and.reduce(changed) & ~right.reshape(len(got), -1).all(axis=-1))
        if here.size:
            right[here] |= _are_right(calls._replace(args=values).at(here), got[here], item.result.name in flushed)
    return np.asarray(right.reshape(len(got), -1).all(axis=-1))


def _are_right(calls: Calls, got: np.ndarray, flushes_result: bool) -> Truth:
    """Return which results are right for these arguments; zeros replace subnormal results if ``flushes_result``."""
    asked, type = allowed_results(calls), calls.item.result
    right = asked.accepts(got) | asked.is_free
    if flushes_result:
        small = [are_subnormal(v, type) for v in (asked.wanted, *asked.also)]
        right |= (np.logical_or.reduce(small) if asked.is_small is None else asked.is_small) & (got == 0)
    return np.asarray(right)


def _kept_or_flushed(values: np.ndarray, is_flushed: bool) -> list[tuple[np.ndarray, Truth]]:
    """Return an argument unchanged, and with subnormal numbers flushed to 0 and -0, each with a mask of its calls."""
    kept = (values, np.ones(len(values), np.bool_))
    if not is_flushed:
        return [kept]
    small = are_subnormal(values, format_of(values.dtype))
    zero, changed = values.dtype.type(0), np.asarray(small.reshape(len(values), -1).any(axis=-1))
    flushed = [(np.where(small, end, values), changed) for end in (zero, -zero)]
    return [kept, *flushed] if small.any() else [kept]
