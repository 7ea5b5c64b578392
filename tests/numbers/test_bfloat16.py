"""bfloat16, a format that is a row and nothing else: every result is the reference's, in every mode and engine."""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath import cli, reference
from clmath.engines import choice
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import BFLOAT16, DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES, Enclosure, canonical, round_enclosure, round_real
from clmath.spec.builtins import builtins
from tests.cases import for_each

pytest.importorskip("ml_dtypes")

COMPUTED = [row for row in builtins().values() if BFLOAT16 in row.computed]
ONE_ARGUMENT = [row.name for row in COMPUTED if len(row.inputs) == 1]
SEVERAL = [row.name for row in COMPUTED if len(row.inputs) > 1]


@pytest.fixture(scope="module")
def every():
    """Every bfloat16."""
    return BFLOAT16.from_bits(np.arange(1 << 16, dtype=np.uint32).astype(np.uint16))


def same(got, want):
    """Assert the same bits; NaN is the canonical one."""
    nan = np.isnan(want)
    bits = BFLOAT16.bits(got)
    np.testing.assert_array_equal(bits[~nan], BFLOAT16.bits(want)[~nan])
    assert (bits[nan] == BFLOAT16.quiet_nan).all()


def exact_values(name, args):
    with np.errstate(all="ignore"):
        return reference.enclose(name, args, BFLOAT16)


def assert_right(name, args, truth, mode, **options):
    """The results of a built-in, arrays of bfloat16 and int, are the exact values rounded."""
    function = getattr(clmath, name)
    known = inspect.signature(function).parameters
    given = {k: v for k, v in {"rounding": mode, **options}.items() if k in known}
    got = function(*args, **given)
    for result, exact in zip(got if isinstance(got, tuple) else (got,), truth, strict=True):
        if isinstance(exact, np.ndarray):
            np.testing.assert_array_equal(result, exact)
        else:
            same(result, round_enclosure(exact, BFLOAT16, mode)[0])


def doubles(numbers):
    """Doubles of the same values; signalling NaN become quiet."""
    with np.errstate(all="ignore"):
        return numbers.astype(np.float64)


def rounded(numbers, form, mode):
    """Round all doubles at once, and assert that ``round_real`` rounds a sample of them alike."""
    whole = round_enclosure(Enclosure.of(numbers), form, mode)[0]
    canonical(whole, form)
    one_by_one = np.array([round_real(value, form, mode) for value in numbers[::331]], form.dtype)
    np.testing.assert_array_equal(form.bits(whole[::331]), form.bits(one_by_one))
    return whole


def test_sin_exp_and_pow_are_computed():
    assert {"sin", "exp", "pow"} <= {row.name for row in COMPUTED}


@pytest.mark.slow
@for_each("name", ONE_ARGUMENT)
def test_results_of_many_inputs(name, every):
    check_all(name, every[::7])


@pytest.mark.exhaustive
@for_each("name", ONE_ARGUMENT)
def test_results_of_every_input(name, every):
    check_all(name, every)


def check_all(name, inputs):
    truth = exact_values(name, (inputs,))
    for mode in MODES:
        assert_right(name, (inputs,), truth, mode)


@pytest.mark.parametrize("name", ["sin", "exp", "lgamma_r", "sincos"])
def test_engines(name, every):
    some = every[::5]  # so few that no table is made of them
    truth = exact_values(name, (some,))
    for mode in MODES:
        for engine in [one.name for one in choice.installed()]:
            assert_right(name, (some,), truth, mode, engine=engine)


@for_each("name", SEVERAL)
def test_several_arguments(name):
    rng = np.random.default_rng(7)
    args = []
    for parameter in builtins()[name].inputs:
        if parameter.type == "intn":
            args.append(rng.integers(-40, 40, 3000).astype(np.int32))
        else:
            bits = rng.integers(0, 1 << 16, 3000).astype(np.uint16)
            bits[::2] = 0x3F80 + rng.integers(-300, 300, 1500)  # near 1
            args.append(BFLOAT16.from_bits(bits))
    truth = exact_values(name, args)
    for mode in MODES:
        assert_right(name, args, truth, mode)


