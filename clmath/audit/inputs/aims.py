"""Where ``tables/inputs.toml`` says that the arguments of a built-in are drawn."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.spec import files

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

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
    everything = {str(item.form): [-item.form.largest, item.form.largest]}
    least, greatest = table()["interval"].get(item.builtin.called, everything)[str(item.form)]
    return least, greatest


def lowest_of(form: Format, bounds: tuple[float, float]) -> int:
    """The exponent below which numbers of an interval act like zero; the format's least one if the interval is wide."""
    top = int(np.frexp(max(map(abs, bounds)))[1]) - 1
    return form.quantum if top > 2 * form.precision else max(form.quantum, -form.precision - 2)


def domain(item: Item) -> Domain:
    """Where a built-in of one argument has many different results: the interval, or more if the table says so."""
    form, bounds = item.form, interval(item)
    least, greatest = table()["domain"].get(item.builtin.called, {}).get(str(form), bounds)
    ends = (max(float(least), -form.largest), min(float(greatest), form.largest))
    return Domain(form, *ends, lowest_of(form, bounds))


def recipe_word(item: Item) -> str:
    """The word by which the table says how the arguments of a built-in of several arguments are drawn together."""
    try:
        return str(table()["recipe"][item.builtin.called])
    except KeyError:
        raise errors.TableError(
            f"tables/inputs.toml: [recipe] has no line for {item.builtin.called}; write how its arguments are drawn"
        ) from None
