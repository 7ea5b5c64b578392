"""Kernels, and calls, on single numbers and a few: the bits, types and errors that they have on arrays."""

import itertools

import numpy as np
import pytest

import clmath
from clmath import call
from clmath.functions import operators
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import EXACT, builtins
from tests.cases import for_each


@for_each("mode", MODES)
@for_each("name, low, high", [("tgamma", 171.6, 171.65), ("tgamma", -185.0, -169.0), ("erfc", 26.0, 28.0)])
def test_results_at_the_ends_of_double_equal_the_references(name, low, high, mode):
    x = np.random.default_rng(3).uniform(low, high, 50)
    want = np.asarray(call.by_reference(name, (x,), mode))
    got = np.array([getattr(clmath, name)(v, rounding=mode) for v in x])
    assert np.array_equal(got.view(np.uint64), want.view(np.uint64))


FEW = 12  # elements
FLOATS = [name for name in SCALARS if name not in INTEGERS and name != "bool"]
UNARY = ["positive", "negative", "bitwise_not", "logical_not"]
BITWISE = ["rem", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift"]
ARITHMETIC = ["add", "sub", "mul", "div"]
COMPARED = ["equal", "not_equal", "less", "less_equal", "greater", "greater_equal", "logical_and", "logical_or"]
PAIRS = list(itertools.product(["bool", "char", "uint", "long", "half", "float", "double"], repeat=2))


def numbers_of(type, seed=0):
    """Ends, zeros, small and random numbers of a type, and NaN of both kinds with payloads."""
    dtype, rng = SCALARS[type], np.random.default_rng(seed)
    if type == "bool":
        return rng.integers(0, 2, FEW).astype(dtype)
    code = np.dtype(f"u{dtype.itemsize}")
    generated = rng.integers(0, 1 << 8 * code.itemsize, FEW, code).view(dtype)
    if type in INTEGERS:
        info = np.iinfo(dtype)
        ends = np.array([0, 1, info.min, info.max, info.max - 1, -1 % (int(info.max) + 1), 3], dtype)
    else:
        quiet = int(np.asarray(np.nan, dtype).view(code))
        ends = np.array([0.0, -0.0, np.inf, -np.inf, 1.5, -2.0, 60000.0], dtype)
        odd = np.array([quiet | 5, (quiet | 3) + (1 << 8 * code.itemsize - 1)], code)
        ends = np.concatenate([ends, odd.view(dtype)])
    return rng.permutation(np.concatenate([ends, generated])[: FEW + 2])[:FEW]


def encoded(results):
    return [(type(r), r.dtype, r.tobytes()) for r in results]


def check_at_once(function, arrays, **options):
    """Compare calls with few elements and with single numbers to the call with ``where``."""
    want = function(*arrays, where=np.ones(arrays[0].shape, bool), **options)
    few = function(*arrays, **options)
    assert (few.dtype, few.tobytes()) == (want.dtype, want.tobytes())
    found = [function(*row, **options) for row in zip(*arrays, strict=True)]
    assert encoded(found) == encoded(want)
    found = [function(*map(np.asarray, row), **options) for row in zip(*arrays, strict=True)]
    assert encoded(found) == encoded(want)


def operator_named(name):
    return getattr(clmath if name in ARITHMETIC else operators, name)


@pytest.mark.slow
@for_each("pair", PAIRS)
def test_operators_of_every_two_types(pair):
    arrays = [numbers_of(type, seed) for seed, type in enumerate(pair)]
    whole = not set(pair) & set(FLOATS)
    for name in [*ARITHMETIC, *COMPARED, *(BITWISE if whole else [])]:
        check_at_once(operator_named(name), arrays)
    chosen = numbers_of(pair[0], 7)
    check_at_once(operators.conditional, [chosen, *arrays])
    for name in COMPARED:
        check_at_once(operator_named(name), arrays, dtype=bool)


@for_each("type", SCALARS)
def test_operators_of_one(type):
    for name in UNARY if type not in FLOATS else set(UNARY) - {"bitwise_not"}:
        check_at_once(getattr(operators, name), [numbers_of(type, 3)])


@for_each("mode", MODES)
def test_operators_round_integers_in_the_mode_in_force(mode):
    large = np.array([2**60 + 2**36 + 1, -(2**60) - 2**36 - 1, 2**24 + 1, -(2**24) - 1, 5], np.int64)
    beside = [x.astype(d) for x, d in itertools.product([np.array([0.1, 2.0**60, 7.0, -(2.0**24), 5.0])], "fd")]
    with clmath.select_rounding_mode(mode):
        for y, name in itertools.product(beside, [*ARITHMETIC, *COMPARED]):
            check_at_once(operator_named(name), [large, y])
    check_at_once(lambda *args, **more: clmath.add(*args, rounding=mode, **more), [large, beside[0]])


@for_each("type", SCALARS)
@for_each("literal", [0, 1, -1, 5, 255, 2**31 - 1, 2**31, -(2**31) - 1, 2**63, 2**64 - 1, 2**70, 0.5, 1e300])
def test_operators_of_python_numbers(type, literal):
    """A literal takes the type that its value needs: if a plan for int cannot hold it, the call takes the path of
    arrays.
    """
    names = [*ARITHMETIC, *COMPARED, *BITWISE]
    for name, x in itertools.product(names, numbers_of(type, 5)[:2]):
        function = operator_named(name)
        outcomes = []
        for first in (x, np.full(3, x)):
            for args in ((first, literal), (literal, first)):
                try:
                    result = np.atleast_1d(function(*args))[0]
                    outcomes.append((result.dtype, result.tobytes()))
                except clmath.ClmathError as error:
                    outcomes.append(str(error))
        assert outcomes[:2] == outcomes[2:], (name, x)


@for_each("wrong", [None, "1", 1j, np.longdouble(1), np.datetime64(1, "s"), object()])
def test_operators_refuse_numbers_as_they_refuse_arrays(wrong):
    others = {"equal": 1, "bitwise_and": 1, "add": 1, "left_shift": 1, "negative": 0, "conditional": 2}
    for name, count in others.items():
        function, rest = operator_named(name), [np.int32(1)] * count
        messages = set()
        for given in (wrong, np.asarray(wrong)):
            with pytest.raises(clmath.ClmathError, match=rf"^{name}\(\): ") as error:
                function(given, *rest)
            messages.add(type(error.value))
        assert len(messages) == 1
    with pytest.raises(clmath.DTypeError, match=r"^bitwise_or\(\): x has dtype double"):
        operators.bitwise_or(0.5, 1)
    with pytest.raises(clmath.RangeError, match=r"less\(\): threads=0"):
        operators.less(1, 2, threads=0)
    with pytest.raises(clmath.DTypeError, match=r"less\(\): vector='no'"):
        operators.less(1, 2, vector="no")


def test_operators_flush_as_arrays_do():
    tiny = np.float32(2.0**-130)
    with clmath.flush_to_zero("float"):
        assert clmath.add(tiny, np.int32(0)) == clmath.add(np.array([tiny]), np.int32([0]))[0] == 0
    assert clmath.add(tiny, np.int32(0)) == tiny


@for_each("target", SCALARS)
@for_each("source", SCALARS)
def test_conversions(source, target):
    values = np.concatenate([numbers_of(source, seed) for seed in range(4)])
    if source in FLOATS:
        halves = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 127.5, 255.5, -128.5, 32767.5, 65519.0, 65520.0])
        with np.errstate(over="ignore"):
            values = np.concatenate([values, halves.astype(SCALARS[source])])
    for mode, sat in itertools.product((None, *MODES), (False, True) if target in INTEGERS else (False,)):
        strided = np.repeat(values, 2).astype(values.dtype.newbyteorder(">"))[::2]
        want = clmath.convert(strided.reshape(1, -1), target, sat=sat, rounding=mode)[0]
        few = clmath.convert(values, target, sat=sat, rounding=mode)
        assert (few.dtype, few.tobytes()) == (want.dtype, want.tobytes())
        assert encoded(clmath.convert(v, target, sat=sat, rounding=mode) for v in values) == encoded(want)


