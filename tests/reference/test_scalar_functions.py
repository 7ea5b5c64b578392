"""Scalar functions of the reference, their messages, and imports that are not allowed."""

import ast
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from clmath import errors, reference
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, ZERO_SUM, Enclosure, round_enclosure, round_real
from tests.cases import for_each


def test_bracket_narrows_with_more_bits():
    value = reference.exact("sin", 1.0)
    for bits in (10, 53, 200, 2000):
        low, high = value.bracket(bits)
        assert low < high
        wider_low, wider_high = value.bracket(bits * 2)
        assert low <= wider_low < wider_high <= high


def test_bracket_of_a_negative_value_is_ordered():
    low, high = reference.exact("log", 0.5).bracket(20)
    assert low < high < 0


@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("name, x", [("exp", 0.7), ("tan", -2.0), ("lgamma", 0.3), ("erfc", 3.0)])
def test_bracket_and_rounded_agree(name, x, form):
    x = form.dtype.type(x)
    low, high = reference.exact(name, x).bracket(200)
    for mode in MODES:
        got = reference.rounded(name, (x,), form, mode)
        assert got == round_real(low, form, mode) == round_real(high, form, mode)
        assert type(got) is form.dtype.type


@for_each(
    "name, args, digits, text",
    [
        ("sin", (0.5,), 30, "0.479425538604203000273287935216"),
        ("div", (1.0, 3.0), 6, "0.333333"),
        ("div", (2.0, 3.0), 6, "0.666667"),
        ("exp", (-100.0,), 5, "3.7201e-44"),
        ("exp", (100.0,), 5, "2.6881e+43"),
        ("pow", (10.0, 20.0), 30, "100000000000000000000"),
        ("add", (1.0, -1.0), 30, "0"),
        ("sqrt", (-0.0,), 30, "-0"),
        ("log", (0.0,), 30, "-inf"),
        ("sqrt", (-1.0,), 30, "nan"),
        ("fabs", (-0.375,), 30, "0.375"),
        ("exp", (1e5,), 6, "2.80666e+43429"),
    ],
)
def test_decimal_has_the_requested_digits(name, args, digits, text):
    assert reference.exact(name, *args).decimal(digits) == text


def test_decimal_of_a_tie_terminates():
    """The quotient has 31 digits, and the last one is 5."""
    m = next(m for m in range(10**15 + 1, 10**15 + 99, 2) if len(str(m * 5**22)) == 31)
    assert reference.exact("div", m * 2.0**-44, 5.0**22).decimal(30)


def test_exact_takes_the_format_of_its_argument():
    value, whole = reference.exact("fract", np.float16(-0.01))
    assert float(value.bracket(60)[0]) == 1.0 - float(np.float16(0.01))
    assert float(reference.exact("fract", np.float16(-1e-5))[0].bracket(60)[0]) == 1.0 - 2.0**-11
    assert float(reference.exact("nextafter", np.float32(1.0), 2.0).bracket(60)[0]) == 1.0 + 2.0**-23
    assert float(reference.exact("nextafter", 1.0, 2.0).bracket(60)[0]) == 1.0 + 2.0**-52
    assert float(reference.exact("nextafter", 1.0, 2.0, form=HALF).bracket(60)[0]) == 1.0 + 2.0**-10
    assert float(whole.bracket(10)[0]) == -1.0


def test_functions_of_several_results_return_tuples():
    mantissa, exponent = reference.exact("frexp", 12.0)
    assert (float(mantissa.bracket(53)[0]), exponent) == (0.75, 4)
    assert reference.exact("ilogb", 8.0) == 3
    sine, cosine = reference.rounded("sincos", (0.0,), FLOAT, "rte")
    assert (sine, cosine) == (0.0, 1.0)
    assert reference.rounded("lgamma_r", (-0.5,), DOUBLE, "rte")[1] == -1


