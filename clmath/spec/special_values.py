"""Prescribed results for special arguments as immutable values, read from the ``special_values.toml`` of an edition."""

from __future__ import annotations

import functools
import itertools
import math
import operator
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.errors import TableError
from clmath.ir.primitives import bits, copysign, everywhere, filled, select, trunc
from clmath.spec import editions, files, proposals
from clmath.spec.builtins import Builtin, builtin
from clmath.spec.editions import DEFAULT
from clmath.spec.notation import NUMBER, Condition, condition, meets, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.spec.editions import Edition

Array: TypeAlias = "np.ndarray"
Arrays: TypeAlias = tuple[Array, ...]
Values: TypeAlias = "Mapping[str, Real]"

_NAME = "special_values.toml"
_WITHOUT = "without"  # the lines of lower layers that an edition does not have

_CONSTANT = re.compile(rf"(?P<either>±?)(?P<number>{NUMBER})")
_VARIABLE = re.compile(r"(?P<either>±?)(?P<name>[a-z]\w*)")
_BETWEEN = re.compile(rf"{NUMBER} <=? (?P<name>[a-z]\w*) <=? {NUMBER}")
_HALFWAY = re.compile(r"(?P<name>[a-z]\w*) \+ 0\.5")
_SPECIAL_VALUE = re.compile(r"(?P<name>\w+)\((?P<arguments>[^()]*)\) = (?P<results>.+?)(?: for (?P<condition>.+))?")


@dataclass(frozen=True)
class Pattern:
    """One argument of a special value: a constant, or a variable; ``either``: of either sign."""

    text: str
    constant: str | None = None
    variable: str | None = None
    either: bool = False
    halfway: bool = False


def _is_pattern(pattern: Pattern, x: Real, form: Format) -> Truth:
    """Return where an argument is the constant, or has the form ``n + 0.5``; True of other variables."""
    same: Truth
    if pattern.constant is None:
        same = abs(x - trunc(x)) == 0.5 if pattern.halfway else everywhere(x)
        return same
    value = number(pattern.constant, form)
    if value != value:
        same = x != x
        return same
    same = (abs(x) if pattern.either else x) == value
    if value == 0.0 and pattern.constant[0] in "+-":  # ints have no sign of zero
        negative = bits(x) < 0
        same = same & (negative if pattern.constant.startswith("-") else ~negative)
    return same


def _value_of(pattern: Pattern, x: Real) -> Real:
    """Return the value of the variable: the argument, its magnitude, or the integer below it."""
    return x - 0.5 if pattern.halfway else abs(x) if pattern.either else x


class _Bound(NamedTuple):
    """The values of variables by name, the sign of ±, and an argument."""

    values: Values
    negative: Truth
    like: Real
    form: Format


@dataclass(frozen=True)
class Result:
    """One result of a special value: one or more alternatives, a range, or any result.

    ``is_closed``: whether the greatest end of a range belongs to it, as the least end always does.
    """

    text: str
    alternatives: tuple[str, ...]
    low: float | None = None
    high: float | None = None
    is_closed: bool = False

    @property
    def is_free(self) -> bool:
        """Whether any result is allowed, without a range."""
        return self.low is None and self.alternatives == ("any",)

    @property
    def is_any(self) -> bool:
        """Whether every result is allowed, in a range perhaps."""
        return self.alternatives == ("any",)

    @property
    def is_quiet_nan(self) -> bool:
        """Whether a quiet NaN is prescribed, and a signaling one is wrong for that reason."""
        return self.alternatives == (_QUIET,)

    @property
    def exact(self) -> bool:
        """Whether the alternatives are numbers of every format."""
        return self.low is None and not any("π" in a for a in self.alternatives)


_QUIET = "quiet NaN"
_PI = re.compile(r"(?P<sign>[±-]?)(?P<times>\d?)π(?:/(?P<over>\d))?")
_COPYSIGN = re.compile(r"copysign\(0, (?P<sign>-?)(?P<name>[a-z]\w*)\)")
_MAGNITUDE = re.compile(r"(?P<sign>-?)\|(?P<name>[a-z]\w*)\|")
_RANGE = re.compile(rf"in \[(?P<low>{NUMBER}), (?P<high>{NUMBER})(?P<close>[\])])")


def _may_be_normal(text: str, form: Format) -> bool:
    if text in ("any", _QUIET) or _COPYSIGN.fullmatch(text):
        return False
    constant = _CONSTANT.fullmatch(text)
    return constant is None or 0.0 < abs(number(constant["number"], form)) < np.inf


