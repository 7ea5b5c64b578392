"""Calls of every built-in of floating-point numbers, by kind, their results by the reference, and bitwise comparison.

``CASES`` has each built-in in each format (and each width of vectors). ``inputs`` returns the arguments of a case, an
array of many elements each, ``Expected`` the results in every mode; ``assert_bits`` names built-in, format, mode, input
and both encodings if results differ. The reference evaluates each element once for all modes and tests.
"""

from __future__ import annotations

import functools
import itertools
import tomllib
import zlib
from pathlib import Path
from typing import NamedTuple

import numpy as np

import clmath
from clmath import reference
from clmath.numbers.formats import HALF, Format
from clmath.numbers.rounding import MODES, Enclosure, canonical, round_enclosure
from clmath.spec import editions, files
from clmath.spec.builtins import builtin, builtins, precise
from clmath.spec.special_values import special_values
from tests import conftest

INTS = np.array(
    [0, 1, -1, 2, -2, 3, -3, 5, -5, 7, -30, 100, 1000, 2**30, 2**31 - 2, 2**31 - 1, -(2**31) + 1, -(2**31)], np.int32
)
SEVERAL = 500  # calls of special values with more than two numbers
COUNT = 120  # calls of each random kind
MANY = 1200  # elements of an array in a layout
LAYOUTS = {
    "none": lambda a: a[:0],
    "every second": lambda a: a[::2],
    "backward": lambda a: a[::-3],
    "rows": lambda a: a[:MANY].reshape(30, 40, *a.shape[1:]),
    "columns": lambda a: a[:MANY].reshape(30, 40, *a.shape[1:]).swapaxes(0, 1),
    "a corner": lambda a: a[:MANY].reshape(30, 40, *a.shape[1:])[3:20, 5:38],
    "rows of three": lambda a: a[:MANY].reshape(-1, 4, *a.shape[1:])[:, :3],
    "three axes in another order": lambda a: np.moveaxis(a[:MANY].reshape(5, 8, 30, *a.shape[1:]), 0, 2),
    "axes of one": lambda a: a[:MANY].reshape(1, 30, 1, 40, *a.shape[1:])[:, ::-1],
    "nine axes": lambda a: a[:512].reshape(*(2,) * 9, *a.shape[1:]),
    "empty axis": lambda a: a[:0].reshape(3, 0, 2, *a.shape[1:]),
    **conftest.LAYOUTS,
}


class Case(NamedTuple):
    """Built-in in a format, on vectors of ``width`` components, or on scalars if ``width`` is 0."""

    name: str
    form: Format
    width: int = 0

    def __repr__(self):
        return f"{self.name}, {self.form}" + (f", vectors of {self.width}" if self.width else "")

    @property
    def row(self):
        return builtin(self.name)

    @property
    def modes(self):
        return MODES[:1] if self.row.exact else MODES

    def call(self, args, mode=None, **options):
        """Return the results of the public function as a tuple."""
        options |= {} if mode is None or self.row.exact else {"rounding": mode}
        return as_tuple(getattr(clmath, self.name)(*args, **options))


CASES = [
    Case(name, form, width) for name, row in builtins().items() for form in row.formats for width in row.widths or (0,)
]
OF_HALF = [
    case for case in CASES if case.form is HALF and not case.width and [p.type for p in case.row.inputs] == ["gentype"]
]


def sample(case, shape, seed=0):
    """Return arguments of ``shape``, sampled from all kinds with a fixed seed."""
    args, kinds = inputs(case)
    places = np.random.default_rng([seed, len(case.name)]).integers(0, kinds.size, shape)
    return tuple(a[places] for a in args)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def every_half():
    return np.arange(1 << 16, dtype=np.uint16).view(np.float16)


def specials(form):
    """Return zeros, ones and halves, small integers, both ends of the range, infinities and NaN, of both signs."""
    ends = [form.smallest_subnormal, form.smallest_normal, form.largest, 1.0 + form.eps, 1.0 - form.eps / 2]
    plain = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 3.0, 10.0, np.pi / 2, 27.0, 32.0, 100.5, np.inf, np.nan]
    values = np.array(plain + ends, form.dtype)
    return np.concatenate([values, -values])


