"""Rounding by SIMD functions in every mode, at and next to the numbers of half, float and double and their midpoints.

Half has every mark; float and double have the marks next to every power of two, and next to eight patterns of last
digits within every binade. Ends of enclosures lie next to a mark, at it, and beyond. An element is decided rightly if
its entire enclosure rounds to one number, and undecided if it does not. An end that is not a sum of two doubles is
rounded: enclosures may become that much narrower or wider, which the kernels' errors must cover. The last decision on
doubles is about enclosures that are wider by 2^-50 of lo and err at most, and never narrower.
"""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np
import pytest

from clmath.engines import choice
from clmath.engines.device import ends
from clmath.engines.device.ends import again, at_once, plain
from clmath.engines.native import build, text
from clmath.export import rounding as exported
from clmath.numbers import rounded_encodings
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounded_encodings import (
    MAGNITUDE,
    MODE_NUMBERS,
    saturated,
    to_digits_of_float,
    to_double,
    to_float,
    to_half,
)
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure
from tests.cases import for_each, some
from tests.numbers.places import BINADE, INFINITE, Marks, edges, marks, rounded, rounded_apart, signed
from tests.planting import plant

pytestmark = pytest.mark.slow

NARROW = [HALF, FLOAT]
TO = {HALF: to_half, FLOAT: to_float}
LOW_BITS = {form: (1 << form.width) - 1 for form in FORMATS}
in_each_mode = pytest.mark.parametrize("mode", MODES)
to_narrow = pytest.mark.parametrize("form", NARROW, ids=str)


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"):
        yield


class Cases(NamedTuple):
    """Enclosures by their parts, the mark next to each, and the distance of the middle from the mark, outward."""

    parts: tuple
    at: Marks
    apart: np.ndarray
    places: np.ndarray

    def elements(self, index):
        """The cases that ``index`` picks."""
        parts = tuple(part[index] for part in self.parts)
        return Cases(parts, self.at.elements(index), self.apart[index], self.places[index])

    @property
    def negative(self):
        return np.signbit(self.parts[0])

    def sides(self, more=0.0):
        """The signs of the near and the far end's distance from the mark, if err were larger by ``more``."""
        err = self.err + more
        return np.sign(self.apart - err).astype(np.int64), np.sign(self.apart + err).astype(np.int64)

    @property
    def err(self):
        """In the unit of ``apart``."""
        return self.parts[-1 if len(self.parts) == 2 else 2]

    def slack(self):
        """The most that is lost where an end is rounded to a double."""
        middle = self.parts[0] if len(self.parts) == 2 else self.parts[1]
        return np.maximum(lost(middle, -self.err), lost(middle, self.err))

    def complaints(self, form, mode, codes, left, covers=False):
        """The number of elements with each kind of wrong decision. ``covers``: nothing of an enclosure is lost."""
        slack = self.slack()
        inner, outer = (0.0, (np.abs(self.parts[1]) + self.err) * 2.0**-50) if covers else (-slack, slack)
        certainly = rounded_apart(form, mode, self.at, self.sides(inner), self.negative) & (self.err > 0.0)
        perhaps = rounded_apart(form, mode, self.at, self.sides(outer), self.negative) & (self.err > 0.0)
        below, above = (rounded(form, mode, self.at, side, self.negative) for side in self.sides(inner))
        size = codes & (LOW_BITS[form] >> 1), codes >> form.width - 1 & 1 != 0
        wrong = ~left & (((size[0] != below) & (size[0] != above)) | (size[1] != self.negative))
        found = {"decided though apart": ~left & certainly, "wrong": wrong, "left though one": left & ~perhaps}
        return {what: int(elements.sum()) for what, elements in found.items() if elements.any()}


def lost(a, b):
    """The rounding error of the sum of two doubles, in size."""
    total = a + b
    part = total - a
    return np.abs((a - (total - part)) + (b - part))


def crossed(*rows):
    return (grid.ravel() for grid in np.meshgrid(*rows, indexing="ij"))


def signs(size):
    """A fixed sequence of both signs, repeated."""
    return np.resize([1.0, -1.0, -1.0, 1.0, 1.0], size)


