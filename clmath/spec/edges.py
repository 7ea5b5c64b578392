"""The results prescribed for special arguments as immutable values, read from the ``edges.toml`` of an edition."""

from __future__ import annotations

import functools
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.errors import TableError
from clmath.spec import editions, proposals
from clmath.spec.builtins import Builtin, builtin
from clmath.spec.editions import DEFAULT
from clmath.spec.notation import NUMBER, Condition, condition, number

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.spec.editions import Edition

__all__ = ["Edge", "are_usual", "edges", "flushing_edges", "not_results", "parse"]

Array: TypeAlias = "np.ndarray"
Arrays: TypeAlias = tuple[Array, ...]
Bools: TypeAlias = "NDArray[np.bool_]"
Values: TypeAlias = "dict[str, NDArray[np.float64]]"

_NAME = "edges.toml"
_WITHOUT = "without"  # the lines of lower layers that an edition does not have

_CONSTANT = re.compile(rf"(?P<either>±?)(?P<number>{NUMBER})")
_VARIABLE = re.compile(r"(?P<either>±?)(?P<name>[a-z]\w*)")
_BETWEEN = re.compile(rf"{NUMBER} <=? (?P<name>[a-z]\w*) <=? {NUMBER}")
_HALFWAY = re.compile(r"(?P<name>[a-z]\w*) \+ 0\.5")
_EDGE = re.compile(r"(?P<name>\w+)\((?P<arguments>[^()]*)\) = (?P<results>.+?)(?: for (?P<condition>.+))?")


@dataclass(frozen=True)
class _Pattern:
    """One argument of an edge: a constant, or a variable; ``either``: of either sign."""

    text: str
    constant: str | None = None
    variable: str | None = None
    either: bool = False
    halfway: bool = False

    def matches(self, array: Array, form: Format) -> Bools:
        """Where a constant, or the shape of ``n + 0.5``, is met."""
        if self.constant is None:
            return self._is_halfway(array) if self.halfway else np.ones(array.shape, np.bool_)
        value = number(self.constant, form)
        if value != value:
            return np.asarray(np.isnan(array))
        if self.either:
            return np.asarray(np.abs(array) == value)
        same = np.asarray(array == value)
        signed = value == 0 and array.dtype.kind == "f"
        return same & (np.signbit(array) == self.constant.startswith("-")) if signed else same

    @staticmethod
    def _is_halfway(array: Array) -> Bools:
        with np.errstate(all="ignore"):
            return np.asarray(np.abs(array - np.trunc(array)) == 0.5)

    def value(self, array: Array) -> NDArray[np.float64]:
        """The value of the variable: the argument, its magnitude, or the integer below it."""
        wide = array.astype(np.float64)
        if self.halfway:
            return np.floor(wide)
        return np.abs(wide) if self.either else wide


@dataclass(frozen=True)
class _Bound:
    """Arguments with the variables that they bind and the sign that ± stands for."""

    values: Values
    negative: Any
    shape: tuple[int, ...]
    form: Format


@dataclass(frozen=True)
class _Result:
    """One result of an edge: one or more alternatives, a range, or nothing prescribed."""

    text: str
    alternatives: tuple[str, ...]
    low: float | None = None
    high: float | None = None

    @property
    def is_free(self) -> bool:
        """Whether nothing is prescribed, not even a range."""
        return self.low is None and self.alternatives == ("any",)

    @property
    def exact(self) -> bool:
        """Whether the alternatives are numbers of every format."""
        return self.low is None and not any("π" in a for a in self.alternatives)

    def may_be_normal(self, form: Format) -> bool:
        """Whether something is prescribed that may be a normal number."""
        return self.low is not None or any(_may_be_normal(text, form) for text in self.alternatives)

    def expected(self, bound: _Bound, dtype: np.dtype) -> Array:
        """The first alternative; NaN (0 for an int) where any result is allowed, the nearest number for a π/2."""
        return _evaluate(self.alternatives[0], bound, dtype)

    def accepts(self, actual: Array, bound: _Bound) -> Bools:
        """Which results are allowed: equal in every bit, or NaN for NaN; everything where nothing is exact."""
        if self.low is not None and self.high is not None:
            return np.asarray((actual >= self.low) & (actual < self.high))
        if not self.exact or self.alternatives == ("any",):
            return np.ones(actual.shape, np.bool_)
        if self.alternatives == (_QUIET,):
            return np.asarray(np.isnan(actual) & ~bound.form.signals(actual))
        truths = [_same(actual, _evaluate(a, bound, actual.dtype)) for a in self.alternatives]
        return np.asarray(np.logical_or.reduce(truths))


