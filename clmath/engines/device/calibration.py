"""Compare a device with the host, bit for bit, on hard inputs of every operation of kernels, before it is used."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.engines.device.checked_operations import checks
from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.source import on_each
from clmath.ir.printing import C_TYPES, listed, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from clmath.engines.device.machine import Machine
    from clmath.engines.device.source import Source
    from clmath.ir.program import Kind

_RANDOM = 4096  # of each sort of input
_KINDS: tuple[Kind, ...] = ("double", "double", "double", "long", "long")
_LEAST = 2.0**-1022  # the least normal double
_Doubles: TypeAlias = "tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]"


class _Inputs(NamedTuple):
    a: NDArray[np.float64]
    b: NDArray[np.float64]
    c: NDArray[np.float64]
    i: NDArray[np.int64]
    j: NDArray[np.int64]


def calibrate(machine: Machine) -> None:
    """Check that ``machine`` computes exactly as the host; UnfitDeviceError, with the reason, if it does not."""
    inputs, source = _inputs(), _source()
    found = {what: np.empty_like(want) for what, want in _known().items()}
    buffers = [machine.room(result.nbytes) for result in found.values()]
    bounds = np.uint64(0), np.uint64(inputs.a.size)
    read = map(machine.put, (source.tables, *inputs))
    machine.run(machine.build(source), inputs.a.size, *bounds, *read, *buffers)
    for buffer, (what, got) in zip(buffers, found.items(), strict=True):
        machine.get(buffer, got)
        want = _known()[what]
        wrong = np.flatnonzero((got.view(np.int64) != want.view(np.int64)) & ~((got != got) & (want != want)))
        if wrong.size:
            raise UnfitDeviceError(f"{machine.name} cannot run kernels: {_reason(what, inputs, got, want, wrong)}")


def _results(*inputs: np.ndarray) -> tuple[np.ndarray, ...]:
    return tuple(checks(*inputs).values())


@functools.cache
def _source() -> Source:
    tables = Tables()
    kinds: list[Kind] = ["double" if want.dtype == np.float64 else "long" for want in _known().values()]
    function = printed("checks", trace(_results, _KINDS, kinds, tables))
    lines = [f"const {C_TYPES[kind]} x{n} = all_x{n}[i];" for n, kind in enumerate(_KINDS)]
    lines += [f"{C_TYPES[kind]} p{n};" for n, kind in enumerate(kinds)]
    lines.append(f"checks({listed('x', len(_KINDS))}, tables, {listed('&p', len(kinds))});")
    lines += [f"all_p{n}[i] = p{n};" for n in range(len(kinds))]
    buffers = [f"GLOBAL const {C_TYPES[kind]} *all_x{n}" for n, kind in enumerate(_KINDS)]
    buffers += [f"GLOBAL {C_TYPES[kind]} *all_p{n}" for n, kind in enumerate(kinds)]
    return on_each("calibration", [function], buffers, lines, tables)


@functools.cache
def _known() -> Mapping[str, np.ndarray]:
    """The host's results."""
    with np.errstate(all="ignore"):
        found = checks(*_inputs())
        return {what: np.broadcast_to(result, _inputs().a.shape).copy() for what, result in found.items()}


def _reason(what: str, inputs: _Inputs, got: np.ndarray, want: np.ndarray, wrong: NDArray[np.int64]) -> str:
    """Say why a device is refused: the kind of fault, and the first case that shows it."""
    first = wrong[0]
    shown = ", ".join(f"{name} = {_shown(values[first])}" for name, values in inputs._asdict().items())
    gives = f"{_shown(got[first])}, not {_shown(want[first])}"
    fact = f"{what} differs in {wrong.size} of {got.size} cases, first at {shown}: {gives}"
    if want.dtype == np.float64 and all(_touches_subnormals(inputs, want, element) for element in wrong):
        return f"it flushes subnormal doubles: {fact}"
    if "roundings" in what:
        return f"it contracts or reorders operations: {fact}"
    return fact


def _shown(value: np.float64 | np.int64) -> str:
    return float(value).hex() if isinstance(value, np.float64) else f"{int(value):#x}"


def _touches_subnormals(inputs: _Inputs, want: np.ndarray, element: np.int64) -> bool:
    """Whether an operand or the result is a subnormal double in that ``element``."""
    return any(0.0 < abs(values[element]) < _LEAST for values in (inputs.a, inputs.b, inputs.c, want))


