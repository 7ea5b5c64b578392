"""Inputs that do not depend on a seed: every encoding of half, else special, hard and constructed arguments."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from clmath.audit.inputs import operands, vectors
from clmath.audit.inputs.aims import interval
from clmath.audit.inputs.hard import cases, halfway_of, hard
from clmath.audit.inputs.layout import Columns, dtypes, is_exhaustive, without_repetition
from clmath.audit.inputs.special import approaches, everyday, listed
from clmath.audit.inputs.thresholds import thresholds
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.spec import editions, proposals
from clmath.spec.editions import PROFILES
from clmath.spec.limits import limit
from clmath.spec.notation import Condition, number
from clmath.spec.proposals import around
from clmath.spec.special_values import flushing_special_values, special_values


@functools.lru_cache(maxsize=8)
def structured(item: Item) -> Columns:
    """Return the inputs that do not depend on the seed: all encodings of half, else inputs at which targets fail.

    On vectors each is tried twice: next to its neighbours, and next to unlike inputs.
    """
    if item.vector > 1:
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        return vectors.arranged_twice(rng, item, structured(replace(item, vector=1)))
    if isinstance(item, ExactItem):
        return operands.structured(item)
    if is_exhaustive(item):
        return (np.arange(1 << item.form.width, dtype=np.uint32).astype(item.form.bits_dtype).view(dtypes(item)[0]),)
    return without_repetition(_joined(item, parts(item).values()))


@functools.lru_cache(maxsize=8)
def parts(item: Item) -> Mapping[str, Columns]:
    """Return the structured inputs by their purpose; some parts are empty for most built-ins."""
    found: dict[str, list[Columns]] = {
        "special_values": each_special_value(item),
        "borders": _limit_borders(item),
        "hard": [hard(item)],
        "halfway": halfway_of(item),
        "cases": cases(item),
        "specials": [listed(item, interval(item))],
        "thresholds": _thresholds(item),
        "everyday": [everyday(item)] if len(item.columns) > 1 else [],
    }
    return {part: _joined(item, columns) for part, columns in found.items()}


def _joined(item: Item, parts: Iterable[Columns]) -> Columns:
    """Return the parts one after the other, in the columns' dtypes; columns are empty without parts."""
    every = zip(*((np.empty(0, t) for t in dtypes(item)),), *parts, strict=True)
    return tuple(
        np.concatenate([c.astype(t, copy=False) for c in column]) for column, t in zip(every, dtypes(item), strict=True)
    )


def each_special_value(item: Item) -> list[Columns]:
    """Return calls to which special values of any edition apply, one tuple of columns for each special value."""
    name = item.builtin.called
    found = [(*special_values(name, edition), *flushing_special_values(name, edition)) for edition in editions.known()]
    known = dict.fromkeys(special_value for one in found for special_value in one)
    if not item.width:
        return [special_value.cases(item.form) for special_value in known]
    cases = [special_value.cases(item.form, item.width) for special_value in known]  # type: ignore[call-arg] # vectors have a width
    return [tuple(a[:, i] for a in case for i in range(item.width)) for case in cases]


# -- limits of errors that differ between intervals of arguments -------------------------------------------------------


def _limit_borders(item: Item) -> list[Columns]:
    """Return arguments on both sides of each border in the row's limits, of all profiles and editions."""
    conditions = _conditions(item)
    if not item.width:
        return [_beside_border(item, condition) for condition in conditions]
    sizes = {number(b, item.form) for condition in conditions for b in condition.numbers}
    return [_of_square(item, size) for size in sorted(sizes)]


def _conditions(item: Item) -> list[Condition]:
    """Return the conditions in the row's limits, of all profiles and editions."""
    name, form = item.builtin.called, item.form
    limits = [limit(name, form, profile, edition=edition) for edition in editions.known() for profile in PROFILES]
    met = {condition for one in limits for _, condition in one.clauses if condition is not None}
    return sorted(met, key=lambda condition: condition.text)


def _beside_border(item: Item, condition: Condition) -> Columns:
    """Return arguments at and next to the numbers in a condition: some that meet it, and some that do not."""
    borders = [condition.numbers if p.name in condition.variables else () for p in item.builtin.inputs]
    pairs = list(zip(item.columns, borders, strict=True))
    long, short = ([proposals.values(kind, item.form, b, few=few) for kind, b in pairs] for few in (False, True))
    return proposals.crossed(long, short, lambda args: np.ones(len(args[0]), np.bool_))


def _thresholds(item: Item) -> list[Columns]:
    """Return numbers at distances of every size from borders of limits, and from ``thresholds.thresholds``."""
    if item.columns != ("gentype",) or item.width:
        return []
    form, last = item.form, thresholds(item)
    borders = [s * number(b, form) for condition in _conditions(item) for b in condition.numbers for s in (1.0, -1.0)]
    centres = {x for x in (*last.astype(np.float64).tolist(), *borders) if 0.0 < abs(x) <= form.largest}
    return [(around(last, form, 4),), (approaches(form, np.array(sorted(centres))),)]


def _of_square(item: Item, size: float) -> Columns:
    """Return vectors whose sum of squares is about ``size``: equal components, or one; a second vector is zero."""
    form, width = item.form, item.width
    parts = np.ldexp(1.0, -np.arange(1, form.precision))
    shares = np.concatenate([[1.0], 1.0 + parts, 1.0 - parts])
    with np.errstate(all="ignore"):
        equal, alone = (np.sqrt([[size / width], [size]]) * shares).astype(form.dtype)
    zeros = np.zeros_like(equal)
    columns = [np.append(equal, alone), *[np.append(equal, zeros)] * (width - 1)]
    return (*columns, *[np.append(zeros, zeros)] * (len(item.columns) - width))
