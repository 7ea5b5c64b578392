"""Assertions pass what is right, and explain what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.call import by_reference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from clmath.testing import assert_conforms, assert_correctly_rounded

X = np.float32([0.5, 1.0, 3.1415925, -0.0, np.inf])


def nudged(values, where, steps=1):
    """``values`` with the encoding at ``where`` moved."""
    changed = np.array(values)
    changed.view(f"i{changed.dtype.itemsize}")[where] += steps
    return changed


@pytest.mark.parametrize("mode", MODES)
def test_right_results_pass(mode):
    assert_correctly_rounded(clmath.sin(X, rounding=mode), "sin", (X,), rounding=mode)
    assert_correctly_rounded(clmath.sincos(X, rounding=mode), "sincos", (X,), rounding=mode)
    assert_correctly_rounded(clmath.ldexp(X, 3, rounding=mode), "ldexp", (X, 3), rounding=mode)
    assert_correctly_rounded(clmath.length(X[:3], rounding=mode), "length", (X[:3],), rounding=mode)
    assert_correctly_rounded(clmath.sin(X, rounding=mode).astype(">f4"), "sin", (X,), rounding=mode)
    assert_correctly_rounded(clmath.hypot(X[:, None], X, rounding=mode), "hypot", (X[:, None], X), rounding=mode)


def test_the_failure_of_the_style_guide():
    x = FLOAT.from_bits(np.uint32(0x40490FDA))[()]
    wrong = FLOAT.from_bits(np.uint32(0x34222169))[()]  # right in rte
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(wrong, "sin", (x,), rounding="rtz")
    assert str(caught.value) == "sin(0x1.921fb4p+1) [0x40490fda]: got 0x34222169, want 0x34222168 (+1 ulp), rtz"


@pytest.mark.parametrize(
    "name, args, change, message",
    [
        ("fabs", (np.float16(-2),), lambda r: -r, "fabs(-0x1p+1) [0xc000]: got 0xc000, want 0x4000 (-32768 ulp), rte"),
        (
            "fabs",
            (np.float16(-0.0),),
            lambda r: -r,
            "fabs(-0x0p+0) [0x8000]: got 0x8000, want 0x0000 (wrong sign of zero), rte",
        ),
        ("fabs", (np.float16("nan"),), lambda _: np.float16(1), "fabs(nan) [0x7e00]: got 0x3c00, want 0x7e00, rte"),
        ("fabs", (np.float16(1),), lambda _: np.float16("nan"), "fabs(0x1p+0) [0x3c00]: got 0x7e00, want 0x3c00, rte"),
        (
            "frexp",
            (np.float32(3),),
            lambda r: (r[0], r[1] + 1),
            "frexp(0x1.8p+1).exp [0x40400000]: got 3, want 2, rte",
        ),
        ("ldexp", (np.float32(1), -3), lambda r: r * 2, "ldexp(0x1p+0, -3) [0x3f800000, -3]: got 0x3e800000, want"),
        (
            "cross",
            (np.float64([1, 0, 0]), np.float64([0, 1, 0])),
            lambda r: r * [1, 1, 2],
            "cross((0x1p+0, 0x0p+0, 0x0p+0), (0x0p+0, 0x1p+0, 0x0p+0))[2] [(0x3ff0000000000000, 0x0000000000000000,",
        ),
        ("nan", (np.uint16(1),), lambda _: np.float16(0), "nan(1) [1]: got 0x0000, want 0x7e01, rte"),
    ],
)
def test_failures_show_the_call_and_its_bits(name, args, change, message):
    with np.errstate(all="ignore"):
        wrong = change(getattr(clmath, name)(*args))
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(wrong, name, args)
    assert str(caught.value).startswith(message)


def test_distances_have_few_digits():
    with pytest.raises(AssertionError, match=r"\(-4\.607e\+18 ulp\), rte$"):
        assert_correctly_rounded(np.float64(0.0), "cos", (np.float64(0.0),))
    with pytest.raises(AssertionError, match=r"\(\+9\.007e\+53 ulp\), not within"):
        assert_conforms(np.float32(1e38), "sin", (np.float32(1e-9),))
    with pytest.raises(AssertionError, match=r"want 0x00000000 \(wrong sign of zero\), fabs\(±0\) = \+0 "):
        assert_conforms(np.float32(-0.0), "fabs", (np.float32(0.0),))


def test_every_wrong_result_is_counted_and_the_first_are_shown():
    x = np.arange(1, 51, dtype=np.float64)
    right = clmath.sqrt(x)
    with pytest.raises(AssertionError) as caught:
        assert_correctly_rounded(nudged(right, slice(10, 30), -1), "sqrt", (x,))
    lines = str(caught.value).splitlines()
    assert len(lines) == 6
    assert lines[0].startswith("sqrt(0x1.6p+3) [0x4026000000000000]: got")
    assert lines[0].endswith("(-1 ulp), rte")
    assert lines[-1] == "20 of 50 results are not correctly rounded"


@pytest.mark.parametrize("assertion", [assert_correctly_rounded, assert_conforms])
@pytest.mark.parametrize(
    "actual, message",
    [
        (np.float64(0.0), r"sin\(\): result is float64 of shape \(\); float32 of shape \(2,\) is due"),
        (np.zeros(3, np.float32), r"sin\(\): result is float32 of shape \(3,\); float32 of shape \(2,\) is due"),
        (np.zeros(2, np.int32), r"sin\(\): result is int32 of shape"),
        ((np.zeros(2, np.float32),) * 2, r"sin\(\): the number of results is 2; 1 are due"),
    ],
)
def test_results_of_the_wrong_kind(assertion, actual, message):
    with pytest.raises(AssertionError, match=message):
        assertion(actual, "sin", (np.float32([1, 2]),))


@pytest.mark.parametrize("assertion", [assert_correctly_rounded, assert_conforms])
def test_calls_that_the_built_in_would_refuse(assertion):
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
    with pytest.raises(
        clmath.UnknownNameError, match=r"'popcount' is of the integer chapter, .* clmath.popcount gives$"
    ):
        assertion(np.int32(1), "popcount", (np.int32(1),))
    with pytest.raises(clmath.UnknownNameError, match="profile='fast' is not one of 'full'"):
        assert_conforms(np.float32(0), "sin", (np.float32(0),), profile="fast")


class TestFormulas:
    """What the specification defines by an expression has no correctly rounded result."""

    @pytest.mark.parametrize(
        "name, formula", [("mix", r"x \+ \(y - x\) \* a"), ("smoothstep", r"t \* t \* \(3 - 2 \* t\)")]
    )
    def test_they_are_refused_with_the_formula_and_the_remedy_works(self, name, formula):
        args = tuple(np.float32([0.1, 0.9, 0.3]))
        actual = getattr(clmath, name)(*args)
        with pytest.raises(clmath.RangeError, match=rf"name='{name}' is the formula {formula}.*; use assert_conforms"):
            assert_correctly_rounded(actual, name, args)
        assert_conforms(actual, name, args)

    @pytest.mark.parametrize("name", ["mad", "dot", "cross"])
    def test_contraction_makes_one_rounding_of_a_sum_of_products(self, name):
        vector = np.float32([0.1, 0.7, 0.3])
        args = (vector,) * (3 if name == "mad" else 2)
        assert_correctly_rounded(getattr(clmath, name)(*args), name, args)
        with clmath.fp_contract("OFF"):
            actual = getattr(clmath, name)(*args)
            with pytest.raises(clmath.RangeError, match=rf"name='{name}' under fp_contract\('OFF'\) is the formula"):
                assert_correctly_rounded(actual, name, args)

    def test_the_table_names_exactly_those_whose_results_are_not_the_nearest(self):
        """The others are correctly rounded in every state of contraction: what the README says."""
        rng = np.random.default_rng(3)
        for state in ("ON", "OFF"):
            for row in builtins().values():
                lanes = max(row.lanes, default=0)
                shape = (300, lanes) if lanes else 300
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
    """The verdict is that of an audit."""

    def test_what_the_limit_allows_passes(self):
        right = clmath.sin(X[:3])
        for steps in (-3, 0, 3):  # sin may be off by 4 ulp
            assert_conforms(nudged(right, slice(None), steps), "sin", (X[:3],))

    def test_what_it_forbids_fails(self):
        with pytest.raises(AssertionError) as caught:
            assert_conforms(nudged(clmath.sin(X[:2]), 1, 6), "sin", (X[:2],))
        text = str(caught.value)
        assert text.startswith("sin(0x1p+0) [0x3f800000]: got 0x3f576aaa, want 0x3f576aa4 (+")
        assert text.endswith("ulp), not within the limit: 4 ulp")

    def test_prescribed_results_have_no_tolerance(self):
        with pytest.raises(AssertionError, match=r"sin\(-0x0p\+0\) \[0x80000000\]: got 0x00000000, want 0x80000000"):
            assert_conforms(np.float32(0.0), "sin", (np.float32(-0.0),))

    def test_the_profile_decides(self):
        wide = nudged(clmath.cbrt(X[:2]), 0, 3)
        assert_conforms(wide, "cbrt", (X[:2],), profile="embedded")
        with pytest.raises(AssertionError, match="not within the limit: 2 ulp"):
            assert_conforms(wide, "cbrt", (X[:2],))

    def test_the_mode_decides_where_results_must_be_equal(self):
        x, y = np.float32(1), np.float32(2**-30)
        up = clmath.add(x, y, rounding="rtp")
        assert_conforms(up, "add", (x, y), rounding="rtp")
        with pytest.raises(AssertionError, match="not within the limit: correctly rounded"):
            assert_conforms(up, "add", (x, y))

    def test_subnormals_may_be_flushed_where_it_is_said(self):
        x = np.float32(1e-40)
        assert_conforms(np.float32(0), "sin", (x,), flushes=True)
        with pytest.raises(AssertionError, match="flushed"):
            assert_conforms(np.float32(0), "sin", (x,))

    @pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
    def test_vectors(self, form):
        p = np.array([[1, 2, 3], [0, 0, 0]], form.dtype)
        assert_conforms(clmath.normalize(p), "normalize", (p,))
        assert_conforms(clmath.dot(p, p[0]), "dot", (p, p[0]))
        if form is HALF:  # the others have no limit
            with pytest.raises(AssertionError, match=r"normalize\(\(0x1p\+0, 0x1p\+1, 0x1.8p\+1\)\)\[1\] .*: got"):
                assert_conforms(clmath.normalize(p) + np.array([[0, 1, 0], [0, 0, 0]], form.dtype), "normalize", (p,))
        with pytest.raises(AssertionError, match=r"normalize.* = p for all elements zero"):
            assert_conforms(-p, "normalize", (p,))
