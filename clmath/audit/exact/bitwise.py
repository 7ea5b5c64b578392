"""Judges rows whose every result is prescribed: results that are allowed, whether each is right, and why not."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.findings import FLUSHED, INFINITE, LIMIT, SIGN, SIGNALING, WORDS, kind_of
from clmath.audit.counting.spread import binned, ordered, same, steps
from clmath.audit.counting.tally import Example, Otherwise, Tally, tally_of_failures
from clmath.audit.exact import contraction, exact_criteria, groups, images, printed_texts
from clmath.audit.exact.exact_criteria import (
    NOWHERE,
    AllowedResults,
    Args,
    Calls,
    ExactCriteria,
    are_subnormal,
    is_saturated,
    signals,
)
from clmath.audit.inputs.layout import Columns, arguments
from clmath.audit.inputs.values import number_text
from clmath.audit.inputs.vectors import with_vectors
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TYPES, Text, Whole, code_of
from clmath.ir.values import Truth
from clmath.numbers import guard
from clmath.numbers.formats import Format, format_of, is_float
from clmath.numbers.rounding import MODES, Rounding
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.conversions import converted, reinterpreted
from clmath.reference.bitwise.integers import INTEGERS
from clmath.reference.bitwise.operators import COMPARED, applied
from clmath.reference.bitwise.relational import TESTS, bitselect, joined, select, shuffled, truths
from clmath.spec.editions import Edition, statement
from clmath.spec.families import is_sampled, reads_truths, widens


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
    return _unless_unspecified(calls, INTEGERS[calls.item.builtin.called], calls.args)


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
    return _unless_unspecified(calls, functools.partial(applied, name, dtype), args)


def _unless_unspecified(calls: Calls, function: Callable[..., np.ndarray], args: Args) -> AllowedResults:
    """Return the results of a function of integers, unless they are unspecified."""
    wanted = in_blocks(function, *args) if calls.wanted is None else calls.wanted
    return AllowedResults(
        wanted, exact_criteria.unspecified_in_row(calls.item.builtin, args, wanted, calls.criteria.edition)
    )


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
        free = exact_criteria.unspecified_conversions(x, item.result, mode, criteria.edition, saturates=saturates)
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
    possible = exact_criteria.values_of_macro(item, calls.criteria.flushed)
    values = exact_criteria.values_that_agree(possible, calls.criteria.returned)
    if not values:  # no value agrees with all that is returned
        return AllowedResults(np.full(shape, possible[0], item.result.dtype), is_right=NOWHERE)
    wanted, *also = (np.full(shape, value, item.result.dtype) for value in values)
    return AllowedResults(wanted, np.asarray(item.builtin.optional), tuple(also))


def _image(calls: Calls) -> AllowedResults:
    item = calls.item
    if is_sampled(item.builtin):
        return images.allowed_reads(item.builtin, item.form.name, calls.args[0], calls.criteria.freedom(item))
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


_TRUE = 0  # in addition to the kinds of reasons of rows with limits
_REASONS = WORDS | {
    LIMIT: "not as prescribed: {}",
    INFINITE: "an infinity where a finite number is due",
    FLUSHED: "a subnormal flushed to zero, though it may not be",
    SIGN: "wrong sign of zero",
    SIGNALING: "a signaling NaN though no argument is one (OpenCL C++ 1.0, 3.26.4, 4.3 and 4.5.1)",
    _TRUE: "a wrong number for true: it is 1 of scalars, -1 in each lane of a vector (cl_khr_fp16)",
}


def judge(
    item: ExactItem,
    values: Columns,
    results: tuple[np.ndarray, ...],
    criteria: ExactCriteria,
    places: int | np.ndarray = 0,
    *_known: object,
) -> Tally:
    """Return the tally of one chunk of a row, as ``judge.piece.judge`` does for rows with errors in ulp.

    Errors that are known from other chunks make no difference.
    """
    guard.refuse_altered_arithmetic("clmath audit")
    got, *members = results
    calls = Calls(item, arguments(item, values), criteria, got, tuple(members))
    found = _found(calls)
    wanted, failing, flushed, free = found.asked.wanted, found.failing, found.flushed, found.free
    by_others = (calls._replace(criteria=other, wanted=wanted) for other in criteria.others(item))
    others = (_found(one).counts(one.criteria.edition) for one in by_others)
    standing = places + np.arange(len(got)) if isinstance(places, int) else places
    apart = _steps(got, wanted, item.result).max(axis=-1)
    spread = binned(np.where(failing, np.maximum(apart, np.uint64(1)), apart)[~free & ~flushed])
    counts = int(free.sum()), int(flushed.sum()), int(failing.sum())
    tally = Tally(len(got), *counts, others=tuple(others), spread=spread)
    if not failing.any():
        return tally
    tally += _failures(item, values, got, found, standing, criteria.limit(item).text)
    return tally if item.vector == 1 else with_vectors(item, tally, values, int(standing[0]))


@np.errstate(all="ignore")
def fails(item: ExactItem, values: Columns, results: tuple[np.ndarray, ...], criteria: ExactCriteria) -> bool:
    """Return whether ``judge`` counts a failure."""
    return bool(judge(item, values, results, criteria).failed)


class _Found(NamedTuple):
    """The results that are ``asked`` for, a mask of wrong results, and masks of calls.

    Calls are failing, pass only as flushed, or are unspecified (``free``).
    """

    asked: AllowedResults
    wrong: Truth
    failing: Truth
    flushed: Truth
    free: Truth

    def counts(self, edition: Edition) -> Otherwise:
        """Return the numbers of calls that are unspecified by ``edition``, and that fail by it."""
        return Otherwise(edition, int(self.free.sum()), int(self.failing.sum()))


def _found(calls: Calls) -> _Found:
    """Judge each call by the acceptance criteria."""
    asked, got = allowed_results(calls), calls.got
    assert got is not None  # as results are judged
    accepted = asked.accepts(got)
    wrong = ~(accepted | asked.is_free)
    failing = np.asarray(wrong.reshape(len(got), -1).any(axis=-1))
    flushed = np.zeros(len(got), np.bool_)
    flushed[failing] = waived(calls.at(failing))
    failing &= ~flushed
    free = np.asarray(asked.unspecified(accepted).reshape(len(got), -1).all(axis=-1))
    return _Found(asked, wrong, failing, flushed, free)


def _steps(got: np.ndarray, wanted: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return the distances of results from those due, in numbers of the type; different texts are 1 apart."""
    if isinstance(type, Text):
        return np.asarray(got != wanted).astype(np.uint64).reshape(len(got), -1)
    return steps(got.reshape(len(got), -1), wanted.reshape(len(got), -1), type)


