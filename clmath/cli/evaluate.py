"""``clmath eval``: the exact value of one call and its roundings in each mode, or the text that printf writes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.exact.bitwise import outcome
from clmath.audit.inputs import values
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TEXT, TYPES
from clmath.audit.protocol.printable import printable
from clmath.audit.reports.charts import between
from clmath.cli.asked import asked, component_names, converted, modes_of
from clmath.functions.printf import Specification, parsed, sprintf
from clmath.numbers.formats import DOUBLE, format_named
from clmath.numbers.rounding import MODES, Enclosure, checked_mode, round_enclosure, ulp_errors, ulps
from clmath.spec.families import conversions_beyond

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.cli.asked import Asked
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

    Exact: TypeAlias = Enclosure | NDArray[np.int32]  # one result of the reference

CALL = "clmath eval"
PRINTING = "sprintf"  # takes a format of the user's own
DIGITS = 30
FARTHEST = 1 << 28  # the largest exponents that the reference follows


def run(options: Namespace) -> int:
    """Print arguments, exact value, ulp and roundings of one call."""
    modes: Sequence[Rounding] = MODES if options.rounding is None else (checked_mode(CALL, options.rounding),)
    if options.name == PRINTING:
        lines = printed_lines(options.values, options.type, modes, CALL, bits=options.bits)
    else:
        lines = _lines(asked(options, CALL), modes)
    print(printable("\n".join(lines)))
    return 0


def _lines(call: Asked, modes: Sequence[Rounding]) -> Iterator[str]:
    yield from heading(call)
    item, columns = call.item, call.columns
    if not isinstance(item, ExactItem):
        truths: list[tuple[Exact, Exact, Format]] = [(near, exact, item.form) for near, exact in _truths(item, columns)]
    else:
        truths = [(value.near, value.near, value.form) for value in converted(item, columns)]
        yield from () if truths else prescribed(item, columns, modes)
    names = component_names(item, item.builtin.outputs) if truths else []
    for name, (near, exact, form) in zip(names, truths, strict=True):
        yield from () if len(names) == 1 else (f"{name}:",)
        if isinstance(near, Enclosure) and isinstance(exact, Enclosure):
            yield from _result(near, exact, form, modes_of(item, modes))
        else:
            yield f"int       {near[0]}"


def heading(call: Asked) -> Iterator[str]:
    """Yield the declaration, the type, and the arguments."""
    item, row = call.item, call.item.builtin
    components = str(item.width) if item.width > 1 else ""
    note = "" if is_standard(item) else f"; no edition has {item.form}"
    yield f"{row.declaration}, {item.form}{components}; {row.chapter} chapter, section {row.section}{note}"
    is_macro = isinstance(item, ExactItem) and item.is_macro
    for name, value, kind in zip(component_names(item, row.inputs), call.given, item.columns, strict=True):
        yield from () if is_macro else (f"{name:9} {values.number_text(value, kind, item.form)}",)


def is_standard(item: Item) -> bool:
    """Whether an edition of the specification has the case; none has bfloat16."""
    return item.form.name in item.builtin.type_names and item.builtin.name not in conversions_beyond()


def prescribed(item: ExactItem, columns: Columns, modes: Sequence[Rounding]) -> Iterator[str]:
    """Yield the required result in each mode that makes a difference, and other acceptable results."""
    by_mode = {mode: list(outcome(item, columns, mode)) for mode in modes}
    alike = len({tuple(lines) for lines in by_mode.values()}) == 1
    for mode, lines in list(by_mode.items())[: 1 if alike else None]:
        yield from (f"{'result' if alike else mode:9} {line}" for line in lines)
    in_vectors = (
        list(outcome(replace(item, vector=2), columns, modes[0])) if item.builtin.vectors else by_mode[modes[0]]
    )
    if in_vectors != by_mode[modes[0]]:
        yield f"{'vectors':9} {in_vectors[0]}"


def _truths(item: Item, columns: tuple[np.ndarray, ...]) -> list[tuple[Exact, Exact]]:
    """Return for each result an enclosure for rounding to the format, and the same value to at least 100 bits."""
    from clmath import reference

    row = item.builtin
    with np.errstate(invalid="ignore"):  # a signaling NaN becomes quiet
        wide = [c.astype(np.float64) if k == "gentype" else c for c, k in zip(columns, item.columns, strict=True)]
    truths = zip(
        reference.enclose(row.called, columns, item.form), reference.enclose(row.called, wide, DOUBLE), strict=True
    )
    return list(truths) if row.moves_bits else [(_with_canonical_nan(n), _with_canonical_nan(e)) for n, e in truths]


def _with_canonical_nan(value: Exact) -> Exact:
    """Return an enclosure of one number, with a NaN replaced by the canonical one; ints are unchanged."""
    return value._replace(hi=np.array([np.nan])) if isinstance(value, Enclosure) and np.isnan(value.hi[0]) else value


def _result(near: Enclosure, exact: Enclosure, form: Format, modes: Sequence[Rounding]) -> Iterator[str]:
    if any(form.bits(_rounded(near, form, m)) != form.bits(_rounded(exact, form, m)) for m in MODES):
        exact = near  # the built-in depends on the format, as nextafter does
    yield f"exact     {_digits(exact)}"
    unit = float(ulps(exact, form)[0])
    yield f"ulp       2^{math.frexp(unit)[1] - 1}" if math.isfinite(unit) else "ulp       nan"
    is_exact = len({float(_rounded(exact, form, mode)[0]) for mode in MODES}) == 1  # +0 and -0 are equal
    for mode in modes:
        value = _rounded(exact, form, mode)
        off = ", exact" if is_exact else f", {_off(float(ulp_errors(value, exact, form)[0]))} ulp"
        off = off if math.isfinite(float(value[0])) else ""
        yield f"{mode}       {values.number_text(int(form.bits(value)[0]), 'gentype', form)}{off}"
    below, above = (_rounded(exact, form, mode) for mode in ("rtn", "rtp"))
    if len(modes) > 1 and not is_exact and np.isfinite(below).all() and np.isfinite(above).all():
        under, over = (abs(float(ulp_errors(end, exact, form)[0])) for end in (below, above))
        yield f"{'':9} {between(under / (under + over))}  rtn, exact value *, rtp"


def _off(error: float) -> str:
    """Return a nonzero distance as text that does not look like 0."""
    return f"{error:+.4f}" if 0.0001 <= abs(error) < 1e6 else f"{error:+.2g}"


def _rounded(value: Enclosure, form: Format, mode: Rounding) -> np.ndarray:
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


def printed_lines(
    words: Sequence[str], type: str | None, modes: Sequence[Rounding], call: str, *, bits: bool = False
) -> Iterator[str]:
    """Yield the arguments of the format, the first of ``words``, and the text in each mode that makes a difference.

    ``type``: the type of each scalar number, float by default.
    """
    if not words:
        raise errors.ShapeError(f"{call}: sprintf needs a format; write {call} sprintf '%.3f' 1.5")
    format, *texts = words
    form = format_named("float" if type is None else type, call)
    wanted = [piece for piece in parsed(format) if isinstance(piece, Specification)]
    count = sum(one.components or 1 for one in wanted)
    if len(texts) != count:
        fact = f"{format!r} takes {count} value{'s' * (count != 1)}, the components of vectors one by one"
        raise errors.ShapeError(f"{call}: {fact}; {len(texts)} are given: give {count}")
    yield f"text sprintf({format!r}), {form}; printf chapter, section 3.23.2"
    arguments: list[np.ndarray | str] = []
    for number, one in enumerate(wanted):
        components, texts = texts[: one.components or 1], texts[one.components or 1 :]
        kind = one.type_of(form.name)
        yield f"args[{number}]   {', '.join(_shown(text, kind, call, bits=bits) for text in components)}"
        stored = [_argument_of(text, kind, call, bits=bits) for text in components]
        arguments.append(np.concatenate(stored) if one.components else stored[0][0])
    by_mode = [sprintf(format, *arguments, rounding=mode) for mode in modes]
    alike = len(set(by_mode)) == 1
    for mode, text in list(zip(modes, by_mode, strict=True))[: 1 if alike else None]:
        yield f"{'result' if alike else mode:9} {text!r}"


def _argument_of(text: str, kind: str, call: str, *, bits: bool) -> np.ndarray | list[str]:
    """Return an array of the value, or a list of the string."""
    if kind == TEXT.name:
        return [text]
    return values.column(values.parse(text, kind, TYPES[kind], bits, call), kind, TYPES[kind])


def _shown(text: str, kind: str, call: str, *, bits: bool) -> str:
    if kind == TEXT.name:
        return repr(text)
    return values.number_text(values.parse(text, kind, TYPES[kind], bits, call), kind, TYPES[kind])