@functools.cache
def _inputs() -> _Inputs:
    """Random encodings, hard arguments for each operation, and the special values with one another."""
    rng = np.random.default_rng(13)
    anything, of_one_size = ((0, 2048),) * 3, ((970, 1080),) * 3
    tiny = (0, 60), (0, 60), (0, 2)
    sorts = [tuple(_encoded(rng, *fields) for fields in sort) for sort in (anything, of_one_size, tiny)]
    sorts += [sort(rng) for sort in (_with_tiny_products, _cancelling, _next_to_midpoints, _near_floats)]
    with np.errstate(all="ignore"):
        a, b, c = (np.concatenate(parts) for parts in zip(*sorts, _specials(), strict=True))
    i, j = _integers(rng, a.size), _integers(rng, a.size)
    return _Inputs(a, b, c, i, np.where(rng.integers(0, 16, a.size) == 0, i, j))


def _encoded(rng: np.random.Generator, low: int, high: int) -> NDArray[np.float64]:
    """Random signs and digits, with exponent fields from ``low`` up to ``high``, exclusively."""
    fields = rng.integers(low, high, _RANDOM) << 52
    digits = rng.integers(0, 1 << 52, _RANDOM) & -(np.int64(1) << rng.integers(0, 53, _RANDOM))
    return (fields | digits | (rng.integers(-1, 1, _RANDOM) << 63)).view(np.float64)


def _with_tiny_products(rng: np.random.Generator) -> _Doubles:
    """Products a b and quotients a/c that are subnormal, or next to the subnormal range."""
    a = _encoded(rng, 100, 1000)
    field = (a.view(np.int64) >> 52) & 0x7FF
    wanted = rng.integers(-60, 10, _RANDOM)
    b, c = _encoded(rng, 0, 1), _encoded(rng, 0, 1)
    for factor, fields in ((b, 1023 - field + wanted), (c, field + 1023 - wanted)):
        factor.view(np.int64)[...] |= np.clip(fields, 0, 2046) << 52
    return a, b, c


def _cancelling(rng: np.random.Generator) -> _Doubles:
    """Sums a b + c with c = -a b, rounded, or a neighbour: a fused multiply-add keeps the product's rounding error."""
    a, b = _encoded(rng, 600, 1400), _encoded(rng, 700, 1300)
    return a, b, ((-(a * b)).view(np.int64) + rng.integers(-1, 2, _RANDOM)).view(np.float64)


def _next_to_midpoints(rng: np.random.Generator) -> _Doubles:
    """Quotients a/b as close to a midpoint of two doubles as possible, and a that are squares or next to one."""
    divisors = (rng.integers(1 << 51, 1 << 52, _RANDOM) * 2 + 1).tolist()
    dividends = [(d + s) // 2 * pow(1 << 53, -1, d) % d for d, s in zip(divisors, [1, -1] * _RANDOM, strict=False)]
    squares = (rng.integers(1 << 25, 1 << 26, _RANDOM).astype(np.float64) ** 2).view(np.int64)
    near_squares = (squares + rng.integers(-1, 2, _RANDOM)).view(np.float64)
    a, b = np.array([dividends, divisors], np.float64)
    return np.concatenate([a, near_squares]), np.concatenate([b, b]), np.concatenate([near_squares, a])


def _near_floats(rng: np.random.Generator) -> _Doubles:
    """Floats, midpoints of two of them, and their neighbours, including subnormal and overflowing ones."""
    a = _encoded(rng, 870, 1155).view(np.int64)
    lost = 29 + np.clip(897 - ((a >> 52) & 0x7FF), 0, 23)  # bits that a float of that size lacks
    middle = np.int64(1) << lost - 1
    a = (a & -middle) + rng.integers(-1, 2, _RANDOM)
    return a.view(np.float64), _encoded(rng, 870, 1155), _encoded(rng, 870, 1155)


def _specials() -> _Doubles:
    """Special values, in all combinations."""
    least, largest = 2.0**-1074, np.finfo(np.float64).max
    sizes = [0.0, least, 3.0 * least, _LEAST - least, _LEAST, 0.5, 1.0, 1.5, 2.0**53, largest, np.inf, np.nan]
    values = np.array([*sizes, *(-size for size in sizes)])
    a, b, c = np.meshgrid(values, values, values[::3])
    return a.ravel(), b.ravel(), c.ravel()


def _integers(rng: np.random.Generator, count: int) -> NDArray[np.int64]:
    """Integers of every size, random digits or next to a power of two, where doubles and their midpoints are few."""
    digits = rng.integers(-(1 << 63), 1 << 63, count) >> rng.integers(0, 64, count)
    powers = (np.int64(1) << rng.integers(0, 64, count)) + rng.integers(-1, 2, count)
    twos = (np.int64(1) << rng.integers(0, 10, count)) + rng.integers(-1, 2, count)
    return np.where(rng.integers(0, 2, count) == 0, digits, powers + np.where(rng.integers(0, 2, count) == 0, twos, 0))
