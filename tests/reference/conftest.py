"""Inputs that hurt, drawn for any built-in and format, and comparison of results bit by bit."""

import zlib

import numpy as np
import pytest

from clmath.numbers.rounding import MODES, Enclosure, round_enclosure

_NUMBERS = [0, 1, 2, 3, 4, 8, 10, 27, 32, 100, 171, 1024, 0.5, 0.25, 0.75, 1.5, 2.5, 1 / 3, 1 / 6, 0.1, np.pi]
_NUMBERS += [np.pi / 2, np.pi / 4, np.e, 90.5, 170.6, 700.5, 2.0**20, 1e10, np.inf, np.nan]
_INTS = [0, 1, 2, 3, 4, 5, 7, 10, 64, 100, 101, 1000, 1023, 2**31 - 2, 2**31 - 1]


def _powers_and_neighbours(form, random, count):
    powers = np.ldexp(1.0, random.integers(form.quantum, form.emax + 1, count)).astype(form.dtype)
    return np.concatenate(
        [powers, np.nextafter(powers, form.dtype.type(0)), np.nextafter(powers, form.dtype.type(np.inf))]
    )


def _gentype(form, random, count):
    """Specials, powers of two and neighbours, ends of the range, random bit patterns, and the natural domains."""
    ends = [form.largest, form.smallest_normal, form.smallest_subnormal, 3 * form.smallest_subnormal]
    near_one = [1 + form.eps, 1 - form.eps / 2, form.eps]
    strata = [
        np.array(_NUMBERS + ends + near_one),
        _powers_and_neighbours(form, random, count // 4),
        form.from_bits(random.integers(0, 2**form.width, count, dtype=form.bits_dtype)),
        random.standard_normal(count) * 2,
        random.standard_normal(count) * 40,
        random.uniform(-1, 1, count),
        random.integers(-40, 200, count // 4),
        random.integers(-40, 200, count // 4) / 2,
    ]
    with np.errstate(all="ignore"):
        values = np.concatenate([s.astype(form.dtype) for s in strata])
    return np.concatenate([values, -values])


def _arguments(row, form, count):
    """Columns for every parameter of ``row``, the same on every run."""
    random = np.random.default_rng(zlib.crc32(f"{row.name} {form}".encode()))
    pool = _gentype(form, random, count)
    if [p.type for p in row.inputs] == ["gentype"] and not row.widths:
        return [pool]
    columns = []
    for parameter in row.inputs:
        if parameter.type == "gentype":
            columns += [random.choice(pool, 4 * count) for _ in range(max(row.widths, default=1))]
        elif parameter.type == "intn":
            ints = np.array(_INTS + [-i for i in _INTS] + [-(2**31)], np.int32)
            columns.append(random.choice(ints, 4 * count))
        else:
            columns.append(random.integers(0, 2**form.width, 4 * count, dtype=form.bits_dtype))
    return columns


@pytest.fixture
def arguments():
    return _arguments


def _difference(form, got, want, args):
    """The first lanes where two results of one call differ in their bits; NaN equals NaN."""
    if got.dtype.kind == "f":
        apart = (form.bits(got) != form.bits(want)) & ~(np.isnan(got) & np.isnan(want))
    else:
        apart = got != want
    lanes = np.flatnonzero(apart)[:3]
    return [([a[i] for a in args], f"got {got[i]!r}, want {want[i]!r}") for i in lanes]


@pytest.fixture
def difference():
    return _difference


def _all_modes(form, results):
    """Results of ``enclose`` rounded in every mode: a list of (mode, output, array)."""
    for output, value in enumerate(results):
        if isinstance(value, Enclosure):
            for mode in MODES:
                rounded, undecided = round_enclosure(value, form, mode)
                assert not undecided.any()
                yield mode, output, rounded
        else:
            yield "int", output, value


@pytest.fixture
def all_modes():
    return lambda form, results: list(_all_modes(form, results))
