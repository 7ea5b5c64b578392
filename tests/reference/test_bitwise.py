"""Reference for built-ins that are compared bit by bit: it shares no code with the library, and agrees with Python."""

from __future__ import annotations

import ast
import itertools
import operator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.reference import bitwise, mpfr
from clmath.reference.bitwise import conversions, expressions, groups, integers, operators, wide
from clmath.reference.bitwise.rounding import of_floats, of_fractions, of_integers
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits

PACKAGE = Path(bitwise.__file__).parent
FACTS = {"clmath.numbers.formats"}  # descriptions of formats, without arithmetic
INTEGERS = [np.dtype(code) for code in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8")]


def imported(path):
    """Return the modules of clmath that a module imports, except imports for type checkers."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for_types = [node for node in ast.walk(tree) if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)]
    ignored = {child for node in for_types for child in ast.walk(node)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node not in ignored and node.module.startswith("clmath"):
            found.add(node.module)
        if isinstance(node, ast.Import) and node not in ignored:
            found |= {alias.name for alias in node.names if alias.name.startswith("clmath")}
    return found


def test_reference_imports_nothing_of_the_library():
    paths = sorted(PACKAGE.glob("*.py"))
    assert len(paths) > 5
    for path in paths:
        others = {name for name in imported(path) if not name.startswith("clmath.reference.bitwise.")}
        assert others <= FACTS, path.name


def some(dtype, count, seed):
    """Return random integers of every length, the ends of the type and powers of two."""
    rng, info = np.random.default_rng(seed), np.iinfo(dtype)
    sampled = rng.integers(info.min, info.max, count, dtype, endpoint=True) >> rng.integers(0, info.bits, count, dtype)
    ends = [info.min, info.min + 1, 0, 1, 2, info.max // 2, info.max // 3, info.max - 1, info.max]
    ends += [1 << k for k in range(info.bits - 1)]
    return np.concatenate([sampled, rng.choice(np.array(ends, dtype), count)])


def wrapped(exact, dtype):
    """Return Python ints modulo 2^n in an integer type."""
    info = np.iinfo(dtype)
    return ((exact - int(info.min)) % 2**info.bits + int(info.min)).astype(dtype)


EXACT = {
    "x + y": (1, operator.add),
    "x - y": (1, operator.sub),
    "-((-x - y) >> 1)": (1, lambda x, y: -((-x - y) >> 1)),
    "x y": (2, operator.mul),
    "(x y >> 64) + x": (2, lambda x, y: ((x * y) >> 64) + x),
    "(x y >> 32) - y": (2, lambda x, y: ((x * y) >> 32) - y),
}


@for_each("name", EXACT)
@for_each("source", INTEGERS)
def test_wide_integers_are_exact(name, source):
    factors, of_two = EXACT[name]
    if "64" in name and source.itemsize < 8:
        return  # int64 cannot be shifted by 64 bits
    x, y = (some(source, 1000, seed) for seed in (1, 2))
    exact, due = of_two(*wide.wide(factors, x, y)), of_two(x.astype(object), y.astype(object))
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        least, most = int(info.min), int(info.max)
        assert_bits(f"{name} wrapped", wide.wrapped(exact, dtype), wrapped(due, dtype), x, y)
        assert_bits(f"{name} saturated", wide.saturated(exact, dtype), np.clip(due, least, most).astype(dtype), x, y)
        is_beyond = ((due < least) | (due > most)).astype(bool)
        assert_bits(f"{name} beyond", wide.is_beyond(exact, dtype), is_beyond, x, y)


@for_each("dtype", INTEGERS)
def test_bit_counts_and_rotations_agree_with_texts_of_digits(dtype):
    x, info = some(dtype, 500, 3), np.iinfo(dtype)
    texts = [format(v % 2**info.bits, f"0{info.bits}b") for v in x.tolist()]
    due = {
        "clz": [len(text.partition("1")[0]) for text in texts],
        "ctz": [len(text.rpartition("1")[2]) for text in texts],
        "popcount": [text.count("1") for text in texts],
    }
    for name, counts in due.items():
        assert_bits(name, integers.INTEGERS[name](x), np.array(counts, dtype), x)
    backwards = wrapped(np.array([int(text[::-1], 2) for text in texts], object), dtype)
    assert_bits("bit_reverse", integers.bit_reverse(x), backwards, x)
    turns = some(dtype, 500, 4)
    turned = [text[k:] + text[:k] for text, k in zip(texts, (turns.astype(object) % info.bits).tolist(), strict=True)]
    due = wrapped(np.array([int(text, 2) for text in turned], object), dtype)
    assert_bits("rotate", integers.rotate(x, turns), due, x, turns)


def low24(info, x):
    low = x % 2**24
    return np.where((low >= 2**23) & (info.min < 0), low - 2**24, low)


BY_PYTHON = {  # functions of the type's limits and of arrays of Python ints
    "abs": lambda _, x: abs(x),
    "abs_diff": lambda _, x, y: abs(x - y),
    "add_sat": lambda info, x, y: np.clip(x + y, int(info.min), int(info.max)),
    "sub_sat": lambda info, x, y: np.clip(x - y, int(info.min), int(info.max)),
    "hadd": lambda _, x, y: (x + y) // 2,
    "rhadd": lambda _, x, y: -((-x - y) // 2),
    "max": lambda _, x, y: np.maximum(x, y),
    "min": lambda _, x, y: np.minimum(x, y),
    "clamp": lambda _, x, least, most: np.minimum(np.maximum(x, least), most),
    "mul_hi": lambda info, x, y: x * y // 2**info.bits,
    "mad_hi": lambda info, x, y, z: x * y // 2**info.bits + z,
    "mad_sat": lambda info, x, y, z: np.clip(x * y + z, int(info.min), int(info.max)),
    "mul24": lambda info, x, y: low24(info, x) * low24(info, y),
    "mad24": lambda info, x, y, z: low24(info, x) * low24(info, y) + z,
}


@for_each("name", BY_PYTHON)
@for_each("dtype", INTEGERS)
def test_sums_and_products_of_integers_agree_with_python(name, dtype):
    if name.endswith("24") and dtype.itemsize != 4:
        return  # mul24 and mad24 exist only for int and uint
    args = [some(dtype, 1000, seed) for seed in range(20, 19 + BY_PYTHON[name].__code__.co_argcount)]
    due = BY_PYTHON[name](np.iinfo(dtype), *(x.astype(object) for x in args))
    result = np.dtype(f"u{dtype.itemsize}") if name in ("abs", "abs_diff") else dtype
    assert_bits(name, integers.INTEGERS[name](*args), wrapped(due, result), *args)


@for_each("kinds", ("uu", "ss", "us", "su"))
def test_dot_products_agree_with_python(kinds):
    bytes_ = {"u": np.dtype("u1"), "s": np.dtype("i1")}
    a, b = (some(bytes_[kind], 2000, seed).reshape(-1, 4) for seed, kind in enumerate(kinds, 30))
    word = np.dtype("u4" if kinds == "uu" else "i4")
    acc, info = some(word, len(a) // 2, 32), np.iinfo(word)
    due = (a.astype(object) * b.astype(object)).sum(axis=-1)
    added = np.clip(due + acc.astype(object), int(info.min), int(info.max))
    packed = [x.view("<u4")[:, 0] for x in (a, b)]
    name = f"4x8packed_{kinds}_{'uint' if kinds == 'uu' else 'int'}"
    for suffix, factors in (("", (a, b)), (f"_{name}", packed)):
        assert_bits(suffix, integers.INTEGERS[f"dot{suffix}"](*factors), due.astype(word), *packed)
        assert_bits(suffix, integers.INTEGERS[f"dot_acc_sat{suffix}"](*factors, acc), added.astype(word), *packed, acc)


@for_each("dtype", INTEGERS)
def test_upsample_agrees_with_python(dtype):
    if dtype.itemsize < 8:
        hi, lo = some(dtype, 500, 33), some(np.dtype(f"u{dtype.itemsize}"), 500, 34)
        due = hi.astype(object) * 2 ** np.iinfo(dtype).bits + lo.astype(object)
        found = integers.INTEGERS["upsample"](hi, lo)
        assert_bits("upsample", found, due.astype(f"{dtype.kind}{2 * dtype.itemsize}"), hi, lo)


@for_each("dtype", INTEGERS)
def test_bit_fields_agree_with_texts_of_digits(dtype):
    width = np.iinfo(dtype).bits
    places = [(offset, count) for offset in range(width + 1) for count in range(width + 1 - offset)]
    offset, count = (np.array(column, np.uint32) for column in zip(*places, strict=True))
    base, insert = (some(dtype, len(places), seed)[: len(places)] for seed in (5, 6))
    for name, field_of in (("unsigned", lambda digits: int(digits or "0", 2)), ("signed", signed)):
        found = getattr(integers, f"bitfield_extract_{name}")(base, offset, count)
        fields = [field_of(digits(b, width)[width - o - c : width - o]) for b, (o, c) in zip(base, places, strict=True)]
        assert_bits(name, found, np.array(fields, object).astype(found.dtype), base, offset, count)
    joined = [
        digits(b, width)[: width - o - c] + digits(i, width)[width - c :] + digits(b, width)[width - o :]
        for b, i, (o, c) in zip(base, insert, places, strict=True)
    ]
    due = wrapped(np.array([int(text, 2) for text in joined], object), dtype)
    assert_bits("insert", integers.bitfield_insert(base, insert, offset, count), due, base, insert, offset, count)


def digits(number, width):
    return format(int(number) % 2**width, f"0{width}b")


def signed(text):
    return int(text or "0", 2) - (1 << len(text) if text.startswith("1") else 0)


@for_each("dtype", INTEGERS)
def test_quotients_and_remainders_agree_with_fractions(dtype):
    x, y = (some(dtype, 3000, seed) for seed in (7, 8))
    exact = [(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    quotients = [-1 if b == 0 else int(Fraction(a, b)) for a, b in exact]
    rests = [a if b == 0 else a - b * int(Fraction(a, b)) for a, b in exact]
    for name, due in (("div", quotients), ("rem", rests)):
        found = operators.applied(name, dtype, x, y)
        assert_bits(name, found, wrapped(np.array(due, object), dtype), x, y)
    most = np.iinfo(dtype).max
    is_undefined = np.array([b == 0 or q > most for (_, b), q in zip(exact, quotients, strict=True)])
    assert_bits("undefined", operators.is_no_quotient(x, y), is_undefined, x, y)


def floats(form, count, seed):
    """Return random encodings, numbers of similar sizes, and special values."""
    rng = np.random.default_rng(seed)
    any_ = form.from_bits(rng.integers(0, 1 << form.width, count, np.uint64).astype(form.bits_dtype))
    like = (rng.standard_normal(count) * 2.0 ** rng.integers(-3, 4, count)).astype(form.dtype)
    one = [0.0, 1.0, 1 + form.eps, 1 - form.eps / 2, form.largest, form.smallest_normal, form.smallest_subnormal]
    few = rng.choice(np.array([*one, 0.5, 1.5, 2.0, np.inf, np.nan], form.dtype), count)
    return np.choose(rng.integers(0, 3, count), [any_, like, few * rng.choice([-1, 1], count).astype(form.dtype)])


def fractions(values):
    return [Fraction(v) for v in np.where(np.isfinite(values), values, 0).astype(np.float64).tolist()]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_exact_numbers_equal_fractions(form):
    x, y = floats(form, 3000, 9), some(np.dtype(np.int64), 2000, 10)
    for values, found in ((fractions(x), of_floats(np.where(np.isfinite(x), x, 0))), (y.tolist(), of_integers(y))):
        parts = zip(found.minus, found.size.tolist(), found.exponent.tolist(), strict=True)
        assert [(-1 if minus else 1) * size * Fraction(2) ** e for minus, size, e in parts] == values


@pytest.mark.parametrize("form", FORMATS, ids=str)
@for_each("mode", MODES)
def test_fractions_are_rounded_to_the_neighbour_of_the_mode(form, mode):
    values = fractions(floats(form, 600, 11))
    exact = [v * (1 + Fraction(k % 7 - 3, 3 * 2**form.precision)) for k, v in enumerate(values)]
    rounded = of_fractions(exact).in_format(form, mode)
    for v, found in zip(exact, rounded.astype(np.float64).tolist(), strict=True):
        down, up = neighbours(v, form)
        if down == up:
            assert found == v
        elif mode == "rte":
            assert found == beyond(
                down if v - down < up - v or (v - down == up - v and is_even(down, form)) else up, form
            )
        else:
            toward = {"rtp": up, "rtn": down, "rtz": down if v > 0 else up}[mode]
            assert found == beyond(toward, form, to_largest=abs(toward) < abs(v))


def unit_of(v, form):
    """Return the ulp of a fraction in a format with unbounded exponents above."""
    exponent = v.numerator.bit_length() - v.denominator.bit_length() - form.precision
    if abs(v) >= Fraction(2) ** (exponent + form.precision):
        exponent += 1
    return Fraction(2) ** max(exponent, form.quantum)


def neighbours(v, form):
    """Return the multiples of the ulp below and above a fraction."""
    unit = unit_of(v, form)
    return (v // unit) * unit, -(-v // unit) * unit


def is_even(v, form):
    return int(v / unit_of(v, form)) % 2 == 0


def beyond(v, form, *, to_largest=False):
    """Return a number, or its result on overflow: infinity or the largest number."""
    if abs(v) <= Fraction(form.largest):
        return v
    return (1 if v > 0 else -1) * (form.largest if to_largest else np.inf)


@for_each("mode", MODES)
def test_conversions_to_integers_agree_with_python(mode):
    x = np.concatenate([floats(DOUBLE, 600, 12), np.arange(-20, 20) / 4, [2.0**63, 2.0**64, -(2.0**63), 255.5]])
    for dtype in INTEGERS:
        info = np.iinfo(dtype)
        rounding = {"rte": round, "rtz": int, "rtp": lambda v: -(-v // 1), "rtn": lambda v: v // 1}[mode]
        due = [int(np.clip(rounding(v), int(info.min), int(info.max))) for v in fractions(x)]
        due = [
            d if np.isfinite(v) else {np.inf: info.max, -np.inf: info.min}.get(v, 0)
            for d, v in zip(due, x, strict=True)
        ]
        assert_bits(mode, conversions.converted(x, dtype, mode), np.array(due, object).astype(dtype), x)


TERMS = {"add": [1, 1], "mul": [2], "fma": [2, 1]}


@pytest.mark.parametrize("form", FORMATS, ids=str)
@for_each("mode", MODES)
def test_sums_and_products_agree_with_mpfr(form, mode):
    for name, counts in TERMS.items():
        columns = cancelling(form, 1500, sum(counts))
        given = iter(columns)
        found = expressions.evaluated([[next(given) for _ in range(count)] for count in counts], form, mode)
        evaluate = mpfr.rounded_operation(name, form, mode)
        with np.errstate(invalid="ignore"):  # signaling NaNs
            rows = zip(*(c.astype(np.float64).tolist() for c in columns), strict=True)
        due = [float(evaluate(*row)[0]) for row in rows]
        assert_bits(f"{name}, {mode}", found, np.array(due).astype(form.dtype), *columns)


@pytest.mark.parametrize("form", FORMATS, ids=str)
@for_each("mode", MODES)
def test_sums_of_two_products_agree_with_fractions(form, mode):
    a, b, c, d = (np.where(np.isfinite(v), v, 1) for v in cancelling(form, 1500, 4))
    found = expressions.evaluated([(a, b), (c, d)], form, mode)
    exact = [p * q + r * s for p, q, r, s in zip(*map(fractions, (a, b, c, d)), strict=True)]
    is_zero = np.array([v == 0 for v in exact])
    due = of_fractions(exact).in_format(form, mode)
    assert_bits(mode, found[~is_zero], due[~is_zero], *(v[~is_zero] for v in (a, b, c, d)))
    signs = np.signbit(a) != np.signbit(b), np.signbit(c) != np.signbit(d)
    minus = np.where(signs[0] == signs[1], signs[0], mode == "rtn")
    assert is_zero.any()
    assert (np.signbit(found) == minus)[is_zero].all()
    assert not found[is_zero].any()


def cancelling(form, count, numbers):
    """Return columns of numbers whose products often cancel each other, or cancel up to rounding."""
    columns = [floats(form, count, seed) for seed in range(13, 13 + numbers)]
    if numbers > 2:
        with np.errstate(all="ignore"):
            columns[2][: count // 3] = -(columns[0] * columns[1])[: count // 3]
    for other in columns[3:]:
        other[: count // 4] = 1
    columns[-1][-count // 4 :] = columns[0][-count // 4 :]
    columns[-2][-count // 4 :] = -columns[-3 % numbers][-count // 4 :]
    return columns


@for_each("form", FORMATS)
@for_each("spread", (1, 12, 60))
@for_each("over", ("reduce", "scan_inclusive"))
def test_sums_of_groups_agree_with_fractions(form, spread, over):
    rng = np.random.default_rng(spread)
    steps = rng.integers(-spread, spread + 1, (150, 9))
    x = np.ldexp(rng.integers(1 - 2**form.precision, 2**form.precision, steps.shape), steps - spread // 2)
    with np.errstate(over="ignore", under="ignore"):
        x = x.astype(form.dtype)
    x = np.where(np.isfinite(x), x, form.dtype.type(1))
    x[:50, 2] = -x[:50, 0]
    x[25:75, 3:] *= rng.integers(0, 2, (50, 6)).astype(form.dtype)
    totals = np.array(
        [[sum(map(Fraction, row[: n + 1].tolist())) for n in range(9)] for row in x.astype(float)], object
    )
    totals = totals[:, -1:] if over == "reduce" else totals
    due = of_fractions(totals.reshape(-1)).in_format(form, "rte").reshape(totals.shape)
    found = groups.group_sum(x, over, "rte")
    assert ((found == due) | (np.isnan(found) & np.isnan(due))).all()


@for_each("form", FORMATS)
@for_each("mode", MODES)
def test_every_order_of_additions_is_within_the_range(form, mode):
    rng = np.random.default_rng(7)
    x = np.ldexp(rng.integers(1 - 2**form.precision, 2**form.precision, (60, 4)), rng.integers(-3, 4, (60, 4)))
    x = (x / 2.0**form.precision).astype(form.dtype)
    x[::3, 3] = -x[::3, 0]
    low, high = (end[:, 0] for end in groups.group_sum_range(x, "reduce", mode))
    found = np.stack(orders_of([*x.T], lambda a, b: expressions.evaluated([[a], [b]], form, mode)))
    assert (found >= low).all()
    assert (found <= high).all()
    assert (low < high).any()
    if mode == "rte":  # in other modes errors have one sign, which the range does not use
        assert ((found.min(axis=0) == low) | (found.max(axis=0) == high)).any()


def orders_of(numbers, add):
    """Return the sums of numbers in every order of additions."""
    if len(numbers) == 1:
        return numbers
    found = []
    for i, j in itertools.combinations(range(len(numbers)), 2):
        others = [v for k, v in enumerate(numbers) if k not in (i, j)]
        found += orders_of([add(numbers[i], numbers[j]), *others], add)
    return found


def test_conversion_to_the_same_type_keeps_the_bits():
    signaling = np.array([0x7FF0000000000001, 0x8000000000000000], np.uint64).view(np.float64)
    assert conversions.converted(signaling, np.dtype(np.float64), "rtp").tobytes() == signaling.tobytes()
    assert conversions.converted(signaling, np.dtype(np.float16), "rtp").view(np.uint16).tolist() == [0x7E00, 0x8000]


def test_every_conversion_has_the_requested_type():
    kinds = [np.dtype(code) for code in ("?", "f2", "f4", "f8")] + INTEGERS
    for source, target in itertools.product(kinds, kinds):
        assert conversions.converted(np.ones(3).astype(source), target, "rte").dtype == target