def test_smoothstep_and_pow_accept_infinite_arguments():
    calls = {("smoothstep", -np.inf, np.inf, 2.0): 0.0, ("pow", -1.0, np.inf): 1.0, ("pow", -1.0, -np.inf): 1.0}
    calls |= {("pow", 0.5, -np.inf): np.inf, ("pow", 2.0, -np.inf): 0.0}
    assert {call: reference.rounded(call[0], call[1:], DOUBLE, "rte") for call in calls} == calls


def test_wrong_arguments_are_refused():
    with pytest.raises(errors.UnknownNameError, match="'sine' is not a known built-in; did you mean 'sin'"):
        reference.exact("sine", 1.0)
    with pytest.raises(errors.UnknownNameError, match="oracle='crlibm' is not one of 'auto', 'mpfr', 'mpmath'"):
        reference.enclose("sin", [np.ones(1)], DOUBLE, "crlibm")
    with pytest.raises(errors.RoundingError, match="rounding='nearest'"):
        reference.rounded("sin", (1.0,), DOUBLE, "nearest")
    with pytest.raises(errors.ShapeError, match="pow takes 2 arguments; 1 were given"):
        reference.exact("pow", 1.0)
    with pytest.raises(
        errors.ShapeError, match=r"dot takes vectors of one width, 1 or 2 or 3 or 4; \[1, 2\] were given"
    ):
        reference.exact("dot", (1.0, 2.0), 3.0)
    with pytest.raises(errors.ShapeError, match=r"sin takes vectors of one width, 1; \[2\] were given"):
        reference.rounded("sin", ((1.0, 2.0),), DOUBLE, "rte")
    with pytest.raises(errors.DTypeError, match="2 formats"):
        reference.exact("pow", np.float32(1.0), np.float64(2.0))


def test_arguments_are_not_modified():
    x = np.linspace(-2, 2, 9)
    x.flags.writeable = False
    reference.enclose("tan", [x], DOUBLE)
    reference.enclose("tan", [x], DOUBLE, "mpmath")


def test_results_do_not_depend_on_the_callers_context():
    import gmpy2

    x = np.linspace(-3, 3, 50)
    (want,) = reference.enclose("tanpi", [x], DOUBLE)
    with gmpy2.context(precision=10, round=gmpy2.RoundUp, emax=20, emin=-20):
        (got,) = reference.enclose("tanpi", [x], DOUBLE)
    assert all(np.array_equal(g, w, equal_nan=True) for g, w in zip(got, want, strict=True))


@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_zero_sum_is_negative_only_in_rtn(form):
    value = Enclosure.of(np.zeros(3), exponent=np.array([0, ZERO_SUM, -5]))
    for mode in MODES:
        rounded, undecided = round_enclosure(value, form, mode)
        assert np.signbit(rounded).tolist() == [False, mode == "rtn", False]
        assert not undecided.any()


LAZY = """
import sys, numpy as np
from clmath import reference
from clmath.numbers.formats import FLOAT
assert not {'gmpy2', 'mpmath'} & set(sys.modules), 'loaded too early'
reference.enclose('sin', [np.ones(1, 'f4')], FLOAT)
assert 'mpmath' not in sys.modules
reference.enclose('sin', [np.ones(1, 'f4')], FLOAT, 'mpmath')
reference.exact('sin', 1.0).decimal()
"""


def _imports(source):
    """Generate the modules in all import statements of a source."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_reference_imports_nothing_that_it_judges():
    allowed = [
        "clmath.callables",
        "clmath.errors",
        "clmath.numbers.formats",
        "clmath.reference",
        "clmath.numbers.rounding",
        "clmath.spec",
    ]
    sources = sorted(Path(reference.__file__).parent.glob("*.py"))
    assert len(sources) > 5
    for source in sources:
        own = [m for m in _imports(source.read_text(encoding="utf-8")) if m.startswith("clmath")]
        foreign = [m for m in own if not m.startswith(tuple(allowed))]
        assert not foreign, source.name


def test_gmpy2_and_mpmath_are_loaded_on_first_use():
    done = subprocess.run([sys.executable, "-c", LAZY], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