def _same(actual: Array, wanted: Array) -> Bools:
    equal = actual == wanted
    if actual.dtype.kind != "f":
        return np.asarray(equal)
    return np.asarray((equal & (np.signbit(actual) == np.signbit(wanted))) | (np.isnan(actual) & np.isnan(wanted)))


_QUIET = "quiet NaN"
_PI = re.compile(r"(?P<sign>[±-]?)(?P<times>\d?)π(?:/(?P<over>\d))?")
_COPYSIGN = re.compile(r"copysign\(0, (?P<sign>-?)(?P<name>[a-z]\w*)\)")
_MAGNITUDE = re.compile(r"(?P<sign>-?)\|(?P<name>[a-z]\w*)\|")
_RANGE = re.compile(rf"in \[(?P<low>{NUMBER}), (?P<high>{NUMBER})\)")


def _may_be_normal(text: str, form: Format) -> bool:
    if text in ("any", _QUIET) or _COPYSIGN.fullmatch(text):
        return False
    constant = _CONSTANT.fullmatch(text)
    return constant is None or 0.0 < abs(number(constant["number"], form)) < np.inf


def _evaluate(text: str, bound: _Bound, dtype: np.dtype) -> Array:
    with np.errstate(all="ignore"):
        value = np.broadcast_to(_value(text, bound), bound.shape)
        return np.nan_to_num(value).astype(dtype) if dtype.kind != "f" else value.astype(dtype)


def _value(text: str, bound: _Bound) -> Any:
    if text in ("any", _QUIET):
        return np.nan
    if match := _PI.fullmatch(text):
        size = int(match["times"] or 1) * np.pi / int(match["over"] or 1)
        return _signed(match["sign"], size, bound)
    if match := _CONSTANT.fullmatch(text):
        return _signed("±" if match["either"] else "", number(match["number"], bound.form), bound)
    if match := _COPYSIGN.fullmatch(text):
        toward = bound.values[match["name"]]
        return np.copysign(0.0, -toward if match["sign"] else toward)
    if match := _MAGNITUDE.fullmatch(text):
        magnitude = np.abs(bound.values[match["name"]])
        return -magnitude if match["sign"] else magnitude
    return bound.values[text]


def _signed(sign: str, size: float, bound: _Bound) -> Any:
    if sign == "±":
        return np.where(bound.negative, -size, size)
    return -size if sign == "-" else size


