"""``clmath eval``: the exact value of one call and what it rounds to in each mode."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.exact.one_call import outcome
from clmath.audit.inputs import values
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import item_of, rows_named
from clmath.audit.plan.types import TYPES
from clmath.audit.reports.sparks import between
from clmath.numbers.formats import DOUBLE, KNOWN, format_named
from clmath.numbers.rounding import MODES, Enclosure, checked_mode, round_enclosure, ulp_errors, ulps

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin, Parameter

__all__ = ["item_for", "lane_names", "meant", "run"]

CALL = "clmath eval"
DIGITS = 30
FARTHEST = 1 << 28  # the reference follows exponents no farther


def run(options: Namespace) -> int:
    """Print arguments, exact value, ulp and roundings of one call."""
    row, form = meant(options.name, options.type)
    modes: Sequence[Rounding] = MODES if options.rounding is None else (checked_mode(CALL, options.rounding),)
    texts = options.values or ["0"] * (row.chapter == "constants")  # whichever work-item asks
    item = item_for(row, form, len(texts), CALL)
    given = [values.parse(v, k, form, options.bits, CALL) for v, k in zip(texts, item.columns, strict=True)]
    print("\n".join(_prescribed(item, given, modes) if isinstance(item, ExactItem) else _lines(item, given, modes)))
    return 0


def meant(name: str, type: str | None, call: str = CALL) -> tuple[Builtin, Format]:
    """The built-in, of the chapter that has it in the type, and the type: float where none is named and it has that."""
    rows = rows_named(name, call)
    if type is None:
        for row in rows:
            return row, TYPES["float" if row.takes("float") else row.type_names[0]]
    form = TYPES.get(str(type)) or format_named(type, call, KNOWN)
    for row in rows:
        if row.takes(form.name) or form in row.computed:
            return row, form
    known = " or ".join(dict.fromkeys(t for row in rows for t in row.type_names))
    raise errors.UnknownNameError(f"{call}: {name} is not defined for {form}; use --type {known}")


def item_for(row: Builtin, form: Format, count: int, call: str, width: int = 1) -> Item:
    """The call of ``row`` that takes ``count`` values: they decide the width of a geometric built-in.

    ``width``: of the vectors for another one.
    """
    widths = row.widths or (width,)
    shapes = [(lanes, 1) for lanes in row.widths] or [(0, width)]
    items = [item_of(row, form, *shape) for shape in shapes]
    found = next((item for item in items if sum(lanes for _, lanes in item.given) == count), None)
    if found is None:
        names = ", ".join(p.name for p in row.inputs)
        lanes = f", {' or '.join(map(str, widths))} lanes each" if widths != (1,) else ""
        shared = ", ".join(p.name for p, alone in zip(row.inputs, items[0].shared, strict=True) if alone)
        lanes += f", but one value for all lanes of {shared}" if shared else ""
        counts = [str(sum(lanes for _, lanes in item.given)) for item in items]
        wanted = " or ".join((", ".join(counts[:-1]), counts[-1])) if counts[1:] else counts[0]
        plural = "" if wanted == "1" else "s"
        raise errors.ShapeError(
            f"{call}: {row.name} takes {wanted} value{plural} ({names}{lanes}); {count} are given: {row.declaration}"
        )
    return found


def _prescribed(item: ExactItem, given: Sequence[int], modes: Sequence[Rounding]) -> Iterator[str]:
    """Arguments, what is due for them in each mode that makes a difference, and what else is right."""
    row, form = item.builtin, item.form
    lanes = str(item.width) if item.width > 1 else ""
    yield f"{row.declaration}, {form}{lanes}; {row.chapter} chapter, section {row.section}"
    for name, value, kind in zip(lane_names(item, row.inputs), given, item.columns, strict=True):
        yield from () if item.is_macro else (f"{name:8}  {values.number_text(value, kind, form)}",)
    columns = tuple(values.column(v, k, form) for v, k in zip(given, item.columns, strict=True))
    told = {mode: list(outcome(item, columns, mode)) for mode in modes}
    alike = len({tuple(lines) for lines in told.values()}) == 1
    for mode, lines in list(told.items())[: 1 if alike else None]:
        yield from (f"{'result' if alike else mode:8}  {line}" for line in lines)
    in_vectors = list(outcome(replace(item, vector=2), columns, modes[0])) if row.vectors else told[modes[0]]
    if in_vectors != told[modes[0]]:
        yield f"{'vectors':8}  {in_vectors[0]}"


def _lines(item: Item, given: Sequence[int], modes: Sequence[Rounding]) -> Iterator[str]:
    row, form = item.builtin, item.form
    lanes = str(item.width) if item.width > 1 else ""
    yield f"{row.declaration}, {form}{lanes}; {row.chapter} chapter, section {row.section}"
    names, outputs = lane_names(item, row.inputs), lane_names(item, row.outputs)
    for name, value, kind in zip(names, given, item.columns, strict=True):
        yield f"{name:8}  {values.number_text(value, kind, form)}"
    columns = tuple(values.column(v, k, form) for v, k in zip(given, item.columns, strict=True))
    for name, (near, exact) in zip(outputs, _truths(item, columns), strict=True):
        if len(outputs) > 1:
            yield f"{name}:"
        yield from [f"int       {near[0]}"] if isinstance(near, np.ndarray) else _result(near, exact, form, modes)


def lane_names(item: Item, parameters: Sequence[Parameter]) -> list[str]:
    """The parameters' names, once for every lane of a vector."""
    lanes = range(item.width)
    return [
        name
        for p in parameters
        for name in ([f"{p.name}[{i}]" for i in lanes] if item.width > 1 and item.has_lanes(p.type) else [p.name])
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
    below, above = (_rounded(exact, form, mode) for mode in ("rtn", "rtp"))
    if len(modes) > 1 and not is_exact and np.isfinite(below).all() and np.isfinite(above).all():
        under, over = (abs(float(ulp_errors(end, exact, form)[0])) for end in (below, above))
        yield f"{'':9} {between(under / (under + over))}  rtn, exact value *, rtp"


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
