"""Calls of a case of an audit: the inputs of the audit, simple ones, and related numbers."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs import layout, operands, special, structured
from clmath.audit.inputs.hard import hard_lines
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.exact_item import ExactItem
from clmath.numbers.formats import format_of
from clmath.testing.strategies.mixtures import Mixture
from clmath.testing.strategies.scalars import mixture_of, simple
from clmath.testing.strategies.spans import Integers, Span, whole_span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.plan.item import Item
    from clmath.testing.strategies.mixtures import Columns, Kind

__all__ = ["calls_of"]

# relative frequency of each group of an audit's structured inputs, if a built-in has it
_SHARES = {"lines": 4, "hard": 2, "edges": 5, "borders": 1, "halfway": 4, "cases": 2, "short": 8, "specials": 5}
_ROWS = 2048  # simple calls


@functools.lru_cache(maxsize=64)
@np.errstate(all="ignore")
def calls_of(item: Item, span: Span) -> Mixture:
    """Return the calls of a case whose numbers of the format are those of ``span``."""
    spans = [span if dtype == span.dtype else whole_span(dtype) for dtype in layout.dtypes(item)]
    groups = Mixture(_groups(item), spans)
    kinds = [
        (2, _simple(spans)),
        (4, _related(spans)),
        *groups.scaled(6),
        (8, lambda rng, n: random_columns(rng, item, n)),
    ]
    defined = functools.partial(operands.fitting, item) if isinstance(item, ExactItem) else tuple
    return Mixture(kinds, spans, defined)


def _simple(spans: Sequence[Span | Integers]) -> Columns:
    rng = np.random.default_rng(len(spans))
    return _sorted(tuple(rng.choice(simple(span), _ROWS) for span in spans))


def _related(spans: Sequence[Span | Integers]) -> Kind:
    """Numbers of any size; half of the later ones equal, opposite, next to an earlier one, its double, half or inverse.

    There differences cancel and quotients are near 1.
    """
    fresh = [mixture_of(span).many for span in spans]

    def made(rng: np.random.Generator, n: int) -> Columns:
        columns: list[np.ndarray] = []
        for mixture, span in zip(fresh, spans, strict=True):
            (values,) = mixture(rng, n)
            earlier = [column for column in columns if column.dtype == span.dtype]
            if earlier:
                relations = [one for column in earlier for one in _relations(column)]
                related = np.array(relations)[rng.integers(0, len(relations), n), np.arange(n)]
                values = np.where(rng.random(n) < 0.5, related, values)
            columns.append(values)
        return tuple(columns)

    return made


@np.errstate(all="ignore")
def _relations(x: np.ndarray) -> list[np.ndarray]:
    """Return numbers of the same type that are related to ``x``."""
    one = x.dtype.type(1)
    if format_of(x.dtype) is None:
        return special.next_to_one_another(x)
    near = [np.nextafter(x, x.dtype.type(s * np.inf)) for s in (1, -1)]
    return [x, np.negative(x), *near, x + x, x / (one + one), one / x, x * x]


def _groups(item: Item) -> list[tuple[float, Kind]]:
    """Return the structured inputs of an audit, each set with its share."""
    if isinstance(item, ExactItem):
        return [(1, _sorted(structured.structured(item)))]
    sets = {name: [lines] for name, lines in structured.parts(item).items()}
    sets |= {"edges": _edges(item), "lines": [hard_lines(item)], "short": _short(item)}
    return [(share / len(sets[name]), _sorted(lines)) for name, share in _SHARES.items() for lines in sets[name]]


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
        wide = column.astype(np.float64)
        here = np.abs(np.log2(np.abs(wide)))
        size += np.where(wide == 0, 0.0, np.where(np.isfinite(here), here, 1e6)) + 2.0**-9 * (np.sign(wide) % 3)
    order = np.argsort(size, kind="stable")
    return tuple(column[order] for column in columns)