def around(form, off, encodings):
    """(distance in last places, marks, marks as doubles, doubles at that distance), without marks at and below zero."""
    every = marks(form, encodings)
    off, element = crossed(off, np.arange(every.half.size))
    kept = (every.encoding[element] > 0) | (every.half[element] > 0)
    off, at = off[kept], every.elements(element[kept])
    exact = np.ldexp(at.whole + at.half, at.exponent)
    return off, at, exact, (exact.view(np.int64) + off).view(np.float64)


@in_each_mode
@to_narrow
def test_one_double(form, mode):
    """All marks of half, of both signs, and doubles up to 8 places from them; also marks of float."""
    of_one_double(form, mode, edges(FLOAT) if form is FLOAT else np.arange(INFINITE[HALF] + 1))


def of_one_double(form, mode, encodings):
    off, at, _, near = around(form, np.arange(-8, 9), encodings)
    for values in (near, -near):
        codes = TO[form](values, MODE_NUMBERS[mode]) & LOW_BITS[form]
        want = signed(form, rounded(form, mode, at, np.sign(off), values < 0.0), values < 0.0)
        assert np.array_equal(codes, want)
        if form is FLOAT:
            normal = (want & LOW_BITS[FLOAT] >> 1 < INFINITE[FLOAT]) & (near >= 2.0**-126) & (near < 2.0**128)
            digits = to_digits_of_float(values[normal], MODE_NUMBERS[mode])
            assert np.array_equal(digits.astype(np.float32).view(np.uint32), want[normal])
            assert np.array_equal(digits.astype(np.float32), digits)


def narrow_cases(form, encodings=None):
    """Enclosures of one double, up to a little more than 1024 places from a mark, where ``near`` ends, and as wide."""
    off = np.array([-1025, -1024, -600, -8, -1, 0, 1, 7, 600, 1023, 1024])
    if encodings is None:
        encodings = edges(FLOAT) if form is FLOAT else np.arange(INFINITE[HALF] + 1)
    off, at, exact, near = around(form, off, encodings)
    place = np.spacing(near)
    apart = near - exact
    sizes = [0 * near, place, np.abs(apart), np.abs(apart) - place, np.abs(apart) + place, 512 * place, 3000 * place]
    err = np.choose(np.resize([0, 1, 2, 3, 4, 2, 5, 6, 2, 3, 4], near.size), [np.maximum(size, 0.0) for size in sizes])
    return Cases((near * signs(near.size), err), at, apart, off)


@in_each_mode
@to_narrow
def test_ends_of_one_double(form, mode):
    """The second rounding leaves only enclosures that round apart; the first follows ``near``, which is never too
    small.
    """
    of_ends(form, mode, narrow_cases(form))


def of_ends(form, mode, cases):
    number = MODE_NUMBERS[mode]
    assert not cases.complaints(form, mode, *again(*cases.parts, str(form), number))
    near = (cases.places >= -1024) & (cases.places < 1024)
    wide = cases.err > np.abs(cases.parts[0]) * 2.0**-44
    for is_wide in (False, True):
        codes, left = at_once(*cases.parts, str(form), number, is_wide)
        assert np.array_equal(left, (cases.err > 0.0) & (near | (wide & is_wide)))
        covered = cases.elements(is_wide | ~wide)
        reported = covered.complaints(form, mode, codes[is_wide | ~wide], left[is_wide | ~wide])
        reported.pop("left though one")
        assert not reported
        faster, other = plain(*cases.parts, str(form), number, is_wide)
        assert np.array_equal(faster[~other], codes[~other])
        least, beyond = float(form.smallest_normal), np.ldexp(1.0, form.emax + 1)
        normal = (np.abs(cases.parts[0]) >= least) & (np.abs(cases.parts[0]) < beyond)
        assert np.array_equal(other, ~normal | near | (wide & is_wide))
    ends = exported.ends_of_one if len(cases.parts) == 2 else exported.ends
    codes, below, above = ends(*cases.parts, str(form), number)
    assert np.array_equal(codes, again(*cases.parts, str(form), number)[0])
    assert not cases.complaints(form, mode, below, below != above)


