"""Attacks on the enclosures of accurate kernels: they must contain the exact value, and round as the kernel claims."""

import numpy as np
import pytest

from clmath import reference
from clmath.engines import choice
from clmath.kernels import ACCURATE
from clmath.numbers import formats
from clmath.numbers.rounded_encodings import MODE_NUMBERS, encoded_ends
from clmath.numbers.rounding import MODES, round_enclosure
from tests.kernels.accurate.precise import shares

DOUBLE = formats.DOUBLE
ENGINES = choice.installed()
NARROW = 2.0**-64  # the widest enclosure, relatively
NEAR = 2.0**-60  # relative distance from the exact value that err = 0 allows
SATURATED = 1026, -1080  # exponents of two from which on any value of that size is allowed


def ways_of(kernel, args):
    """The code paths of ``kernel``, as (mask of elements that may take it, function)."""
    yield np.ones(args[0].shape, bool), kernel.function
    if kernel.record.ordinary is not None:
        yield kernel.record.ordinary.holds(*args), kernel.record.ordinary.function
    if kernel.record.far is not None:
        yield kernel.record.far.holds(*args), kernel.record.far.function


def parts_of(kernel, function, args):
    """The parts of the enclosures of every result by one code path, exact results found, as full arrays."""
    full = [np.broadcast_to(part, args[0].shape) for part in function(*args)]
    return [kernel.refined(args, tuple(full[i : i + 4])) for i in range(0, len(full), 4)]


def binade(hi, exponent):
    """The exponent of two of hi 2^exponent."""
    return np.frexp(hi)[1] + exponent


class Attack:
    """Faults of the enclosures of one result, by kind."""

    def __init__(self, args, parts, exact):
        self.args = args
        self.hi, self.lo, self.err, self.exponent = parts
        self.exact = exact
        self.numbers = np.isfinite(exact.hi) & np.isfinite(self.hi) & (exact.hi != 0.0) & (self.hi != 0.0)

    def faults(self):
        """Faults, as (description, elements)."""
        size = np.abs(self.hi)
        misses, far = self._misses()
        claims = self.numbers & (self.err == 0.0) & ~self._saturated()
        return [
            ("misses", misses),
            ("not normalised", self.numbers & (self.hi + self.lo != self.hi)),
            ("out of range", self.numbers & ((size < 2.0**-500) | (size > 2.0**500))),
            ("wide", self.numbers & (self.err > size * NARROW)),
            ("negative err", self.err < 0.0),
            ("claims too much", claims & far),
            ("rounds otherwise", (self.err == 0.0) & self._rounds_otherwise()),
            ("not exact", ~self.numbers & ~self._same()),
        ]

    def _misses(self):
        shift = np.clip(self.exact.exponent - self.exponent, -1000, 1000)
        scale = np.ldexp(1.0, shift.astype(np.int32))
        distance = np.abs((self.exact.hi * scale - self.hi) + (self.exact.lo * scale - self.lo))
        missed = self.numbers & (self.err > 0.0) & (distance > self.err) & ~self._saturated()
        return missed, distance > np.abs(self.hi) * NEAR

    def _saturated(self):
        ours, theirs = binade(self.hi, self.exponent), binade(self.exact.hi, self.exact.exponent)
        above = (ours >= SATURATED[0]) & (theirs >= SATURATED[0])
        return above | ((ours <= SATURATED[1]) & (theirs <= SATURATED[1]))

    def _rounds_otherwise(self):
        """Whether hi + lo is on another side of a double or a midpoint than the exact value."""
        otherwise = np.zeros(self.hi.shape, bool)
        for mode in MODES:
            codes, _ = encoded_ends(self.hi, self.lo, np.zeros_like(self.hi), self.exponent, MODE_NUMBERS[mode])
            want = round_enclosure(self.exact, DOUBLE, mode)[0]
            otherwise |= codes.view(np.uint64) != DOUBLE.bits(want)
        return otherwise & ~(np.isnan(self.hi) & np.isnan(self.exact.hi))

    def _same(self):
        nan = np.isnan(self.hi) & np.isnan(self.exact.hi)
        return nan | ((self.hi == self.exact.hi) & (np.signbit(self.hi) == np.signbit(self.exact.hi)))

    def facts(self, elements):
        """The first few elements as text."""
        few = np.flatnonzero(elements)[:5]
        return "\n".join(
            f"{[float(a[i]).hex() for a in self.args]}: ({self.hi[i].hex()} + {self.lo[i].hex()} +- {self.err[i]!r}) "
            f"2^{self.exponent[i]}, exact ({self.exact.hi[i].hex()} + {self.exact.lo[i].hex()}) "
            f"2^{self.exact.exponent[i]}"
            for i in few
        )


def check_enclosures(kernel, args, exact):
    """Assert that enclosures of ``kernel`` contain the exact values and meet the double kernels' guarantees, by every
    path.
    """
    doubles = [a.astype(np.float64) for a in args]
    for these, function in ways_of(kernel, doubles):
        some = [a[these] for a in doubles]
        for parts, truth in zip(parts_of(kernel, function, some), exact, strict=True):
            found = Attack(some, parts, truth.elements(these))
            for what, elements in found.faults():
                assert not elements.any(), (
                    f"{function.__name__}: {elements.sum()} elements {what}:\n{found.facts(elements)}"
                )


