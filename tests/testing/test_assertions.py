"""Assertions pass correct results and explain wrong ones."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import clmath
from clmath.call import by_reference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from clmath.testing import assert_conforms, assert_correctly_rounded, assert_ulp
from tests.cases import for_each

X = np.float32([0.5, 1.0, 3.1415925, -0.0, np.inf])


def nudged(values, where, steps=1):
    """Return ``values`` with the encoding at ``where`` moved by ``steps``."""
    changed = np.array(values)
    changed.view(f"i{changed.dtype.itemsize}")[where] += steps
    return changed


@for_each("mode", MODES)
def test_correct_results_pass(mode):
    assert_correctly_rounded(clmath.sin(X, rounding=mode), "sin", (X,), rounding=mode)
    assert_correctly_rounded(clmath.sincos(X, rounding=mode), "sincos", (X,), rounding=mode)
    assert_correctly_rounded(clmath.ldexp(X, 3, rounding=mode), "ldexp", (X, 3), rounding=mode)
    assert_correctly_rounded(clmath.length(X[:3], rounding=mode), "length", (X[:3],), rounding=mode)
    assert_correctly_rounded(clmath.sin(X, rounding=mode).astype(">f4"), "sin", (X,), rounding=mode)
    assert_correctly_rounded(clmath.hypot(X[:, None], X, rounding=mode), "hypot", (X[:, None], X), rounding=mode)


def test_message_for_one_wrong_result():
    x = FLOAT.from_bits(np.uint32(0x40490FDA))[()]
    wrong = FLOAT.from_bits(np.uint32(0x34222169))[()]  # correct in rte
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(wrong, "sin", (x,), rounding="rtz")
    first, second = str(caught.value).splitlines()
    assert first == (
        "sin(0x1.921fb4p+1 = 3.1415925) [0x40490fda]: "
        "got 0x1.4442d2p-23 = 1.509958e-07 [0x34222169], want 0x1.4442dp-23 = 1.5099579e-07 [0x34222168] (+1 ulp), rtz"
    )
    assert second == (
        "replay: args = (np.uint32(0x40490fda).view('float32'),); "
        "assert_correctly_rounded(f(*args), 'sin', args, rounding='rtz')"
    )


@for_each(
    "name, args, change, message",
    [
        (
            "fabs",
            (np.float16(-2),),
            lambda r: -r,
            (
                "fabs(-0x1p+1 = -2.0) [0xc000]: got -0x1p+1 = -2.0 [0xc000], "
                "want 0x1p+1 = 2.0 [0x4000] (-32768 ulp), rte\n"
            ),
        ),
        (
            "fabs",
            (np.float16(-0.0),),
            lambda r: -r,
            (
                "fabs(-0x0p+0 = -0.0) [0x8000]: got -0x0p+0 = -0.0 [0x8000], "
                "want 0x0p+0 = 0.0 [0x0000] (wrong sign of zero), rte\n"
            ),
        ),
        (
            "fabs",
            (np.float16("nan"),),
            lambda _: np.float16(1),
            "fabs(nan) [0x7e00]: got 0x1p+0 = 1.0 [0x3c00], want nan [0x7e00], rte\n",
        ),
        (
            "fabs",
            (np.float16(1),),
            lambda _: np.float16("nan"),
            "fabs(0x1p+0 = 1.0) [0x3c00]: got nan [0x7e00], want 0x1p+0 = 1.0 [0x3c00], rte\n",
        ),
        (
            "frexp",
            (np.float32(3),),
            lambda r: (r[0], r[1] + 1),
            "frexp(0x1.8p+1 = 3.0).exp [0x40400000]: got 3, want 2, rte\n",
        ),
        (
            "ldexp",
            (np.float32(1), -3),
            lambda r: r * 2,
            "ldexp(0x1p+0 = 1.0, -3) [0x3f800000, -3]: got 0x1p-2 = 0.25 [0x3e800000], want",
        ),
        (
            "cross",
            (np.float64([1, 0, 0]), np.float64([0, 1, 0])),
            lambda r: r * [1, 1, 2],
            (
                "cross((0x1p+0 = 1.0, 0x0p+0 = 0.0, 0x0p+0 = 0.0), (0x0p+0 = 0.0, 0x1p+0 = 1.0, 0x0p+0 = 0.0))[2] "
                "[(0x3ff0000000000000, 0x0000000000000000,"
            ),
        ),
        (
            "nan",
            (np.uint16(1),),
            lambda _: np.float16(0),
            "nan(1) [1]: got 0x0p+0 = 0.0 [0x0000], want nan [0x7e01], rte\n",
        ),
    ],
)
def test_failures_show_the_call_and_its_bits(name, args, change, message):
    with np.errstate(all="ignore"):
        wrong = change(getattr(clmath, name)(*args))
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(wrong, name, args)
    assert str(caught.value).startswith(message)


def test_distances_have_few_digits():
    with pytest.raises(AssertionError, match=r"\(-4\.607e\+18 ulp\), rte\n"):
        assert_correctly_rounded(np.float64(0.0), "cos", (np.float64(0.0),))
    with pytest.raises(AssertionError, match=r"\(\+9\.007e\+53 ulp\), not within"):
        assert_conforms(np.float32(1e38), "sin", (np.float32(1e-9),))
    with pytest.raises(AssertionError, match=r"want 0x0p\+0 = 0\.0 .* \(wrong sign of zero\), fabs\(±0\) = \+0 "):
        assert_conforms(np.float32(-0.0), "fabs", (np.float32(0.0),))


def test_failures_are_counted_and_the_first_are_shown():
    x = np.arange(1, 51, dtype=np.float64)
    right = clmath.sqrt(x)
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(nudged(right, slice(10, 30), -1), "sqrt", (x,))
    lines = str(caught.value).splitlines()
    assert len(lines) == 7
    assert lines[0].startswith("sqrt(0x1.6p+3 = 11.0) [0x4026000000000000] at index 10: got")
    assert lines[0].endswith("(-1 ulp), rte")
    assert lines[5] == "20 of 50 results are not correctly rounded"
    assert lines[6].startswith("replay: ")


@for_each("assertion", [assert_correctly_rounded, assert_conforms])
@for_each(
    "actual, message",
    [
        (np.float64(0.0), r"sin\(\): expected float32 of shape \(2,\), got float64 of shape \(\): give the"),
        (np.zeros(3, np.float32), r"sin\(\): expected shape \(2,\), got \(3,\): give the whole result"),
        (np.zeros(2, np.int32), r"sin\(\): expected dtype float32, got int32: give it as float32"),
        ((np.zeros(2, np.float32),) * 2, r"sin\(\): the number of results is 2; 1 is due: give one array"),
    ],
)
def test_results_of_the_wrong_type_or_shape_fail(assertion, actual, message):
    with pytest.raises(AssertionError, match=message):
        assertion(actual, "sin", (np.float32([1, 2]),))


@pytest.mark.parametrize("assertion", [assert_correctly_rounded, assert_conforms])
def test_invalid_calls_raise_as_the_built_in_does(assertion):
    with pytest.raises(clmath.UnknownNameError, match="sine"):
        assertion(np.float32(0), "sine", (np.float32(0),))
    with pytest.raises(clmath.RoundingError, match="rounding='up'"):
        assertion(np.float32(0), "sin", (np.float32(0),), rounding="up")
    with pytest.raises(clmath.DTypeError, match="int64"):
        assertion(np.float32(0), "sin", (np.array([1]),))
    with pytest.raises(clmath.DTypeError, match=rf"^{assertion.__name__}\(\): args is of type float32; .*: \(x,\)$"):
        assertion(np.float32(0), "sin", np.float32(0))
    with pytest.raises(clmath.ShapeError, match=r"args holds 1 arguments; atan2 takes 2: \(y, x\)$"):
        assertion(np.float32(0), "atan2", (np.float32(0),))
    with pytest.raises(clmath.ShapeError, match=r"args holds 0 arguments; popcount takes 1: \(x,\)$"):
        assertion(np.int32(1), "popcount", ())
    with pytest.raises(clmath.UnknownNameError, match="profile='fast' is not one of 'full'"):
        assert_conforms(np.float32(0), "sin", (np.float32(0),), profile="fast")


class TestFormulas:
    """Built-ins that the specification defines by an expression have no correctly rounded result."""

    @pytest.mark.parametrize(
        "name, formula", [("mix", r"x \+ \(y - x\) \* a"), ("smoothstep", r"t \* t \* \(3 - 2 \* t\)")]
    )
    def test_formula_is_refused_and_the_remedy_works(self, name, formula):
        args = tuple(np.float32([0.1, 0.9, 0.3]))
        actual = getattr(clmath, name)(*args)
        with pytest.raises(clmath.RangeError, match=rf"name='{name}' is the formula {formula}.*; use assert_conforms"):
            assert_correctly_rounded(actual, name, args)
        assert_conforms(actual, name, args)

    @pytest.mark.parametrize("name", ["mad", "dot", "cross"])
    def test_contracted_sum_of_products_is_rounded_once(self, name):
        vector = np.float32([0.1, 0.7, 0.3])
        args = (vector,) * (3 if name == "mad" else 2)
        assert_correctly_rounded(getattr(clmath, name)(*args), name, args)
        with clmath.fp_contract("OFF"):
            actual = getattr(clmath, name)(*args)
            with pytest.raises(clmath.RangeError, match=rf"name='{name}' under fp_contract\('OFF'\) is the formula"):
                assert_correctly_rounded(actual, name, args)

    def test_table_lists_exactly_the_built_ins_with_other_results(self):
        """All others are correctly rounded with and without contraction, as the README says."""
        rng = np.random.default_rng(3)
        for state in ("ON", "OFF"):
            for row in builtins().values():
                components = max(row.widths, default=0)
                shape = (300, components) if components else 300
                args = tuple(
                    rng.integers(-5, 6, shape).astype(np.int32)
                    if p.type == "intn"
                    else rng.integers(0, 99, shape, np.uint32)
                    if p.type == "nancode"
                    else rng.uniform(0.1, 3.0, shape).astype(np.float32)
                    for p in row.inputs
                )
                with clmath.fp_contract(state):
                    got = getattr(clmath, row.name)(*args)
                nearest = by_reference(row.name, args, "rte")
                pairs = zip(got, nearest, strict=True) if isinstance(got, tuple) else [(got, nearest)]
                same = all(np.array_equal(g, n, equal_nan=True) for g, n in pairs)
                assert same != bool(row.formula or (state == "OFF" and row.uncontracted)), (row.name, state)


class TestConforms:
    """Verdicts equal those that an audit gives."""

    def test_errors_within_the_limit_pass(self):
        right = clmath.sin(X[:3])
        for steps in (-3, 0, 3):  # sin is allowed errors of 4 ulp
            assert_conforms(nudged(right, slice(None), steps), "sin", (X[:3],))

    def test_errors_beyond_the_limit_fail(self):
        with pytest.raises(AssertionError) as caught:
            assert_conforms(nudged(clmath.sin(X[:2]), 1, 6), "sin", (X[:2],))
        first, *others = str(caught.value).splitlines()
        assert first.startswith(
            "sin(0x1p+0 = 1.0) [0x3f800000] at index 1: "
            "got 0x1.aed554p-1 = 0.8414713 [0x3f576aaa], want 0x1.aed548p-1 = 0.84147096 [0x3f576aa4] (+5.53"
        )
        assert first.endswith(" ulp), not within the limit: 4 ulp")
        assert others == [
            "1 of 2 inputs fails: 1 x not within the limit: 4 ulp",
            "limit: 4 ulp (OpenCL C++ 1.0, 4.4, table 35)",
            "replay: args = (np.uint32(0x3f800000).view('float32'),); assert_conforms(f(*args), 'sin', args)",
        ]

    def test_prescribed_results_have_no_tolerance(self):
        with pytest.raises(
            AssertionError,
            match=r"sin\(-0x0p\+0 = -0\.0\) .*: got 0x0p\+0 = 0\.0 \[0x00000000\], want -0x0p",
        ):
            assert_conforms(np.float32(0.0), "sin", (np.float32(-0.0),))

    def test_limit_depends_on_the_profile(self):
        wide = nudged(clmath.cbrt(X[:2]), 0, 3)
        assert_conforms(wide, "cbrt", (X[:2],), profile="embedded")
        with pytest.raises(AssertionError, match="not within the limit: 2 ulp"):
            assert_conforms(wide, "cbrt", (X[:2],))

    def test_mode_matters_where_results_must_be_equal(self):
        x, y = np.float32(1), np.float32(2**-30)
        up = clmath.add(x, y, rounding="rtp")
        assert_conforms(up, "add", (x, y), rounding="rtp")
        with pytest.raises(AssertionError, match="not within the limit: correctly rounded"):
            assert_conforms(up, "add", (x, y))

    def test_subnormals_may_be_flushed_if_declared(self):
        x = np.float32(1e-40)
        assert_conforms(np.float32(0), "sin", (x,), flushes=True)
        with pytest.raises(AssertionError, match="flushed"):
            assert_conforms(np.float32(0), "sin", (x,))

    @pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
    def test_vectors_are_judged(self, form):
        p = np.array([[1, 2, 3], [0, 0, 0]], form.dtype)
        assert_conforms(clmath.normalize(p), "normalize", (p,))
        assert_conforms(clmath.dot(p, p[0]), "dot", (p, p[0]))
        if form is HALF:  # float and double have no limit
            with pytest.raises(
                AssertionError, match=r"normalize\(\(0x1p\+0 = 1\.0, 0x1p\+1 = 2\.0, .*\)\)\[1\] .*: got"
            ):
                assert_conforms(clmath.normalize(p) + np.array([[0, 1, 0], [0, 0, 0]], form.dtype), "normalize", (p,))
        with pytest.raises(AssertionError, match=r"normalize.* = p for all elements zero"):
            assert_conforms(-p, "normalize", (p,))


def failure(assertion, *args, **options):
    """Return the text of an assertion that must fail."""
    with pytest.raises(AssertionError) as caught:
        assertion(*args, **options)
    return str(caught.value)


class TestTheWorstComeFirst:
    """Messages show the five results with the largest errors and count the rest."""

    X = np.linspace(1, 2, 30, dtype=np.float32)
    STEPS = np.resize([10, -70, 30], 30)

    def wrong(self):
        changed = clmath.sin(self.X)
        changed.view(np.int32)[...] += self.STEPS.astype(np.int32)
        changed[17] = np.nan
        return changed

    @pytest.mark.parametrize(
        "assertion, options",
        [(assert_conforms, {}), (assert_correctly_rounded, {}), (assert_ulp, {"limit": 4})],
        ids=lambda v: getattr(v, "__name__", ""),
    )
    def test_largest_errors_come_first_in_every_assertion(self, assertion, options):
        text = failure(assertion, self.wrong(), "sin", (self.X,), **options).splitlines()
        assert text[0].startswith("sin(")
        assert " at index 17: got nan [" in text[0]
        assert all(" (-6" in line or " (-7" in line for line in text[1:5])
        assert text[5].startswith(("30 of 30 results are ", "30 of 30 inputs fail: "))

    def test_index_has_every_axis(self):
        x = self.X.reshape(2, 3, 5)
        text = failure(assert_correctly_rounded, self.wrong().reshape(2, 3, 5), "sin", (x,))
        assert " at index (1, 0, 2): got nan [" in text.splitlines()[0]

    def test_largest_errors_come_first_against_exact_values(self):
        text = failure(assert_ulp, np.float32([1, 1.5, 2]), np.array([1, 1, 1]), limit=0.5).splitlines()
        assert text[0] == "result at index 2: got 0x1p+1 = 2.0 [0x40000000], want 1 (+1.678e+07 ulp), more than 0.5 ulp"
        assert text[2] == "2 of 3 results are off by more than 0.5 ulp"

    def test_exact_values_have_few_digits(self):
        with mpmath.workdps(90):
            third = mpmath.mpf(1) / 3
            for exact in (
                Fraction(10**80 + 1, 3 * 10**80),
                third,
                third * mpmath.mpf(10) ** 85,
                Decimal(f"{third}e-300"),
            ):
                text = failure(assert_ulp, np.float32(2), exact, limit=1)
                assert re.search(r"want [03]\.3{10}", text)
                assert max(map(len, re.findall(r"[\d.]+", text))) <= 23

    def test_wrong_zeros_come_last(self):
        x = np.float32([-0.0, 1.0])
        text = failure(assert_conforms, np.float32([0.0, 1.0]), "sin", (x,)).splitlines()
        assert text[0].startswith("sin(0x1p+0 = 1.0)")
        assert "(wrong sign of zero), sin(±0) = ±0" in text[1]


class TestReplay:
    """The last line repeats the failure with only the function, the assertion and NumPy imported."""

    @for_each(
        "name, args, change, options",
        [
            ("sin", (np.float32([1, 2, 3]),), lambda r: r * np.float32(1.5), {}),
            ("sin", (np.float16([1, 2, 3]),), lambda r: r * np.float16(1.5), {"profile": "embedded"}),
            ("fabs", (np.uint64([0x7FF8000000000123]).view(np.float64),), np.ones_like, {}),
            ("pown", (np.float32([1, 2]), np.int32([3, -4])), lambda r: r + 1, {"rounding": "rtz"}),
            ("hypot", (np.float32([[1], [2]]), np.float32([3, -4])), lambda r: -r, {"flushes": True}),
            ("normalize", (np.float32([[1, 2, 3]]),), lambda r: -r, {}),
            ("length", (np.float32(3),), lambda r: -r, {}),
            ("sincos", (np.float64([0.5]),), lambda r: (r[0], -r[1]), {}),
            ("nan", (np.uint32([7]),), np.nan_to_num, {}),
            ("mad_sat", (np.int8([100]), np.int8([100]), np.int8(3)), lambda r: r + np.int8(1), {}),
            ("isnan", (np.float16([1]),), lambda r: r + np.int32(1), {}),
            ("convert_uchar4", (np.float32([[1, 2, 3, 4]]),), lambda r: r + 1, {}),
            ("convert_half", (np.float64([1 / 3]),), lambda r: -r, {"rounding": "rtz"}),
            ("any", (np.int8([[1, 0]]),), lambda r: r + 1, {}),
        ],
    )
    def test_replay_line_fails_in_the_same_way(self, name, args, change, options):
        def broken(*given):
            with clmath.select_rounding_mode(options.get("rounding", "rte")), np.errstate(all="ignore"):
                return change(getattr(clmath, name)(*given))

        text = failure(assert_conforms, broken(*args), name, args, **options)
        line = text.splitlines()[-1]
        assert line.startswith("replay: args = ")
        with pytest.raises(AssertionError) as again:
            exec(line.removeprefix("replay: "), {"np": np, "f": broken, "assert_conforms": assert_conforms})  # noqa: S102
        first, _, rest = text.splitlines()[0].partition(" at index ")
        assert str(again.value).startswith(first)
        assert str(again.value).splitlines()[0].endswith(rest.partition(": ")[2])


class TestEveryBitCounts:
    """Integers, comparisons and conversions have one correct result."""

    @for_each("assertion", [assert_conforms, assert_correctly_rounded])
    @for_each(
        "name, args",
        [
            ("mad_sat", (np.int8([100, -100]), np.int8(100), np.int8(1))),
            ("clamp", (np.int8([100, -100]), np.int8(-3), np.int8(1))),
            ("max", (np.float32([1, 2]), np.float32(1))),
            ("popcount", (np.arange(5, dtype=np.uint16),)),
            ("isless", (np.float64([1, np.nan]), np.float64([2, 2]))),
            ("convert_half", (np.float64([1 / 3, np.nan]),)),
            ("convert_uchar_sat_rte", (np.float32([2.5, 300]),)),
            ("as_int", (np.float32([1, 2]),)),
        ],
    )
    def test_correct_results_pass_and_wrong_ones_fail(self, assertion, name, args):
        right = getattr(clmath, name)(*args)
        assertion(right, name, args)
        with pytest.raises(AssertionError, match=rf"{name}\("):
            assertion(nudged(right, 0, -9), name, args)

    def test_mode_applies_to_a_conversion_without_a_mode(self):
        x = np.float64([1 / 3])
        down = clmath.convert_half_rtz(x)
        up = clmath.convert_half_rtp(x)
        assert_conforms(up, "convert_half", (x,), rounding="rtp")
        text = failure(assert_conforms, down, "convert_half", (x,), rounding="rtp")
        assert "(-1 ulp), correctly rounded (OpenCL C++ 1.0, 3.2), rtp" in text
        assert_conforms(down, "convert_half_rtz", (x,), rounding="rtp")

    def test_section_is_named(self):
        text = failure(assert_conforms, np.int8(0), "mad_sat", (np.int8(100),) * 3)
        assert text.startswith(
            "mad_sat(100, 100, 100) [100, 100, 100]: got 0, want 127, every bit counts (OpenCL C++ 1.0, 3.20.3)"
        )

    def test_payloads_of_nan_matter_where_bits_are_moved(self):
        x = np.uint32([0x7FC00001]).view(np.float32)
        other = np.uint32([0x7FC00002]).view(np.float32)
        with pytest.raises(AssertionError, match=r"want nan \[0x7fc00001\]"):
            assert_conforms(other, "bitselect", (x, x, x))
        assert_conforms(other, "convert_float", (np.float64([np.nan]),))

    def test_wrong_sign_of_zero_is_named(self):
        text = failure(assert_conforms, np.float16(0.0), "convert_half", (np.float64(-0.0),))
        assert "(wrong sign of zero)" in text

    def test_results_of_the_wrong_type_or_shape_fail(self):
        text = failure(assert_conforms, np.int16([1]), "popcount", (np.int8([1]),))
        assert text == "popcount(): expected dtype int8, got int16: give it as int8"


class TestUlp:
    """``assert_ulp`` accepts errors up to any number of ulp."""

    def test_limit_decides(self):
        off = nudged(clmath.sin(X[:3]), 1, 2)
        assert_ulp(off, "sin", (X[:3],), limit=2.6)
        text = failure(assert_ulp, off, "sin", (X[:3],), limit=1.5)
        assert text.startswith(
            "sin(0x1p+0 = 1.0) [0x3f800000] at index 1: got 0x1.aed54cp-1 = 0.8414711 [0x3f576aa6], want 0x1.aed548p-1"
        )
        assert "(+1.530 ulp), more than 1.5 ulp" in text
        assert text.splitlines()[-1].endswith("assert_ulp(f(*args), 'sin', args, limit=1.5)")

    def test_error_is_measured_before_rounding(self):
        assert_ulp(clmath.sin(X[:2]), "sin", (X[:2],), limit=0.5)
        with pytest.raises(AssertionError, match=r"\(-0\.470 ulp\), more than 0\.4 ulp"):
            assert_ulp(clmath.sin(X[:2]), "sin", (X[:2],), limit=0.4)

    def test_nan_for_a_number_exceeds_every_limit(self):
        with pytest.raises(AssertionError, match=r"sqrt\(0x1p\+0 = 1\.0\).*got nan"):
            assert_ulp(np.float32(np.nan), "sqrt", (np.float32(1),), limit=1e300)
        assert_ulp(np.float32(np.nan), "sqrt", (np.float32(-1),), limit=0)

    def test_several_results_are_named(self):
        sine, cosine = clmath.sincos(np.float32(1))
        with pytest.raises(AssertionError, match=r"sincos\(0x1p\+0 = 1\.0\).cosval \["):
            assert_ulp((sine, -cosine), "sincos", (np.float32(1),), limit=4)

    def test_invalid_limits_raise(self):
        for limit in (-1, np.nan, "4 ulp", None):
            with pytest.raises(clmath.RangeError, match=r"assert_ulp\(\): limit=.* is not a number of ulp, 0 or more"):
                assert_ulp(X, "sin", (X,), limit=limit)


def test_editions_are_accepted_by_name():
    assert_conforms(clmath.sin(X), "sin", (X,), edition="opencl-c++-1.0")
    with pytest.raises(clmath.UnknownNameError, match=r"edition='opencl-c-9' is not one of 'opencl-c\+\+-1.0'"):
        assert_conforms(clmath.sin(X), "sin", (X,), edition="opencl-c-9")


def test_single_exact_results_are_judged():
    """A single correct result once made NumPy refuse the indices of wrong results."""
    assert_conforms(clmath.popcount(np.int8(3)), "popcount", (np.int8(3),))
    assert_conforms(clmath.convert_half(0.1), "convert_half", (0.1,))
    with pytest.raises(AssertionError, match=r"^popcount\(3\) \[3\]: got 1, want 2, "):
        assert_conforms(np.int8(1), "popcount", (np.int8(3),))


@pytest.mark.parametrize("assertion", [assert_conforms, assert_correctly_rounded])
@pytest.mark.parametrize("name", ["sin", "isfinite"])
def test_masked_arrays_are_refused(assertion, name):
    x = np.ma.masked_array(np.float32([0.5, 1.0, 1.5]), [False, True, False])
    result = getattr(clmath, name)(x)
    with pytest.raises(clmath.errors.DTypeError, match=r"masked at 1 of 3 elements.*compressed\(\)"):
        assertion(result.data, name, (x,))
    with pytest.raises(clmath.errors.DTypeError, match="actual is masked at 1 of 3"):
        assertion(result, name, (x.data,))
    assertion(result.compressed(), name, (x.compressed(),))
    with pytest.raises(clmath.errors.DTypeError, match="masked at 1 of 3"):
        assert_ulp(np.ma.masked_array([1.0, 2.0, 3.0], [True, False, False]), [1.0, 2.0, 3.0], limit=1)
    nothing_masked = np.ma.masked_array(x.data)
    assertion(getattr(clmath, name)(nothing_masked), name, (nothing_masked,))


def test_result_that_one_edition_allows():
    x = np.float16(2.0)
    below = np.nextafter(clmath.sqrt(x), np.float16(0.0))  # wrong by less than 1.5 ulp, and not correctly rounded
    assert_conforms(below, "sqrt", (x,), edition="opencl-c-3.1.1")
    with pytest.raises(AssertionError, match=r"limit: correctly rounded \(cl_khr_fp16"):
        assert_conforms(below, "sqrt", (x,))
    wrong = np.nextafter(below, np.float16(0.0))
    with pytest.raises(AssertionError, match=r"limit: 1.5 ulp \(OpenCL C 3.1.1") as caught:
        assert_conforms(wrong, "sqrt", (x,), edition="opencl-c-3.1.1")
    assert "edition='opencl-c-3.1.1'" in str(caught.value)  # the replay line
    assert clmath.limit("sqrt", "half").text == "correctly rounded"
    assert clmath.limit("sqrt", "half", edition="opencl-c-3.1.1").text == "1.5 ulp"


@for_each("keyword", ["flushes", "vector"])
@for_each("value", ["no", 1, None])
def test_flags_must_be_true_or_false(keyword, value):
    with pytest.raises(
        clmath.DTypeError, match=rf"^assert_conforms\(\): {keyword}={value!r} is .*; give True or False$"
    ):
        assert_conforms(np.float32(0), "sin", (np.float32(0),), **{keyword: value})
