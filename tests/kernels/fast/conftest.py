"""Attacks on the enclosures of kernels: they must contain the exact value, which comes from the reference."""

import numpy as np
import pytest

from clmath import reference
from clmath.audit.inputs import structured
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.item import Item
from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS, to_float, to_half
from clmath.numbers.rounding import MODES, round_enclosure
from clmath.spec.builtins import builtin

FAR = 2.0**129, 2.0**-152  # beyond every float: saturated kernels stop there


class Attack:
    """The outcome of asking one kernel about many arguments."""

    def __init__(self, name, form, *args, found=None):
        self.args = args
        self.value, self.err = found or choice.PLAIN.enclosure(FAST.kernels[name], args)[::2]
        exact = reference.enclose(name, args, form)[0]
        self.exact = exact.hi
        self.outside = ~self._inside() & (self.err != 0.0)
        self.wrong = np.zeros(len(self.exact), bool)
        self.undecided = np.zeros(len(self.exact), bool)
        for mode in MODES:
            self._compare(form, mode, round_enclosure(exact, form, mode)[0])

    def _inside(self):
        near = np.abs(self.value - self.exact) <= self.err + np.abs(self.exact) * 2.0**-52  # hi is rounded to odd
        same = (self.value == self.exact) | (np.isnan(self.value) & np.isnan(self.exact))
        sign = np.signbit(self.value) == np.signbit(self.exact)
        both_finite = np.isfinite(self.value) & np.isfinite(self.exact)
        large = both_finite & (np.abs(self.value) > FAR[0]) & (np.abs(self.exact) > FAR[0])
        small = (np.abs(self.value) < FAR[1]) & (np.abs(self.exact) < FAR[1])
        return near | same | (sign & (large | small))

    def _compare(self, form, mode, want):
        narrow = to_half if form is HALF else to_float
        below = narrow(self.value - self.err, MODE_NUMBERS[mode])
        apart = (below != narrow(self.value + self.err, MODE_NUMBERS[mode])) & (self.err != 0.0)
        differs = below.astype(form.bits_dtype) != form.bits(want)
        self.wrong |= differs & ~apart & ~(np.isnan(want) & np.isnan(self.value))
        self.undecided |= apart

    def facts(self, elements):
        """The first few elements as text."""
        rows = zip(*(np.asarray(a, np.float64)[elements] for a in self.args), strict=True)
        got = zip(rows, self.value[elements], self.err[elements], self.exact[elements], strict=True)
        return "\n".join(f"{[float(a).hex() for a in r]}: {v!r} +- {e!r}, exact {x!r}" for r, v, e, x in list(got)[:5])


@pytest.fixture
def attack():
    """Assert that no enclosure of a kernel misses its value, and that no decided element is wrong in any mode.

    ``found``: the enclosures, if they are not from the kernel of that name.
    """

    def run(name, form, *args, found=None):
        with np.errstate(all="ignore"):
            found = Attack(name, form, *args, found=found)
        assert not found.outside.any(), f"{name}: {found.outside.sum()} enclosures miss:\n{found.facts(found.outside)}"
        assert not found.wrong.any(), f"{name}: {found.wrong.sum()} elements are wrong:\n{found.facts(found.wrong)}"
        return found

    return run


def around(values, steps=3):
    """Each float of ``values`` with its nearest neighbours, both signs."""
    points = np.asarray(values, np.float32)
    points = np.concatenate([points, -points])
    codes = points.view(np.int32)[:, None] + np.arange(-steps, steps + 1, dtype=np.int32)
    return codes.ravel().view(np.float32)


@pytest.fixture
def hard_floats():
    """Powers of two, small integers, multiples of 1/4 and of pi/4, a dense sweep and the ends, with neighbours."""
    powers = 2.0 ** np.arange(-149, 128)
    steps = np.concatenate([np.arange(400) * 0.25, np.arange(2, 12) * 0.1, np.arange(100, 200) * 1.0])
    turns = np.arange(1, 400) * (np.pi / 4)
    inner = np.exp(np.linspace(np.log(2.0**-15), np.log(256.0), 4000))
    ends = [0.0, np.inf, np.nan, FLOAT.largest, FLOAT.smallest_normal, FLOAT.smallest_subnormal]
    with np.errstate(invalid="ignore"):
        return np.unique(np.concatenate([around(powers), around(steps), around(turns), around(inner), around(ends)]))


def random_floats(count, seed):
    """Uniformly random encodings of float, NaN and infinities among them."""
    return np.random.default_rng(seed).integers(0, 2**32, count, dtype=np.uint32).view(np.float32)


@pytest.fixture
def bit_patterns():
    """Uniformly random floats, by count and seed."""
    return random_floats


@pytest.fixture
def audited():
    """The arguments of an audit: all known hard cases, then random ones, most of which give moderate results."""

    def draw(name, form, count):
        item = Item(builtin(name), form)
        random = random_columns(np.random.default_rng(count), item, count)
        return tuple(np.concatenate(pair) for pair in zip(structured.structured(item), random, strict=True))

    return draw
