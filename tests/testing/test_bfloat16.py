"""bfloat16 is tested, measured and generated like half: correct functions pass, and the same faults are found."""

import functools

import numpy as np
import pytest

import clmath
from clmath import cli, reference
from clmath.audit.plan.rows import item_called
from clmath.numbers.formats import BFLOAT16, HALF
from clmath.numbers.rounding import Enclosure, round_enclosure
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test, strategies, ulp_error
from tests.cases import for_each

pytest.importorskip("ml_dtypes")
st = pytest.importorskip("hypothesis.strategies")

MEASURED = (
    *("sin", "exp", "pow", "add", "sub", "mul", "div", "recip", "fma", "hypot", "fmod", "remainder", "remquo"),
    *("nextafter", "fmax", "ldexp", "frexp", "sqrt", "atan2", "tgamma", "fract"),
)


def right(name, mode="rte"):
    """Return a correctly rounded built-in in the format of its arguments, computed by the reference."""

    def function(*args):
        form = BFLOAT16 if args[0].dtype == BFLOAT16.dtype else HALF
        flat = [np.reshape(a, -1) for a in args]
        found = [
            (round_enclosure(e, form, mode)[0] if isinstance(e, Enclosure) else e).reshape(np.shape(args[0]))
            for e in reference.enclose(name, flat, form)
        ]
        return tuple(found) if len(found) > 1 else found[0]

    return function


def faulty(name, change):
    """Return the built-in with ``change(result, *args)`` in place of its result."""

    def function(*args):
        with np.errstate(all="ignore"):
            return change(right(name)(*args), *args)

    return function


def flushed(result, *_):
    least = np.float64(2.0) ** (-14 if result.dtype == np.float16 else -126)
    return np.where(np.abs(result.astype(np.float64)) < least, result * result.dtype.type(0), result)


def off_at(value, result, x, *_):
    return np.where(x == x.dtype.type(value), np.nextafter(result, result.dtype.type(np.inf)), result)


def largest_for_infinity(result, *_):
    form = HALF if result.dtype == np.float16 else BFLOAT16
    return np.where(np.isinf(result), np.copysign(result.dtype.type(form.largest), result), result)


FAULTS = {
    "truncated": ("exp", right("exp", "rtz")),
    "rounded up": ("div", right("div", "rtp")),
    "wrong at one input": ("sqrt", faulty("sqrt", functools.partial(off_at, 0.75))),
    "subnormal results flushed": ("mul", faulty("mul", flushed)),
    "the largest number for infinity": ("add", faulty("add", largest_for_infinity)),
    "NaN is infinity": ("log", faulty("log", lambda r, *_: np.where(np.isnan(r), r.dtype.type(np.inf), r))),
    "-0 is +0": ("trunc", faulty("trunc", lambda r, *_: r + r.dtype.type(0))),
    "multiplied, then added": ("fma", lambda x, y, z: right("add")(right("mul")(x, y), z)),
    "the truncated quotient": ("remainder", right("fmod")),
    "squares overflow": ("hypot", lambda x, y: right("sqrt")(right("fma")(x, x, right("mul")(y, y)))),
    "arguments exchanged": ("atan2", lambda y, x: right("atan2")(x, y)),
    "the smaller of two": ("fmax", right("fmin")),
    "NaN for one NaN": ("fmax", faulty("fmax", lambda r, x, _: np.where(np.isnan(x), x, r))),
    "power of 0": ("pow", faulty("pow", lambda r, x, y: np.where(y == 0, x, r))),
    "exponents cut": ("ldexp", lambda x, k: right("ldexp")(x, np.clip(k, -20, 20).astype(np.int32))),
    "infinity is finite": ("isfinite", lambda x: (~np.isnan(x)).astype(np.int32)),
    "no NaN": ("isnan", lambda x: np.zeros(x.shape, np.int32)),
    "equal to NaN": ("isequal", lambda x, y: (np.equal(x, y) | np.isnan(x)).astype(np.int32)),
    "rounded twice": ("convert", None),
}


def rounds_twice(form):
    return lambda x: clmath.convert(x.astype(np.float32), form.name, rounding="rte")


def finds(fault, form):
    """Whether the test of a function with a fault fails in a format."""
    name, function = FAULTS[fault]
    test = (
        conformance_test(rounds_twice(form), f"convert_{form}", types=["double"])
        if function is None
        else conformance_test(function, name, types=[form.name])
    )
    try:
        test()
    except AssertionError:
        return True
    return False


@for_each("name", ["add", "fma", "hypot", "nextafter"])
def test_correct_functions_pass(name):
    conformance_test(right(name), name, types=["bfloat16"])()


@pytest.mark.slow
@for_each("name", MEASURED)
def test_more_correct_functions_pass(name):
    conformance_test(right(name), name, types=["bfloat16"])()


@pytest.mark.slow
def test_the_same_faults_are_found_in_bfloat16_and_half():
    found = {form: [fault for fault in FAULTS if finds(fault, form)] for form in (HALF, BFLOAT16)}
    assert found[BFLOAT16] == found[HALF] == list(FAULTS)


def test_correct_conversions_pass():
    conformance_test(lambda x: clmath.convert(x, "bfloat16"), "convert_bfloat16", types=["double", "int", "half"])()
    conformance_test(lambda x: clmath.convert(x, "float"), "convert_float", types=["bfloat16"])()


def test_failure_has_a_replay_line():
    with pytest.raises(AssertionError, match=r"replay: import numpy as np; import ml_dtypes; ") as failed:
        conformance_test(FAULTS["truncated"][1], "exp", types=["bfloat16"])()
    line = str(failed.value).partition("replay: ")[2]
    with pytest.raises(AssertionError, match=r"limit: correctly rounded \(no edition has bfloat16\)"):
        exec(line.replace("function(", "wrong("), {"wrong": FAULTS["truncated"][1]})  # noqa: S102