@for_each("mode", MODES)
@for_each("form", FORMATS)
def test_rounded_from_other_formats(form, mode, every):
    rng = np.random.default_rng(3)
    bits = rng.integers(0, 1 << form.width, 2000, dtype=form.bits_dtype)
    with np.errstate(all="ignore"):
        middles = (every[:-1:37].astype(np.float64) + every[1::37].astype(np.float64)) / 2
        near = [np.nextafter(middles.astype(form.dtype), form.dtype.type(end)) for end in (-np.inf, np.inf)]
        source = np.concatenate([form.from_bits(bits), middles.astype(form.dtype), *near])
    got = clmath.convert(source, "bfloat16", rounding=mode)
    same(got, rounded(doubles(source), BFLOAT16, mode))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_rounded_to_other_formats(form, every):
    numbers = doubles(every)
    for mode in MODES:
        got = clmath.convert(every, form.name, rounding=mode)
        want = rounded(numbers, form, mode)
        nan = np.isnan(want)
        np.testing.assert_array_equal(form.bits(got)[~nan], form.bits(want)[~nan])
        assert (form.bits(got)[nan] == form.quiet_nan).all()


@for_each("name", [n for n, dtype in SCALARS.items() if dtype.kind in "iu"])
def test_from_and_to_integers(name, every):
    info = np.iinfo(SCALARS[name])
    rng = np.random.default_rng(5)
    shifts = rng.integers(0, info.bits, 300)
    numbers = [max(info.min, min(info.max, (info.max >> int(s)) - int(d))) for d, s in enumerate(shifts)]
    source = np.array([info.min, info.max, 0, *numbers], SCALARS[name])
    for mode in MODES:
        got = clmath.convert(source, "bfloat16", rounding=mode)
        same(got, np.array([round_real(Fraction(int(v)), BFLOAT16, mode) for v in source], BFLOAT16.dtype))
        numbers = clmath.convert(every, "double")
        back = clmath.convert(every, name, sat=True, rounding=mode)
        np.testing.assert_array_equal(back, clmath.convert(numbers, name, sat=True, rounding=mode))


def test_a_double_is_rounded_once():
    # ml_dtypes rounds to float first, which is the midpoint of two bfloat16
    value = np.float64(1.0 + 2.0**-8 + 2.0**-40)
    assert float(clmath.convert(value, "bfloat16")) == 1.0 + 2.0**-7


def test_numpy_conventions(every):
    one = every[0x3F80]
    assert clmath.sin(one).dtype == BFLOAT16.dtype
    assert clmath.pow(every[:4].reshape(2, 2), 2.0).dtype == BFLOAT16.dtype
    assert clmath.convert(1.5, BFLOAT16.dtype).dtype == BFLOAT16.dtype
    with pytest.raises(TypeError, match=r"pow\(\): all gentype arguments need one format"):
        clmath.pow(every[:2], np.float32([1, 2]))
    with pytest.raises(
        TypeError, match=r"fmod\(\): x is bfloat16.*: convert it, e.g. clmath.convert\(x, 'float'\), likewise y$"
    ):
        clmath.fmod(every[:2], every[:2])


def test_a_format_holds_narrower_ones():
    assert FLOAT.holds(BFLOAT16)
    assert not HALF.holds(BFLOAT16)
    assert not BFLOAT16.holds(HALF)
    assert DOUBLE.holds(FLOAT)
    assert (BFLOAT16.width, BFLOAT16.eps, BFLOAT16.smallest_subnormal) == (16, 2.0**-7, 2.0**-133)


def test_eval_shows_every_mode(capsys):
    assert cli.main(["eval", "sin", "0.5", "--type", "bfloat16"]) == 0
    out = capsys.readouterr().out
    assert "rte       0x1.eap-2 [0x3ef5]" in out
    assert "rtp       0x1.ecp-2 [0x3ef6]" in out
    assert cli.main(["eval", "fmod", "2", "3", "--type", "bfloat16"]) == 0
    assert "no edition has bfloat16" in capsys.readouterr().out
    assert cli.main(["eval", "popcount", "2", "--type", "bfloat16"]) == 2
    assert "popcount is not defined for bfloat16; use --type char or uchar" in capsys.readouterr().err
    assert cli.main(["show", "sin"]) == 0
    assert "in no edition, audited if asked for: bfloat16 (clmath computes it, too)" in capsys.readouterr().out


def test_bfloat16_combines_with_fp16():
    one_and_a_half = clmath.convert(1.5, "bfloat16")
    assert clmath.fp16(1.5) == one_and_a_half
    assert one_and_a_half == clmath.fp16(1.5)
    assert clmath.fp16(1.0) < one_and_a_half
    assert clmath.fp16(1.0) != one_and_a_half
    assert float(clmath.fp16(1.0) + one_and_a_half) == 2.5
