"""Faults in correct built-ins: in a band, at a special value, in a mode, a sign or a component, or scattered."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

import clmath
from clmath.audit.exact import bitwise as prescribed
from clmath.audit.inputs import layout, vectors
from clmath.audit.inputs.random import random_columns
from clmath.audit.inputs.spaced import domain_of
from clmath.audit.judge import piece as measured
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_for
from clmath.audit.plan.types import TYPES
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.clmath_functions import Clmath
from clmath.numbers.formats import FORMATS, format_of
from clmath.numbers.rounding import MODES
from clmath.spec.families import audited_builtins, exact_builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["KINDS", "Fault", "Faulty", "planted", "tuple_of"]

Arrays: TypeAlias = "tuple[np.ndarray, ...]"
Bools: TypeAlias = "NDArray[np.bool_]"
Rng: TypeAlias = np.random.Generator
Right: TypeAlias = "Callable[..., Any]"

CHAPTERS = ("math", "common", "geometric", "integer", "relational", "conversions", "memory")
ROUNDED = ("add", "sub", "mul", "div", "fma", "sqrt")  # correctly rounded, so a wrong mode shows
WITNESSES = 256  # calls that meet a fault, for each component; half of the calls in a band must be violations


@dataclass(frozen=True)
class Fault:
    """Fault of an item: ``results(right, args)`` computes the faulty results, ``right`` being the correct built-in.

    ``witnesses``: columns of arguments, which all meet the fault.
    """

    item: Item
    text: str
    witnesses: Arrays
    results: Callable[[Right, Arrays], Any]

    def __str__(self) -> str:
        """Return the text of a missed fault."""
        return f"{self.item}: {self.text}"


class Faulty(Clmath):
    """Target: clmath with a fault in one built-in and type."""

    name = "faulty"

    def __init__(self, fault: Fault) -> None:
        self._fault = fault

    def evaluate(self, row: Builtin, form: Format, args: Arrays) -> Arrays:
        """Return the results of a built-in, faulty ones for the faulty item."""
        if item_for(row, form, args) != self._fault.item:
            return super().evaluate(row, form, args)
        return tuple_of(self._fault.results(functools.partial(self._right, row, form), args))

    def _right(self, row: Builtin, form: Format, *args: np.ndarray) -> Arrays:
        return super().evaluate(row, form, args)


def tuple_of(results: Any) -> tuple[Any, ...]:
    """Return results as a tuple, a single result as a tuple of one."""
    return results if isinstance(results, tuple) else (results,)


@functools.cache
def _rows(chapter: str) -> tuple[Item, ...]:
    known = audited_builtins()
    rows = dict.fromkeys(row for row in known if row.chapter == chapter)
    return Plan.of(rows, TYPES.values()).items()


def _some(rng: Rng, chapters: tuple[str, ...], chosen: Callable[[Item], bool] = lambda _: True) -> Item:
    """Return a random item of the chapters, each chapter with the same probability."""
    items = [i for i in _rows(str(rng.choice(chapters))) if chosen(i)]
    return items[rng.integers(len(items))]


def _column(args: Arrays, place: int) -> np.ndarray:
    """Return column ``place`` of an item's columns from the arrays that a target gets."""
    columns = [a if a.ndim == 1 else a[:, k] for a in args for k in range(1 if a.ndim == 1 else a.shape[1])]
    return np.ascontiguousarray(columns[place])


def _sampled(rng: Rng, item: Item, n: int = WITNESSES) -> list[np.ndarray]:
    return [np.array(c) for c in random_columns(rng, item, n)]


def _moved(result: np.ndarray) -> np.ndarray:
    """Return wrong results: numbers that differ in half of their digits, and 1 instead of zero, infinity and NaN."""
    form = format_of(result.dtype)
    if form is None:
        return result ^ result.dtype.type(1)
    size, step = form.bits(np.abs(result)).astype(np.int64), 1 << form.precision // 2 + 2
    size = np.where(size + step <= int(form.bits(form.largest)), size + step, size - step)
    other = np.copysign(form.from_bits(np.maximum(size, 0).astype(form.bits_dtype)), result)
    return np.where(np.isfinite(result) & (result != 0), other, form.dtype.type(1))


