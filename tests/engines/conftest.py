"""What the engines are compared on: arguments of a kernel, and what NumPy's engine makes of them."""

import numpy as np
import pytest

from clmath.engines import choice
from clmath.engines.device import source
from clmath.numbers.formats import HALF
from clmath.spec import files
from clmath.spec.builtins import builtin


@pytest.fixture(scope="session")
def arguments_of():
    """The function of a kernel, a format and a number of lanes that gives arguments, rather more than these."""
    return arguments


@pytest.fixture(scope="session")
def lanes_by_way():
    """``by_ways``."""
    return by_ways


@pytest.fixture(scope="session")
def rounded_by_numpy():
    """The function of a kernel, a format, a mode and arguments that gives results and undecided lanes."""
    return rounded


@pytest.fixture(scope="session")
def same_parts():
    """The function that asserts that two enclosures of a kernel's values at some arguments are one."""
    return check_parts


@pytest.fixture(scope="session")
def same_enclosures():
    """The function that asserts that an engine encloses arguments as NumPy's does."""
    return enclosed_as_by_numpy


def arguments(kernel, form, lanes):
    """Random encodings, tame numbers, NaNs, powers of two with neighbours, special values, the tables' hard ones."""
    rng = np.random.default_rng(len(kernel.name))
    count = source.arguments(kernel)
    with np.errstate(all="ignore"):
        columns = [np.concatenate(_column(rng, form, lanes)) for _ in range(count)]
    if count == 2 and builtin(kernel.name).inputs[1].type == "intn":
        columns[1] = rng.integers(-200, 200, columns[0].size).astype(np.int32)
    if count == 2:
        columns[1] = np.concatenate([columns[1][1:], columns[1][:1]])  # special values meet others
    lines = files.load(f"hard/{form}.toml").get(kernel.name, ())  # a half of one argument has none: all are tried
    if not lines:
        return columns
    hard = zip(*map(str.split, lines), strict=True)
    return [np.concatenate([c, _numbers(words, c.dtype)]) for c, words in zip(columns, hard, strict=True)]


def _numbers(words, dtype):
    return np.array([int(w) if dtype == np.int32 else float.fromhex(w) for w in words]).astype(dtype)


def _column(rng, form, lanes):
    top = 1 << (form.width - 1)
    codes = [rng.integers(-top, top, n).astype(f"i{form.dtype.itemsize}").view(form.dtype) for n in (lanes, 4096)]
    if form is HALF:
        codes[0] = rng.permutation(np.arange(1 << 16, dtype=np.uint16)).view(form.dtype)
    tame = (rng.standard_normal(lanes) * 2.0 ** rng.integers(-3, 5, lanes)).astype(form.dtype)
    quarters = (rng.integers(-400, 400, lanes // 4) * 0.25).astype(form.dtype)
    powers = (2.0 ** np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
    near = np.concatenate([powers, np.nextafter(powers, form.beyond), np.nextafter(powers, form.dtype.type(0))])
    nans = (codes[1].view(form.bits_dtype) | form.bits(form.beyond)).view(form.dtype)
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, form.largest, -form.largest], form.dtype)
    second = rng.permutation(np.concatenate([special] * 9))
    return [codes[0], tame, quarters, near, -near, rng.permutation(near), nans, np.repeat(special, 9), second]


def by_ways(kernel, args):
    """The lanes of ordinary arguments and the others: the device chooses lane by lane, NumPy for a whole chunk."""
    if kernel.ordinary_functions is None:
        return [np.arange(args[0].size)]
    with np.errstate(all="ignore"):
        holds = kernel.ordinary_functions.holds(*[a.astype(np.float64) for a in args])
    return [np.flatnonzero(holds), np.flatnonzero(~holds)]


def rounded(kernel, form, mode, args):
    results, undecided = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)], []
    for lanes in by_ways(kernel, args):
        parts = [np.empty(lanes.shape, form.dtype) for _ in results]
        undecided.append(lanes[choice.PLAIN.rounded(kernel, form, mode, [a[lanes] for a in args], parts)])
        for result, part in zip(results, parts, strict=True):
            result[lanes] = part
    return results, np.sort(np.concatenate(undecided))


def enclosed_as_by_numpy(engine, kernel, args):
    with np.errstate(all="ignore"):
        found = engine.enclosure(kernel, args)
        for lanes in by_ways(kernel, args):
            some = [a[lanes] for a in args]
            check_parts(kernel, some, choice.PLAIN.enclosure(kernel, some), found.lanes(lanes))


def check_parts(kernel, args, want, got):
    numbers = np.isfinite(want.hi)
    for name, one, other in zip(want._fields, want, got, strict=True):
        if name == "exponent":  # NaN has none, and that of an infinity says nothing
            assert np.array_equal(one[numbers], other[numbers])
            continue
        same = (one == other) & (np.signbit(one) == np.signbit(other)) | np.isnan(one) & np.isnan(other)
        differ = np.flatnonzero(~same)[:5]
        assert not differ.size, f"{kernel.name}: {name}: {[a[differ] for a in args]}: {other[differ]} {one[differ]}"
