"""Acceptance criteria of a row that is judged bit by bit; results that calls may return, unspecified ones included."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.criteria import (
    Criteria,
    Waiver,
    entries_in_force,
    judging_rules,
    lacks_infinities,
    modes_of,
    optional_subnormals,
    options_in_force,
)
from clmath.audit.counting.spread import same
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.types import TYPES, Whole
from clmath.audit.protocol.target import Target, has_infinities
from clmath.ir.values import Real, Truth
from clmath.numbers.formats import Format, format_of, is_float
from clmath.numbers.rounding import Rounding
from clmath.reference.bitwise import macros
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.integers import low24, mul24, mul_hi
from clmath.reference.bitwise.operators import exact, is_no_quotient
from clmath.reference.bitwise.wide import is_beyond
from clmath.spec.builtins import DIVIDED, Builtin
from clmath.spec.editions import DEFAULT, Edition, Profile, Statement, statement
from clmath.spec.families import WRITES_NORMALIZED, reads_truths
from clmath.spec.limits import Limit, NoRounding

Args: TypeAlias = "tuple[np.ndarray, ...]"
Ends: TypeAlias = "tuple[np.ndarray, np.ndarray]"

NOWHERE, EVERYWHERE = np.zeros((), np.bool_), np.ones((), np.bool_)  # conditions on results of any shape


class AllowedResults(NamedTuple):
    """The results that calls may return.

    ``wanted``: the result that is shown as the expected one; other right results are in ``also``, lie within one of the
    ``intervals``, or are found by ``is_another``, which ``others`` describes. ``is_free``: where the result is
    unspecified. ``bits_of_nan``: whether a NaN must have the bits of the wanted one; if not, any NaN is right, but it
    must be quiet where ``is_quiet``. ``is_small``: where a right result is subnormal before it is rounded, if it need
    not be so itself. ``is_disputed``: where texts require different results. ``is_right``: where some result can be
    right.
    """

    wanted: np.ndarray
    is_free: Truth = NOWHERE
    also: tuple[np.ndarray, ...] = ()
    intervals: tuple[Ends, ...] = ()
    is_another: Callable[[np.ndarray], Truth] | None = None
    others: str = ""
    bits_of_nan: bool = False
    is_quiet: Truth = NOWHERE
    is_small: Truth | None = None
    is_disputed: Truth = NOWHERE
    is_right: Truth = EVERYWHERE

    def unspecified(self, accepted: Truth) -> Truth:
        """Return which results are unspecified: all where ``is_free``, and ``accepted`` ones where texts differ."""
        return self.is_free | (self.is_disputed & accepted)

    def accepts(self, got: np.ndarray) -> Truth:
        """Return which results are right, whether or not they are unspecified."""
        right = same(got, self.wanted, bits_of_nan=self.bits_of_nan)
        for other in self.also:
            right |= same(got, other, bits_of_nan=self.bits_of_nan)
        for low, high in self.intervals:
            right |= _lies_within(got, low, high)
        if self.is_another is not None:
            right |= self.is_another(got)
        return right & self.is_right & ~(signals(got) & self.is_quiet)


def _lies_within(got: np.ndarray, low: np.ndarray, high: np.ndarray) -> Truth:
    """Return where results lie between two ends, and have a negative sign, -0 included, only if the lower end has."""
    inside = (got >= low) & (got <= high)
    return np.asarray(inside & (np.signbit(got) <= np.signbit(low)) if is_float(got.dtype) else inside)


def signals(values: np.ndarray) -> Truth:
    """Return which values are signaling NaN."""
    form = format_of(values.dtype)
    return np.zeros(values.shape, np.bool_) if form is None else form.signals(values)


def are_subnormal(values: np.ndarray, form: Format | None) -> Truth:
    """Return which numbers are subnormal in a format, and not zero; without a format, which is for integers, none."""
    return np.asarray((values != 0) & (form is not None and np.abs(values) < form.smallest_normal))


UNDEFINED = -1  # a kernel stores this for an optional macro that is not defined


_TO_INTEGER: Mapping[Rounding, Callable[[Real], Real]] = {
    "rte": np.rint,
    "rtz": np.trunc,
    "rtp": np.ceil,
    "rtn": np.floor,
}


def statement_on_conversion(source: np.dtype, target: Format, *, saturates: bool) -> str:
    """Return the name of the statement on a conversion that editions differ in, or "" if all results are prescribed.

    Integers wrap in unsigned types.
    """
    if not isinstance(target, Whole):
        return ""
    if is_float(source):
        return "saturated_nan" if saturates else "rounded_into_range"
    return "" if saturates or target.dtype.kind == "u" or np.can_cast(source, target.dtype) else "wrapped"


def unspecified_conversions(
    x: np.ndarray, target: Format, mode: Rounding, edition: Edition, *, saturates: bool
) -> Truth:
    """Return where a conversion of ``x`` in ``mode`` is unspecified by ``edition``.

    Without saturation, numbers beyond the range of an integer type are, unless the statement of the edition says
    otherwise. With saturation, only NaN may be.
    """
    name = statement_on_conversion(x.dtype, target, saturates=saturates)
    if not name or not isinstance(target, Whole):
        return np.zeros(x.shape, np.bool_)
    is_required = not statement(name, edition).requires_nothing
    if name == "rounded_into_range":
        wide = x.astype(np.float64)
        return ~_within(_TO_INTEGER[mode](wide) if is_required else wide, target)
    if is_required:
        return np.zeros(x.shape, np.bool_)
    return np.isnan(x) if name == "saturated_nan" else ~_holds(x, target)


def _within(x: Real, target: Whole) -> Truth:
    """Return where a number lies within the range of an integer type; False for NaN."""
    beyond = float(target.most + 1)  # a power of two
    below_most = (x < beyond) if target.width > 52 else (x <= target.most)
    return np.asarray(below_most & (x >= target.least))


def _holds(x: np.ndarray, target: Whole) -> Truth:
    """Return where integers lie within the range of a type."""
    info = np.iinfo(x.dtype)
    least, most = max(target.least, int(info.min)), min(target.most, int(info.max))
    return np.asarray((x >= x.dtype.type(least)) & (x <= x.dtype.type(most)))


def unspecified_in_row(row: Builtin, args: Args, result: np.ndarray, edition: Edition = DEFAULT) -> Truth:
    """Return where a built-in of the integer or relational chapter, or an operator, is unspecified.

    Arguments have the shape of the result.
    """
    is_modulo = not statement("signed_overflow", edition).requires_nothing
    rule = _MODULO.get(row.unspecified, row.unspecified) if is_modulo else row.unspecified
    if row.operator:
        args = tuple(a.astype(result.dtype) for a in args)  # the usual conversions
    return in_blocks(_OPEN[rule], *args) if rule else np.zeros(result.shape, np.bool_)


def may_be_modulo(row: Builtin) -> bool:
    """Return whether a built-in has sums, differences or products that an edition may take modulo 2^n."""
    return row.unspecified in _MODULO


def _beyond_24_bits(*factors: np.ndarray) -> Truth:
    return np.asarray((low24(factors[0]) != factors[0]) | (low24(factors[1]) != factors[1]))


def _sum_overflows(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Truth:
    """Return where a sum of signed integers overflows their type: ISO/IEC 9899:TC2, 6.5."""
    return is_beyond(exact("add", mul_hi(a, b), c), a.dtype)


def _sum_of_24_bits_overflows(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> Truth:
    return _beyond_24_bits(x, y) | _overflows("add")(mul24(x, y), z)


def _overflows(name: str) -> Callable[..., Truth]:
    """Return a function that finds where the result of the operator ``name`` is beyond a signed operand type."""
    return _of_signed(lambda *args: is_beyond(exact(name, *args), args[0].dtype))


def _of_signed(is_unspecified: Callable[..., Truth]) -> Callable[..., Truth]:
    """Return the function ``is_unspecified`` restricted to signed integers; unsigned ones are never unspecified."""
    return lambda *args: is_unspecified(*args) if args[0].dtype.kind == "i" else np.zeros(args[0].shape, np.bool_)


_OPEN: dict[str, Callable[..., Truth]] = {
    "minval > maxval": lambda x, least, most: least > most,  # noqa: ARG005 - arguments as declared
    "a factor beyond 24 bits": _beyond_24_bits,
    "a factor beyond 24 bits, or the sum overflows": _sum_of_24_bits_overflows,
    "the sum overflows": _of_signed(_sum_overflows),
    "a signed sum overflows": _overflows("add"),
    "a signed difference overflows": _overflows("sub"),
    "a signed product overflows": _overflows("mul"),
    "a signed opposite overflows": _overflows("negative"),
    DIVIDED: is_no_quotient,
}
_MODULO = {  # the rules that remain if sums, differences and products that overflow are taken modulo 2^n
    "a factor beyond 24 bits, or the sum overflows": "a factor beyond 24 bits",
    "the sum overflows": "",
    "a signed sum overflows": "",
    "a signed difference overflows": "",
    "a signed product overflows": "",
}


def values_of_macro(item: ExactItem, flushed: frozenset[str]) -> tuple[int | float, ...]:
    """Return the values that a macro may have: the specification's value first, then others that it allows.

    An optional macro may be 1 or undefined. ``flushed``: formats without subnormal numbers.
    """
    row = item.builtin
    absent = (0,) if row.rule == "subnormals" and flushed.issuperset(row.needs) else ()
    return (1, UNDEFINED) if row.optional else tuple(dict.fromkeys((macros.value(row.name), *row.also, *absent)))


def values_that_agree(values: tuple[int | float, ...], returned: tuple[int, ...]) -> tuple[int | float, ...]:
    """Return the ``values`` that agree with all that was ``returned``; none if calls returned several of them.

    A call that returns none of ``values`` is wrong, and does not count.
    """
    conforming = [value for value in returned if value in values]
    return tuple(value for value in values if all(other == value for other in conforming))


_PRESCRIBED = ((NoRounding(), None),)


class Freedom(NamedTuple):
    """The errors that the read of an image may have.

    ``ulps``: the error of each channel that is read, in ulp. Filters and normalized coordinates add the other errors.
    ``relative``: in parts of the largest texel. ``absolute``: by channel type. ``srgb``: of filtered colours, in codes.
    ``least``: of every number. ``subnormal``: in addition, if a texel is subnormal.
    ``weight``: of the weights of a filter. ``offset``: of the location of the nearest texel, in texels.
    """

    ulps: float
    relative: float
    absolute: Mapping[str, float]
    srgb: float
    least: float
    subnormal: float
    weight: float
    offset: float


@dataclass(frozen=True)
class ExactCriteria(Criteria):
    """Acceptance criteria of a row that is judged bit by bit.

    ``mode``: the rounding mode of built-ins whose name has none. ``flushed``: the names of formats whose subnormal
    numbers may be flushed. ``returned``: the results of the target for the calls that a macro describes.
    """

    flushed: frozenset[str] = frozenset()
    returned: tuple[int, ...] = ()

    @property
    def modes(self) -> tuple[Rounding, ...]:
        """The modes in which a conversion without a mode in its name may round."""
        return (self.mode, *self.also)

    @property
    def tables(self) -> Profile:
        """The profile of the audit, since no table of limits applies."""
        return self.profile

    @property
    def _kind(self) -> str:
        """The profile without its relaxed table."""
        return "embedded" if self.profile.endswith("embedded") else "full"

    def ulps_of_reads(self, item: ExactItem) -> float:
        """Return the error in ulp that the read of a normalized integer from an image may have."""
        return float(judging_rules(self.edition)["ulps_of_reads"][self._kind].get(item.form.name, 0.0))

    def freedom(self, item: ExactItem) -> Freedom:
        """Return the errors that a read with a sampler may have."""
        found = judging_rules(self.edition)["sampled"]
        absolute = {type: float(Fraction(most)) for type, most in found["absolute"].items()}
        named = {name: float(found[name]) for name in ("relative", "srgb", "least", "subnormal", "weight", "offset")}
        return Freedom(self.ulps_of_reads(item), absolute=absolute, **named)

    def flushed_in(self, item: ExactItem) -> frozenset[str]:
        """Return the names of formats whose subnormal numbers may be flushed in arguments and results of a row."""
        listed = judging_rules(self.edition)["flushed_in"].get(item.builtin.chapter, {}).get(self._kind, ())
        keeps = not {*item.builtin.exact_from}.isdisjoint(item.arguments)
        in_memory = {"half"} if item.builtin.result == "storage" else set()  # it is only loaded or stored
        return frozenset(listed) | (frozenset() if keeps else self.flushed - in_memory)

    def limit(self, item: Item) -> Limit:
        """Return the requirement of the specification on the row, in words."""
        said, section = self.statements(item), item.builtin.section
        source = f"OpenCL C++ 1.0, {section}" if section[0].isdigit() else f"OpenCL C, {section}"
        source = "; ".join(found.source for found in said.values()) or source
        return Limit(item.builtin.limit, source, (), _PRESCRIBED)

    def waives(self, what: Waiver, item: Item) -> bool:
        """Whether a build option waives the requirement ``what`` for the row."""
        formats = {*item.columns, *item.results}
        if what == "not finite" and not self.infinities:
            return True
        entries = entries_in_force(self.options, self.edition)
        return any(what in one["waives"] and formats & {*one.get("formats", formats)} for one in entries)

    @property
    def saturates_writes(self) -> bool:
        """Whether an infinity or NaN that is written to normalized integers must saturate."""
        return not statement("non_finite_writes", self.edition).requires_nothing

    @property
    def contracts(self) -> bool:
        """Whether a build option allows the same results for a * b + c as for mad."""
        return "-cl-mad-enable" in options_in_force(self.options, self.edition)

    def statements(self, item: Item) -> dict[str, Statement]:
        """Return the statements of the edition that concern the row, by their names."""
        assert isinstance(item, ExactItem)
        return {name: statement(name, self.edition) for name in _concerning(item)}

    def requirement(self, item: Item) -> tuple[object, ...]:
        """Return all that the edition requires of the row without its wording, so that editions can be compared."""
        assert isinstance(item, ExactItem)
        return (
            {name: found.says for name, found in self.statements(item).items()},
            self.waives("not finite", item),
            self.waives("signs of zero", item),
            self.flushed_in(item),
            self.contracts,
            self.freedom(item) if item.builtin.chapter == "images" else None,
        )


def is_saturated(item: ExactItem) -> bool:
    """Whether the row is a conversion that saturates."""
    return "sat" in item.builtin.name.split("_")


def _concerning(item: ExactItem) -> Iterator[str]:
    """Yield the names of the statements of editions that concern the row."""
    row = item.builtin
    if reads_truths(row):
        yield "true_lanes"
    if row.chapter == "conversions":
        source = TYPES[item.arguments[0]].dtype
        if name := statement_on_conversion(source, item.result, saturates=is_saturated(item)):
            yield name
    if item.result.dtype.kind == "i" and may_be_modulo(row):
        yield "signed_overflow"
    if row.rule in WRITES_NORMALIZED:
        yield "non_finite_writes"


class Calls(NamedTuple):
    """Calls of a row under acceptance criteria; the last axis of arrays of vectors has the components.

    ``got``: the results. With them, right results in addition to the wanted one are found only for calls that do not
    return the wanted one. ``members``: for each work-item, as the target reports it, the number of its sub-group, its
    place in it, and the sub-group's size. ``wanted``: the expected bits, found for another edition, in chapters where
    no edition changes them. ``flushing``: whether subnormal steps of an expression are taken as flushed.
    """

    item: ExactItem
    args: Args
    criteria: ExactCriteria
    got: np.ndarray | None = None
    members: Args = ()
    wanted: np.ndarray | None = None
    flushing: bool = False

    def at(self, index: NDArray[np.intp] | Truth) -> Calls:
        """Return the chosen calls."""
        args, members = (tuple(values[index] for values in columns) for columns in (self.args, self.members))
        got, wanted = (None if values is None else values[index] for values in (self.got, self.wanted))
        return self._replace(args=args, members=members, got=got, wanted=wanted)


def criteria_of(item: ExactItem, plan: Plan, target: Target) -> ExactCriteria:
    """Return the criteria for one row of one target, by its modes, flushed formats and missing infinities."""
    offered, result = target.formats(), item.result
    source = next((f for f in offered if f.name in item.arguments), None)
    computed = result if result in offered else source
    in_force = "rte" if isinstance(result, Whole) or computed is None else target.mode(computed)
    mode, *also = _modes(item, in_force, plan)
    options = target.build_options()
    lacking = frozenset(f.name for f in offered if target.flushes(f)) & optional_subnormals(plan.edition)
    waiving = [one for one in entries_in_force(options, plan.edition) if "subnormals" in one["waives"]]
    flushed = lacking.union(*(one["formats"] for one in waiving))
    return ExactCriteria(
        plan.profile,
        mode,
        bool(flushed),
        options=options,
        edition=plan.edition,
        infinities=not any(_lacks(f, plan, target) for f in offered if f.name in item.needs),
        also=tuple(also),
        flushed=flushed,
    )


def _modes(item: ExactItem, in_force: Rounding, plan: Plan) -> tuple[Rounding, ...]:
    """Return the modes in which a row may round.

    Expressions round in the mode in force. Sums of groups and printf are functions, which may round in it if it is a
    default mode. A conversion that names no mode rounds in rte (3.2.3, 3.22.3), or in the mode in force
    (SELECT_ROUNDING_MODE).
    """
    if item.builtin.chapter == "contraction":
        return (in_force,)
    if item.builtin.chapter in {"groups", "printf"}:
        return modes_of(item, in_force, plan.profile, plan.edition)
    return tuple(dict.fromkeys(("rte", in_force)))


def _lacks(form: Format, plan: Plan, target: Target) -> bool:
    """Whether a device has neither infinities nor NaN of a format, and needs none."""
    return not has_infinities(target, form) and lacks_infinities(
        form.name, plan.profile, target.mode(form), plan.edition
    )