def double_cases(form, encodings):
    """Enclosures in two doubles and an exponent, around marks of a format; the sizes of their heads differ widely."""
    share = np.array([0.0, 2.0**-40, -(2.0**-40), 3 * 2.0**-30, -3 * 2.0**-30, 2.0**-4, -(2.0**-4)])
    sizes = np.array([0.0, 0.5, 1.0, 2.0, 1.0 + 2.0**-20, 1.0 - 2.0**-48, -1.0])
    share, size, element = crossed(share, sizes, np.arange(2 * len(encodings)))
    at = marks(form, encodings).elements(element)
    unit = 1.0 if form is DOUBLE else 2.0**-60  # in narrow formats lo alone holds distances far below a last place
    apart = share * unit * np.maximum(at.whole if form is not DOUBLE else 1.0, 1.0)
    err = np.where(size < 0.0, 2.0**-60, np.abs(apart) * size)
    kept = (at.encoding > 0) | (at.half > 0) | (apart > err)
    at, apart, err = at.elements(kept), apart[kept], err[kept]
    head, tail = at.whole + at.half * (form is not DOUBLE), at.half * (form is DOUBLE) + apart
    hi = head + tail
    lo = (head - hi) + tail
    lo = np.where(np.abs(tail) > np.abs(head), (tail - hi) + head, lo)
    move = np.resize([-52, 700, -900, 0, -30], hi.size)
    sign = signs(hi.size)
    parts = (
        np.ldexp(hi * sign, move),
        np.ldexp(lo * sign, move),
        np.ldexp(err, move),
        (at.exponent - move).astype(np.int64),
    )
    return Cases(parts, at, np.ldexp(apart, move), move)


