"""``clmath eval``: the exact value of one call and what it rounds to in each mode."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit import values
from clmath.audit.plan import Item
from clmath.numbers.formats import DOUBLE, FLOAT, KNOWN, Format, format_named
from clmath.numbers.rounding import MODES, Enclosure, checked_mode, round_enclosure, ulp_errors, ulps
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.numbers.rounding import Rounding

__all__ = ["item_for", "run"]

CALL = "clmath eval"
DIGITS = 30
FARTHEST = 1 << 28  # the reference follows exponents no farther


def run(options: Namespace) -> int:
    """Print arguments, exact value, ulp and roundings of one call."""
    row = builtin(options.name, CALL)
    form = _format(row, options.type)
    modes: Sequence[Rounding] = MODES if options.rounding is None else (checked_mode(CALL, options.rounding),)
    item = item_for(row, form, len(options.values), CALL)
    given = [values.parse(v, k, form, options.bits, CALL) for v, k in zip(options.values, item.columns, strict=True)]
    print("\n".join(_lines(item, given, modes)))
    return 0


def _format(row: Builtin, name: str | None) -> Format:
    form = format_named(name, CALL, KNOWN) if name else FLOAT
    if form not in row.formats + row.computed:
        known = " or ".join(f.name for f in row.formats)
        raise errors.UnknownNameError(f"{CALL}: {row.name} is not defined for {form}; use --type {known}")
    return form


def item_for(row: Builtin, form: Format, count: int, call: str, width: int = 1) -> Item:
    """The call of ``row`` that takes ``count`` values: they decide the width of a geometric built-in.

    ``width``: of the vectors for another one.
    """
    inputs = len(row.inputs)
    widths = row.lanes or (width,)
    if count % inputs or count // inputs not in widths:
        names = ", ".join(p.name for p in row.inputs)
        lanes = f", {' or '.join(map(str, widths))} lanes each" if widths != (1,) else ""
        raise errors.ShapeError(
            f"{call}: {row.name} takes {inputs} values ({names}{lanes}); {count} are given: {row.declaration}"
        )
    return Item(row, form, count // inputs) if row.lanes else Item(row, form, vector=width)


def _lines(item: Item, given: Sequence[int], modes: Sequence[Rounding]) -> Iterator[str]:
    row, form = item.builtin, item.form
    lanes = str(item.width) if item.width > 1 else ""
    yield f"{row.declaration}, {form}{lanes}; {row.chapter} chapter, section {row.section}"
    names, outputs = _names(item, row.inputs), _names(item, row.outputs)
    for name, value, kind in zip(names, given, item.columns, strict=True):
        yield f"{name:8}  {values.number_text(value, kind, form)}"
    columns = tuple(values.column(v, k, form) for v, k in zip(given, item.columns, strict=True))
    for name, (near, exact) in zip(outputs, _truths(item, columns), strict=True):
        if len(outputs) > 1:
            yield f"{name}:"
        yield from [f"int       {near[0]}"] if isinstance(near, np.ndarray) else _result(near, exact, form, modes)


def _names(item: Item, parameters: Sequence[Parameter]) -> list[str]:
    """The parameters' names, once for every lane of a vector."""
    lanes = range(item.width)
    wide = item.width > 1
    return [
        name
        for p in parameters
        for name in ([f"{p.name}[{i}]" for i in lanes] if wide and p.type == "gentype" else [p.name])
    ]


def _truths(item: Item, columns: tuple[NDArray[Any], ...]) -> list[tuple[Any, Any]]:
    """For each result what rounds right in the format, and the same value to 100 bits or more."""
    from clmath import reference

    row = item.builtin
    with np.errstate(invalid="ignore"):  # a signaling NaN becomes quiet
        wide = [c.astype(np.float64) if k == "gentype" else c for c, k in zip(columns, item.columns, strict=True)]
    truths = zip(
        reference.enclose(row.name, columns, item.form), reference.enclose(row.name, wide, DOUBLE), strict=True
    )
    return list(truths) if row.moves_bits else [(_with_canonical_nan(n), _with_canonical_nan(e)) for n, e in truths]


def _with_canonical_nan(value: Any) -> Any:
    """An enclosure of one number, whose NaN becomes the one that computations give; ints as they are."""
    return value._replace(hi=np.array([np.nan])) if isinstance(value, Enclosure) and np.isnan(value.hi[0]) else value


def _result(near: Enclosure, exact: Enclosure, form: Format, modes: Sequence[Rounding]) -> Iterator[str]:
    if any(form.bits(_rounded(near, form, m)) != form.bits(_rounded(exact, form, m)) for m in MODES):
        exact = near  # the built-in looks at the format, as nextafter does
    yield f"exact     {_digits(exact)}"
    unit = float(ulps(exact, form)[0])
    yield f"ulp       2^{math.frexp(unit)[1] - 1}" if math.isfinite(unit) else "ulp       nan"
    is_exact = len({float(_rounded(exact, form, mode)[0]) for mode in MODES}) == 1  # +0 and -0 are equal
    for mode in modes:
        value = _rounded(exact, form, mode)
        off = ", exact" if is_exact else f", {float(ulp_errors(value, exact, form)[0]):+.4f} ulp"
        off = off if math.isfinite(float(value[0])) else ""
        yield f"{mode}       {values.number_text(int(form.bits(value)[0]), 'gentype', form)}{off}"


def _rounded(value: Enclosure, form: Format, mode: Rounding) -> NDArray[Any]:
    return round_enclosure(value, form, mode)[0]


def _digits(exact: Enclosure) -> str:
    import mpmath

    hi, lo = float(exact.hi[0]), float(exact.lo[0])
    if hi == 0 or not math.isfinite(hi):
        return str(hi).removesuffix(".0")
    if abs(int(exact.exponent[0])) > FARTHEST:
        return f"{'-' if hi < 0 else ''}2^n, n {'>' if exact.exponent[0] > 0 else '<'} {int(exact.exponent[0])}"
    with mpmath.workprec(2200):
        value = mpmath.ldexp(mpmath.mpf(hi) + mpmath.mpf(lo), int(exact.exponent[0]))
        return str(mpmath.nstr(value, DIGITS, min_fixed=-5, max_fixed=DIGITS))
