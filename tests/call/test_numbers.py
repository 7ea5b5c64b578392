"""Single numbers of the chapters whose results are bits, and conversions: the same bits and errors as arrays."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import clmath
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each

ROWS = {name: row for name, row in builtins(*EXACT).items() if not row.widths or 1 in row.widths}
CASES = [(name, kind) for name, row in ROWS.items() for kind in row.types]
TESTS = [name for name, row in ROWS.items() if row.result == "booln" or name in ("any", "all")]
COUNT = 60
FEW = 8  # numbers for which the path of prepared arguments is tested, too


def patterns(dtype, rng, count=COUNT):
    """Random encodings of every size, including all kinds of NaN, and numbers close to zero and to the ends of the
    range.
    """
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(np.bool_)
    code = np.dtype(f"u{dtype.itemsize}")
    bits = rng.integers(0, 2 ** (8 * code.itemsize), count, code) >> rng.integers(0, 8 * dtype.itemsize, count, code)
    few = np.array([0, 1, 2, 3, 7], code)
    near = np.concatenate([few, -few, few + code.type(1 << 8 * code.itemsize - 1), ~few])
    bits = np.where(rng.integers(0, 2, count), bits, rng.choice(near, count))
    if dtype.kind == "f":
        top = int(np.asarray(np.inf, dtype).view(code))
        bits = np.where(rng.integers(0, 8, count), bits, code.type(top) | rng.integers(0, 4, count, code))
    return bits.astype(code).view(dtype)


def arguments(row, kind, rng):
    """Arrays that a call of ``row`` takes, gentype being ``kind``."""
    own, made = SCALARS[kind], []
    size = 8 * own.itemsize
    for parameter in row.inputs:
        other = {"ugentype": f"u{own.itemsize}", "condition": f"i{own.itemsize}"}
        dtype = np.dtype(other.get(parameter.type) or SCALARS.get(parameter.type, own))
        if parameter.name in ("offset", "count"):
            made.append(rng.integers(0, size // 2 + 1, COUNT).astype(np.uint32))
        else:
            made.append(patterns(dtype, rng))
    if len(made) == 2 and made[0].dtype == made[1].dtype:
        made[1][::4] = made[0][::4]  # equal ones
    return made


def call(name, args, **options):
    """Call the built-in; if it takes vectors, arrays become vectors of one component."""
    if ROWS[name].widths:
        args = [a[:, np.newaxis] if np.ndim(a) else a for a in args]
    return getattr(clmath, name)(*args, **options)


def as_bits(result):
    return result.dtype, result.tobytes()


@for_each("name, kind", CASES)
def test_the_bits_of_arrays(name, kind, prepared):
    args = arguments(ROWS[name], kind, np.random.default_rng(len(name)))
    for options in ({}, {"vector": True}, {"dtype": bool}) if name in TESTS else ({},):
        expected = call(name, args, **options)
        assert as_bits(prepared(lambda options=options: call(name, args, **options))) == as_bits(expected)
        for i, want in enumerate(expected):
            numbers = [a[i] for a in args]
            found = [call(name, numbers, **options), call(name, [np.asarray(n) for n in numbers], **options)]
            if i < FEW:
                found.append(prepared(lambda numbers=numbers, options=options: call(name, numbers, **options)))
            assert {type(got) for got in found} == {type(want)}
            assert {as_bits(got) for got in found} == {as_bits(want)}


@for_each("name, kind", CASES)
def test_python_numbers_mix_with_numpy_scalars(name, kind):
    row = ROWS[name]
    args = [a[0] for a in arguments(row, kind, np.random.default_rng(5))]
    for place in range(1, len(args)):
        if row.inputs[place].type == "gentype":
            for number in (3, 1 / 3) if np.dtype(SCALARS[kind]).kind == "f" else (3,):
                mixed = [*args[:place], number, *args[place + 1 :]]
                got = call(name, mixed)
                several = [np.full(7, a) for a in args[:1]] + mixed[1:]
                assert as_bits(got) == as_bits(call(name, several)[0])


@for_each("name", ROWS)
def test_python_numbers_alone(name):
    row = ROWS[name]
    for value in (3, 3.0, True, 2**40, -1, 2**63, 2**70, 0.5, float("nan"), object(), "1", 1j):
        args = [1 if p.name in ("offset", "count") else value for p in row.inputs]
        outcomes = []
        for form in (args, [np.asarray(a)[np.newaxis] if type(a) not in (int, float) else a for a in args]):
            try:
                result = np.asarray(call(name, form)).reshape(-1)
                outcomes.append(as_bits(result))
            except clmath.ClmathError as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1]


@for_each("name", ROWS)
def test_errors_for_scalars_equal_errors_for_arrays(name):
    """Every pair of types for the first argument and the others."""
    row = ROWS[name]
    kinds = [np.dtype(c) for c in ("?", "i1", "u2", "i4", "u8", "f2", "f4", "f8", "c8")]
    for first, others in itertools.product(kinds, repeat=2):
        scalars = [first.type(1), *(others.type(1) for _ in row.inputs[1:])]
        outcomes = []
        for args in (scalars, [np.full(5, s) for s in scalars]):
            try:
                outcomes.append(as_bits(np.asarray(call(name, args)).reshape(-1)[0]))
            except clmath.ClmathError as error:
                outcomes.append((type(error), str(error)))
        assert outcomes[0] == outcomes[1], (first, others)


@for_each(
    "name, args",
    [
        ("dot_4x8packed_ss_int", (np.int64(-1), 1)),
        ("dot_4x8packed_ss_int", (np.uint32(1), 1 << 32)),
        ("bitfield_insert", (np.int8(1), np.int8(1), 7, 2)),
        ("bitfield_extract_unsigned", (np.uint16(1), np.uint32(2**32 - 1), 2)),
        ("mad_sat", (np.int8(1), 128, 0)),
        ("mad_sat", (np.int8(1), np.int16(1), np.int8(1))),
        ("isless", (np.float32(1), 1e300)),
    ],
)
def test_values_that_do_not_fit_are_refused_as_in_arrays(name, args):
    errors = []
    for first in (args[0], np.asarray([args[0]])):
        with pytest.raises(clmath.ClmathError) as caught:
            getattr(clmath, name)(first, *args[1:])
        errors.append((type(caught.value), str(caught.value)))
    assert errors[0] == errors[1]


def test_other_integers_are_taken_where_they_fit():
    assert clmath.bitfield_extract_signed(np.int8(-100), np.int64(2), 4) == 7
    assert clmath.dot_4x8packed_ss_int(np.int64(2**32 - 1), 0x02020202) == -8
    assert clmath.mad_sat(np.uint8(200), 1, 100) == 255


@pytest.mark.parametrize("kind", ["half", "float", "double"])
def test_signs_that_are_moved(kind):
    x, y = (patterns(np.dtype(SCALARS[kind]), np.random.default_rng(seed)) for seed in (1, 2))
    assert as_bits(np.array([clmath.fabs(value) for value in x])) == as_bits(clmath.fabs(x))
    found = [clmath.copysign(*pair) for pair in zip(x, y, strict=True)]
    assert as_bits(np.array(found)) == as_bits(clmath.copysign(x, y))
    assert {type(clmath.fabs(value)) for value in x} == {x.dtype.type}


@for_each("target", SCALARS)
@for_each("source", SCALARS)
def test_conversions_have_the_bits_of_arrays(source, target):
    several = patterns(SCALARS[source], np.random.default_rng([len(source), len(target)]), 40)
    for mode, sat in itertools.product((None, *MODES), (False, True)):
        if sat and SCALARS[target].kind not in "iu":
            continue
        expected = clmath.convert(several, target, rounding=mode, sat=sat)
        for i, (value, want) in enumerate(zip(several, expected, strict=True)):
            swapped = np.asarray(value).astype(several.dtype.newbyteorder(">"))
            for number in (value, *((np.asarray(value), swapped) if i < 5 else ())):
                got = clmath.convert(number, target, rounding=mode, sat=sat)
                assert type(got) is type(want)
                assert as_bits(got) == as_bits(want), (value, mode, sat)


@for_each("target", SCALARS)
def test_python_numbers_are_longs_and_doubles(target):
    exponents = (0, 1, 7, 11, 24, 31, 32, 53, 62, 63)
    integers = [s * (2**e + d) for e in exponents for d in (-1, 0, 1) for s in (-1, 1)]
    for mode in MODES:
        for value in (*integers, 0.1, -2.5, 1e300, float("nan"), -0.0, True):
            array = np.asarray([value], np.uint64 if type(value) is int and value >= 2**63 else None)
            if array.dtype.kind == "O" or value < -(2**63):
                continue
            want = clmath.convert(array, target, rounding=mode)[0]
            got = clmath.convert(value, target, rounding=mode)
            assert (type(got), got.tobytes()) == (type(want), want.tobytes()), (value, mode)


def test_the_mode_in_force_holds_for_conversions_of_numbers():
    for mode in MODES:
        with clmath.select_rounding_mode(mode):
            assert clmath.convert(0.1, "half") == clmath.convert(0.1, "half", rounding=mode)
            assert clmath.convert(2.7, "int") == 2


SHORT = (np.dtype("int16"), np.int16, "i2", "short")
OTHERS = (("int", 16), "int16", "short16", ["short"], 5, {})  # vectors, names with two meanings, and no names


@for_each("name, fits", [*((n, True) for n in SHORT), *((n, False) for n in OTHERS)])
def test_names_of_types_are_not_mixed_up(name, fits):
    for _ in range(2):
        if fits:
            assert type(clmath.convert(3.0, name)) is np.int16
        else:
            with pytest.raises(ValueError, match=r"components|not a known type|is a scalar in NumPy"):
                clmath.convert(3.0, name)