def _crossed(case, columns):
    """Return all combinations of one or two columns, or ``SEVERAL`` random ones of more columns."""
    if len(columns) > 2:
        rng = _rng(case)
        return [rng.permuted(np.resize(column, SEVERAL)) for column in columns]
    every = zip(*itertools.product(*columns), strict=True)
    return [np.array(column, c.dtype) for column, c in zip(every, columns, strict=True)]


def _rng(case, kind=""):
    return np.random.default_rng(zlib.crc32(f"{case}{kind}".encode()))


def _special(case):
    codes = np.array([0, 1, 1 << case.form.width - 1, (1 << case.form.width) - 1], case.form.bits_dtype)
    pools = {"intn": INTS, "nancode": codes, "gentype": specials(case.form)}
    return _crossed(case, [pools[p.type] for p in case.row.inputs for _ in range(case.width or 1)])


def _random(case):
    """Return random encodings; ints are as large as is needed to scale any number out of range."""
    rng, form = _rng(case, "random"), case.form
    bits = [rng.integers(0, 1 << form.width, COUNT, form.bits_dtype) for _ in range(_count(case))]
    ints = np.where(np.arange(COUNT) % 2, rng.integers(-60, 60, COUNT), rng.integers(form.quantum, form.emax, COUNT))
    return _columns(case, [form.from_bits(b) for b in bits], bits, ints)


def _near(case):
    """Return numbers around 1, where most results are finite; a third have few digits, for exact results and ties."""
    rng, form = _rng(case, "near"), case.form
    values = []
    for _ in range(_count(case)):
        digits = rng.integers(0, 1 << form.precision - 1, COUNT)
        digits[::3] &= -1 << form.precision // 2
        size = np.ldexp(1.0 + digits * 2.0 ** (1 - form.precision), rng.integers(-3, 4, COUNT))
        values.append((size * rng.choice([-1.0, 1.0], COUNT)).astype(form.dtype))
    return _columns(case, values, [form.bits(v) for v in values], rng.integers(-9, 10, COUNT))


def _spaced(case):
    """Return evenly spaced encodings, and multiples of 1/2 with neighbours; columns are in different orders."""
    form, rng = case.form, _rng(case, "spaced")
    bits = np.linspace(0, 2.0**form.width, COUNT, endpoint=False).astype(np.uint64).astype(form.bits_dtype)
    halves = np.linspace(-20, 20, 81).astype(form.dtype)
    near = [np.nextafter(halves, form.dtype.type(end)) for end in (-np.inf, np.inf)]
    values = np.concatenate([form.from_bits(bits), halves, *near])
    several = [values] + [rng.permutation(values) for _ in range(_count(case) - 1)]
    return _columns(case, several, [form.bits(v) for v in several], np.arange(values.size) - COUNT)


def _count(case):
    return len(case.row.inputs) * (case.width or 1)


def _columns(case, values, bits, ints):
    """Return a column for each argument by its type."""
    kinds = [p.type for p in case.row.inputs for _ in range(case.width or 1)]
    pools = {"gentype": values, "nancode": bits, "intn": [ints.astype(np.int32)] * len(kinds)}
    return [pools[kind][i] for i, kind in enumerate(kinds)]