@for_each("target", SCALARS)
@for_each("mode", MODES)
def test_conversions_of_python_numbers(target, mode):
    ints = [0, 1, -1, 2**24 + 1, 2**53 + 1, 2**53 + 3, -(2**63), 2**63 - 1, 2**63, 2**64 - 1, 65519, 65520, -65521]
    for n in ints:
        want = clmath.convert(np.array([n], np.uint64 if n >= 2**63 else np.int64), target, rounding=mode)
        assert encoded([clmath.convert(n, target, rounding=mode)]) == encoded(want)
    for x in (0.1, -0.0, np.inf, -np.inf, np.nan, 1e300, 5e-324, 65519.99, 3.4028235677973366e38):
        want = clmath.convert(np.array([x]), target, rounding=mode)
        assert encoded([clmath.convert(x, target, rounding=mode)]) == encoded(want)


STORED = {
    ("uchar",): "read_unorm_int8 read_srgb",
    ("ushort",): "read_unorm_int16",
    ("char",): "read_snorm_int8",
    ("short",): "read_snorm_int16",
    ("half",): "read_half_float",
    ("float",): "read_float write_float",
    ("int",): "write_signed_int8 write_signed_int16 write_signed_int32",
    ("uint",): "write_unsigned_int8 write_unsigned_int16 write_unsigned_int32",
    (
        "half",
        "float",
    ): "write_unorm_int8 write_unorm_int16 write_snorm_int8 write_snorm_int16 write_srgb write_half_float",
}
CHANNELS = {name: types for types, names in STORED.items() for name in names.split()}


