"""Intervals and recipes of ``tables/builtins.toml`` from which the arguments of a built-in are generated."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.plan.item import Item
from clmath.numbers.formats import FLOAT, FORMATS, Format
from clmath.spec import files

TABLE = "builtins.toml"
Line: TypeAlias = "str | list[float] | dict[str, list[float]]"


class Domain(NamedTuple):
    """Numbers of ``form`` from ``least`` to ``greatest`` whose size is at least 2^``lowest``."""

    form: Format
    least: float
    greatest: float
    lowest: int


@functools.cache
def _lines(key: str) -> Mapping[str, Line]:
    """Return the lines of the table under ``key``, by the names of the built-ins."""
    return {name: line for entry in files.load(TABLE).values() for name, line in entry.get(key, {}).items()}


def _ends(key: str, item: Item, name: str) -> tuple[float, float] | None:
    """Return the least and greatest argument by the table, or None; bfloat16 has the ends of float."""
    form, line = item.form, _lines(key).get(name, [])
    ends = line.get(str(form) if form in FORMATS else str(FLOAT)) if isinstance(line, dict) else line
    return (max(float(ends[0]), -form.largest), min(float(ends[1]), form.largest)) if ends else None


def interval(item: Item) -> tuple[float, float]:
    """Return the interval in which a built-in of one argument is neither constant nor out of range.

    A built-in without an interval has the interval of ``same_as``, or all finite numbers.
    """
    found = _ends("interval", item, item.builtin.called) or _ends("interval", item, item.builtin.same_as)
    return found or (-item.form.largest, item.form.largest)


def lowest_of(form: Format, bounds: tuple[float, float]) -> int:
    """Return the exponent below which numbers of an interval act like zero.

    It is the format's least exponent if the interval is wide.
    """
    top = int(np.frexp(max(map(abs, bounds)))[1]) - 1
    return form.quantum if top > 2 * form.precision else max(form.quantum, -form.precision - 2)


def domain(item: Item) -> Domain:
    """Return where a built-in of one argument has many different results: the interval, or the table's domain."""
    form, bounds = item.form, interval(item)
    return Domain(form, *(_ends("domain", item, item.builtin.called) or bounds), lowest_of(form, bounds))


def word(key: str, *names: str) -> str | None:
    """Return the word that ``tables/builtins.toml`` has under ``key`` for the first of ``names`` with one, or None."""
    return next((line for name in names if isinstance(line := _lines(key).get(name), str)), None)


def recipe_word(item: Item) -> str:
    """Return the name of the recipe that generates the arguments of a built-in; the table has one for several.

    A built-in without a recipe has the recipe of ``same_as``.
    """
    if item.columns == ("gentype",) and not item.width:
        return "interval"
    found = word("recipe", item.builtin.called, item.builtin.same_as)
    if found is None:
        fact = f"recipe has no line for {item.builtin.called}"
        raise errors.TableError(f"tables/{TABLE}: {fact}; write how its arguments are sampled")
    return found