def _ends(case):
    """Return arguments with results at both ends of the range, and sums of products that cancel or differ in size."""
    form, rng, count = case.form, _rng(case, "ends"), 2 * COUNT
    x, y = _near(case)[0], _near(case)[-1]
    if case.width or y.dtype != form.dtype:
        return _far_apart(case) if case.width else _joined(case, [])
    if len(case.row.inputs) == 1:
        ends = np.array([form.largest, form.smallest_normal, form.smallest_subnormal])
        near = np.concatenate([ends * np.pi / 180, ends / np.pi * 180]).astype(form.dtype)  # for degrees and radians
        return [np.concatenate([near, *(np.nextafter(near, form.dtype.type(end)) for end in (0, np.inf))])]
    x, y = np.resize(x, count), rng.permutation(np.resize(y, count))
    if len(case.row.inputs) == 2:
        least = rng.integers(form.quantum - 3, form.emin + 3, count)
        end = np.where(rng.random(count) < 0.5, least, form.emax + rng.integers(-2, 2, count))
        half = rng.integers(-form.emax // 2, form.emax // 2, count)
        largest, places = np.full(16, form.largest), np.arange(-8, 8) * form.eps / 8 * 2.0**form.emax
        first = np.concatenate([*[np.ldexp(x, half)] * 2, largest, places])  # products, quotients, then sums
        second = np.concatenate([np.ldexp(y, end - half), np.ldexp(y, half - end), places, largest])
        return [first.astype(form.dtype), second.astype(form.dtype)]
    gap = rng.integers(-3 * form.precision, 3 * form.precision, count) * (np.arange(count) % 3 > 0)
    third = np.ldexp(-(x * y).astype(form.dtype) * rng.choice([1, -1], count).astype(form.dtype), gap)
    shift = rng.choice([0, form.emin // 2 - form.precision // 2, form.emin // 2, form.emax // 2], count)
    return [np.ldexp(v, n).astype(form.dtype) for v, n in ((x, shift), (y, shift), (third, 2 * shift))]


def _far_apart(case):
    """Return vectors of small integers, with components of all sizes, and whose products cancel.

    The last vectors have lengths that are numbers, or midpoints of two: their sums of three squares are squares.
    """
    form, rng, count = case.form, _rng(case, "far apart"), COUNT
    sizes = [form.quantum, form.emin, form.emin // 2, 0, 0, form.emax // 2, form.emax]
    columns = []
    for near in _near(case):
        small = rng.integers(-6, 7, count)
        apart = np.ldexp(rng.integers(-15, 16, count) / 16.0, rng.choice(sizes, count))
        scaled = np.ldexp(near.astype(np.float64), rng.choice([form.emin, form.emin // 2, form.emax - 4], count))
        columns.append(np.concatenate([small, apart, scaled]).astype(form.dtype))
    if len(columns) == 8:  # all products cancel, or one pair of them
        for i, lot in ((0, slice(None, None, 3)), (0, slice(1, None, 3)), (1, slice(1, None, 3))):
            columns[2 + i][lot], columns[6 + i][lot] = columns[i][lot], -columns[4 + i][lot]
    if case.width < 3:
        return columns
    most = 2 ** ((form.precision + 1) // 2 - 1)
    m, n, p, q = (rng.integers(0, most, count) for _ in range(4))
    square = [m * m + n * n - p * p - q * q, 2 * (m * q + n * p), 2 * (n * q - m * p), 0 * m]
    square[3][::2] = 1  # in units of the least number
    unit = [2.0**-10 if form.emax < 20 else 1.0] * 3 + [form.smallest_subnormal]
    first = [(v * u).astype(form.dtype) for v, u in zip(square, unit, strict=True)][: case.width]
    zeros = [0 * v for v in first] if len(case.row.inputs) == 2 else []
    return [np.concatenate(pair) for pair in zip(columns, [*first, *zeros], strict=True)]


def _nans(case):
    """Return calls with NaNs in one argument, the others being numbers, and with NaNs in all arguments."""
    form, plain = case.form, _near(case)
    if not plain or all(p.type != "gentype" for p in case.row.inputs):
        return _joined(case, [])
    payloads = nans(form, 9)
    here = [i for i, column in enumerate(plain) if column.dtype == form.dtype]
    parts = []
    for places in [*([i] for i in here), here]:
        columns = [np.resize(column, payloads.size) for column in plain]
        for i in places:
            columns[i] = np.roll(payloads, i)
        parts.append(columns)
    return _joined(case, parts)


def nans(form, count=64):
    """Return quiet and signalling NaNs of both signs with payloads, with a fixed seed."""
    payload = np.random.default_rng(0).integers(1, 1 << form.precision - 1, count, form.bits_dtype)
    ends = np.array([1, (1 << form.precision - 1) - 1, 1 << form.precision - 2], form.bits_dtype)
    codes = np.concatenate([ends, payload]) | form.bits(np.inf)
    return np.concatenate([codes, codes | form.bits_dtype.type(1 << form.width - 1)]).view(form.dtype)


def _special_values(case):
    """Return the cases of all special values that any edition prescribes."""
    found = dict.fromkeys(
        special_value for edition in editions.known() for special_value in special_values(case.name, edition)
    )
    if case.width:
        return _joined(case, [[column for a in e.cases(case.form, case.width) for column in a.T] for e in found])
    return _joined(case, [special_value.cases(case.form) for special_value in found])


def _hard(case):
    """Return known hard cases: calls next to boundaries, poles or zeros, and calls on which libraries failed.

    Arguments of functions of one argument have their neighbours, too.
    """
    listed = files.load("hard/calls.toml")
    tables = [*(table.get(str(case.form), {}) for table in (listed["found"], *listed["report"])), _places()]
    names = dict.fromkeys((case.name, precise(case.name)))
    calls = [line.split() for table in tables for name in names for line in table.get(name, ())]
    if case.width or not calls:
        return _joined(case, [])
    read = [float.fromhex if p.type == "gentype" else int for p in case.row.inputs]
    given = _joined(case, [[[one(call[i]) for call in calls] for i, one in enumerate(read)]])
    if len(given) == 1:
        near = [np.nextafter(given[0], case.form.dtype.type(end)) for end in (-np.inf, np.inf)]
        given = [np.concatenate([given[0], *near])]
    signs = itertools.product(*[(1, -1) if p.type == "gentype" else (1,) for p in case.row.inputs])
    return _joined(case, [[g * s for g, s in zip(given, sign, strict=True)] for sign in signs])


@functools.cache
def _places():
    return tomllib.loads((Path(__file__).parent / "places.toml").read_text(encoding="utf-8"))


def _joined(case, parts):
    """Return the columns of all parts joined, with the dtypes of the arguments."""
    dtypes = {"gentype": case.form.dtype, "intn": np.dtype(np.int32), "nancode": case.form.bits_dtype}
    kinds = [p.type for p in case.row.inputs for _ in range(case.width or 1)]
    return [
        np.concatenate([np.empty(0, dtypes[kind]), *(np.asarray(part[i]).astype(dtypes[kind]) for part in parts)])
        for i, kind in enumerate(kinds)
    ]


KINDS = {
    "special": _special,
    "prescribed": _special_values,
    "hard": _hard,
    "random": _random,
    "near 1": _near,
    "spaced": _spaced,
    "ends": _ends,
    "NaN": _nans,
}


@functools.cache
def inputs(case):
    """Return the arguments of all kinds, an array each (vectors: two axes), and the kind of each element."""
    with np.errstate(all="ignore"):
        parts = {kind: make(case) for kind, make in KINDS.items()}
        columns = _joined(case, list(parts.values()))
    kinds = np.repeat(list(parts), [len(part[0]) for part in parts.values()])
    for column in columns:
        column.flags.writeable = False
    return arguments(case, columns), kinds


def arguments(case, columns):
    """Return the arguments of a function from columns, stacked to vectors if the case has a width."""
    if not case.width:
        return tuple(columns)
    return tuple(np.stack(columns[i : i + case.width], axis=-1) for i in range(0, len(columns), case.width))


class Expected:
    """Results of a call by the reference, in any mode."""

    def __init__(self, case, args, oracle="auto"):
        self.case, self.columns, self.oracle = case, list(args), oracle
        self.rounded = functools.cache(self._results)
        if case.width:
            self.columns = [np.ascontiguousarray(a[:, i]) for a in args for i in range(case.width)]

    @functools.cached_property
    def exact(self):
        return reference.enclose(self.case.name, self.columns, self.case.form, self.oracle)

    def once(self, mode):
        """Return the exact values rounded once, an array for each component of the results; NaNs are canonical."""
        return [_rounded(value, self.case.form, mode) for value in self.exact]

    def _results(self, mode, contract="ON"):
        """Return an array for each result; formulas are evaluated in steps. ``contract``: the state of fp_contract."""
        row = self.case.row
        if row.formula or (contract == "OFF" and row.uncontracted):
            found = _BY_STEPS[row.name](Operations(self.case.form, mode), contract == "ON", *self.columns)
            return (np.stack(found, axis=-1),) if row.name == "cross" else (found,)
        found = self.once(mode)
        return (np.stack(found, axis=-1),) if row.widths and row.result == "gentype" else tuple(found)


def _rounded(value, form, mode):
    if not isinstance(value, Enclosure):
        return value
    found, undecided = round_enclosure(value, form, mode)
    assert not undecided.any()
    canonical(found, form)
    return found


@functools.cache
def expected(case):
    """Return the results of ``inputs(case)`` by the reference."""
    return Expected(case, inputs(case)[0])


class Operations:
    """Operators on arrays in one format and mode by the reference, for the steps of a formula."""

    def __init__(self, form, mode):
        self.form, self.mode = form, mode

    def __getattr__(self, name):
        def operation(*args):
            return _rounded(reference.enclose(name, list(args), self.form)[0], self.form, self.mode)

        return operation

    def products(self, *pairs):
        """Return the sum of products from left to right, each step rounded."""
        return functools.reduce(self.add, [self.mul(a, b) for a, b in pairs])


def _mad(on, fused, a, b, c):
    return on.fma(a, b, c) if fused else on.add(on.mul(a, b), c)


def _mix(on, fused, x, y, a):
    return _mad(on, fused, on.sub(y, x), a, x)


def _smoothstep(on, fused, edge0, edge1, x):
    del fused  # the formula has no product that is added to something
    t = on.div(on.sub(x, edge0), on.sub(edge1, edge0))
    t = np.fmin(np.fmax(t, 0), 1).astype(x.dtype)
    inside = on.mul(on.mul(t, t), on.sub(np.full_like(t, 3), on.mul(np.full_like(t, 2), t)))
    found = np.where(x <= edge0, 0, np.where(x >= edge1, 1, inside)).astype(x.dtype)
    return np.where(np.isnan(x) | np.isnan(edge0) | np.isnan(edge1), on.form.nan, found)


def _dot(on, fused, *columns):
    del fused
    half = len(columns) // 2
    return on.products(*zip(columns[:half], columns[half:], strict=True))


def _cross(on, fused, *columns):
    del fused
    width = len(columns) // 2
    (a, b, c), (d, e, f) = columns[:3], columns[width : width + 3]
    found = [on.products((b, f), (-c, e)), on.products((c, d), (-a, f)), on.products((a, e), (-b, d))]
    return found + [np.zeros_like(a)] * (width - 3)


_BY_STEPS = {"mad": _mad, "mix": _mix, "smoothstep": _smoothstep, "dot": _dot, "cross": _cross}


def assert_bits(got, want, case, said, args=()):
    """Assert that the results of a call, a tuple, have the expected dtypes, shapes and bits.

    ``said``: a text about the call for the message; ``args``: its arguments, broadcast to the results, of which the
    message shows the first wrong ones. Payloads of NaNs are not compared for built-ins that move bits.
    """
    assert len(got) == len(want), (case, said)
    for number, pair in enumerate(zip(got, want, strict=True)):
        found, needed = map(np.asarray, pair)
        assert (found.dtype.newbyteorder("="), found.shape) == (needed.dtype, needed.shape), (case, said)
        apart = bits(found) != bits(needed)
        if case.row.moves_bits:
            apart &= ~((found != found) & (needed != needed))
        if apart.any():
            place = tuple(np.argwhere(apart)[0].tolist())
            element = place[:-1] if case.width and case.row.result == "gentype" else place
            call = ", ".join(_shown(np.asarray(a)[element]) for a in args)
            raise AssertionError(
                f"{case}, {said}: {apart.sum()} of {apart.size} wrong in result {number}, the first at {place}: "
                f"{case.name}({call}) gave {_shown(found[place])}, not {_shown(needed[place])}"
            )


def bits(array):
    """Return the encodings of an array in the machine's byte order."""
    plain = np.ascontiguousarray(array, array.dtype.newbyteorder("="))
    return plain.view(f"u{plain.dtype.itemsize}").reshape(array.shape)


def _shown(value):
    """Return a number in hexadecimal with its encoding, or a vector of such texts."""
    value = np.asarray(value)
    if value.ndim:
        return f"({', '.join(map(_shown, value))})"
    plain = float(value).hex() if value.dtype.kind == "f" else str(value)
    return f"{plain} [{int(bits(value.reshape(1))[0]):#x}]"
