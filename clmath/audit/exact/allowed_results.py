"""Results that a call may return, by chapter: one value, one of several, or any between two."""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.exact import contraction, groups, images, left_open, printed_texts, sampled_reads
from clmath.audit.exact.results import AllowedResults, certain, same, signals
from clmath.audit.plan.types import Whole
from clmath.numbers.formats import format_of, is_float
from clmath.numbers.rounding import MODES
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.channels import to_packed, unpacked
from clmath.reference.bitwise.conversions import converted, reinterpreted
from clmath.reference.bitwise.integers import INTEGERS
from clmath.reference.bitwise.operators import COMPARED, applied
from clmath.reference.bitwise.relational import TESTS, bitselect, joined, select, shuffled, truths
from clmath.spec.families import WRITES_PACKED, is_sampled, reads_truths, widens
from clmath.spec.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.exact.exact_law import ExactLaw
    from clmath.audit.exact.results import Args, Ends
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.reference.bitwise.channels import Channels

__all__ = ["Known", "allowed_results", "excused"]


class Known(NamedTuple):
    """Facts about calls that save work; acceptable results do not depend on them.

    ``got``: the results. Acceptable results in addition to the wanted one are found only for calls that do not return
    the wanted one. ``wanted``: the expected bits, found for another edition, in chapters where no edition changes them.
    """

    got: np.ndarray | None = None
    wanted: np.ndarray | None = None


NOTHING = Known()


def allowed_results(item: ExactItem, args: Args, law: ExactLaw, known: Known = NOTHING) -> AllowedResults:
    """Return the acceptable results of calls with ``args``; the last axis of arrays of vectors has the components."""
    with np.errstate(all="ignore"):
        found = _CHAPTERS[item.builtin.chapter](item, args, law, known)
    free, moves = found.is_free, item.builtin.moves_bits
    if law.waives("not finite", item):
        free = free | ~_all_finite(item, (*args, found.wanted), found.wanted)
    also = found.also
    has_nan = is_float(found.wanted.dtype)
    if law.waives("signs of zero", item) and not moves and has_nan:
        also += tuple(np.where(v == 0, np.negative(v), v) for v in (found.wanted, *also))
    quiet = _none_signals(item, args, found.wanted) if has_nan and not (moves or item.builtin.any_nan) else None
    return replace(found, is_free=free, also=also, bits_of_nan=moves, is_quiet=quiet)


def _none_signals(item: ExactItem, args: Args, like: np.ndarray) -> Truth:
    """Return where no argument of a call or component is a signaling NaN, so that a returned NaN must be quiet."""
    quiet = np.ones(like.shape, np.bool_)
    for values in args:
        here = _seen_by_lanes(item, ~signals(values))
        quiet &= here if here.shape == quiet.shape else _by_call(here, quiet)
    return quiet


def _all_finite(item: ExactItem, values: Args, like: np.ndarray) -> Truth:
    finite = np.ones(like.shape, np.bool_)
    for v in values:
        if is_float(v.dtype):
            here = _seen_by_lanes(item, np.isfinite(v))
            finite &= here if here.shape == finite.shape else _by_call(here, finite)
    return finite


def _seen_by_lanes(item: ExactItem, values: Truth) -> Truth:
    """Return whether ``values`` hold for all arguments that a result depends on: in groups, of all work-items."""
    if item.builtin.chapter != "groups" or values.ndim < 2:
        return values
    return np.asarray(np.broadcast_to(values.all(axis=-1, keepdims=True), values.shape))


def _by_call(values: Truth, like: Truth) -> Truth:
    """Return one value per call in the shape ``like``; either array may have an axis of components."""
    whole = values.all(axis=-1) if values.ndim > like.ndim else values[:, np.newaxis]
    return np.asarray(np.broadcast_to(whole, like.shape))