def check_results(kernel, args, exact):
    """Assert that decided results are right in every mode and engine; return the largest number of undecided ones."""
    most = 0
    for mode in MODES:
        want = [round_enclosure(truth, DOUBLE, mode)[0] for truth in exact]
        left = [rounded(engine, kernel, args, mode, want) for engine in ENGINES]
        assert all(np.array_equal(other, left[0]) for other in left)
        most = max(most, len(left[0]))
    return most


def rounded(engine, kernel, args, mode, want):
    """Assert that elements decided by ``engine`` equal ``want``; return the undecided ones."""
    targets = [np.empty(args[0].shape) for _ in want]
    left = engine.rounded(kernel, DOUBLE, mode, args, targets)
    decided = np.ones(args[0].shape, bool)
    decided[left] = False
    for target, truth in zip(targets, want, strict=True):
        wrong = decided & (DOUBLE.bits(target) != DOUBLE.bits(truth))
        wrong &= ~(np.isnan(target) & np.isnan(truth))
        elements = np.flatnonzero(wrong)[:5]
        assert not wrong.any(), (
            f"{kernel.name} {mode} {engine.name}: {wrong.sum()} wrong: "
            f"{[[float(a[i]).hex() for a in args] + [target[i].hex(), truth[i].hex()] for i in elements]}"
        )
    return left


@pytest.fixture
def attack(narrowing_however_few):  # noqa: ARG001
    """Attack a kernel with arrays of arguments; return the largest number of undecided elements in a mode."""

    def run(name, *args):
        kernel = ACCURATE.kernels[name]
        columns = tuple(np.ascontiguousarray(a) for a in args)
        with np.errstate(all="ignore"):
            exact = [reference.enclose(part, columns, DOUBLE)[0] for part in ACCURATE.together.get(name, (name,))]
            check_enclosures(kernel, columns, exact)
            return check_results(kernel, columns, exact)

    return run


def with_neighbours(values):
    """Each number with its two neighbours, both signs."""
    points = np.asarray(values, np.float64)
    points = np.concatenate([points, np.nextafter(points, 0.0), np.nextafter(points, np.inf)])
    return np.concatenate([points, -points])


@pytest.fixture(scope="session")
def powers():
    """Every power of two with its neighbours, both signs."""
    return with_neighbours(np.ldexp(1.0, np.arange(-1074, 1024)))


@pytest.fixture(scope="session")
def tame():
    """Small integers, multiples of 1/2, 1/4 and pi/4, numbers next to 1: where results are exact, or zeros near."""
    steps = np.arange(-600, 601)
    next_to_one = [1.0 + np.arange(-300, 301) * 2.0**-52, 1.0 + np.arange(-100, 101) * 2.0**-30]
    return np.concatenate([steps, steps * 0.5, steps * 0.25, np.arange(1, 400) * (np.pi / 4), *next_to_one])


@pytest.fixture(scope="session")
def special():
    """Zeros, infinities, NaN, the ends of the format and the smallest integers."""
    ends = [DOUBLE.largest, DOUBLE.smallest_normal, DOUBLE.smallest_subnormal, np.inf, 0.0, 0.5, 1.0, 2.0, 3.0]
    return np.concatenate([ends, -np.array(ends, np.float64), [np.nan]]).astype(np.float64)


def missed(name, args, parts, elements):
    """The ones of ``elements`` that miss by more bits than the reference's pairs hold, too."""
    found = np.zeros(elements.shape, bool)
    at = np.flatnonzero(elements).tolist()
    found[at] = [share > 1.0 for share in shares(name, args, parts, at)]
    return found


@pytest.fixture
def attack_narrowed():
    """Attack the narrowed enclosures of a kernel; return the relative widths of those that are not exact."""

    def run(name, *args):
        kernel = ACCURATE.kernels[name]
        columns = [np.ascontiguousarray(a) for a in args]
        doubles = [a.astype(np.float64) for a in columns]
        with np.errstate(all="ignore"):
            (given,) = parts_of(kernel, kernel.function, doubles)
            parts = [np.broadcast_to(part, doubles[0].shape) for part in kernel.narrow(*doubles, *given)]
            found = Attack(doubles, parts, reference.enclose(name, columns, DOUBLE)[0])
            for what, elements in found.faults():
                wrong = missed(name, columns, parts, elements) if what == "misses" else elements
                assert not wrong.any(), f"{name}: {wrong.sum()} elements {what}:\n{found.facts(wrong)}"
            assert not (found.err > given[2]).any(), "an enclosure has become wider"
            assert np.array_equal(found.err == 0.0, given[2] == 0.0), "what is exact is for the accurate kernels to say"
            return (found.err / np.abs(found.hi))[found.err > 0.0]

    return run