def _value(text: str, bound: _Bound) -> Real:
    """Return the value that an alternative writes; NaN where any result is allowed, the nearest double for a π/2."""
    like = bound.like
    if text in ("any", _QUIET):
        return filled(math.nan, like)
    if match := _PI.fullmatch(text):
        size = int(match["times"] or 1) * math.pi / int(match["over"] or 1)
        return _signed(match["sign"], filled(size, like), bound)
    if match := _CONSTANT.fullmatch(text):
        value = filled(number(match["number"], bound.form), like)
        return _signed("±" if match["either"] else "", value, bound)
    if match := _COPYSIGN.fullmatch(text):
        toward = bound.values[match["name"]]
        return copysign(0.0, -toward if match["sign"] else toward)
    if match := _MAGNITUDE.fullmatch(text):
        magnitude = abs(bound.values[match["name"]])
        return -magnitude if match["sign"] else magnitude
    return bound.values[text]


def _signed(sign: str, size: Real, bound: _Bound) -> Real:
    if sign == "±":
        return select(bound.negative, -size, size)
    return -size if sign == "-" else size


@dataclass(frozen=True)
class SpecialValue:
    """One prescription: arguments, and their results.

    ``text`` is the line of the table, ``source`` the section it comes from, which does not matter to equality.
    """

    name: str
    text: str
    source: str = field(compare=False)
    patterns: tuple[Pattern, ...]
    results: tuple[Result, ...]
    condition: Condition | None = None

    @property
    def prescribes_exactly(self) -> bool:
        """Whether the special value alone decides the results; otherwise the limit judges them too."""
        return all(r.exact for r in self.results) and any(r.alternatives != ("any",) for r in self.results)

    @functools.cached_property
    def prescribes(self) -> bool:
        """Whether some results are wrong under any limit: exact ones are prescribed, or a range."""
        return self.prescribes_exactly or any(r.low is not None for r in self.results)

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The ends of the range of the only result, both of which belong to it; None without such a range."""
        (first, *others) = self.results
        return (
            None
            if others or first.low is None or first.high is None or not first.is_closed
            else (first.low, first.high)
        )

    @property
    def prescribes_one(self) -> bool:
        """Whether all results are prescribed exactly, each as one number."""
        return self.prescribes_exactly and all(len(r.alternatives) == 1 and not r.is_free for r in self.results)

    def may_prescribe_normal(self, form: Format) -> bool:
        """Whether a prescribed result may be a normal number, rather than a zero, an infinity or NaN."""
        alternatives = [text for result in self.results for text in result.alternatives]
        ranges = any(result.low is not None for result in self.results)
        return ranges or any(_may_be_normal(text, form) for text in alternatives)

    @np.errstate(all="ignore")
    def matches(self, args: Arrays, form: Format) -> Truth:
        """Return whether each element of ``args``, arrays of one shape, matches; one truth for each vector."""
        return holds(self, [a.astype(np.float64) for a in args], form)

    @np.errstate(all="ignore")
    def expected(self, args: Arrays, form: Format) -> Arrays:
        """Return the prescribed results for elements that match, one array per output: of alternatives the first.

        Where any result is allowed it is NaN, and 0 of an int.
        """
        columns = [a.astype(np.float64) for a in args]
        values = [alternatives(self, k, columns, form)[0] for k in range(len(self.results))]
        are_ints = [p.type == "intn" for p in builtin(self.name).outputs]
        pairs = zip(values, are_ints, strict=True)
        return tuple(np.nan_to_num(v).astype(np.int32) if is_int else v.astype(form.dtype) for v, is_int in pairs)

    def cases(self, form: Format) -> Arrays:
        """Representative arguments, one array per input: constants, and for variables ends, borders and all kinds."""
        kinds = [p.type for p in builtin(self.name).inputs]
        pairs = list(zip(self.patterns, kinds, strict=True))
        long, short = ([self._pool(p, kind, form, few=few) for p, kind in pairs] for few in (False, True))
        return proposals.crossed(long, short, lambda args: self.matches(args, form))

    def _pool(self, pattern: Pattern, kind: str, form: Format, *, few: bool) -> Array:
        if pattern.constant is not None:
            return _constants(pattern, kind, form)
        conditioned = self.condition is not None and pattern.variable in self.condition.variables
        borders = self.condition.numbers if self.condition and conditioned else ()
        return proposals.values(kind, form, borders, few=few and not pattern.halfway)


def holds(special: SpecialValue, args: Sequence[Real], form: Format) -> Truth:
    """Return whether the arguments match a special value.

    As ``alternatives``, this is an elementwise function of the project's language.
    """
    found = functools.reduce(
        operator.and_, (_is_pattern(p, x, form) for p, x in zip(special.patterns, args, strict=True))
    )
    return (
        found
        if special.condition is None
        else found & meets(special.condition, _bound(special, args, form).values, form)
    )


def alternatives(special: SpecialValue, k: int, args: Sequence[Real], form: Format) -> tuple[Real, ...]:
    """Return the allowed values of result ``k`` for arguments that match."""
    bound = _bound(special, args, form)
    return tuple(_value(text, bound) for text in special.results[k].alternatives)


def _bound(special: SpecialValue, args: Sequence[Real], form: Format) -> _Bound:
    """Return the values of the variables of a special value."""
    pairs = list(zip(special.patterns, args, strict=True))
    values = {p.variable: _value_of(p, x) for p, x in pairs if p.variable is not None}
    signs = [bits(x) < 0 for p, x in pairs if p.either]
    return _Bound(values, signs[0] if signs else ~everywhere(args[0]), args[0], form)


def _constants(pattern: Pattern, kind: str, form: Format) -> Array:
    value = number(pattern.constant or "", form)
    values = [value, -value] if pattern.either else [value]
    return np.array(values, np.int32 if kind == "intn" else form.dtype)


class Elements(NamedTuple):
    """The prescribed elements of vector results: the numbers, and masks of the elements concerned and the exact ones.

    An element that is not exact must have the right sign, and a size from 1/2 to 1; the limit bounds its error.
    """

    wanted: Array
    concerned: Truth
    exact: Truth


def _conditions(vectors: Array) -> dict[str, Truth]:
    """Return for each condition on vectors where it holds."""
    nans, infinite = np.isnan(vectors).sum(axis=-1), np.isinf(vectors).sum(axis=-1)
    return {
        "all elements zero": np.asarray((vectors == 0).all(axis=-1)),
        "a NaN element": nans > 0,
        "a NaN element and no infinite one": (nans > 0) & (infinite == 0),
        "an infinite element and no NaN": (infinite > 0) & (nans == 0),
        "1 infinite element and no NaN": (infinite == 1) & (nans == 0),
        **{f"{n} infinite elements and no NaN": (infinite == n) & (nans == 0) for n in (2, 3, 4)},
        "4 elements": np.full(nans.shape, vectors.shape[-1] == 4),
    }


def _elements(vectors: Array) -> dict[str, Elements]:
    """Return for each result of a vector the elements.

    In a direction (4.5.1), an infinite element counts as ±1, and all others as zeros of their sign; zeros, 1 and 1/2
    are exact, and the roots of 1/2 and 1/3 are not.
    """
    always, infinite = np.ones(vectors.shape, np.bool_), np.isinf(vectors)
    count = infinite.sum(axis=-1, keepdims=True)
    with np.errstate(all="ignore"):
        direction = np.copysign(np.where(infinite, 1.0 / np.sqrt(count), 0.0), vectors).astype(vectors.dtype)
    return {
        "p": Elements(vectors, always, always),
        "NaN": Elements(np.full_like(vectors, np.nan), always, always),
        "direction": Elements(direction, always, ~infinite | np.isin(count, (1, 4))),
        "(any, any, any, 0)": Elements(np.zeros_like(vectors), always & (np.arange(vectors.shape[-1]) == 3), always),
    }


@dataclass(frozen=True)
class SpecialValueOfVectors(SpecialValue):
    """A special value of a geometric built-in: a condition on all the elements of its vector, or on their number."""

    elements: str = ""

    def matches(self, args: Arrays, form: Format) -> Truth:  # noqa: ARG002 - the dtype is enough
        """Return whether each vector matches."""
        return _conditions(args[0])[self.elements]

    @property
    def is_of_vectors(self) -> bool:
        """Whether the result is a vector."""
        return builtin(self.name).outputs[0].type == "gentype"

    def of_elements(self, vectors: Array) -> Elements:
        """Return the prescribed elements of the result, which is a vector."""
        return _elements(vectors)[self.results[0].text]

    def expected(self, args: Arrays, form: Format) -> Arrays:
        """Return the prescribed results for vectors that match."""
        if self.is_of_vectors:
            return (self.of_elements(args[0]).wanted,)
        elements = [a[..., 0].astype(np.float64) for a in args]
        return (alternatives(self, 0, elements, form)[0].astype(form.dtype),)

    def cases(self, form: Format, components: int = 4) -> Arrays:
        """Return vectors of so many components with a few special elements: all that match, then others."""
        elements = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.5, form.largest], form.dtype)
        if components <= 2:
            elements = proposals.values("gentype", form, few=True)
        vectors = np.array(list(itertools.product(elements, repeat=components)), form.dtype)
        others = [np.roll(vectors, shift, axis=0) for shift in range(1, len(builtin(self.name).inputs))]
        met = self.matches((vectors,), form)
        return (vectors[met], *(other[met] for other in others))


def parse(text: str, source: str, place: str = _NAME) -> SpecialValue:
    """Parse one line of the table at ``place``; the TableError for a malformed one says what to write.

    >>> parse("atan2pi(±0, -0) = ±1", "example").prescribes_exactly
    True
    """
    where = f"{files.shown(place)}: [{source}]"
    match = _SPECIAL_VALUE.fullmatch(text)
    if match is None:
        raise TableError(f"{where} {text!r} is not a special value; write 'atan2pi(±0, x) = ±1 for x < 0'")
    row = builtin(match["name"], where)
    if row.widths:
        return _parse_vector(row, match, text, source, where)
    parts = match["arguments"].split(", ")
    if len(parts) != len(row.inputs):
        raise TableError(f"{where} {text!r} has {len(parts)} arguments; {row.declaration} needs {len(row.inputs)}")
    patterns = tuple(_pattern(p, q.type, text, where) for p, q in zip(parts, row.inputs, strict=True))
    results = tuple(_result(r, patterns, text, where) for r in re.split(r", (?![^\[(]*[)\]])", match["results"]))
    if len(results) != len(row.outputs):
        raise TableError(f"{where} {text!r} has {len(results)} results; {row.name} has {len(row.outputs)}")
    met = _condition([match["condition"], *(p for p in parts if _BETWEEN.fullmatch(p))], patterns, text, where)
    return SpecialValue(row.name, text, source, patterns, results, met)


def _parse_vector(row: Builtin, match: re.Match[str], text: str, source: str, where: str) -> SpecialValue:
    elements, result, any_vector = match["condition"], match["results"], np.zeros((1, 1))
    if elements not in _conditions(any_vector):
        known = ", ".join(map(repr, _conditions(any_vector)))
        raise TableError(f"{where} {text!r}: the condition on a vector is one of {known}")
    patterns = tuple(Pattern(p.name, variable=p.name) for p in row.inputs)
    if row.outputs[0].type != "gentype":
        return SpecialValueOfVectors(
            row.name, text, source, patterns, (_result(result, (), text, where),), None, elements
        )
    if result not in _elements(any_vector):
        known = ", ".join(map(repr, _elements(any_vector)))
        raise TableError(f"{where} {text!r}: the result of a vector is one of {known}")
    return SpecialValueOfVectors(row.name, text, source, patterns, (Result(result, (result,)),), None, elements)


def _pattern(part: str, kind: str, text: str, where: str) -> Pattern:
    if part == "any":
        return Pattern(part)
    if match := _CONSTANT.fullmatch(part):
        if part == "0" and kind != "intn":
            raise TableError(f"{where} {text!r}: the argument 0 has no sign; write +0, -0 or ±0")
        return Pattern(part, constant=match["number"], either=bool(match["either"]))
    if match := _BETWEEN.fullmatch(part):
        return Pattern(part, variable=match["name"])
    if match := _HALFWAY.fullmatch(part):
        return Pattern(part, variable=match["name"], halfway=True)
    if match := _VARIABLE.fullmatch(part):
        return Pattern(part, variable=match["name"], either=bool(match["either"]))
    raise TableError(
        f"{where} {text!r}: {part!r} is not an argument; write ±0, 1, NaN, x, ±y, n + 0.5, -1 < x < 0 or any"
    )


def _result(part: str, patterns: tuple[Pattern, ...], text: str, where: str) -> Result:
    if match := _RANGE.fullmatch(part):
        return Result(part, ("any",), float(match["low"]), float(match["high"]), match["close"] == "]")
    alternatives = tuple(part.split(" or "))
    variables = {p.variable for p in patterns if p.variable is not None}
    for alternative in alternatives:
        if "±" in alternative and sum(p.either for p in patterns) != 1:
            raise TableError(f"{where} {text!r}: ± in a result needs one argument with ±, whose sign it has")
        names = {m["name"] for kind in (_COPYSIGN, _MAGNITUDE) if (m := kind.fullmatch(alternative))}
        plain = any(kind.fullmatch(alternative) for kind in (_PI, _CONSTANT)) or alternative in ("any", _QUIET)
        if not plain and not ((names or {alternative}) <= variables):
            remedy = "write ±0, 1, NaN, quiet NaN, ±π/2, x, |x|, copysign(0, x) or any"
            raise TableError(f"{where} {text!r}: {alternative!r} is not a result; {remedy}")
    return Result(part, alternatives)


def _condition(parts: list[str | None], patterns: tuple[Pattern, ...], text: str, where: str) -> Condition | None:
    joined = " and ".join(p for p in parts if p)
    if not joined:
        return None
    met = condition(joined, f"{where} {text!r}")
    unknown = met.variables - {p.variable for p in patterns}
    if unknown:
        raise TableError(f"{where} {text!r}: {min(unknown)!r} in the condition is not an argument of the special value")
    return met


@functools.cache
def _table(edition: Edition) -> tuple[tuple[SpecialValue, bool], ...]:
    """Return all special values in the order of the tables, each with whether its group is for flushing devices.

    A group replaces the group of the same source in the editions that ``edition`` is based on.
    """
    groups: dict[str, list[tuple[SpecialValue, bool]]] = {}
    for place, layer in editions.layers(edition, _NAME):
        _remove(groups, layer.get(_WITHOUT, ()), place)
        for source, group in layer.items():
            if source != _WITHOUT:
                groups[source] = _group(source, group, place, [e for found in groups.values() for e, _ in found])
    return tuple(entry for group in groups.values() for entry in group)


def _group(
    source: str, group: Mapping[str, Any], place: str, below: list[SpecialValue]
) -> list[tuple[SpecialValue, bool]]:
    """Return the special values of one group: its own lines, and lines of ``below`` for built-ins with ``same_as``."""
    found = [parse(text, source, place) for text in group.get("special_values", ())]
    for name, other in group.get("same_as", {}).items():
        alike = [special for special in below if special.name == other]
        found += [parse(_renamed(special, name), f"{source}; {special.source}", place) for special in alike]
    return [(special, bool(group.get("flushing"))) for special in found]


def _renamed(special: SpecialValue, name: str) -> str:
    """Return the line of a special value for the built-in ``name`` instead."""
    return f"{name}{special.text.removeprefix(special.name)}"


def _remove(groups: dict[str, list[tuple[SpecialValue, bool]]], lines: Sequence[str], place: str) -> None:
    """Remove the special values that ``lines`` write; TableError for an unknown one."""
    known = {special.text for group in groups.values() for special, _ in group}
    for line in lines:
        if line not in known:
            raise TableError(f"{files.shown(place)}: {_WITHOUT} has {line!r}, which no edition below prescribes")
    for source, group in groups.items():
        groups[source] = [entry for entry in group if entry[0].text not in lines]


@functools.cache
def special_values(name: str, edition: Edition = DEFAULT) -> tuple[SpecialValue, ...]:
    """Return the special values of the built-in ``name`` by an ``edition``, equal for all formats; native_* have none.

    Raises UnknownNameError for an unknown name or edition.
    """
    builtin(name, "special_values()")
    return tuple(special for special, flushing in _table(edition) if special.name == name and not flushing)


@functools.cache
def flushing_special_values(name: str, edition: Edition = DEFAULT) -> tuple[SpecialValue, ...]:
    """Return the special values to which a device that flushes subnormals may conform instead: 4.5.3."""
    builtin(name, "flushing_special_values()")
    return tuple(special for special, flushing in _table(edition) if special.name == name and flushing)


@functools.cache
def are_usual(name: str, edition: Edition) -> bool:
    """Whether ``edition`` prescribes only special values that every correct result of ``name`` has.

    These are the default edition's special values for the built-in with the same exact value, such as cos for half_cos,
    and ranges, which hold every correct result.
    """
    known = {_renamed(special, name) for special in special_values(builtin(name).same_as)} | {
        special.text for special in special_values(name)
    }
    return all(special.text in known or not special.prescribes_exactly for special in special_values(name, edition))


def not_results(edition: Edition = DEFAULT) -> tuple[str, ...]:
    """Return the lines of the sections of special values that set a quality and prescribe no result."""
    groups = (group for group in editions.table(edition, _NAME).values() if isinstance(group, dict))
    return tuple(line for group in groups for line in group.get("not_results", ()))