def _where(met: Callable[[Arrays], Bools]) -> Callable[[Right, Arrays], Any]:
    """Return a function whose first result is wrong in the calls for which ``met`` is true."""

    def results(right: Right, args: Arrays) -> Any:
        first, *rest = tuple_of(right(*args))
        first = np.asarray(first)
        here = met(args)
        here = here.reshape(here.shape + (1,) * (first.ndim - here.ndim))
        return (np.where(here, _moved(first), first).astype(first.dtype), *rest)

    return results


# -- bands and other sets of arguments ---------------------------------------------------------------------------------


def _band(rng: Rng, item: Item, place: int, ends: tuple[float, float], sign: float) -> Fault:
    """Return a fault where an argument lies between two positive numbers, or two negative ones."""
    dtype, (low, high) = layout.dtypes(item)[place], ends
    columns = _sampled(rng, item)
    with np.errstate(all="ignore"):
        columns[place] = (sign * rng.uniform(low, high, len(columns[place]))).astype(dtype)

    def met(args: Arrays) -> Bools:
        with np.errstate(all="ignore"):
            x = _column(args, place).astype(np.float64) * sign
        return np.asarray((x >= low) & (x <= high))

    return Fault(item, f"argument {place} in {sign * low!r} .. {sign * high!r}", tuple(columns), _where(met))


def _of_one(rng: Rng, width: float) -> Fault | None:
    """Return a band of ``width`` binades for a built-in of one argument, or None if it is not within the domain."""
    item = _some(rng, ("math", "math", "common", "relational", "conversions"), lambda i: domain_of(i) is not None)
    found = domain_of(item)
    assert found is not None
    sign = float(rng.choice([1.0, -1.0]))
    least, greatest = (found.least, found.greatest) if sign > 0 else (-found.greatest, -found.least)
    lowest, start = max(found.lowest, found.form.emin), rng.uniform(0.0, 1.0 - width)
    exponent = int(rng.integers(lowest, found.form.emax))
    low, high = (1.0 + start) * 2.0**exponent, (1.0 + start + width) * 2.0**exponent
    return _band(rng, item, 0, (low, high), sign) if least <= low and high <= greatest else None


def hundredth(rng: Rng) -> Fault | None:
    """Return a band of a hundredth of a binade."""
    return _of_one(rng, 0.01)


def any_width(rng: Rng) -> Fault | None:
    """Return a band of 2^-10 to 1 binade."""
    return _of_one(rng, float(2.0 ** -rng.uniform(0.0, 10.0)))


def of_several(rng: Rng) -> Fault:
    """Return a band of 2^-5 to 1 binade in one argument of several, for any values of the others."""

    def has_several(item: Item) -> bool:
        return len(item.columns) > 1 and any(t.kind == "f" for t in layout.dtypes(item))

    item = _some(rng, ("math", "math", "common", "geometric", "relational"), has_several)
    place = int(rng.choice([k for k, t in enumerate(layout.dtypes(item)) if t.kind == "f"]))
    form, width = format_of(layout.dtypes(item)[place]), float(2.0 ** -rng.uniform(0.0, 5.0))
    assert form is not None
    exponent, start = int(rng.integers(form.emin, form.emax)), rng.uniform(0.0, 1.0 - width)
    ends = (1.0 + start) * 2.0**exponent, (1.0 + start + width) * 2.0**exponent
    return _band(rng, item, place, ends, float(rng.choice([-1.0, 1.0])))


def scattered(rng: Rng) -> Fault:
    """Return a fault at one argument in a thousand, chosen by a hash of its bits."""
    item = _some(rng, CHAPTERS, lambda i: any(t.itemsize > 2 for t in layout.dtypes(i)))
    place = int(rng.choice([k for k, t in enumerate(layout.dtypes(item)) if t.itemsize > 2]))
    factor = np.uint64(int(rng.integers(1 << 63)) * 2 + 1)

    def met(args: Arrays) -> Bools:
        codes = _column(args, place)
        hashed = codes.view(f"u{codes.itemsize}").astype(np.uint64) * factor
        return np.asarray((hashed >> np.uint64(40)) % np.uint64(1000) == 0)

    return Fault(item, f"argument {place}, by a hash", tuple(_sampled(rng, item, 1 << 15)), _where(met))


