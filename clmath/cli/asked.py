"""One call that a command line names: a built-in, its type and arguments; the exact value and the numbers around it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, cast

import numpy as np

from clmath import errors, reference
from clmath.audit.counting.tally import ulps_text
from clmath.audit.inputs import layout, values
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import item_of, rows_named
from clmath.audit.plan.types import TYPES, Text, Whole, form_of
from clmath.numbers.formats import DOUBLE, KNOWN, format_named
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure, ulps

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.reference.arithmetic import Mpfr
    from clmath.reference.real import Real
    from clmath.spec.builtins import Builtin, Parameter

_PREFERRED = ("float", "int", "long", "ulong")  # types that are tried first if none is named


@dataclass(frozen=True)
class Asked:
    """One call: its built-in and its arguments; numbers as encodings, ints unchanged."""

    item: Item
    given: tuple[int, ...]

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """The arguments as arrays of one element."""
        pairs = zip(self.given, self.item.columns, strict=True)
        return tuple(values.column(value, kind, self.item.form) for value, kind in pairs)


def names_of(text: str | None) -> list[str]:
    """Return the names in a list with commas."""
    return [name for name in (text or "").replace(",", " ").split() if name]


def asked(options: Namespace, call: str) -> Asked:
    """Return the call of BUILT-IN with the VALUES; without --type in the first type that holds them, preferably float.

    With --type or --bits, only one type is used; if it does not hold the values, the error names one that does.
    """
    every = list(_by_default(options.name, call))
    if options.type is None and not options.bits:
        return _held(every, options.values, call)
    first, *others = every if options.type is None else [_of_type(every, options.name, options.type, call), *every]
    try:
        return parsed(*first, options.values, call, bits=options.bits)
    except errors.ClmathError as error:
        trouble = error
    for row, form in others:
        try:
            parsed(row, form, options.values, call, bits=options.bits)
        except errors.ClmathError:
            continue
        raise errors.UnknownNameError(f"{trouble}, or write --type {form}") from None
    raise trouble


def _held(every: Iterable[tuple[Builtin, Format]], texts: Sequence[str], call: str) -> Asked:
    """Return the call in the first type that holds the values, or else in the first type that rounds them."""
    found, trouble = [], []
    for row, form in every:
        try:
            found.append(parsed(row, form, texts, call))
        except errors.ClmathError as error:
            trouble.append(error)
        else:
            if not _goes_beyond(found[-1], texts):
                return found[-1]
    if not found:
        raise trouble[0]
    return found[0]


def _goes_beyond(call: Asked, texts: Sequence[str]) -> bool:
    """Whether a number is infinite or 0 in the type of the ``call`` and neither as a double."""
    for value, kind, text in zip(call.given, call.item.columns, texts, strict=False):
        form = form_of(kind, call.item.form)
        if form is not None:
            double = values.parse(text, "gentype", DOUBLE)
            rounded, wide = (float(f.from_bits(b)) for f, b in ((form, value), (DOUBLE, double)))
            if (math.isinf(rounded), rounded == 0) != (math.isinf(wide), wide == 0):
                return True
    return False


def _by_default(name: str, call: str) -> Iterator[tuple[Builtin, Format]]:
    """Yield every type of every built-in called ``name``, in the order of trials if none is named."""
    rows = rows_named(name, call)
    for type in dict.fromkeys((*_PREFERRED, *(t for row in rows for t in row.type_names))):
        yield from ((row, TYPES[type]) for row in rows if row.takes(type))


def _of_type(every: Sequence[tuple[Builtin, Format]], name: str, type: str, call: str) -> tuple[Builtin, Format]:
    """Return the built-in with the type, which is known by any of its names."""
    form = TYPES.get(str(type)) or format_named(type, call, KNOWN)
    for row, _ in every:
        if row.takes(form.name):
            return row, form
    known = " or ".join(dict.fromkeys(t for row, _ in every for t in row.type_names))
    raise errors.UnknownNameError(f"{call}: {name} is not defined for {form}; use --type {known}")


def parsed(row: Builtin, form: Format, texts: Sequence[str], call: str, *, bits: bool = False) -> Asked:
    """Return the call of a built-in in a type with the values ``texts``; a macro needs none."""
    texts = texts or ["0"] * (row.chapter == "constants")  # any work-item
    item = item_for(row, form, len(texts), call)
    return Asked(item, tuple(values.parse(v, k, form, bits, call) for v, k in zip(texts, item.columns, strict=True)))


def item_for(row: Builtin, form: Format, count: int, call: str, width: int = 1) -> Item:
    """Return the case of ``row`` that takes ``count`` values, which determine the width of a geometric built-in.

    ``width``: the vector width for other built-ins.
    """
    widths = row.widths or (width,)
    shapes = [(components, 1) for components in row.widths] or [(0, width)]
    items = [item_of(row, form, *shape) for shape in shapes]
    found = next((item for item in items if sum(components for _, components in item.given) == count), None)
    if found is None:
        names = ", ".join(p.name for p in row.inputs)
        components = f", {' or '.join(map(str, widths))} components each" if widths != (1,) else ""
        shared = ", ".join(p.name for p, alone in zip(row.inputs, items[0].shared, strict=True) if alone)
        components += f", but one value for all components of {shared}" if shared else ""
        counts = [str(sum(components for _, components in item.given)) for item in items]
        wanted = " or ".join((", ".join(counts[:-1]), counts[-1])) if counts[1:] else counts[0]
        plural = "" if wanted == "1" else "s"
        fact = f"{row.name} takes {wanted} value{plural} ({names}{components})"
        raise errors.ShapeError(f"{call}: {fact}; {count} are given: {row.declaration}")
    return found


def component_names(item: Item, parameters: Sequence[Parameter]) -> list[str]:
    """Return the parameters' names, once for every component of a vector."""
    components = range(item.width)
    return [
        name
        for p in parameters
        for name in (
            [f"{p.name}[{i}]" for i in components] if item.width > 1 and item.has_components(p.type) else [p.name]
        )
    ]


