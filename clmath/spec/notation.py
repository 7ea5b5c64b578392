"""What the tables of limits and edges write alike: numbers, and conditions on the arguments of a built-in."""

from __future__ import annotations

import functools
import math
import operator
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.errors import TableError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["ADJECTIVES", "NUMBER", "RELATIONS", "Condition", "condition", "number", "variable"]

Values: TypeAlias = "Mapping[str, NDArray[np.float64]]"
Truths: TypeAlias = "NDArray[np.bool_]"

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
    """The number that ``text`` writes: ``1``, ``-0``, ``2.5``, ``2^-24``, ``largest``, ``smallest normal``, ``-π`` ...

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


def _is_odd(v: NDArray[np.float64]) -> Truths:
    return np.asarray(_is_integer(v) & (np.trunc(v * 0.5) != v * 0.5))


def _is_even(v: NDArray[np.float64]) -> Truths:
    return np.asarray(np.isfinite(v) & (np.trunc(v * 0.5) * 2.0 == v))


def _is_integer(v: NDArray[np.float64]) -> Truths:
    return np.asarray(np.isfinite(v) & (np.trunc(v) == v))


ADJECTIVES: Mapping[str, Callable[[Any], Any]] = {
    "finite": np.isfinite,
    "infinite": np.isinf,
    "non-finite": lambda v: ~np.isfinite(v),
    "NaN": np.isnan,
    "non-NaN": lambda v: ~np.isnan(v),
    "integer": _is_integer,
    "non-integer": lambda v: ~_is_integer(v) & np.isfinite(v),
    "odd": _is_odd,
    "non-odd": lambda v: ~_is_odd(v),
    "even": _is_even,
}
RELATIONS: Mapping[str, Callable[[Any, Any], Any]] = {
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
    rf"(?P<adjectives>(?:(?:{'|'.join(map(re.escape, ADJECTIVES))}) )*)(?P<chain>{_TERM}(?:{_RELATION}{_TERM})*)"
)
_INTERVAL = re.compile(rf"(?P<term>{_TERM}) in (?P<open>[\[(])(?P<low>{NUMBER}), (?P<high>{NUMBER})(?P<close>[\])])")


@dataclass(frozen=True)
class _Clause:
    """Adjectives of the first variable of a chain of comparisons, all of which must hold."""

    adjectives: tuple[str, ...]
    terms: tuple[str, ...]
    relations: tuple[str, ...]

    def holds(self, values: Values, form: Format) -> Truths:
        terms = [_value(t, values, form) for t in self.terms]
        subject = next(value for text, value in zip(self.terms, terms, strict=True) if variable(text))
        truth = np.ones(np.shape(subject), np.bool_)
        for adjective in self.adjectives:
            truth &= ADJECTIVES[adjective](subject)
        for left, relation, right in zip(terms, self.relations, terms[1:], strict=False):
            truth = truth & RELATIONS[relation](left, right)
        return truth

    @property
    def names(self) -> frozenset[str]:
        """The names of the variables among the terms."""
        return frozenset(v for term in self.terms if (v := variable(term)))


@dataclass(frozen=True)
class Condition:
    """Clauses joined by ``and``; no clause: always true. ``variables`` are the names it asks for."""

    text: str
    clauses: tuple[_Clause, ...]

    @property
    def variables(self) -> frozenset[str]:
        """The names of the variables in the condition."""
        return frozenset(name for clause in self.clauses for name in clause.names)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers the condition compares with: the borders worth trying."""
        return tuple(t for clause in self.clauses for t in clause.terms if not variable(t))

    def holds(self, values: Values, form: Format) -> Truths:
        """Where the condition holds for ``values``, float64 arrays of one shape by variable name."""
        with np.errstate(all="ignore"):
            truths = [clause.holds(values, form) for clause in self.clauses]
            return functools.reduce(np.logical_and, truths)


def variable(term: str) -> str | None:
    """The name of the variable that a term of a condition is, alone or between bars; None for a number."""
    name = term.strip("|")
    return None if re.fullmatch(NUMBER, name) else name


def _value(term: str, values: Values, form: Format) -> Any:
    name = variable(term)
    if name is None:
        return number(term, form)
    return np.abs(values[name]) if term.startswith("|") else values[name]


@functools.cache
def condition(text: str, where: str) -> Condition:
    """Parse a condition; TableError naming ``where``, the line of the table, for what is not one.

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
