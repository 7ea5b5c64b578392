"""The exact value of one call: a bracket that narrows at will, and its decimal digits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import gmpy2
import numpy as np

from clmath import errors, reference
from clmath.numbers.formats import DOUBLE, Format, format_of, is_float
from clmath.numbers.rounding import Enclosure, Rounding, canonical, checked_mode, round_enclosure
from clmath.reference import Oracle
from clmath.reference.arithmetic import Arithmetic, Mpfr
from clmath.reference.operations import operation
from clmath.spec.builtins import Builtin, builtin

_DECIDING = (128, 512, 2048, 8192)  # bits tried for the decimal digits; a decimal tie is never decided


@dataclass(frozen=True)
class Real:
    """The infinitely precise value of the built-in ``name`` on ``args``, numbers of ``form``."""

    name: str
    args: tuple[float | int, ...]
    form: Format
    output: int | None = None

    def bracket(self, bits: int) -> tuple[Mpfr, Mpfr]:
        """The mpfr numbers of ``bits`` bits around the value, lower first; equal where the value is one of them.

        Infinities and NaN are brackets of themselves.
        """
        on = Arithmetic(self.form, bits)
        value = operation(self.name, on)(*self.args)
        value = value if self.output is None else value[self.output]
        if isinstance(value, float):
            value = gmpy2.mpfr(value, 53)
        if value.rc == 0:
            return value, value
        if gmpy2.is_signed(value):
            return on.target.next_below(value), value
        return value, on.target.next_above(value)

    def decimal(self, digits: int = 30) -> str:
        """The value to ``digits`` significant decimal digits, correctly rounded; fewer where fewer are exact.

        >>> exact("div", 1.0, 3.0).decimal(10)
        '0.3333333333'
        >>> exact("exp2", -70.0).decimal(5)
        '8.4703e-22'
        """
        for bits in _DECIDING:
            low, high = self.bracket(bits)
            if not gmpy2.is_finite(low) or low == high == 0:
                return str(float(low)).removesuffix(".0")
            if low.digits(10, digits) == high.digits(10, digits):
                break
        text, point, _ = high.digits(10, digits)
        return _decimal(text, point)


def _decimal(text: str, point: int) -> str:
    """0.TEXT x 10^point in the usual notation, without trailing zeros."""
    sign, text = ("-", text[1:]) if text.startswith("-") else ("", text)
    text = text.rstrip("0")
    if -5 < point <= 0:
        return f"{sign}0.{'0' * -point}{text}"
    if 0 < point <= 21:
        whole, rest = text[:point].ljust(point, "0"), text[point:]
        return f"{sign}{whole}.{rest}" if rest else f"{sign}{whole}"
    rest = f".{text[1:]}" if text[1:] else ""
    return f"{sign}{text[0]}{rest}e{point - 1:+d}"


def exact(name: str, *args: object, form: Format | None = None) -> Real | int | tuple[Real | int, ...]:
    """The exact value of ``name`` on scalars (vectors for geometric built-ins): a ``Real``, or a tuple of results.

    ``form`` is the format of the arguments where it matters (fract, nextafter, nan): by default the format of a NumPy
    scalar among them, or double. Int results are ints.

    >>> exact("sqrt", 4.0).bracket(24)
    (mpfr('2.0',24), mpfr('2.0',24))
    >>> [float(end) for end in exact("sqrt", 2.0).bracket(24)]
    [1.4142135381698608, 1.4142136573791504]
    """
    row = builtin(name, "exact()")
    form = form or _format_among(args)
    elements = [_scalar(column) for column in _columns(row, args, form, "exact()")]
    trial = operation(name, Arithmetic(form, 53))(*elements)
    if not isinstance(trial, tuple):
        return trial if isinstance(trial, int) else Real(name, tuple(elements), form)
    reals = (v if isinstance(v, int) else Real(name, tuple(elements), form, i) for i, v in enumerate(trial))
    return tuple(reals)


def rounded(
    name: str, args: Sequence[object], form: Format, mode: Rounding, oracle: Oracle = "auto"
) -> np.generic | tuple[np.generic, ...]:
    """The correctly rounded result of ``name`` on scalars, or vectors for geometric built-ins.

    A NumPy scalar of ``form`` or int; several results, and the components of a vector, are returned as a tuple.

    >>> from clmath.numbers.formats import FLOAT
    >>> float(rounded("sin", (0.5,), FLOAT, "rtz")).hex()
    '0x1.eaee860000000p-2'
    """
    checked_mode("rounded()", mode)
    row = builtin(name, "rounded()")
    values = reference.enclose(name, _columns(row, args, form, "rounded()"), form, oracle)
    results = [round_enclosure(v, form, mode)[0] if isinstance(v, Enclosure) else v for v in values]
    for result in results:
        if result.dtype == form.dtype and not row.moves_bits:
            canonical(result, form)
    elements = [result[0] for result in results]
    return tuple(elements) if len(elements) > 1 else elements[0]


def _format_among(args: Sequence[object]) -> Format:
    found = {format_of(np.asarray(a).dtype) for a in args if isinstance(a, (np.generic, np.ndarray))} - {None}
    if len(found) > 1:
        raise errors.DTypeError(f"exact(): the arguments have {len(found)} formats; one is needed: convert them")
    return found.pop() or DOUBLE if found else DOUBLE


def _columns(row: Builtin, args: Sequence[object], form: Format, call: str) -> list[np.ndarray]:
    """One array of one element for each argument, or for each component of each vector."""
    if len(args) != len(row.inputs):
        raise errors.ShapeError(f"{call}: {row.name} takes {len(row.inputs)} arguments; {len(args)} were given")
    dtypes = {"gentype": form.dtype, "intn": np.dtype(np.int32), "nancode": form.bits_dtype}
    with np.errstate(all="ignore"):
        arrays = [np.asarray(a, dtypes[p.type]).ravel() for p, a in zip(row.inputs, args, strict=True)]
    sizes = sorted({array.size for array in arrays})
    if len(sizes) != 1 or sizes[0] not in (row.widths or (1,)):
        needed = " or ".join(map(str, row.widths or (1,)))
        raise errors.ShapeError(f"{call}: {row.name} takes vectors of one width, {needed}; {sizes} were given")
    return [array[i : i + 1] for array in arrays for i in range(array.size)]


def _scalar(column: np.ndarray) -> float | int:
    return column.astype(np.float64).item() if is_float(column.dtype) else int(column.item())