@dataclass(frozen=True)
class Edge:
    """One prescription: for which arguments, which results.

    ``text`` is the line of the table, ``source`` the section it comes from.
    """

    name: str
    text: str
    source: str
    patterns: tuple[_Pattern, ...]
    results: tuple[_Result, ...]
    condition: Condition | None = None

    @property
    def prescribes_exactly(self) -> bool:
        """Whether the edge alone decides the results; otherwise it is a case to try and the limit judges too."""
        return all(r.exact for r in self.results) and any(r.alternatives != ("any",) for r in self.results)

    @functools.cached_property
    def prescribes(self) -> bool:
        """Whether some results are wrong whatever the limit says: exact ones are prescribed, or a range."""
        return self.prescribes_exactly or any(r.low is not None for r in self.results)

    @property
    def prescribes_one(self) -> bool:
        """Whether all results are prescribed, and each is one number: what is exact."""
        return self.prescribes_exactly and all(len(r.alternatives) == 1 and not r.is_free for r in self.results)

    def may_prescribe_normal(self, form: Format) -> bool:
        """Whether a result that is prescribed may be a normal number, and not only a zero, an infinity or NaN."""
        return any(result.may_be_normal(form) for result in self.results)

    @np.errstate(all="ignore")
    def matches(self, args: Arrays, form: Format) -> Bools:
        """Which lanes of ``args``, arrays of one shape, the edge is about. Geometric: one truth per vector."""
        truth = np.ones(args[0].shape, np.bool_)
        for pattern, array in zip(self.patterns, args, strict=True):
            if pattern.constant is not None or pattern.halfway:
                truth &= pattern.matches(array, form)
        if self.condition is None or not truth.any():
            return truth
        found = np.nonzero(truth)
        lanes = tuple(a[found] for a in args)
        truth[found] = self.condition.holds(self._bind(lanes, form).values, form)
        return truth

    @np.errstate(all="ignore")
    def expected(self, args: Arrays, form: Format) -> Arrays:
        """The prescribed results, one array per output, for lanes that match; see ``accepts`` for alternatives."""
        bound = self._bind(args, form)
        return tuple(r.expected(bound, t) for r, t in zip(self.results, self._dtypes(form), strict=True))

    @np.errstate(all="ignore")
    def accepts(self, args: Arrays, results: Arrays, form: Format) -> tuple[Bools, ...]:
        """Which of ``results``, one array per output, are allowed, for lanes that match: one truth array per output.

        Equal in every bit, or NaN for NaN; with ``or`` any of the alternatives; within the range where a range is
        given. Where nothing exact is prescribed everything is accepted, and the limit has the say.
        """
        bound = self._bind(args, form)
        return tuple(r.accepts(a, bound) for r, a in zip(self.results, results, strict=True))

    def accepts_each(self, args: Arrays, results: Arrays, form: Format) -> tuple[Bools, ...]:
        """The same as ``accepts``, but one truth per element where a result is a vector."""
        return self.accepts(args, results, form)

    def decides_each(self, args: Arrays, results: Arrays) -> tuple[Bools, ...]:  # noqa: ARG002 - vectors look at args
        """Of which results the edge alone decides, for lanes that match; of the others the limit decides too."""
        return tuple(np.full(r.shape, self.prescribes_exactly) for r in results)

    def concerns_each(self, args: Arrays, results: Arrays) -> tuple[Bools, ...]:  # noqa: ARG002 - vectors look at args
        """Of which results the edge says anything, for lanes that match."""
        return tuple(np.full(a.shape, not r.is_free) for r, a in zip(self.results, results, strict=True))

    def cases(self, form: Format) -> Arrays:
        """Representative arguments, one array per input: constants, and for variables ends, borders and all kinds."""
        kinds = [p.type for p in builtin(self.name).inputs]
        pairs = list(zip(self.patterns, kinds, strict=True))
        long, short = ([self._pool(p, kind, form, few=few) for p, kind in pairs] for few in (False, True))
        return proposals.crossed(long, short, lambda args: self.matches(args, form))

    def _pool(self, pattern: _Pattern, kind: str, form: Format, *, few: bool) -> Array:
        if pattern.constant is not None:
            return _constants(pattern, kind, form)
        conditioned = self.condition is not None and pattern.variable in self.condition.variables
        borders = self.condition.numbers if self.condition and conditioned else ()
        return proposals.values(kind, form, borders, few=few and not pattern.halfway)

    def _bind(self, args: Arrays, form: Format) -> _Bound:
        pairs = list(zip(self.patterns, args, strict=True))
        values = {p.variable: p.value(a) for p, a in pairs if p.variable is not None}
        signs = [np.signbit(a) for p, a in pairs if p.either]
        return _Bound(values, signs[0] if signs else np.False_, args[0].shape, form)

    def _dtypes(self, form: Format) -> list[np.dtype]:
        return [np.dtype(np.int32) if p.type == "intn" else form.dtype for p in builtin(self.name).outputs]


def _constants(pattern: _Pattern, kind: str, form: Format) -> Array:
    value = number(pattern.constant or "", form)
    values = [value, -value] if pattern.either else [value]
    return np.array(values, np.int32 if kind == "intn" else form.dtype)


def _zeros(vectors: Array) -> Bools:
    return np.asarray((vectors == 0).all(axis=-1))


