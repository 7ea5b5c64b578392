"""Calls of the math, common and geometric built-ins: the inputs of an audit, and related numbers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.inputs import layout, special, structured
from clmath.audit.inputs.aims import interval
from clmath.audit.inputs.hard import hard_lines
from clmath.audit.inputs.random import random_columns
from clmath.testing.strategies.entropy import Bits, Part, mixed
from clmath.testing.strategies.scalars import Plain, number, simple
from clmath.testing.strategies.span import Span, key_of
from clmath.testing.strategies.whole_numbers import integer, whole_range

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["Columns", "Lines", "Trial", "lanes", "trial"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"

# relative frequency of each group of an audit's structured inputs, if a built-in has it
_SHARES = {"lines": 4, "hard": 2, "edges": 5, "borders": 1, "halfway": 4, "cases": 2, "short": 8, "specials": 5}
_INT = np.dtype(np.int32)
_SMALL = (0, 1, 2, -1, 3, -2, 4, 10)


class Trial(NamedTuple):
    """A case of an audit, and the numbers that the keywords allow."""

    item: Item
    span: Span


class Lines:
    """A part that is one call of these columns, simple ones first."""

    def __init__(self, columns: Columns) -> None:
        self.columns = columns

    def __len__(self) -> int:
        return len(self.columns[0])

    def __call__(self, bits: Bits) -> tuple[Any, ...]:
        """Return one of the calls."""
        place = bits.below(len(self))
        return tuple(column[place] for column in self.columns)


@functools.lru_cache(maxsize=64)
def trial(drawn: Trial) -> Part:
    """Make the input values of one call: a scalar for every column of the case."""
    item = drawn.item
    alone = item.columns == ("gentype",)
    shares = [2, 4, 5, 6, 3] if alone else [2, 4, 0, 6, 8]
    made = [_simple(drawn), _related(drawn), _inside(drawn) if alone else None, _structured(item), _random(item)]
    part = mixed(list(zip(shares, made, strict=True)))

    def call(bits: Bits) -> tuple[Any, ...]:
        plain = Plain.of(bits)
        return tuple(_fitting(drawn, plain, value) for value in part(bits))

    return call


def _fitting(drawn: Trial, plain: Plain, value: Any) -> Any:
    """Return a value that the keywords allow; ints and codes stay unchanged."""
    form = drawn.item.form
    return drawn.span.fitted(plain.made_of(value, form))[()] if value.dtype == form.dtype else value


def _simple(drawn: Trial) -> Part:
    pools = {"intn": np.array(_SMALL, _INT), "nancode": np.arange(8).astype(drawn.item.form.bits_dtype)}
    kinds = [pools.get(kind, simple(drawn.span)) for kind in drawn.item.columns]
    return lambda bits: tuple(bits.one_of(pool) for pool in kinds)


def _column(drawn: Trial, kind: str) -> Part:
    if kind == "gentype":
        return number(drawn.span)
    return integer(*whole_range(_INT if kind == "intn" else drawn.item.form.bits_dtype))


def _related(drawn: Trial) -> Part:
    """Numbers of any size; half of the later ones equal, opposite, next to the first one, its double, half or inverse.

    There differences cancel and quotients are near 1.
    """
    fresh = [_column(drawn, kind) for kind in drawn.item.columns]
    follows = [i > 0 and kind == "gentype" == drawn.item.columns[0] for i, kind in enumerate(drawn.item.columns)]

    def made(bits: Bits) -> tuple[Any, ...]:
        values = [fresh[0](bits)]
        for part, may_follow in zip(fresh[1:], follows[1:], strict=True):
            related = bits.take(8) & 1 and may_follow
            values.append(bits.one_of(_relations(values[0])) if related else part(bits))
        return tuple(values)

    return made


def _relations(x: Any) -> list[Any]:
    kind = type(x)
    with np.errstate(all="ignore"):
        near = [np.nextafter(x, kind(s * np.inf)) for s in (1, -1)]
        return [x, -x, *near, x + x, x / kind(2), kind(1) / x, x * x]


def _inside(drawn: Trial) -> Part | None:
    """Numbers of the interval in which results are informative, and next to its ends."""
    low, high = interval(drawn.item)
    form, span = drawn.item.form, drawn.span
    keys = max(span.low, key_of(low, form)), min(span.high, key_of(high, form))
    narrow = Span(form, *keys, nan=False, subnormal=span.subnormal)
    if narrow.is_empty:
        return None
    part = number(narrow)
    return lambda bits: (part(bits),)


def _structured(item: Item) -> Part:
    """One of an audit's structured inputs, every group by its share."""
    return mixed([(share, mixed([(1, Lines(lines)) for lines in group])) for share, group in _groups(item)])


@functools.lru_cache(maxsize=64)
def _groups(item: Item) -> tuple[tuple[int, tuple[Columns, ...]], ...]:
    """Return the shares of the case's groups, and their sets of calls, of which one is sampled."""
    sets = {name: [lines] for name, lines in structured.parts(item).items()}
    sets |= {"edges": _edges(item), "lines": [hard_lines(item)], "short": _short(item)}
    found = [(share, tuple(_sorted(lines) for lines in sets[name] if len(lines[0]))) for name, share in _SHARES.items()]
    return tuple((share, group) for share, group in found if group)


def _edges(item: Item) -> list[Columns]:
    types = layout.dtypes(item)
    return [tuple(c.astype(t, copy=False) for c, t in zip(e, types, strict=True)) for e in structured.each_edge(item)]


def _short(item: Item) -> list[Columns]:
    """The most informative specials of a single argument; for several, all are crossed anyway."""
    return [(special.specials(item.form, short=True),)] if item.columns == ("gentype",) else []


def _sorted(columns: Columns) -> Columns:
    """Return the calls in the order of shrinking: finite ones first, then by the size of their exponents."""
    size = np.zeros(len(columns[0]))
    for column in columns:
        with np.errstate(all="ignore"):
            wide = np.abs(column.astype(np.float64))
            here = np.abs(np.log2(wide))
        size += np.where(wide == 0, 0.0, np.where(np.isfinite(here), here, 1e6))
    order = np.argsort(size, kind="stable")
    return tuple(column[order] for column in columns)


def _random(item: Item) -> Part:
    """A random call, generated as in an audit."""

    def made(bits: Bits) -> tuple[Any, ...]:
        rng = np.random.default_rng(bits.take(32))
        return tuple(column[0] for column in random_columns(rng, item, 1))

    return made


def lanes(drawn: Trial, rng: np.random.Generator, plain: Plain, n: int) -> Columns:
    """Generate ``n`` calls at once: random ones as in an audit, and a third structured ones."""
    item = drawn.item
    columns = random_columns(rng, item, n)
    groups = _groups(item)
    share = np.array([share for share, _ in groups])
    # 2/3 random; a share of the rest for each group
    which = rng.choice(len(groups) + 1, n, p=[*(share / share.sum() / 3.0), 2.0 / 3.0])
    for k, (_, sets) in enumerate(groups):
        one_of = rng.integers(0, len(sets), n)
        for m, lines in enumerate(sets):
            here = np.flatnonzero((which == k) & (one_of == m))
            places = rng.integers(0, len(lines[0]), len(here))
            for column, line in zip(columns, lines, strict=True):
                column[here] = line[places]
    return tuple(_all_fitting(drawn, plain, column) for column in columns)


def _all_fitting(drawn: Trial, plain: Plain, column: np.ndarray) -> np.ndarray:
    form = drawn.item.form
    return drawn.span.fitted(plain.made_of(column, form)) if column.dtype == form.dtype else column