def last_bits(rng: Rng) -> Fault:
    """Return a fault at arguments whose last 6 to 8 bits have a given value: one in 64 to one in 256."""
    item = _some(rng, ("math", "common", "relational"), lambda i: not i.width and layout.dtypes(i)[0].itemsize > 2)
    bits = int(rng.integers(6, 9))
    wanted = np.uint64(rng.integers(1 << bits))

    def met(args: Arrays) -> Bools:
        codes = _column(args, 0)
        found = codes.view(f"u{codes.itemsize}").astype(np.uint64) & np.uint64((1 << bits) - 1)
        return np.asarray(found == wanted)

    return Fault(item, f"the last {bits} bits are {wanted}", tuple(_sampled(rng, item, 1 << 15)), _where(met))


def periodic(rng: Rng) -> Fault | None:
    """Return a fault in a twentieth of every period of a built-in of one argument, for arguments below 128 periods."""
    item = _some(rng, ("math", "common"), lambda i: domain_of(i) is not None and layout.dtypes(i)[0].kind == "f")
    found = domain_of(item)
    assert found is not None
    period, start = float(rng.choice([1.0, 2.0, np.pi / 2.0, np.pi, np.log(2.0)])), float(rng.random() * 0.95)
    size = period * rng.uniform(0.0, 64.0, WITNESSES) // period * period + (start + 0.02) * period
    if not found.least <= size.min() or not size.max() <= found.greatest:
        return None

    def met(args: Arrays) -> Bools:
        with np.errstate(all="ignore"):
            x = _column(args, 0).astype(np.float64) / period
            return np.asarray((np.abs(x) < 128.0) & (x - np.floor(x) >= start) & (x - np.floor(x) < start + 0.05))

    return Fault(item, f"a twentieth of each {period}", (size.astype(found.form.dtype),), _where(met))


def diagonal(rng: Rng) -> Fault:
    """Return a fault where two arguments are equal or opposite, or at most four encodings from that."""

    def takes_two(item: Item) -> bool:
        types = layout.dtypes(item)
        return not item.width and len(types) > 1 and types[0] == types[1] and types[0].kind == "f"

    item = _some(rng, ("math", "common", "relational"), takes_two)
    sign, places = int(rng.choice([1, -1])), int(rng.choice([0, 1, 2, 4]))
    form = format_of(layout.dtypes(item)[0])
    assert form is not None
    columns = _sampled(rng, item, 1 << 12)
    columns[1] = (columns[0] * form.dtype.type(sign)).copy()

    def met(args: Arrays) -> Bools:
        x, y = (_column(args, k) for k in (0, 1))
        apart = np.abs(form.bits(np.abs(x)).astype(np.int64) - form.bits(np.abs(y)).astype(np.int64))
        return np.asarray((apart <= places) & (np.signbit(x) == (np.signbit(y) if sign > 0 else ~np.signbit(y))))

    return Fault(item, f"y within {places} places of {sign:+d} x", tuple(columns), _where(met))


def whole_quotient(rng: Rng) -> Fault:
    """Return a fault where the first argument is a small multiple of the second, up to its sign."""

    def takes_two(item: Item) -> bool:
        types = layout.dtypes(item)
        return not item.width and len(types) == 2 and types[0] == types[1] and types[0].kind == "f"

    item, k = _some(rng, ("math", "common", "relational"), takes_two), float(rng.integers(2, 9))
    columns = _sampled(rng, item, 1 << 12)
    with np.errstate(all="ignore"):
        columns[0] = (columns[1] * columns[1].dtype.type(k)).copy()

    def met(args: Arrays) -> Bools:
        x, y = (_column(args, place).astype(np.float64) for place in (0, 1))
        with np.errstate(all="ignore"):
            return np.asarray((np.abs(x) == np.abs(y) * k) & np.isfinite(x) & (x != 0.0))

    return Fault(item, f"|x| is {k:g} |y|", tuple(columns), _where(met))