def _nans(vectors: Array) -> Bools:
    return np.asarray(np.isnan(vectors).any(axis=-1))


def _infinities(vectors: Array) -> Bools:
    return np.asarray(np.isinf(vectors).any(axis=-1))


def _infinite(count: int) -> Callable[[Array], Bools]:
    return lambda vectors: np.asarray((np.isinf(vectors).sum(axis=-1) == count) & ~_nans(vectors))


_VECTORS: Mapping[str, Callable[[Array], Bools]] = {
    "all elements zero": _zeros,
    "a NaN element": _nans,
    "a NaN element and no infinite one": lambda vectors: _nans(vectors) & ~_infinities(vectors),
    "an infinite element and no NaN": lambda vectors: _infinities(vectors) & ~_nans(vectors),
    "1 infinite element and no NaN": _infinite(1),
    **{f"{n} infinite elements and no NaN": _infinite(n) for n in (2, 3, 4)},
    "4 elements": lambda vectors: np.full(vectors.shape[:-1], vectors.shape[-1] == 4),
}


def _direction(vectors: Array) -> Array:
    """4.5.1: an infinite element counts as ±1, all others as zeros of their sign."""
    infinite = np.isinf(vectors)
    length = np.sqrt(infinite.sum(axis=-1, keepdims=True))
    with np.errstate(all="ignore"):
        return np.asarray(np.copysign(np.where(infinite, 1.0 / length, 0.0), vectors).astype(vectors.dtype))


def _of_exact_length(vectors: Array) -> Bools:
    """The elements of a direction that are numbers: zeros, 1 and 1/2, not the roots of 1/2 and 1/3."""
    infinite = np.isinf(vectors)
    return np.asarray(~infinite | np.isin(infinite.sum(axis=-1, keepdims=True), (1, 4)))


def _everywhere(vectors: Array) -> Bools:
    return np.ones(vectors.shape, np.bool_)


def _fourth(vectors: Array) -> Bools:
    return np.broadcast_to(np.arange(vectors.shape[-1]) == 3, vectors.shape)


@dataclass(frozen=True)
class _Elements:
    """What an edge says of the elements of a vector result: which numbers, for which elements, and which are exact.

    One that is not exact must have the sign, and a size from 1/2 to 1: how near it must be is for the limit to say.
    """

    wanted: Callable[[Array], Array]
    concerned: Callable[[Array], Bools] = _everywhere
    exact: Callable[[Array], Bools] = _everywhere

    def accept(self, vectors: Array, results: Array) -> Bools:
        wanted = self.wanted(vectors)
        of_length = (np.abs(results) >= 0.5) & (np.abs(results) <= 1.0)
        similar = of_length & (np.signbit(results) == np.signbit(wanted))
        return np.where(self.exact(vectors), _same(results, wanted), similar) | ~self.concerned(vectors)


_DIRECTIONS: Mapping[str, _Elements] = {
    "p": _Elements(lambda vectors: vectors),
    "NaN": _Elements(lambda vectors: np.full_like(vectors, np.nan)),
    "direction": _Elements(_direction, exact=_of_exact_length),
    "(any, any, any, 0)": _Elements(np.zeros_like, concerned=_fourth),
}