def test_errors_and_assertions_accept_bfloat16():
    x = np.array([1.5, 2.0, 0.1], BFLOAT16.dtype)
    total = np.add(x, x)
    np.testing.assert_array_equal(ulp_error(total, "add", (x, x)), [0.0, 0.0, 0.0])
    assert abs(ulp_error(np.hypot(x, x), "hypot", (x, x))).max() <= 0.5
    assert_conforms(total, "add", (x, x))
    assert_correctly_rounded(np.sqrt(x), "sqrt", (x,))
    with pytest.raises(AssertionError, match=r"not within the limit: correctly rounded"):
        assert_conforms(np.nextafter(total, x), "add", (x, x))
    with pytest.raises(AssertionError, match=r"isnan\(0x1\.8p\+0 = 1\.5\) \[0x3fc0\] at index 0: got 1, want 0"):
        assert_conforms(~np.isnan(x), "isnan", (x,))


def test_any_function_is_tested_by_a_reference():
    mpmath = pytest.importorskip("mpmath")

    def logistic(x):
        wide = x.astype(np.float64)
        return (1 / (1 + np.exp(-wide))).astype(x.dtype)

    def wrong(x):
        return x.dtype.type(1) / (x.dtype.type(1) + np.exp(-x))

    options = {"reference": lambda x: 1 / (1 + mpmath.exp(-x)), "domain": (-5, 5), "types": ["bfloat16"]}
    conformance_test(logistic, limit=0.51, **options)()
    with pytest.raises(AssertionError, match=r"import ml_dtypes"):
        conformance_test(wrong, limit=0.51, **options)()


@for_each("name", ["sin", "fma", "hypot", "isnan", "isless", "select", "convert_bfloat16", "convert_int"])
def test_strategies_generate_bfloat16(name):
    hypothesis = pytest.importorskip("hypothesis")

    @hypothesis.settings(max_examples=20, database=None)
    @hypothesis.given(strategies.arguments(name, "bfloat16"), strategies.arguments(name, "bfloat16", shape=3))
    def generated(one, three):
        assert one[0].dtype == three[0].dtype == BFLOAT16.dtype
        assert three[0].shape == (3,)

    generated()


def test_boundary_and_conversion_strategies_generate_bfloat16():
    hypothesis = pytest.importorskip("hypothesis")

    @hypothesis.settings(max_examples=20, database=None)
    @hypothesis.given(strategies.near_boundary("exp", "bfloat16"), strategies.conversions("double", "bfloat16"))
    def generated(args, x):
        assert args[0].dtype == BFLOAT16.dtype
        assert x.dtype == np.float64

    generated()


@pytest.fixture
def targets(tmp_path, monkeypatch):
    (tmp_path / "targets.py").write_text(
        "import numpy as np\n"
        "class Right:\n    exp, hypot, fmax, isnan = np.exp, np.hypot, np.fmax, np.isnan\n"
        "class Wrong:\n    def sqrt(x):\n        return np.sqrt(np.where(x == x.dtype.type(2.5), -x, x))\n"
    )
    monkeypatch.chdir(tmp_path)


ASKED = ["--types", "bfloat16", "--inputs", "100"]


@pytest.mark.usefixtures("targets")
def test_targets_are_audited_in_bfloat16(capsys):
    assert cli.main(["audit", "targets:Right", "--functions", "exp,hypot,fmax,isnan", *ASKED]) == 0
    said = capsys.readouterr().out
    assert " exp        correctly" in said
    assert "4 pass" in said
    assert cli.main(["audit", "targets:Wrong", "--functions", "sqrt", *ASKED]) == 1
    assert "sqrt(0x1.4p+1 [0x4020])" in capsys.readouterr().out


def test_targets_without_bfloat16_are_refused(capsys):
    assert cli.main(["audit", "libm", "--functions", "sin", *ASKED]) == 2
    assert "libm has no bfloat16" in capsys.readouterr().err


def test_reports_with_bfloat16_are_read_again(clm, tmp_path):
    path = tmp_path / "report.json"
    words = ["audit", "numpy", "--functions", "exp", *ASKED, "--json", path]
    assert clm(*words)[0] == 0
    assert "exp        correctly rounded" in clm("report", path)[1]
    assert clm(*words, "--resume")[0] == 0


@pytest.mark.parametrize("text", ["sin bfloat16", "sin bfloat164", "length bfloat163", "convert_bfloat16 int4"])
def test_cases_of_bfloat16_have_names(text):
    assert str(item_called(text)) == text


def test_offline_runs_of_devices_refuse_bfloat16(clm, tmp_path):
    words = ["inputs", "--types", "bfloat16", "--functions", "exp", "--out", tmp_path / "lab"]
    assert "OpenCL C has no type bfloat16, so that no device can be asked for it" in clm(*words)[2]
    words[2:5] = ["float", "--functions", "convert_bfloat16"]
    assert "convert_bfloat16 float: OpenCL C has no type bfloat16" in clm(*words)[2]


def test_numpy_rounds_some_results_twice(capsys):
    assert cli.main(["audit", "numpy", "--functions", "exp,hypot", *ASKED]) == 0
    assert cli.main(["audit", "numpy", "--functions", "atan2", *ASKED]) == 1
    assert "not within the limit: correctly rounded" in capsys.readouterr().out


def test_audit_uses_bfloat16_only_on_request(capsys):
    assert cli.main(["audit", "numpy", "--functions", "exp", "--inputs", "100"]) in {0, 1}
    assert "bfloat16" not in capsys.readouterr().out
