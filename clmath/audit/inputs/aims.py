"""What the tables say of where the arguments of a built-in are drawn."""

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
    """``tables/inputs.toml``."""
    return files.load("inputs.toml")


def interval(item: Item) -> tuple[float, float]:
    """Where results of a built-in of one argument tell something; every finite number unless the table says less."""
    everything = {str(item.form): [-item.form.largest, item.form.largest]}
    least, greatest = table()["interval"].get(item.builtin.name, everything)[str(item.form)]
    return least, greatest


def lowest_of(form: Format, bounds: tuple[float, float]) -> int:
    """The exponent below which numbers of an interval are as good as zero; the format's where it is as wide as that."""
    top = int(np.frexp(max(map(abs, bounds)))[1]) - 1
    return form.quantum if top > 2 * form.precision else max(form.quantum, -form.precision - 2)


def domain(item: Item) -> Domain:
    """Where a built-in of one argument has results of many values: the interval, or more where the table says so."""
    form, bounds = item.form, interval(item)
    least, greatest = table()["domain"].get(item.builtin.name, {}).get(str(form), bounds)
    ends = (max(float(least), -form.largest), min(float(greatest), form.largest))
    return Domain(form, *ends, lowest_of(form, bounds))


def recipe_word(item: Item) -> str:
    """How the arguments of a built-in of several are drawn together, in a word."""
    try:
        return str(table()["recipe"][item.builtin.name])
    except KeyError:
        raise errors.TableError(
            f"tables/inputs.toml: [recipe] has no line for {item.builtin.name}; write how its arguments are drawn"
        ) from None
