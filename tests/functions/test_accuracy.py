"""Errors in ulp before rounding, and limits with their sources."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.audit.inputs.hard import TABLE
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import Enclosure, ulp_errors
from clmath.numbers.rounding import ulp_error as ulp_error_of_one
from clmath.spec.builtins import builtin, builtins
from clmath.spec.editions import PROFILES
from clmath.spec.files import load
from clmath.spec.limits import limit as limit_of_table
from tests.cases import for_each

X = np.float32([0.5, 1.0, 3.0, 1e22])


def _doubles(name):
    """Return arguments of any size, usual ones, and the hardest known ones."""
    rng = np.random.default_rng(3)
    columns = []
    for k, parameter in enumerate(builtin(name).inputs):
        lines = [line for part in ("hardest", "found") for line in load(TABLE)[part]["double"].get(name, [])]
        hardest = [line.split()[k] for line in lines]
        if parameter.type == "intn":
            columns.append(
                np.concatenate([rng.integers(-1100, 1100, 1200), [int(n) for n in hardest]]).astype(np.int32)
            )
        else:
            every = rng.integers(0, 1 << 64, 600, np.uint64).view(np.float64)
            usual = np.append(rng.normal(0, 9, 547), [*np.arange(-9, 40) / 2, 0.0, -0.0, np.inf, np.nan])
            columns.append(np.concatenate([every, usual, [float.fromhex(n) for n in hardest]]))
    return tuple(columns)


class TestErrors:
    """``clmath.ulp_error``."""

    @pytest.mark.parametrize("form", FORMATS, ids=str)
    def test_the_error_is_relative_to_the_exact_value_before_rounding(self, form):
        x = np.linspace(0.1, 3, 50).astype(form.dtype)
        y = np.sin(x)
        errors = clmath.ulp_error(y, "sin", (x,))
        with mpmath.workprec(200):
            wanted = [ulp_error_of_one(b, mpmath.sin(mpmath.mpf(float(a))), form) for a, b in zip(x, y, strict=True)]
        np.testing.assert_allclose(errors, wanted, rtol=0, atol=1e-8)  # 53 bits are known
        assert errors.dtype == np.float64
        assert np.any(errors % 1)

    @for_each("form", (HALF, FLOAT))
    @for_each("name", ["sin", "tgamma", "exp", "lgamma", "sincos", "cbrt"])
    def test_errors_of_many_numbers_equal_errors_of_few(self, name, form):
        """The exact values of many numbers come from kernels, and of few numbers from MPFR."""
        rng = np.random.default_rng(3)
        every = rng.integers(0, 1 << form.width, 600, np.uint32).astype(form.bits_dtype).view(form.dtype)
        with np.errstate(all="ignore"):
            usual = np.concatenate([rng.normal(0, 9, 600), np.arange(-9, 40) / 2, [0.0, -0.0, np.inf, np.nan]])
            x = np.concatenate([every, usual.astype(form.dtype)])
        found = getattr(clmath, name)(x)
        found = tuple(np.roll(f, 1) for f in found) if isinstance(found, tuple) else found
        parts = [slice(i, i + 16) for i in range(0, len(x), 16)]
        few = [
            clmath.ulp_error(tuple(f[p] for f in found) if isinstance(found, tuple) else found[p], name, (x[p],))
            for p in parts
        ]
        assert clmath.ulp_error(found, name, (x,)).tobytes() == np.concatenate(few, axis=-1).tobytes()

    @for_each(
        "name", ["sin", "erfc", "tgamma", "lgamma", "log", "pow", "cbrt", "sqrt", "fma", "ldexp", "rint", "lgamma_r"]
    )
    def test_errors_of_doubles_equal_errors_against_the_reference(self, name):
        """The exact values of many doubles come from kernels, also next to multiples of 1/2 ulp and out of range."""
        args = _doubles(name)
        for steps in (0, 1, 600):
            found = getattr(clmath, name)(*args)
            found = tuple(np.roll(f, steps) for f in (found if isinstance(found, tuple) else (found,)))
            got = np.atleast_2d(clmath.ulp_error(found if len(found) > 1 else found[0], name, args))
            exact = reference.enclose(name, args, DOUBLE)
            for errors, result, value in zip(got, found, exact, strict=True):
                due = ulp_errors(result, value, DOUBLE) if isinstance(value, Enclosure) else result - np.float64(value)
                np.testing.assert_allclose(errors, due, rtol=2.0**-51, atol=2.0**-26)
                small = np.abs(due) < 2.0**20
                np.testing.assert_array_equal(np.floor(2 * errors[small]), np.floor(2 * due[small]))

    def test_correctly_rounded_results_are_half_an_ulp_away_at_most(self):
        assert np.abs(clmath.ulp_error(clmath.sin(X), "sin", (X,))).max() <= 0.5

    def test_an_error_of_a_known_size(self):
        wrong = np.nextafter(clmath.sqrt(X[:1]), np.float32(9))
        assert clmath.ulp_error(wrong, "sqrt", (X[:1],)) == clmath.ulp_error(clmath.sqrt(X[:1]), "sqrt", (X[:1],)) + 1

    @pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
    def test_the_shape_is_the_results_shape(self, shape):
        x = np.full(shape, 0.3, np.float16)
        errors = clmath.ulp_error(clmath.sin(x), "sin", (x,))
        assert isinstance(errors, np.ndarray)
        assert errors.shape == shape

    def test_several_results_are_stacked(self):
        errors = clmath.ulp_error(clmath.sincos(X), "sincos", (X,))
        assert errors.shape == (2, 4)
        np.testing.assert_array_equal(errors[1], clmath.ulp_error(clmath.cos(X), "cos", (X,)))
        mantissa, exponent = clmath.frexp(X)
        assert clmath.ulp_error((mantissa, exponent + 3), "frexp", (X,)).tolist() == [[0.0] * 4, [3.0] * 4]

    def test_vectors(self):
        p = np.float32([[1, 2, 3], [3, 4, 0]])
        assert clmath.ulp_error(clmath.length(p), "length", (p,)).shape == (2,)
        whole = clmath.ulp_error(clmath.normalize(p), "normalize", (p,))
        assert whole.shape == (2, 3)
        exact = 3 / mpmath.sqrt(25)
        assert whole[1, 0] == pytest.approx(ulp_error_of_one(clmath.normalize(p)[1, 0], exact, FLOAT))

    def test_special_values(self):
        x = np.float32([0.0, -1.0, np.inf, 4.0])
        got = np.float32([-0.0, np.nan, np.inf, np.nan])
        assert clmath.ulp_error(got, "sqrt", (x,)).tolist() == [0.0, 0.0, 0.0, np.inf]

    def test_more_elements_than_one_chunk_of_the_reference(self):
        x = np.linspace(0, 1, 40_000, dtype=np.float16)
        assert clmath.ulp_error(clmath.sin(x), "sin", (x,)).shape == x.shape

    @pytest.mark.parametrize(
        "exact", [1 / 3, Fraction(1, 3), np.float64(1 / 3), np.longdouble(1) / 3, mpmath.mpf(1) / 3], ids=type
    )
    def test_exact_values_of_any_kind(self, exact):
        got = float(clmath.ulp_error(np.float16(0.3333), exact))
        assert got == pytest.approx(ulp_error_of_one(np.float16(0.3333), Fraction(1, 3), HALF), abs=1e-9)
        many = clmath.ulp_error(np.full(3, 0.3333, np.float16), np.array([exact] * 3))
        assert many.tolist() == [got] * 3

    def test_exact_values_keep_every_digit(self):
        x = 0.5 + 2.0**-53
        assert clmath.ulp_error(x, Fraction(x) + Fraction(1, 2**54)) == -0.5

    def test_whole_numbers_are_exact_values(self):
        assert clmath.ulp_error(np.float32([1, 2, 2.5]), np.arange(1, 4)).tolist() == [0, 0, -(2.0**21)]

    @for_each(
        "call, error, message",
        [
            (lambda: clmath.ulp_error(X, "sine", (X,)), clmath.UnknownNameError, r"ulp_error\(\): 'sine' is not"),
            (lambda: clmath.ulp_error(X, "sin"), clmath.ShapeError, r"args holds 0 arguments; sin takes 1: \(x,\)"),
            (lambda: clmath.ulp_error(X, "sin", (X[:2],)), clmath.ShapeError, r"expected shape \(2,\), got \(\d+,\)"),
            (lambda: clmath.ulp_error(X, "sin", X), clmath.DTypeError, "a tuple is needed"),
            (lambda: clmath.ulp_error(X, 1.0, (X,)), clmath.DTypeError, "args go with the name of a built-in"),
            (lambda: clmath.ulp_error(X, X[:3]), clmath.ShapeError, "do not broadcast"),
            (lambda: clmath.ulp_error([1], 1.0), clmath.DTypeError, "actual has dtype int64"),
            (
                lambda: clmath.ulp_error(X, np.array([None] * 4)),
                clmath.DTypeError,
                "exact holds an object that is not",
            ),
        ],
    )
    def test_wrong_arguments_are_refused(self, call, error, message):
        with pytest.raises(error, match=message):
            call()


class TestLimits:
    """``clmath.limit``."""

    def test_it_prints_with_its_section(self):
        assert str(clmath.limit("sin", "float")) == "4 ulp (OpenCL C++ 1.0, 4.4, table 35)"
        assert str(clmath.limit("exp", "float", profile="embedded")) == "4 ulp (OpenCL C++ 1.0, 4.4, table 36)"
        assert "table 37" in str(clmath.limit("sin", np.float32, profile="relaxed"))
        assert "; undefined for " in str(clmath.limit("smoothstep", "float"))

    def test_limits_equal_those_that_audits_use(self):
        for row in builtins().values():
            for form in row.formats:
                for profile in PROFILES:
                    assert clmath.limit(row.name, form.dtype, profile=profile) == limit_of_table(
                        row.name, form, profile
                    )

    def test_build_options_have_their_say(self):
        exact = clmath.limit("div", "float", build_options="-cl-fp32-correctly-rounded-divide-sqrt")
        assert exact.text == "correctly rounded"
        assert clmath.limit("div", "float").text == "2.5 ulp"

    def test_its_bound_is_a_number_where_the_limit_is_one(self):
        assert clmath.limit("sin", "double").bound((np.float64([1.0]),), np.float64([0.5]), DOUBLE).tolist() == [4.0]

    @pytest.mark.parametrize(
        "options, message",
        [
            ({"name": "sine"}, "'sine' is not a known built-in"),
            ({"format": "quad"}, "'quad' is not one of"),
            ({"format": "double", "name": "half_sin"}, "half_sin is not defined for double"),
            ({"profile": "fast"}, "profile='fast' is not one of 'full'"),
            ({"edition": "opencl-2"}, r"limit\(\): edition='opencl-2' is not one of 'opencl-c\+\+-1.0'"),
        ],
    )
    def test_unknown_names_are_refused(self, options, message):
        with pytest.raises(clmath.UnknownNameError, match=message):
            clmath.limit(**{"name": "sin", "format": "float", **options})


def test_results_of_bfloat16_against_exact_values():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    actual = np.array([1.5, 2.0, 0.1], ml_dtypes.bfloat16)
    found = clmath.ulp_error(actual, [Fraction(3, 2), 2.01, 0.1])
    units = [2.0**-7, 2.0**-6, 2.0**-11]
    np.testing.assert_allclose(found, (actual.astype(np.float64) - [1.5, 2.01, 0.1]) / units, rtol=1e-12)