@for_each("name", CHANNELS)
def test_image_channels(name):
    function = getattr(clmath, name)
    rounds = name.startswith(("read_unorm", "read_snorm", "read_srgb", "write_unorm", "write_snorm", "write_srgb"))
    for type, mode in itertools.product(CHANNELS[name], MODES if rounds else [None]):
        options = {} if mode is None else {"rounding": mode}
        values = np.concatenate([numbers_of(type, seed) for seed in range(4)])
        if type in FLOATS:
            values = np.concatenate([values, np.linspace(-1.1, 1.1, 40).astype(SCALARS[type])])
        want = function(np.repeat(values, 50)[::50].reshape(-1, 1), **options)[:, 0]
        assert encoded([function(v, **options) for v in values]) == encoded(want)
        assert function(values, **options).tobytes() == want.tobytes()


@for_each("name", CHANNELS)
@for_each("number", [0, 1, -1, 200, 40000, 2**40, 10**400, 0.25, -1e300, float("nan"), True, None, "1"])
def test_image_channels_of_python_numbers(name, number):
    function, outcomes = getattr(clmath, name), []
    typed = [number, [number]] if number is True or number is None or isinstance(number, str) else [number]
    for given in typed:
        try:
            outcomes.append(np.asarray(function(given)).reshape(-1).tobytes())
        except clmath.ClmathError as error:
            outcomes.append(type(error))
    assert len(set(outcomes)) == 1
    if isinstance(outcomes[0], bytes) and isinstance(number, float) and name.startswith("write_"):
        with np.errstate(over="ignore"):
            want = function(np.array([number]).astype(np.float32)) if "igned" not in name else None
        assert want is None or outcomes[0] == want.tobytes()


def test_codes_of_nan():
    for form in (HALF, FLOAT, DOUBLE):
        codes = np.random.default_rng(1).integers(0, 1 << form.width, 30, np.uint64).astype(form.bits_dtype)
        want = clmath.nan(codes, where=np.ones(30, bool))
        assert encoded(map(clmath.nan, codes)) == encoded(want)
        assert clmath.nan(codes).tobytes() == want.tobytes()
    assert encoded([clmath.nan(7)]) == encoded(clmath.nan(np.uint64([7])))
    for code in (-1, 2**64):
        with pytest.raises(clmath.DTypeError):
            clmath.nan(code)