def _failures(  # noqa: PLR0917 - the facts of one chunk
    item: ExactItem, values: Columns, got: np.ndarray, found: _Found, standing: np.ndarray, limit: str
) -> Tally:
    """Return a tally of failing calls by the reasons of their first wrong results, with examples and the worst."""
    calls, type = np.flatnonzero(found.failing), item.result
    components = np.argmax(found.wrong.reshape(len(got), -1)[calls], axis=-1)
    got, wanted = (a.reshape(len(a), -1)[calls, components] for a in (got, found.asked.wanted))
    texts = {number: words.format(limit) for number, words in _REASONS.items()}
    codes, apart = _codes(item, got, wanted), _steps(got, wanted, type)[:, 0]

    def example(k: int, text: str) -> Example:
        args = tuple(stored(v[calls[k]], TYPES[kind]) for v, kind in zip(values, item.columns, strict=True))
        sides, error = (stored(got[k], type), stored(wanted[k], type)), _error(got[k], wanted[k], type)
        return Example(int(standing[calls[k]]), args, int(components[k]), *sides, None, error, text)

    worst = int(np.argmax(apart))
    groups = {texts[code]: np.flatnonzero(codes == code) for code in np.unique(codes).tolist()}
    return Tally(worst=example(worst, texts[codes[worst]])) + tally_of_failures(groups, example)


def stored(value: object, type: Format) -> int:
    """Return the encoding of a number of a format, or an integer itself, or a text as a number."""
    return code_of(value) if isinstance(type, (Whole, Text)) else int(type.bits(value))


def _error(got: np.ndarray, wanted: np.ndarray, type: Format) -> float:
    """Return the distance from ``wanted`` to ``got`` in numbers of the type, or 1 if only their bits differ."""
    if isinstance(type, Text):
        return 1.0
    keys = [int(ordered(np.atleast_1d(v), type)[0]) for v in (got, wanted)]
    if not isinstance(type, Whole) and (np.isnan(got) != np.isnan(wanted)):
        return float("inf")
    return float(keys[0] - keys[1]) or 1.0


def _codes(item: ExactItem, got: np.ndarray, wanted: np.ndarray) -> NDArray[np.int16]:
    """Return the number of the reason why each result is wrong."""
    codes, type = np.full(got.shape, LIMIT, np.int16), item.result
    if isinstance(type, Whole):
        codes[(got != 0) & (wanted != 0) & (item.builtin.result == "booln")] = _TRUE
    if isinstance(type, (Text, Whole)):
        return codes
    are_infinite = np.isinf(got) & np.isinf(wanted)
    codes = np.where((got == 0) & (wanted == 0), SIGN, np.where(are_infinite, LIMIT, kind_of(got, wanted, type)))
    if not item.builtin.moves_bits:
        codes[np.isnan(wanted) & signals(got)] = SIGNALING
    return codes


def outcome(item: ExactItem, columns: Columns, mode: Rounding) -> Iterator[str]:
    """Yield a line for each component of one call's result: the expected value, and others that are right."""
    asked = allowed_results(Calls(item, arguments(item, columns), ExactCriteria("full", mode, flushes=False)))
    wanted, free = (a.reshape(-1) for a in (asked.wanted, asked.is_free))
    for component in range(len(wanted)):
        others = {result_text(item, other.reshape(-1)[component]) for other in asked.also}
        remarks = [f"or {other}" for other in sorted(others - {result_text(item, wanted[component])})]
        within = [[end.reshape(-1)[component] for end in ends] for ends in asked.intervals]
        ranges = (
            f"or from {result_text(item, low)} to {result_text(item, high)}" for low, high in within if low != high
        )
        remarks += dict.fromkeys(ranges)
        remarks += [f"or {asked.others}"] if asked.others else []
        remarks = ["or anything: the specification leaves it open"] if free[component] else remarks
        yield ", ".join([result_text(item, wanted[component]), *remarks])


def result_text(item: ExactItem, value: object) -> str:
    """Return a result, or one component of it, as text with its bits and in decimal."""
    return number_text(stored(np.asarray(value)[()], item.result), item.result.name, item.form)
