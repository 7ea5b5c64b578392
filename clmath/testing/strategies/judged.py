"""Calls of a built-in from random bits: the inputs of an audit, and related numbers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.inputs import layout, operands, special, structured
from clmath.audit.inputs.hard import hard_lines
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.exact_item import ExactItem
from clmath.numbers.formats import format_of
from clmath.testing.strategies.entropy import Bits, Part, mixed
from clmath.testing.strategies.scalars import Plain, number, simple
from clmath.testing.strategies.span import Bounds, Span
from clmath.testing.strategies.whole_numbers import integer, whole_range

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["Trial", "Values", "one_of_lines"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"
Values: TypeAlias = "tuple[np.generic, ...]"

# relative frequency of each group of an audit's structured inputs, if a built-in has it
_SHARES = {"lines": 4, "hard": 2, "edges": 5, "borders": 1, "halfway": 4, "cases": 2, "short": 8, "specials": 5}
_SMALL = (0, 1, 2, -1, 3, -2, 4, 10)


def one_of_lines(columns: Columns) -> Part[Values]:
    """Return a part that is one call of these columns, simple ones first."""

    def made(bits: Bits) -> Values:
        place = bits.below(len(columns[0]))
        return tuple(column[place] for column in columns)

    return made


class Trial(NamedTuple):
    """A case of an audit, and the numbers of its format that the keywords allow."""

    item: Item
    span: Span

    @property
    def dtypes(self) -> tuple[np.dtype, ...]:
        """The dtype of every column."""
        return layout.dtypes(self.item)

    def one(self, bits: Bits) -> Values:
        """Make the input values of one call: a scalar for every column of the case."""
        with np.errstate(all="ignore"):
            part = _part(self)
        plain = Plain.of(bits)
        return self._defined(tuple(self._fitting(plain, value) for value in part(bits)))

    def many(self, rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        """Make ``n`` calls at once: random ones as in an audit, and a third structured ones."""
        columns = tuple(column.copy() for column in random_columns(rng, self.item, n))
        groups = _groups(self.item)
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
        columns = tuple(self._fitting(plain, column) for column in columns)
        return operands.fitting(self.item, columns) if isinstance(self.item, ExactItem) else columns

    @property
    def zeros(self) -> Values:
        """The values of the simplest call."""
        zeros = [np.zeros(1, dtype) for dtype in self.dtypes]
        return self._defined(tuple(self.span.fitted(z) if z.dtype == self.span.form.dtype else z for z in zeros))

    def _defined(self, values: Columns) -> Values:
        """Return the values of one call, changed if it is undefined."""
        columns = tuple(value.reshape(1) for value in values)
        columns = operands.fitting(self.item, columns) if isinstance(self.item, ExactItem) else columns
        return tuple(column[0] for column in columns)

    def _fitting(self, plain: Plain, values: np.ndarray | np.generic) -> np.ndarray:
        """Return values that the keywords allow; ints and codes stay unchanged."""
        form = self.span.form
        return self.span.fitted(plain.made_of(values, form)) if values.dtype == form.dtype else np.asarray(values)


@functools.lru_cache(maxsize=64)
def _part(generated: Trial) -> Part[Values]:
    """Return a part that makes one call: simple, related, structured or random arguments."""
    item, groups = generated.item, _groups(generated.item)
    structured_ones = mixed(
        [(share, mixed([(1, one_of_lines(columns)) for columns in group])) for share, group in groups]
    )

    def of_audit(bits: Bits) -> Values:
        return tuple(column[0] for column in random_columns(np.random.default_rng(bits.take(32)), item, 1))

    return mixed([(2, _simple(generated)), (4, _related(generated)), (6, structured_ones), (8, of_audit)])


def _simple(generated: Trial) -> Part[Values]:
    pools = [simple(_span(generated, dtype)) if format_of(dtype) else _small(dtype) for dtype in generated.dtypes]
    return lambda bits: tuple(bits.one_of(pool) for pool in pools)


def _small(dtype: np.dtype) -> np.ndarray:
    _, low, high = whole_range(dtype)
    return np.array([k for k in _SMALL if low <= k <= high], dtype)


def _span(generated: Trial, dtype: np.dtype) -> Span:
    """Return the numbers of a floating-point column."""
    form = format_of(dtype)
    assert form is not None  # the column has floats
    return generated.span if form == generated.span.form else Span.of("arguments()", form, Bounds())


def _related(generated: Trial) -> Part[Values]:
    """Numbers of any size; half of the later ones equal, opposite, next to an earlier one, its double, half or inverse.

    There differences cancel and quotients are near 1.
    """
    fresh = [
        number(_span(generated, dtype)) if format_of(dtype) else integer(*whole_range(dtype))
        for dtype in generated.dtypes
    ]

    def made(bits: Bits) -> Values:
        values: list[np.generic] = []
        for part, dtype in zip(fresh, generated.dtypes, strict=True):
            earlier = [value for value in values if value.dtype == dtype]
            related = bits.take(8) & 1 and earlier
            values.append(bits.one_of(_relations(bits.one_of(earlier))) if related else part(bits))
        return tuple(values)

    return made


def _relations(x: np.generic) -> list[np.generic]:
    """Return numbers of the same type that are related to ``x``."""
    one = x.dtype.type(1)
    if format_of(x.dtype) is None:
        return [x, np.negative(x), np.add(x, one), np.subtract(x, one)]
    near = [np.nextafter(x, x.dtype.type(s * np.inf)) for s in (1, -1)]
    return [
        x,
        np.negative(x),
        *near,
        np.add(x, x),
        np.divide(x, np.add(one, one)),
        np.divide(one, x),
        np.multiply(x, x),
    ]


@functools.lru_cache(maxsize=64)
def _groups(item: Item) -> tuple[tuple[int, tuple[Columns, ...]], ...]:
    """Return the shares of the case's groups, and their sets of calls, of which one is sampled."""
    if isinstance(item, ExactItem):
        return ((1, (_sorted(structured.structured(item)),)),)
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