DIGITS = 40
_FAR = 2**1000  # ulp, which a double holds
_BITS = 600  # of the bracket from which distances are computed
_ROUNDED = ("conversions", "memory")  # chapters of built-ins that only round an argument


@dataclass(frozen=True)
class Value:
    """One result of the call: a bracket of the exact value, and the numbers of the format around it."""

    form: Format
    near: Enclosure
    real: Real

    @property
    def exact(self) -> Fraction:
        """The value, or a number so close that every displayed distance is the same."""
        low, high = self.real.bracket(_BITS)
        return (_fraction(low) + _fraction(high)) / 2

    @property
    def is_finite(self) -> bool:
        """Whether the exact value is a number."""
        return bool(np.isfinite(self.near.hi[0]))

    @property
    def unit(self) -> Fraction:
        """An ulp."""
        return Fraction(float(ulps(self.near, self.form)[0]))

    def rounded(self, mode: Rounding) -> np.ndarray:
        """Return the value rounded in a mode."""
        return np.asarray(round_enclosure(self.near, self.form, mode)[0])

    def text(self, value: np.ndarray) -> str:
        """Return a number of the format, with its bits and its error."""
        shown = values.number_text(int(self.form.bits(value).reshape(-1)[0]), "gentype", self.form)
        return f"{shown}{self.off(float(value.reshape(-1)[0]))}"

    def off(self, value: float) -> str:
        """Return ``, +0.123 ulp``, or "" if the error is not finite."""
        if not (math.isfinite(value) and self.is_finite):
            return ""
        error = (Fraction(value) - self.exact) / self.unit
        if abs(error) > _FAR:
            return f", {ulps_text(math.inf if error > 0 else -math.inf)}"
        return ", exact" if error == 0 else f", {ulps_text(float(error))}"

    def lines(self) -> Iterator[str]:
        """Yield the exact value, an ulp, the neighbours with their modes, and the distance from halfway."""
        yield f"exact     {self.real.decimal(DIGITS)}"
        if not self.is_finite:
            return
        below, above = self.rounded("rtn"), self.rounded("rtp")
        yield f"ulp       2^{math.frexp(float(self.unit))[1] - 1}"
        if below == above:
            yield f"is        {self.text(below)}: every mode gives it"
            return
        for name, end in (("above", above), ("below", below)):
            modes = ", ".join(mode for mode in MODES if self.rounded(mode) == end)
            yield f"{name:9} {self.text(end)}{f'  {modes}' if modes else ''}"
        if np.isfinite(below).all() and np.isfinite(above).all():
            yield f"halfway   {self._from_halfway(float(below[0]), float(above[0]))}"

    def _from_halfway(self, below: float, above: float) -> str:
        """Return the distance from the midpoint at which rounding to nearest changes, and the required precision."""
        distance = abs(self.exact - (Fraction(below) + Fraction(above)) / 2) / self.unit
        if distance == 0:
            return "a tie: to even"
        bits = -math.log2(distance)
        need = self.form.precision + math.ceil(max(bits, 0.0))
        return f"{float(distance):.4g} ulp away, 2^{-bits:.1f}: about {need} bits tell which neighbour is nearer"


def _fraction(value: Mpfr) -> Fraction:
    return Fraction(*map(int, value.as_integer_ratio()))


def values_of(item: Item, columns: Sequence[np.ndarray]) -> Sequence[Value | int]:
    """Return the results of a call, one for each vector component; empty if results are not rounded numbers."""
    if isinstance(item, ExactItem):
        return converted(item, columns)
    near = reference.enclose(item.builtin.called, columns, item.form)
    arguments = (a[0] for a in layout.arguments(item, tuple(columns)))
    reals = reference.exact(item.builtin.called, *arguments, form=item.form)
    pairs = zip(near, reals if isinstance(reals, tuple) else (reals,), strict=True)
    return [
        Value(item.form, one, cast("Real", real)) if isinstance(one, Enclosure) else int(one[0]) for one, real in pairs
    ]


def modes_of(item: Item, modes: Sequence[Rounding]) -> Sequence[Rounding]:
    """Return the mode in the name of a conversion, a load or a store, else ``modes``."""
    return [mode for mode in MODES if mode in item.builtin.name.split("_")] or modes


def converted(item: ExactItem, columns: Sequence[np.ndarray]) -> list[Value]:
    """Return the results of a call that only rounds its arguments; empty for another call.

    A NaN may keep its payload, which no rounding gives.
    """
    is_rounding = item.builtin.chapter in _ROUNDED and not item.builtin.moves_bits
    if not is_rounding or isinstance(item.result, (Whole, Text)) or any(np.isnan(c).any() for c in columns):
        return []
    return [_converted(item.result, column) for column in columns]


def _converted(form: Format, argument: np.ndarray) -> Value:
    """Return the exact value of a conversion: the argument, in two parts for any double or 64-bit integer."""
    high = argument.astype(np.float64)
    rest = int(argument[0]) - int(high[0]) if argument.dtype.kind in "iu" else -0.0
    parts = (high, np.array([rest], np.float64))
    (near,) = reference.enclose("add", parts, DOUBLE)
    assert isinstance(near, Enclosure)
    return Value(form, near, cast("Real", reference.exact("add", *(part[0] for part in parts), form=DOUBLE)))