def _integer(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:
    wanted = in_blocks(INTEGERS[item.builtin.called], *args) if known.wanted is None else known.wanted
    return _unless_left_open(item, args, wanted, law)


def _relational(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    """Return the truths of tests, or the values that a truth selects.

    The edition says which integers in a vector are true. If it allows several readings, each is right, and results are
    unspecified where these differ.
    """
    name, is_vector = item.builtin.called, item.vector > 1
    if name in TESTS:
        return certain(truths(TESTS[name](*args), item.result.dtype, vector=is_vector))
    if reads_truths(item.builtin):
        found, *also = (joined(name, args[0], lanes) for lanes in statement("true_lanes", law.edition).says)
        return replace(certain(found, *also), is_disputed=_disputed(found, also))
    if name in ("shuffle", "shuffle2"):
        return certain(shuffled(args[-1], *args[:-1]))
    return certain(bitselect(*args) if name == "bitselect" else select(*args, vector=is_vector))


def _operator(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:
    """Return the result of an operator; true is 1, in the components of a vector -1."""
    name, dtype, args = item.builtin.called, item.result.dtype, item.widened(args)
    if name == "select":  # c ? b : a
        return certain(select(*args, vector=item.vector > 1))
    if name in COMPARED:
        is_vector = item.vector > 1 or widens(item.builtin)
        return certain(truths(COMPARED[name](*args), dtype, vector=is_vector))
    apply = functools.partial(applied, name, dtype)
    return _unless_left_open(item, args, in_blocks(apply, *args) if known.wanted is None else known.wanted, law)


def _unless_left_open(item: ExactItem, args: Args, wanted: np.ndarray, law: ExactLaw) -> AllowedResults:
    return AllowedResults(wanted, left_open.of_row(item.builtin, args, wanted, law.edition))


def _disputed(wanted: np.ndarray, also: list[np.ndarray]) -> Truth | None:
    """Return where texts require different results, or None if there is only one result."""
    return np.logical_or.reduce([~same(wanted, other) for other in also]) if also else None


def _conversion(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:
    """Return the results of a conversion; without saturation, values out of an integer's range may be unspecified."""
    saturates, mode = "sat" in item.builtin.name.split("_"), _mode_named(item)
    if isinstance(item.result, Whole):
        convert = functools.partial(converted, dtype=item.result.dtype, mode=mode or "rtz", sat=saturates)
        free = left_open.of_conversion(args[0], item.result, mode or "rtz", law.edition, saturates=saturates)
        return AllowedResults(in_blocks(convert, args[0]) if known.wanted is None else known.wanted, free)
    return _converted(item, args[0], mode, law)


def _converted(item: ExactItem, x: np.ndarray, named: Rounding | None, law: ExactLaw) -> AllowedResults:
    """Return the results of a conversion to a format, in the mode ``named``, else in any of the modes allowed."""

    def by(mode: Rounding) -> np.ndarray:
        return in_blocks(functools.partial(converted, dtype=item.result.dtype, mode=mode), x)

    wanted, *also = (by(mode) for mode in ((named,) if named else law.modes))
    is_small = None
    if item.result.name in law.flushed_in(item):
        is_small = (np.abs(by("rtz")) < item.result.smallest_normal) & (x != 0)
    return replace(certain(wanted, *also), is_small=is_small, is_disputed=_disputed(wanted, also))


def _reinterpretation(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    return certain(reinterpreted(args[0], item.result.dtype))


def _memory(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    """Return the results of a load or store: a half is converted in its mode, all other types keep their bits."""
    if item.builtin.moves_bits:
        return certain(args[0])
    return _converted(item, args[0], _mode_named(item), law)


def _mode_named(item: ExactItem) -> Rounding | None:
    """Return the mode in the name of a conversion, a load or a store, or None."""
    return next((mode for mode in MODES if mode in item.builtin.name.split("_")), None)


def _constant(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    """Return the value of a macro: the text's, or another one that the text allows and that the target returns."""
    possible = left_open.values_of_macro(item, law.flushed)
    values = left_open.values_that_agree(possible, law.returned)
    if not values:  # no value agrees with all that is returned
        nothing = np.zeros(len(args[0]), np.bool_)
        return AllowedResults(np.full(len(nothing), possible[0], item.result.dtype), nothing, is_right=nothing)
    wanted, *also = (np.full(len(args[0]), value, item.result.dtype) for value in values)
    return AllowedResults(wanted, np.full(len(wanted), item.builtin.optional), tuple(also))


def _contraction(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:
    wanted, *also = contraction.results(item, args, law.mode, flushing=law.flushing, got=known.got)
    is_flushed = item.result.name in law.flushed_in(item)
    is_small = contraction.is_small(item, args, flushing=law.flushing) if is_flushed else None
    return AllowedResults(wanted, np.full(wanted.shape, law.contracts), tuple(also), is_small=is_small)


def _image(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    if is_sampled(item.builtin):
        return sampled_reads.allowed(item.builtin, item.form.name, args[0], law.freedom(item))
    if item.builtin.rule == WRITES_PACKED:
        fields = images.channels_of(item.builtin)
        words = to_packed(args[0], fields, item.result.dtype)
        each = images.packed_ends(fields, args[0], saturates=law.saturates_writes)
        return _Packed(words, np.zeros(words.shape, np.bool_), channels=fields, channel_ends=each)
    return images.allowed(item, args[0], law.ulps_of_reads(item), saturates=law.saturates_writes)


@dataclass(frozen=True)
class _Packed(AllowedResults):
    """Words of channels: each channel has ends of its own, and bits outside of all channels may have any value."""

    channels: Channels = ()
    channel_ends: Ends = ()  # type: ignore[assignment]

    @property
    def others(self) -> str:
        low, high = self.channel_ends
        return "other codes of a channel within 0.6 of the exact number" if (low != high).any() else ""

    def accepts(self, got: np.ndarray) -> Truth:
        codes, (low, high) = unpacked(got, self.channels), self.channel_ends
        return np.asarray(((codes >= low) & (codes <= high)).all(axis=-1))


def _work_group(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:
    return groups.allowed(item, args, law, known.got)


@dataclass(frozen=True)
class _Printed(AllowedResults):
    """Texts; ``is_another`` says whether a text other than the expected one is right for a call, given by number."""

    is_another: Callable[[int, bytes], bool] = lambda _call, _text: False

    def accepts(self, got: np.ndarray) -> Truth:
        right = got == self.wanted
        for call in np.flatnonzero(~right).tolist():
            right[call] = self.is_another(call, got[call])
        return np.asarray(right)


def _print(item: ExactItem, args: Args, law: ExactLaw, known: Known) -> AllowedResults:  # noqa: ARG001
    wanted, is_another = printed_texts.allowed(item, args, law)
    return _Printed(wanted, np.zeros(wanted.shape, np.bool_), is_another=is_another)


_CHAPTERS: dict[str, Callable[[ExactItem, Args, ExactLaw, Known], AllowedResults]] = {
    "integer": _integer,
    "relational": _relational,
    "operators": _operator,
    "conversions": _conversion,
    "reinterpretation": _reinterpretation,
    "memory": _memory,
    "constants": _constant,
    "contraction": _contraction,
    "images": _image,
    "groups": _work_group,
    "printf": _print,
}


def excused(item: ExactItem, args: Args, got: np.ndarray, law: ExactLaw) -> Truth:
    """Return which calls have results that are right if subnormal numbers are flushed to zeros of any sign: 4.5.3.

    Arguments, results and intermediate results of expressions may be flushed; components of vectors, independently.
    """
    right, flushed = np.zeros(got.shape, np.bool_), law.flushed_in(item)
    if not flushed or not len(got) or item.builtin.moves_bits:
        return np.zeros(len(got), np.bool_)
    law = replace(law, flushing=item.form.name in flushed)
    flushes_result = item.result.name in flushed
    choices = (_kept_or_flushed(a, t in flushed) for a, t in zip(args, item.arguments, strict=True))
    for chosen in itertools.product(*choices):
        values, changed = zip(*chosen, strict=True)
        # the other calls belong to another choice
        here = np.flatnonzero(np.logical_and.reduce(changed) & ~right.reshape(len(got), -1).all(axis=-1))
        if here.size:
            of_calls = replace(law, members=tuple(m[here] for m in law.members))
            right[here] |= _is_right(item, tuple(v[here] for v in values), got[here], of_calls, flushes_result)
    return np.asarray(right.reshape(len(got), -1).all(axis=-1))


def _is_right(item: ExactItem, args: Args, got: np.ndarray, law: ExactLaw, flushes_result: bool) -> Truth:
    """Return which results are right for these arguments; zeros replace subnormal results if ``flushes_result``."""
    asked = allowed_results(item, args, law, Known(got))
    right = asked.accepts(got) | asked.is_free
    if flushes_result:
        is_small = _flushed((asked.wanted, *asked.also), item.result) if asked.is_small is None else asked.is_small
        right |= is_small & (got == 0)
    return np.asarray(right)


def _kept_or_flushed(values: np.ndarray, is_flushed: bool) -> list[tuple[np.ndarray, Truth]]:
    """Return an argument unchanged, and with subnormal numbers flushed to 0 and -0, each with a mask of its calls."""
    kept = (values, np.ones(len(values), np.bool_))
    form = format_of(values.dtype)
    if not is_flushed or form is None:
        return [kept]
    small = (np.abs(values) < form.smallest_normal) & (values != 0)
    zero, changed = values.dtype.type(0), small.reshape(len(values), -1).any(axis=-1)
    flushed = [(np.where(small, end, values), changed) for end in (zero, -zero)]
    return [kept, *flushed] if small.any() else [kept]


def _flushed(values: Args, type: Format) -> Truth:
    """Return where a result that is right is subnormal."""
    small = [(np.abs(v) < type.smallest_normal) & (v != 0) for v in values]
    return np.asarray(np.logical_or.reduce(small))
