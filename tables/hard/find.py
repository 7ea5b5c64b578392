"""Finds hard inputs and writes them into ``tables/hard/calls.toml``: ``python tables/hard/find.py float double``.

Three kinds: arguments whose exact result lies closest to a rounding boundary among many random ones, arguments at
which results change their kind (overflow, underflow, reaching one), and numbers closest to multiples of pi/2.
``[hardest]`` has closer ones: for the functions that ``sweep.py`` tries at all floats, random ones are left out.
"""

from __future__ import annotations

import sys
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from clmath import reference
from clmath.audit.inputs.hard import near_turns
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.item import Item
from clmath.kernels import FAST
from clmath.numbers.formats import FLOAT, HALF, Format, format_named
from clmath.numbers.rounding import Enclosure, round_enclosure, ulps
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from numpy.typing import NDArray

TRIED = {"half": 50_000, "float": 150_000, "double": 75_000}
KEPT, BORDERS, TURNS = 8, 16, 12
SWEPT = tuple(n for n, k in FAST.kernels.items() if k.results == len(signature(k.function).parameters) == 1)
QUARTER_TURNS = ("sin", "cos", "tan", "sincos")


def distances(exact: Enclosure, form: Format) -> NDArray[np.float64]:
    """How far, in ulp, exact values are from the nearest number or midpoint; infinite for those that are one."""
    unit = ulps(exact, form)
    with np.errstate(all="ignore"):
        halves = np.ldexp(exact.hi, np.clip(exact.exponent, -5000, 5000)) / unit * 2.0
        rest = np.ldexp(exact.lo, np.clip(exact.exponent, -5000, 5000)) / unit * 2.0
        apart = np.abs(halves - np.rint(halves) + rest) / 2.0
    rounded = round_enclosure(exact, form, "rte")[0]
    telling = np.isfinite(rounded) & (np.abs(rounded) >= form.smallest_normal) & (apart > 0)
    return np.where(telling, apart, np.inf)


def hardest(item: Item, rng: np.random.Generator) -> list[str]:
    """The arguments of results closest to a rounding boundary."""
    found: list[tuple[float, str]] = []
    for _ in range(0, TRIED[item.form.name], 25_000):
        values = random_columns(rng, item, 25_000)
        exact = reference.enclose(item.builtin.name, values, item.form)[0]
        if not isinstance(exact, Enclosure):
            return []
        apart = distances(exact, item.form)
        found += [(float(apart[i]), line(values, i)) for i in np.argsort(apart)[:KEPT] if np.isfinite(apart[i])]
    return [text for _, text in sorted(found)[:KEPT]]


def line(values: tuple[NDArray[Any], ...], i: int) -> str:
    """One call's arguments as the table writes them."""
    return " ".join(short_hex(float(v[i])) if v.dtype.kind == "f" else str(int(v[i])) for v in values)


def short_hex(value: float) -> str:
    """The hexadecimal form without trailing zeros."""
    mantissa, _, exponent = value.hex().partition("p")
    return f"{mantissa.rstrip('0').rstrip('.') if '.' in mantissa else mantissa}p{exponent}"


def kinds(item: Item, x: NDArray[Any]) -> NDArray[np.int64]:
    """What kind of result each argument gives: NaN, infinite, zero, subnormal, one, or another number."""
    exact = reference.enclose(item.builtin.name, (x,), item.form)[0]
    if not isinstance(exact, Enclosure):
        return np.zeros(x.shape, np.int64)
    size = np.abs(round_enclosure(exact, item.form, "rte")[0])
    tests = [np.isnan(size), np.isinf(size), size == 0, size < item.form.smallest_normal, size == 1]
    return np.select(tests, range(1, 6), 0)


def borders(item: Item) -> list[str]:
    """Arguments beside which the kind of result changes, by bisection of the encodings: the least and the greatest."""
    form = item.form
    most = key(form.largest, form)
    keys = np.array([most * i // 2048 for i in range(-2048, 2049)])
    at = kinds(item, number_of(keys, form))
    change = np.flatnonzero(at[1:] != at[:-1])
    low, high, kind = keys[change], keys[change + 1], at[change]
    while np.any(high - low > 1):
        middle = low + (high - low) // 2
        same = kinds(item, number_of(middle, form)) == kind
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found = [short_hex(float(v)) for v in number_of(low, form)]
    return found if len(found) <= BORDERS else found[: BORDERS // 2] + found[-BORDERS // 2 :]


def key(value: float, form: Format) -> int:
    """An integer that grows with the number."""
    bits = int(form.bits(abs(value)))
    return -bits if value < 0 else bits


def number_of(keys: NDArray[np.int64], form: Format) -> NDArray[Any]:
    """The numbers of keys."""
    magnitude = form.from_bits(np.abs(keys).astype(form.bits_dtype))
    return np.where(keys < 0, -magnitude, magnitude)


def near_quarter_turns(form: Format, count: int = TURNS) -> list[str]:
    """The ``count`` numbers of the format, of any exponent from 2 on, that are closest to a multiple of pi/2."""
    x = near_turns(form)
    apart = np.minimum(np.abs(clmath.sin(x)), np.abs(clmath.cos(x)))
    return [short_hex(float(x[i])) for i in np.argsort(apart, kind="stable")[:count]]


def table(form: Format) -> dict[str, list[str]]:
    """All hard inputs of a format, by built-in."""
    turns = near_quarter_turns(form)
    found = {}
    for row in builtins().values():
        if row.chapter != "math" or form not in row.formats or "_" in row.name or row.name == "nan":
            continue
        item = Item(row, form)
        single = item.columns == ("gentype",)
        if single and form is HALF:
            continue  # every half is tried
        print(f"{item} ...", file=sys.stderr)
        lines = [] if form is FLOAT and row.name in SWEPT else hardest(item, np.random.default_rng(2))
        lines += (borders(item) if single else []) + (turns if row.name in QUARTER_TURNS else [])
        if lines:
            found[row.name] = list(dict.fromkeys(lines))
    return found


def main() -> None:
    """Write the lists of the formats named on the command line."""
    file = Path(__file__).with_name("calls.toml")
    for name in sys.argv[1:]:
        rows = "".join(
            f"{k} = [\n" + "".join(f'    "{v}",\n' for v in lines) + "]\n"
            for k, lines in table(format_named(name)).items()
        )
        before, head, rest = file.read_text(encoding="utf-8").partition(f"[found.{name}]\n")
        file.write_text(before + head + rows + rest[rest.index("\n[") :], encoding="utf-8")


if __name__ == "__main__":
    main()