@for_each(
    "name, type", [(name, type) for name, row in builtins(*EXACT).items() if not row.widths for type in row.types]
)
def test_exact_built_ins_by_chunks(name, type):
    """Few elements and single numbers give the bits of chunks."""
    row, function = builtins(*EXACT)[name], getattr(clmath, name)
    unsigned = {"ugentype": f"u{type.removeprefix('u')}", "uint": "uint", "int": "int"}
    size = SCALARS[type].itemsize
    signed = {1: "char", 2: "short", 4: "int", 8: "long"}[size]
    words = [{**unsigned, "condition": signed}.get(p.type, type) for p in row.inputs]
    arrays = [numbers_of(word, seed) for seed, word in enumerate(words)]
    for place in (i for i, p in enumerate(row.inputs) if p.name in ("offset", "count")):
        arrays[place] = arrays[place] % np.uint32(4 * size)
    check_at_once(function, arrays)


@for_each("kind", ["char", "short", "int", "long"])
@for_each("vector", [False, True])
def test_vectors_of_truth(kind, vector):
    rng = np.random.default_rng(2)
    for width, name in itertools.product((1, 2, 3, 4, 8, 16), ("any", "all")):
        t = rng.choice(numbers_of(kind, 4), (9, width)) * rng.integers(0, 2, (9, 1), SCALARS[kind])
        function = getattr(clmath, name)
        test = t < 0 if vector else t != 0
        want = getattr(test, name)(axis=-1).astype(np.int32)
        assert function(t, vector=vector).tobytes() == want.tobytes()
        assert encoded([function(v, vector=vector) for v in t]) == encoded(want)
        assert function(t, vector=vector, dtype=bool).tobytes() == want.astype(bool).tobytes()
        assert function(t[:, np.newaxis], vector=vector).tobytes() == want.tobytes()


def test_dot_products_of_bytes():
    rng = np.random.default_rng(3)
    for a, b in itertools.product(("char", "uchar"), repeat=2):
        x, y = (
            rng.integers(*((-128, 128) if kind == "char" else (0, 256)), (9, 4)).astype(SCALARS[kind])
            for kind in (a, b)
        )
        want = (x.astype(np.int64) * y.astype(np.int64)).sum(axis=-1)
        found = clmath.dot(x, y)
        assert found.tolist() == want.tolist()
        assert found.dtype == (np.uint32 if a == b == "uchar" else np.int32)
        assert encoded(map(clmath.dot, x, y)) == encoded(found)
        most = np.iinfo(found.dtype).max
        last = np.full(9, most - 5, found.dtype)
        assert clmath.dot_acc_sat(x, y, last).tolist() == np.clip(want + most - 5, None, most).tolist()


@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_a_kernel_and_an_integer(form):
    """lgamma_r, whose sign no kernel gives: zeros of either sign, poles, infinities, NaN, negative numbers."""
    x = np.concatenate([numbers_of(form.name, seed) for seed in range(3)])
    x = np.concatenate([x, np.arange(-6, 3, 0.5).astype(form.dtype)])
    for mode in MODES:
        want = clmath.lgamma_r(x, rounding=mode, where=np.ones(x.shape, bool))
        found = clmath.lgamma_r(x, rounding=mode)
        swapped = clmath.lgamma_r(x.astype(x.dtype.newbyteorder(">"))[::-1], rounding=mode)
        for part, expected, other in zip(found, want, swapped, strict=True):
            assert (part.dtype, part.tobytes()) == (expected.dtype, expected.tobytes())
            assert other[::-1].tobytes() == expected.tobytes()


def test_an_alias_is_resolved_once():
    assert clmath.convert_short_sat_rtn is vars(clmath)["convert_short_sat_rtn"]


@pytest.mark.parametrize("number", [2**63, 2**64 - 1])
def test_python_ints_that_only_a_ulong_holds(number):
    for name in ("add_sat", "max", "abs_diff", "mul_hi", "bitselect"):
        function, args = getattr(clmath, name), [number, 5, number][: len(builtins(*EXACT)[name].inputs)]
        assert encoded([function(*args)]) == encoded([function(*map(np.uint64, args))])