@dataclass(frozen=True)
class _VectorEdge(Edge):
    """An edge of a geometric built-in: a condition on all the elements of its vector, or on their number."""

    elements: str = ""

    def matches(self, args: Arrays, form: Format) -> Bools:  # noqa: ARG002 - the dtype says it
        return _VECTORS[self.elements](args[0])

    @property
    def _of_elements(self) -> _Elements | None:
        """What is said of the elements of the result; None where it is a scalar."""
        return _DIRECTIONS[self.results[0].text] if builtin(self.name).outputs[0].type == "gentype" else None

    def expected(self, args: Arrays, form: Format) -> Arrays:
        if self._of_elements is None:
            return (self.results[0].expected(self._scalar(args, form), form.dtype),)
        return (self._of_elements.wanted(args[0]),)

    def accepts(self, args: Arrays, results: Arrays, form: Format) -> tuple[Bools, ...]:
        (each,) = self.accepts_each(args, results, form)
        return (each if each.ndim < args[0].ndim else np.asarray(each.all(axis=-1)),)

    @np.errstate(all="ignore")
    def accepts_each(self, args: Arrays, results: Arrays, form: Format) -> tuple[Bools, ...]:
        if self._of_elements is None:
            return (self.results[0].accepts(results[0], self._scalar(args, form)),)
        return (self._of_elements.accept(args[0], results[0]),)

    def decides_each(self, args: Arrays, results: Arrays) -> tuple[Bools, ...]:
        if self._of_elements is None:
            return super().decides_each(args, results)
        return (self._of_elements.exact(args[0]) & self._of_elements.concerned(args[0]),)

    def concerns_each(self, args: Arrays, results: Arrays) -> tuple[Bools, ...]:
        if self._of_elements is None:
            return super().concerns_each(args, results)
        return (self._of_elements.concerned(args[0]),)

    def cases(self, form: Format, lanes: int = 4) -> Arrays:
        """Vectors of ``lanes`` lanes of a few special elements: all that match, beside them ordinary ones."""
        elements = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.5, form.largest], form.dtype)
        if lanes <= 2:
            elements = proposals.values("gentype", form, few=True)
        vectors = np.array(list(itertools.product(elements, repeat=lanes)), form.dtype)
        others = [np.roll(vectors, shift, axis=0) for shift in range(1, len(builtin(self.name).inputs))]
        met = self.matches((vectors,), form)
        return (vectors[met], *(other[met] for other in others))

    @staticmethod
    def _scalar(args: Arrays, form: Format) -> _Bound:
        return _Bound({}, np.False_, args[0].shape[:-1], form)


def parse(text: str, source: str, place: str = _NAME) -> Edge:
    """The edge that one line of the table at ``place`` writes; TableError saying what to write for what is not one.

    >>> parse("atan2pi(±0, -0) = ±1", "example").prescribes_exactly
    True
    """
    where = f"tables/{place}: [{source}]"
    match = _EDGE.fullmatch(text)
    if match is None:
        raise TableError(f"{where} {text!r} is not an edge; write 'atan2pi(±0, x) = ±1 for x < 0'")
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
    return Edge(row.name, text, source, patterns, results, met)


def _parse_vector(row: Builtin, match: re.Match[str], text: str, source: str, where: str) -> Edge:
    elements, result = match["condition"], match["results"]
    if elements not in _VECTORS:
        known = ", ".join(map(repr, _VECTORS))
        raise TableError(f"{where} {text!r}: the condition on a vector is one of {known}")
    patterns = tuple(_Pattern(p.name, variable=p.name) for p in row.inputs)
    if row.outputs[0].type != "gentype":
        return _VectorEdge(row.name, text, source, patterns, (_result(result, (), text, where),), None, elements)
    if result not in _DIRECTIONS:
        known = ", ".join(map(repr, _DIRECTIONS))
        raise TableError(f"{where} {text!r}: the result of a vector is one of {known}")
    return _VectorEdge(row.name, text, source, patterns, (_Result(result, (result,)),), None, elements)


def _pattern(part: str, kind: str, text: str, where: str) -> _Pattern:
    if part == "any":
        return _Pattern(part)
    if match := _CONSTANT.fullmatch(part):
        if part == "0" and kind != "intn":
            raise TableError(f"{where} {text!r}: the argument 0 has no sign; write +0, -0 or ±0")
        return _Pattern(part, constant=match["number"], either=bool(match["either"]))
    if match := _BETWEEN.fullmatch(part):
        return _Pattern(part, variable=match["name"])
    if match := _HALFWAY.fullmatch(part):
        return _Pattern(part, variable=match["name"], halfway=True)
    if match := _VARIABLE.fullmatch(part):
        return _Pattern(part, variable=match["name"], either=bool(match["either"]))
    raise TableError(
        f"{where} {text!r}: {part!r} is not an argument; write ±0, 1, NaN, x, ±y, n + 0.5, -1 < x < 0 or any"
    )