# -- values, modes, signs, components ----------------------------------------------------------------------------------


def _integers(rng: Rng, dtype: np.dtype) -> Any:
    info, k = np.iinfo(dtype), int(rng.integers(1, 8 * dtype.itemsize))
    known = [info.min, info.min + 1, info.max - 1, info.max, info.max // 2 + 1, 0, 1, 2, 3, -1, -2]
    known += [s * 2**k + d for s in (1, -1) for d in (-1, 0, 1)]
    fitting = [v for v in known if info.min <= v <= info.max]
    return dtype.type(fitting[rng.integers(len(fitting))])


def _special(rng: Rng, dtype: np.dtype) -> Any:
    """Return a random special value, from a list of its own, not the audit's."""
    form = format_of(dtype)
    if form is None:
        return _integers(rng, dtype)
    p, infinite = form.precision, form.infinite
    codes = [0, 1, (1 << p - 1) - 1, 1 << p - 1, (1 << p - 1) + 1, infinite - 2, infinite - 1, infinite]
    codes += [infinite | low for low in (1, (1 << p - 2) - 1, 1 << p - 2, (1 << p - 1) - 1)]
    numbers = [0.25, 0.5, 1.0 - form.eps / 2, 1.0, 1.0 + form.eps, 1.5, 2.0, 2.5, 3.0, 4.0, 10.0, 100.0]
    numbers += [2.0 ** (p - 2) + 0.5, 2.0 ** (p - 1) - 0.5, 2.0 ** (p - 1), 2.0**p - 1.0, 2.0**p, 2.0**form.emax]
    codes += [int(form.bits(v)) for v in numbers]
    code = codes[rng.integers(len(codes))] | int(rng.integers(2)) << form.width - 1
    return form.from_bits(np.array(code, form.bits_dtype))[()]


def special_value(rng: Rng) -> Fault:
    """Return a fault at one value of one argument; at every NaN if the bits of NaNs do not matter."""
    item = _some(rng, CHAPTERS)
    place = int(rng.integers(len(item.columns)))
    value = np.asarray(_special(rng, layout.dtypes(item)[place]))
    code, columns = value.view(f"u{value.itemsize}"), _sampled(rng, item)
    columns[place] = np.full(WITNESSES, value)
    is_any_nan = value.dtype.kind == "f" and bool(np.isnan(value)) and not isinstance(item, ExactItem)

    def met(args: Arrays) -> Bools:
        x = _column(args, place)
        return np.isnan(x) if is_any_nan else np.asarray(x.view(code.dtype) == code)

    return Fault(item, f"argument {place} is {value} [{int(code):#x}]", tuple(columns), _where(met))


def mode(rng: Rng) -> Fault:
    """Return a fault that rounds in another mode than the built-in's name says, or than to nearest even."""

    def has_one(item: Item) -> bool:
        return item.builtin.name[-3:] in MODES or (item.builtin.name in ROUNDED and item.form in FORMATS)

    item = _some(rng, ("math", "conversions", "memory"), has_one)
    name = item.builtin.name
    asked = name[-3:] if name[-3:] in MODES else "rte"
    other = str(rng.choice([m for m in MODES if m != asked]))

    def results(_: Right, args: Arrays) -> Any:
        if name in ROUNDED:
            return getattr(clmath, name)(*args, rounding=other)
        return Clmath().evaluate(exact_builtins()[name[:-3] + other], item.form, args)

    return Fault(item, f"rounds as {other}", tuple(_sampled(rng, item, 1 << 12)), results)


def sign(rng: Rng) -> Fault:
    """Return a fault at negative values of an argument."""
    item = _some(rng, CHAPTERS, lambda i: any(t.kind in "fi" for t in layout.dtypes(i)))
    place = int(rng.choice([k for k, t in enumerate(layout.dtypes(item)) if t.kind in "fi"]))
    columns = _sampled(rng, item)
    with np.errstate(all="ignore"):
        columns[place] = -np.abs(columns[place])

    def met(args: Arrays) -> Bools:
        x = _column(args, place)
        return np.asarray(np.signbit(x) if x.dtype.kind == "f" else x < 0)

    return Fault(item, f"argument {place} is negative", tuple(columns), _where(met))


def sign_of_zero(rng: Rng) -> Fault | None:
    """Return a fault that gives zeros the other sign."""
    item = _some(rng, ("math", "common", "conversions", "memory"))
    columns = _sampled(rng, item, 1 << 10)
    for column in columns:
        here = rng.random(len(column)) < 0.5
        column[here] = column.dtype.type(0)

    def results(right: Right, args: Arrays) -> Any:
        first, *rest = tuple_of(right(*args))
        return (np.where(np.asarray(first) == 0, np.negative(first), first).astype(first.dtype), *rest)

    return Fault(item, "zeros of the other sign", tuple(columns), results)


def lane(rng: Rng) -> Fault:
    """Return a fault that gives a component its neighbour's result, or ignores a component if there is one result."""
    row = _some(rng, CHAPTERS, lambda i: i.width > 1 or (not i.width and i.builtin.vectors))
    item = row if row.width else replace(row, vector=int(rng.choice([2, 3, 4, 8, 16])))
    k, neutral = int(rng.integers(item.components)), -1 if item.builtin.name == "all" else 0

    def results(right: Right, args: Arrays) -> Any:
        first, *rest = tuple_of(right(*args))
        if np.ndim(first) == 2:
            first = np.array(first)
            first[:, k] = first[:, (k + 1) % item.components]
            return (first, *rest)
        without = args[0].copy()
        without[:, k] = neutral
        return right(without, *args[1:])

    return Fault(item, f"lane {k}", tuple(_sampled(rng, row, WITNESSES * item.vector)), results)


KINDS: Mapping[str, tuple[int, Callable[[Rng], Fault | None]]] = {  # number of faults in 200
    "band of a hundredth of a binade": (60, hundredth),
    "band of 2^-10 to 1 binade": (20, any_width),
    "band of one argument of several": (15, of_several),
    "special value": (30, special_value),
    "mode": (20, mode),
    "negative arguments": (15, sign),
    "sign of zero": (15, sign_of_zero),
    "lane": (25, lane),
}
FURTHER: Mapping[str, tuple[int, Callable[[Rng], Fault | None]]] = {
    "one argument in 1000": (40, scattered),
    "last bits": (40, last_bits),
    "part of a period": (40, periodic),
    "x about y or -y": (40, diagonal),
    "x a multiple of y": (40, whole_quotient),
}


def _is_violation(fault: Fault, share: float) -> bool:
    """Whether more than a share of the witnesses violates the acceptance criteria."""
    item, target = fault.item, Faulty(fault)
    (plan,) = [Plan.of([item.builtin], [item.form], jobs=1, widths=(item.vector,))]
    given = layout.arguments(item, fault.witnesses)
    args = vectors.stacked(item, given)
    try:
        results = vectors.flat(item, target.evaluate(item.builtin, item.form, args))
    except TargetError:  # the arguments name a bit field that does not fit into its type
        return False
    judge = prescribed.judge if isinstance(item, ExactItem) else measured.judge
    tally = judge(item, fault.witnesses, results, measured.criteria_of(item, plan, target))
    return tally.failed > share * tally.tried


def planted(rng: Rng, kinds: Mapping[str, tuple[int, Any]], count: int) -> Iterator[tuple[str, Fault]]:
    """Generate ``count`` faults, each a violation; the kinds alternate in proportion to their shares."""
    total = sum(share for share, _ in kinds.values())
    words = sorted((k / share, kind) for kind, (share, _) in kinds.items() for k in range(share))
    for k in range(count):
        _, kind = words[k % total]
        yield kind, _violation(rng, kinds[kind][1], 0.5 if kind.startswith("band") else 0.0)


def _violation(rng: Rng, made: Callable[[Rng], Fault | None], share: float) -> Fault:
    with np.errstate(all="ignore"):
        while True:
            fault = made(rng)
            if fault is not None and _is_violation(fault, share):
                return fault
