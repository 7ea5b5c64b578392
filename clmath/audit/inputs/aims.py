"""Intervals and recipes of ``tables/inputs.toml`` from which the arguments of a built-in are generated."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath import errors
from clmath.numbers.formats import FLOAT, FORMATS, Format
from clmath.spec import files

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["Domain", "domain", "interval", "lowest_of", "recipe_word", "word"]


class Domain(NamedTuple):
    """Numbers of ``form`` from ``least`` to ``greatest`` whose size is at least 2^``lowest``."""

    form: Format
    least: float
    greatest: float
    lowest: int


def _listed(section: str, item: Item) -> tuple[float, float] | None:
    """Return the least and greatest argument in a section of the table, or None; bfloat16 has the line of float."""
    form = item.form
    lines = files.load("inputs.toml")[section].get(item.builtin.called, {})
    ends = lines.get(str(form) if form in FORMATS else str(FLOAT))
    return ends and (max(float(ends[0]), -form.largest), min(float(ends[1]), form.largest))


def interval(item: Item) -> tuple[float, float]:
    """Return the interval in which a built-in of one argument is neither constant nor out of range.

    It has all finite numbers if the table does not name the built-in.
    """
    return _listed("interval", item) or (-item.form.largest, item.form.largest)


def lowest_of(form: Format, bounds: tuple[float, float]) -> int:
    """Return the exponent below which numbers of an interval act like zero.

    It is the format's least exponent if the interval is wide.
    """
    top = int(np.frexp(max(map(abs, bounds)))[1]) - 1
    return form.quantum if top > 2 * form.precision else max(form.quantum, -form.precision - 2)


def domain(item: Item) -> Domain:
    """Return where a built-in of one argument has many different results: the interval, or the table's domain."""
    form, bounds = item.form, interval(item)
    return Domain(form, *(_listed("domain", item) or bounds), lowest_of(form, bounds))


def word(section: str, item: Item) -> str | None:
    """Return the word for a built-in in a section of ``tables/inputs.toml``, or None if it has none."""
    found: str | None = files.load("inputs.toml")[section].get(item.builtin.called)
    return found


def recipe_word(item: Item) -> str:
    """Return the name of the recipe that generates the arguments of a built-in; the table has one for several."""
    found = "interval" if item.columns == ("gentype",) and not item.width else word("recipe", item)
    if found is None:
        fact = f"[recipe] has no line for {item.builtin.called}"
        raise errors.TableError(f"tables/inputs.toml: {fact}; write how its arguments are drawn")
    return found
