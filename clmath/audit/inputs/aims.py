"""Where ``tables/inputs.toml`` says that the arguments of a built-in are drawn."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.numbers.formats import FLOAT, FORMATS, Format
from clmath.spec import files

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

__all__ = ["Domain", "domain", "interval", "lowest_of", "recipe_word", "table"]


class Domain(NamedTuple):
    """Numbers of ``form`` from ``least`` to ``greatest``, but none smaller than 2^``lowest``."""

    form: Format
    least: float
    greatest: float
    lowest: int


@functools.cache
def table() -> dict[str, Any]:
    """The contents of ``tables/inputs.toml``."""
    return files.load("inputs.toml")


def interval(item: Item) -> tuple[float, float]:
    """Where a built-in of one argument is neither constant nor out of range; all finite numbers if not in the table."""
    return _listed("interval", item) or (-item.form.largest, item.form.largest)


def _listed(section: str, item: Item) -> tuple[float, float] | None:
    """The least and the greatest argument in a section of the table, if it has the built-in; bfloat16 as float."""
    form = item.form
    lines = table()[section].get(item.builtin.called, {})
    ends = lines.get(str(form) if form in FORMATS else str(FLOAT))
    return ends and (max(float(ends[0]), -form.largest), min(float(ends[1]), form.largest))


def lowest_of(form: Format, bounds: tuple[float, float]) -> int:
    """The exponent below which numbers of an interval act like zero; the format's least one if the interval is wide."""
    top = int(np.frexp(max(map(abs, bounds)))[1]) - 1
    return form.quantum if top > 2 * form.precision else max(form.quantum, -form.precision - 2)


def domain(item: Item) -> Domain:
    """Where a built-in of one argument has many different results: the interval, or more if the table says so."""
    form, bounds = item.form, interval(item)
    return Domain(form, *(_listed("domain", item) or bounds), lowest_of(form, bounds))


def recipe_word(item: Item) -> str:
    """The word by which the table says how the arguments of a built-in of several arguments are drawn together."""
    try:
        return str(table()["recipe"][item.builtin.called])
    except KeyError:
        raise errors.TableError(
            f"tables/inputs.toml: [recipe] has no line for {item.builtin.called}; write how its arguments are drawn"
        ) from None