@pytest.fixture
def encodings():
    """Encodings of a format that are next to powers of two, and of some of its binades, or of all."""

    def chosen(form):
        binades = range(INFINITE[form] // BINADE[form] + 1)
        return edges(form, some(binades, 60) if form is not HALF else None)

    return chosen


@in_each_mode
def test_double(mode, encodings):
    """Rounding to double: exact values, ends of enclosures, and the first rounding, which is for normal results."""
    cases, number = double_cases(DOUBLE, encodings(DOUBLE)), MODE_NUMBERS[mode]
    hi, lo, _, exponent = cases.parts
    codes = to_double(hi, lo, exponent, number)
    side = np.sign(cases.apart).astype(np.int64)
    want = rounded(DOUBLE, mode, cases.at, side, cases.negative)
    assert np.array_equal(codes, signed(DOUBLE, want, cases.negative))
    assert not cases.complaints(DOUBLE, mode, *again(*cases.parts, "double", number), covers=True)
    middle, below, above = exported.ends(*cases.parts, "double", number)
    assert np.array_equal(middle, codes)
    assert not cases.complaints(DOUBLE, mode, below, below != above, covers=True)
    codes, left = at_once(*cases.parts, "double", number, False)
    inside = (cases.at.encoding > BINADE[DOUBLE]) & (cases.at.encoding < INFINITE[DOUBLE] - 2)
    # in directed modes an end that is exactly a number of the format is looked at again, whichever end it is
    touches = (mode != "rte") & (np.abs(cases.apart) == cases.err) & (cases.at.half == 0.0)
    kept = (inside & ~touches) | ~left
    assert not cases.elements(kept).complaints(DOUBLE, mode, codes[kept], left[kept])
    assert left[(want < BINADE[DOUBLE]) | (want >= INFINITE[DOUBLE])].all()
    faster, other = plain(*cases.parts, "double", number, False)
    assert np.array_equal(faster[~other], codes[~other])
    exact = cases.err == 0.0  # exact results are recognized in fewer modes
    assert np.array_equal((other | exact)[inside], (left | exact)[inside])
    assert other[(codes & MAGNITUDE < BINADE[DOUBLE]) | (codes & MAGNITUDE >= INFINITE[DOUBLE])].all()


@in_each_mode
@to_narrow
def test_two_doubles_to_narrow_formats(form, mode, encodings):
    """Exported code rounds the enclosures of the accurate kernels to narrow formats."""
    cases = double_cases(form, encodings(form))
    middle, below, above = exported.ends(*cases.parts, str(form), MODE_NUMBERS[mode])
    side = np.sign(cases.apart).astype(np.int64)
    want = signed(form, rounded(form, mode, cases.at, side, cases.negative), cases.negative)
    assert np.array_equal(middle & LOW_BITS[form], want)
    assert not cases.complaints(form, mode, below, below != above)


@in_each_mode
@for_each("form", FORMATS)
def test_arrays(form, mode, encodings):
    """NumPy's way decides the same enclosures as rightly."""
    cases = double_cases(form, encodings(form))
    found, left = round_enclosure(Enclosure.of(*cases.parts), form, mode)
    assert not cases.complaints(form, mode, form.bits(found).astype(np.int64), left, covers=True)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The functions of the native library that round, which it does not export, compiled by themselves."""
    if choice.NATIVE.library is None or not build.compilers():
        pytest.skip("no compiled kernels, or nothing to compile with: pip install ziglang")
    hidden = '#define HIDDEN __attribute__((visibility("hidden")))'
    every, folder = text.texts([]), tmp_path_factory.mktemp("rounding")
    assert hidden in every["rounding.c"]
    texts = {name: every[name].replace(hidden, "#define HIDDEN EXPORT") for name in ("rounding.c", "tables.c")}
    library = build.library(build.compilers()[0], choice.NATIVE.library.level, texts, folder, folder / "objects")
    loaded = ctypes.CDLL(str(library))

    def call(name, parts, codes, left):
        """The number of elements that are left, or whether there are some."""
        read, written = [np.ascontiguousarray(part) for part in parts], [codes, left]
        pointers = [(ctypes.c_void_p * len(some))(*(array.ctypes.data for array in some)) for some in (read, written)]
        function = loaded[name]
        function.restype = ctypes.c_int64
        return function(*pointers, ctypes.c_int64(codes.size))

    return call


@in_each_mode
def test_numbers_that_are_not_normal_are_not_plain(mode):
    of_no_normal_numbers(mode)


def of_no_normal_numbers(mode):
    """Zeros, infinities, NaN and subnormal numbers are not plain, for any exponent."""
    number = MODE_NUMBERS[mode]
    for form in NARROW:
        least = float(form.smallest_normal)
        values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, least * 0.7, -least * 0.3, np.ldexp(1.3, form.emax + 1)])
        assert plain(values, 0 * values, str(form), number, False)[1].all()
    hi = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.3, 1.3, -1.3])
    low, high = -1030, 1030
    for exponents in ([0, -3, 0, -3, 5, -1030, 1030, -1030], [low, 0, low, high, low, low, high, low]):
        exponent = np.array(exponents)
        assert plain(hi, np.where(np.abs(hi) == 1.3, 2.0**-60, 0.0), np.zeros(8), exponent, "double", number, False)[
            1
        ].all()


def assert_plain_is_compiled(form, mode, parts, compiled):
    """Assert equal encodings if all results are plain, and that one other result is reported at any position."""
    for wide, label in ((True, f"{form}_wide"), (False, f"{form}")):
        codes, other = plain(*parts, str(form), MODE_NUMBERS[mode], wide)
        kept = np.flatnonzero(~other)
        found, left = np.zeros(kept.size, form.bits_dtype), np.zeros(kept.size, np.uint8)
        assert not compiled(f"plain_{label}_{mode}", [part[kept] for part in parts], found, left)
        assert np.array_equal(found, codes[kept].astype(form.bits_dtype))
        for place, element in enumerate(np.flatnonzero(other)[:100]):
            elements = np.insert(kept[:70], place % 71, element)
            assert compiled(f"plain_{label}_{mode}", [part[elements] for part in parts], found[: elements.size], left)


@in_each_mode
@for_each("form", FORMATS)
def test_compiled_rounding_is_the_same(form, mode, compiled, encodings):
    """Encodings and undecided elements are equal: in the first rounding, wide or not, and in the second."""
    cases, number = (
        double_cases(DOUBLE, encodings(DOUBLE)) if form is DOUBLE else narrow_cases(form),
        MODE_NUMBERS[mode],
    )
    calls = [(f"at_once_{form}_wide_{mode}", at_once(*cases.parts, str(form), number, True))]
    calls += [(f"at_once_{form}_{mode}", at_once(*cases.parts, str(form), number, False))]
    calls += [(f"decide_{form}_{mode}", again(*cases.parts, str(form), number))]
    assert_plain_is_compiled(form, mode, cases.parts, compiled)
    for name, (codes, left) in calls:
        found, elements = np.zeros(left.size, form.bits_dtype), np.zeros(left.size, np.uint8)
        count = compiled(name, cases.parts, found, elements)
        if name.startswith("at_once"):
            assert bool(count) == left.any()
            count = compiled(name.replace("at_once", "flags"), cases.parts, found, elements)
        assert np.array_equal(found, codes.astype(form.bits_dtype)), name
        assert np.array_equal(elements, left), name
        assert count == left.sum()
    if form is DOUBLE:
        codes, holds = saturated(cases.parts[0], cases.parts[3], number)
        found, elements = np.full(holds.size, 77, np.uint64), np.ones(holds.size, np.uint8)
        assert compiled(f"settle_double_{mode}", cases.parts, found, elements) == (~holds).sum()
        assert np.array_equal(found, np.where(holds, codes.view(np.uint64), 77))


TO_NARROW = [
    (rounded_encodings.directed, "back > y", "back >= y"),
    (rounded_encodings.moved, "(negative & low) | (~negative & high)", "low"),
    (rounded_encodings.to_half, "(clipped + anchor) - anchor", "((clipped - 0.0) + 2 * anchor) - 2 * anchor"),
    (rounded_encodings.to_float, "magnitude < 2.0**-126", "magnitude < 2.0**-124"),
    (rounded_encodings.to_float, "-back, back", "back, back"),
    (rounded_encodings.to_digits, "select(code < 0, 0, (1 << below) - 1)", "(1 << below) - 1"),
]
OF_ENDS = [
    (rounded_encodings.near, "+ 1024", "+ 512"),
    (rounded_encodings.near_float, "(value, 28)", "(value, 29)"),
    (rounded_encodings.wide, "2.0**-44", "2.0**-43"),
    (rounded_encodings.to_plain_half, ">= 2.0**-14", "> 2.0**-15"),
    (rounded_encodings.to_plain_half, "0x8000", "0x4000"),
    (ends.plain, "close(value, err, form, is_wide)", "close(value, err, form, False)"),
]
TO_DOUBLE = [
    (rounded_encodings.to_double, "rest > half", "rest >= half"),
    (rounded_encodings.to_double, "(inexact | ((count & 1) != 0))", "((count & 1) != 0)"),
    (rounded_encodings.to_double, "(rest != 0) | inexact", "rest != 0"),
    (rounded_encodings.to_double, "select(inward, -1, 0)", "0"),
    (rounded_encodings.to_double, "place > 2046", "place > 2047"),
    (rounded_encodings.to_double, "(FRACTION + 1)) - select(inward, 1, 0)", "(FRACTION + 1))"),
    (rounded_encodings.encoded_ends, "lo + wider", "lo + wider / 2"),
    (rounded_encodings.encoded_ends, "2.0**-51", "2.0**-47"),
    (
        rounded_encodings.rounded_ends,
        "rising, falling = low > 0.0, high < 0.0",
        "rising, falling = high > 0.0, low < 0.0",
    ),
    (rounded_encodings.rounded_ends, "code + select(rising, select(code < 0, -1, 1), 0)", "code"),
    (rounded_encodings.rounded_ends, "code - inward", "code"),
    (rounded_encodings.to_plain_double, "place < 1", "place < 0"),
    (rounded_encodings.to_plain_double, "code + (exponent << 52)", "code"),
    (rounded_encodings.to_normal_double, "place > 2046", "place > 2047"),
]


OF_NONE = [
    (rounded_encodings.to_plain_double, "field == 0x7FF", "field == 0x7FE"),
    (rounded_encodings.to_plain_float, "abs(y) < 2.0**128", "abs(y) <= INFINITY"),
    (rounded_encodings.to_plain_half, "abs(y) >= 2.0**-14", "abs(y) >= 2.0**-16"),
]


FEW = [1, 2, 15]  # binades in which faults are sought, in addition to the first and last ones


def names(faults):
    return [f"{function.__name__}: {before} {after}" for function, before, after in faults]


def is_seen(test, *cases):
    """Whether a test fails in one of its cases."""
    for case in cases:
        try:
            test(*case)
        except AssertionError:
            return True
    return False


@for_each("fault", TO_NARROW)
def test_faults_of_one_double_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert is_seen(of_one_double, *((form, mode, edges(form, FEW)) for form in NARROW for mode in MODES))


@for_each("fault", OF_ENDS)
def test_faults_of_near_distances_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert is_seen(of_ends, *((form, "rte", narrow_cases(form, edges(form, FEW))) for form in NARROW))


@for_each("fault", TO_DOUBLE)
def test_faults_of_double_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert is_seen(test_double, *((mode, lambda form: edges(form, FEW)) for mode in MODES))


@pytest.mark.parametrize("fault", OF_NONE, ids=names(OF_NONE))
def test_faults_of_numbers_that_are_not_normal_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert is_seen(of_no_normal_numbers, *((mode,) for mode in MODES))