def _result(part: str, patterns: tuple[_Pattern, ...], text: str, where: str) -> _Result:
    if match := _RANGE.fullmatch(part):
        return _Result(part, ("any",), float(match["low"]), float(match["high"]))
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
    return _Result(part, alternatives)


def _condition(parts: list[str | None], patterns: tuple[_Pattern, ...], text: str, where: str) -> Condition | None:
    joined = " and ".join(p for p in parts if p)
    if not joined:
        return None
    met = condition(joined, f"{where} {text!r}")
    unknown = met.variables - {p.variable for p in patterns}
    if unknown:
        raise TableError(f"{where} {text!r}: {min(unknown)!r} in the condition is not an argument of the edge")
    return met


@functools.cache
def _table(edition: Edition) -> tuple[tuple[Edge, bool], ...]:
    """All edges in the order of the tables, each with whether its group is for flushing devices.

    A group takes the place of one of the same source in the editions that ``edition`` is based on.
    """
    groups: dict[str, list[tuple[Edge, bool]]] = {}
    for place, layer in editions.layers(edition, _NAME):
        _remove(groups, layer.get(_WITHOUT, ()), place)
        for source, group in layer.items():
            if source != _WITHOUT:
                groups[source] = _group(source, group, place, [e for found in groups.values() for e, _ in found])
    return tuple(entry for group in groups.values() for entry in group)


def _group(source: str, group: Mapping[str, Any], place: str, below: list[Edge]) -> list[tuple[Edge, bool]]:
    """The edges of one group: written out, and those ``below`` for built-ins that have the edges of another one."""
    found = [parse(text, source, place) for text in group.get("edges", ())]
    for name, other in group.get("same_as", {}).items():
        alike = [edge for edge in below if edge.name == other]
        found += [parse(_renamed(edge, name), f"{source}; {edge.source}", place) for edge in alike]
    return [(edge, bool(group.get("flushing"))) for edge in found]


def _renamed(edge: Edge, name: str) -> str:
    """The line of an edge about the built-in ``name`` instead."""
    return f"{name}{edge.text.removeprefix(edge.name)}"


def _remove(groups: dict[str, list[tuple[Edge, bool]]], lines: Sequence[str], place: str) -> None:
    """Remove the edges that ``lines`` write; TableError if there is no such edge."""
    known = {edge.text for group in groups.values() for edge, _ in group}
    for line in lines:
        if line not in known:
            raise TableError(f"tables/{place}: {_WITHOUT} has {line!r}, which no edition below prescribes")
    for source, group in groups.items():
        groups[source] = [entry for entry in group if entry[0].text not in lines]


@functools.cache
def edges(name: str, edition: Edition = DEFAULT) -> tuple[Edge, ...]:
    """The edges of the built-in ``name`` by an ``edition``, the same for every format; native_* have none.

    Raises UnknownNameError for an unknown name or edition.
    """
    builtin(name, "edges()")
    return tuple(edge for edge, flushing in _table(edition) if edge.name == name and not flushing)


@functools.cache
def flushing_edges(name: str, edition: Edition = DEFAULT) -> tuple[Edge, ...]:
    """What a device that flushes subnormals may conform to instead of the other edges: 4.5.3."""
    builtin(name, "flushing_edges()")
    return tuple(edge for edge, flushing in _table(edition) if edge.name == name and flushing)


@functools.cache
def are_usual(name: str, edition: Edition) -> bool:
    """Whether all edges of ``name`` by ``edition`` are those of its exact value, which a correct result keeps.

    They are edges that the default edition has for the built-in of this value: half_cos has those of cos, or none.
    """
    known = {_renamed(edge, name) for edge in edges(builtin(name).same_as)} | {edge.text for edge in edges(name)}
    return all(edge.text in known for edge in edges(name, edition))


def not_results(edition: Edition = DEFAULT) -> tuple[str, ...]:
    """The lines of the edge sections that set a quality and prescribe no result."""
    groups = (group for group in editions.table(edition, _NAME).values() if isinstance(group, dict))
    return tuple(line for group in groups for line in group.get("not_results", ()))
