"""Common notation of the tables of limits and special values: numbers, and conditions on arguments."""

from __future__ import annotations

import functools
import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.errors import TableError
from clmath.ir.primitives import trunc

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format

Values: TypeAlias = "Mapping[str, Real]"

_WORDS: Mapping[str, Callable[[Format], float]] = {
    "largest": lambda form: form.largest,
    "smallest normal": lambda form: form.smallest_normal,
    "smallest denormal": lambda form: form.smallest_subnormal,
    "inf": lambda _: math.inf,
    "π": lambda _: math.pi,
    "NaN": lambda _: math.nan,
}
_INTEGERS = {"INT_MIN": -(2.0**31), "INT_MAX": 2.0**31 - 1}
NUMBER = rf"[+-]?(?:\d+(?:\.\d+)?(?:\^[+-]?\d+)?|{'|'.join([*_WORDS, *_INTEGERS])})"
_PARTS = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d+(?:\.\d+)?)(?:\^(?P<power>[+-]?\d+))?")


@functools.cache
def number(text: str, form: Format) -> float:
    """Return the number of ``text``: ``1``, ``-0``, ``2.5``, ``2^-24``, ``largest``, ``smallest normal``, ``-π`` ...

    >>> from clmath.numbers.formats import HALF
    >>> number("-2^10", HALF), number("largest", HALF)
    (-1024.0, 65504.0)
    """
    word, sign = text.lstrip("+-"), -1.0 if text.startswith("-") else 1.0
    if word in _WORDS:
        return sign * _WORDS[word](form)
    if word in _INTEGERS:
        return sign * _INTEGERS[word]
    parts = _PARTS.fullmatch(text)
    if parts is None:
        raise TableError(f"tables: {text!r} is not a number; write 1, -0, 2.5, 2^-24, inf or 'smallest normal'")
    size = float(parts["digits"])
    return sign * (size ** int(parts["power"]) if parts["power"] else size)


_ADJECTIVES = ("finite", "infinite", "non-finite", "NaN", "non-NaN", "integer", "non-integer", "odd", "non-odd", "even")
_WHOLE = 2.0**52  # from here on every number is an integer
_RELATIONS: Mapping[str, Callable[[Real, Real], Truth]] = {
    "<=": operator.le,
    ">=": operator.ge,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
    "=": operator.eq,
}
_TERM = rf"(?:\|[a-z]\w*\||greatest element|{NUMBER}|sum of squares|[a-z]\w*)"
_RELATION = r"\s*(?:<=|>=|!=|<|>|=)\s*"
_CLAUSE = re.compile(
    rf"(?P<adjectives>(?:(?:{'|'.join(map(re.escape, _ADJECTIVES))}) )*)(?P<chain>{_TERM}(?:{_RELATION}{_TERM})*)"
)
_INTERVAL = re.compile(rf"(?P<term>{_TERM}) in (?P<open>[\[(])(?P<low>{NUMBER}), (?P<high>{NUMBER})(?P<close>[\])])")


@dataclass(frozen=True)
class _Clause:
    """Adjectives of the first variable of a chain of comparisons, all of which must hold."""

    adjectives: tuple[str, ...]
    terms: tuple[str, ...]
    relations: tuple[str, ...]

    @property
    def names(self) -> frozenset[str]:
        """The names of the variables among the terms."""
        return frozenset(v for term in self.terms if (v := variable(term)))


@dataclass(frozen=True)
class Condition:
    """Clauses joined by ``and``; without clauses it is always true. ``variables``: the names in it."""

    text: str
    clauses: tuple[_Clause, ...]

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables in the condition."""
        return frozenset(name for clause in self.clauses for name in clause.names)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that the condition compares with: the borders worth trying."""
        return tuple(t for clause in self.clauses for t in clause.terms if not variable(t))


def meets(condition: Condition, values: Values, form: Format) -> Truth:
    """Return where a condition holds for ``values``, elements by the names of variables.

    This is an elementwise function of the project's language; call it under ``np.errstate(all="ignore")``.
    """
    truths = []
    for clause in condition.clauses:
        terms = [_value(text, values, form) for text in clause.terms]
        first = next(value for text, value in zip(clause.terms, terms, strict=True) if variable(text))
        truths += [_is_of_kind(adjective, first) for adjective in clause.adjectives]
        between = zip(terms, clause.relations, terms[1:], strict=False)
        truths += [_RELATIONS[relation](left, right) for left, relation, right in between]
    return functools.reduce(operator.and_, truths)


def _is_of_kind(adjective: str, x: Real) -> Any:
    """Return whether a number is of the kind that an adjective names."""
    if adjective.endswith("NaN"):
        return x == x if adjective == "non-NaN" else x != x
    finite = x - x == 0.0
    if adjective == "finite":
        return finite
    if adjective == "infinite":
        return abs(x) == math.inf
    if adjective == "non-finite":
        return ~finite
    whole = _is_whole(x)
    if adjective.endswith("integer"):
        return finite & (whole if adjective == "integer" else ~whole)
    even = finite & whole & _is_whole(x * 0.5)  # half of the smallest number rounds to 0
    odd = finite & whole & ~even
    return {"odd": odd, "non-odd": ~odd, "even": even}[adjective]


def _is_whole(x: Real) -> Truth:
    """Return whether a finite number is an integer."""
    found: Truth = (abs(x) >= _WHOLE) | (trunc(x) == x)
    return found


def variable(term: str) -> str | None:
    """Return the variable in a term of a condition, alone or between bars, or None for a number."""
    name = term.strip("|")
    return None if re.fullmatch(NUMBER, name) else name


def _value(term: str, values: Values, form: Format) -> Any:
    name = variable(term)
    if name is None:
        return number(term, form)
    return abs(values[name]) if term.startswith("|") else values[name]


@functools.cache
def condition(text: str, where: str) -> Condition:
    """Parse a condition; TableError naming ``where``, the line of the table, for a malformed one.

    >>> condition("finite odd n < 0 and |x| <= 2^24", "example").variables == {"n", "x"}
    True
    """
    return Condition(text, tuple(_clause(part, text, where) for part in text.split(" and ")))


def _clause(part: str, text: str, where: str) -> _Clause:
    interval = _INTERVAL.fullmatch(part)
    if interval:
        low = "<=" if interval["open"] == "[" else "<"
        high = "<=" if interval["close"] == "]" else "<"
        part = f"{interval['low']} {low} {interval['term']} {high} {interval['high']}"
    match = _CLAUSE.fullmatch(part)
    terms = re.split(_RELATION, match["chain"]) if match else []
    if match is None or not any(variable(t) for t in terms):
        raise TableError(
            f"{where}: {text!r} is not a condition; write 'x > 0', '|x| in [0.5, 2]', 'finite y < 0', joined by 'and'"
        )
    relations = re.findall(_RELATION, match["chain"])
    return _Clause(tuple(match["adjectives"].split()), tuple(terms), tuple(r.strip() for r in relations))
