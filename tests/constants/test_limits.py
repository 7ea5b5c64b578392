"""numeric_limits and math_constants, compared with NumPy, exact formulas and MPFR."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

import clmath
from clmath.reference.bitwise import macros
from clmath.reference.bitwise.macros import exact_constants
from tests.cases import for_each

INTEGERS = {"char": "i1", "uchar": "u1", "short": "i2", "ushort": "u2", "int": "i4", "uint": "u4", "long": "i8"}
INTEGERS["ulong"] = "u8"
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}
VALUES = ("min", "max", "lowest", "epsilon", "round_error", "infinity", "quiet_NaN", "signaling_NaN", "denorm_min")
TEXT = """is_specialized min max lowest digits digits10 max_digits10 is_signed is_integer is_exact radix epsilon
    round_error min_exponent min_exponent10 max_exponent max_exponent10 has_infinity has_quiet_NaN has_signaling_NaN
    has_denorm has_denorm_loss infinity quiet_NaN signaling_NaN denorm_min is_iec559 is_bounded is_modulo traps
    tinyness_before round_style is_scalar is_vector"""  # 3.26.2
MEMBERS = TEXT.split()


@for_each("name", ["bool", *INTEGERS, *FLOATS])
def test_limits_have_every_member_with_its_type(name):
    limits = clmath.numeric_limits(name)
    assert [m for m in MEMBERS if not hasattr(limits, m)] == []
    dtype = np.bool_ if name == "bool" else INTEGERS.get(name) or FLOATS[name]
    assert all(type(getattr(limits, m)) is np.dtype(dtype).type for m in VALUES)
    kinds = {bool: [m for m in MEMBERS if m.startswith(("is_", "has_", "tra", "tin")) and m != "has_denorm"]}
    kinds[int] = [m for m in MEMBERS if m.startswith(("digits", "max_", "min_", "radix"))]
    kinds[clmath.float_denorm_style], kinds[clmath.float_round_style] = ["has_denorm"], ["round_style"]
    assert {m for found in kinds.values() for m in found} | {*VALUES} == {*MEMBERS}
    assert [(m, k) for k, found in kinds.items() for m in found if type(getattr(limits, m)) is not k] == []
    assert limits.is_specialized
    assert limits.is_bounded
    assert limits.radix == 2
    assert (limits.is_scalar, limits.is_vector) == (True, False)


@for_each("name, dtype", INTEGERS.items())
def test_limits_of_integers_have_the_specified_values(name, dtype):
    limits, info = clmath.numeric_limits(name), np.iinfo(dtype)
    assert (int(limits.min), int(limits.max), int(limits.lowest)) == (info.min, info.max, info.min)
    assert limits.digits == info.bits - (info.min < 0)
    assert 10**limits.digits10 - 1 <= info.max < 10 ** (limits.digits10 + 1) - 1
    truths = (limits.is_integer, limits.is_exact, limits.is_modulo, limits.is_signed)
    assert truths == (True, True, True, info.min < 0)
    zero = ["max_digits10", "epsilon", "round_error", "infinity", "quiet_NaN", "signaling_NaN", "denorm_min"]
    zero += ["min_exponent", "min_exponent10", "max_exponent", "max_exponent10", "has_infinity", "has_quiet_NaN"]
    zero += ["has_signaling_NaN", "has_denorm", "has_denorm_loss", "is_iec559", "tinyness_before", "round_style"]
    assert [m for m in zero if getattr(limits, m)] == []


def test_limits_of_bool_have_the_specified_values():
    limits = clmath.numeric_limits(np.bool_)
    assert (limits.min, limits.max, limits.digits, limits.digits10) == (False, True, 1, 0)
    truths = (limits.is_integer, limits.is_exact, limits.is_modulo, limits.is_signed)
    assert truths == (True, True, False, False)
    assert limits.has_denorm is clmath.float_denorm_style.denorm_absent
    assert limits.round_style is clmath.float_round_style.round_toward_zero


NAN = {"half": (0x7E00, 0x7D00), "float": (0x7FC00000, 0x7FA00000), "double": (0x7FF8 << 48, 0x7FF4 << 48)}


@pytest.mark.parametrize("name, dtype", FLOATS.items())
def test_limits_of_floating_point_types_have_the_specified_values(name, dtype):
    limits, info = clmath.numeric_limits(name), np.finfo(dtype)
    due = {"max": info.max, "lowest": info.min, "min": info.tiny, "epsilon": info.eps, "round_error": 0.5}
    due |= {"infinity": np.inf, "denorm_min": info.smallest_subnormal, "digits": info.nmant + 1}
    due |= {"max_exponent": info.maxexp, "min_exponent": info.minexp + 1, "is_signed": True, "is_iec559": True}
    due |= dict.fromkeys(("is_integer", "is_exact", "is_modulo", "traps", "tinyness_before", "has_denorm_loss"), False)
    assert {member: getattr(limits, member) for member in due} == due
    p, largest, least = limits.digits, Fraction(float(limits.max)), Fraction(float(limits.min))
    assert 10**limits.digits10 <= 2 ** (p - 1) < 10 ** (limits.digits10 + 1)  # floor((p - 1) log10 2)
    assert 10 ** (limits.max_digits10 - 2) < 2**p < 10 ** (limits.max_digits10 - 1)  # ceil(1 + p log10 2)
    assert Fraction(10) ** limits.max_exponent10 <= largest < Fraction(10) ** (limits.max_exponent10 + 1)
    assert Fraction(10) ** limits.min_exponent10 >= least > Fraction(10) ** (limits.min_exponent10 - 1)
    assert limits.has_denorm is clmath.float_denorm_style.denorm_present
    assert limits.round_style is clmath.float_round_style.round_to_nearest
    code = f"u{info.bits // 8}"
    assert (int(limits.quiet_NaN.view(code)), int(limits.signaling_NaN.view(code))) == NAN[name]


@for_each("name", [*INTEGERS, "bool"])
@for_each("elements", [2, 3, 4, 8, 16])
def test_limits_of_vectors_repeat_the_limits_of_scalars(name, elements):
    scalar, vector = clmath.numeric_limits(name), clmath.numeric_limits((name, elements))
    for member in MEMBERS:
        value = getattr(vector, member)
        if member in VALUES:
            assert value.dtype == getattr(scalar, member).dtype
            assert value.tolist() == [getattr(scalar, member)] * elements
            assert not value.flags.writeable
        elif member not in ("is_scalar", "is_vector"):
            assert value == getattr(scalar, member)
    assert (vector.is_scalar, vector.is_vector) == (False, True)


@for_each("name", ["half2", "float4", "double16", "bfloat16"])
def test_type_without_declared_limits_is_refused(name):
    if name == "bfloat16":
        pytest.importorskip("ml_dtypes")
    with pytest.raises(clmath.UnknownNameError, match=rf"numeric_limits\(\): of {name} the text declares no"):
        clmath.numeric_limits(name)


@for_each("name", ["float5", "size_t", None, 3, "int1"])
def test_unknown_type_is_refused(name):
    with pytest.raises(clmath.UnknownNameError, match=r"numeric_limits\(\): "):
        clmath.numeric_limits(name)
    with pytest.raises(clmath.UnknownNameError, match=r"math_constants\(\): "):
        clmath.math_constants(name)


@pytest.mark.parametrize("name, dtype", FLOATS.items())
def test_math_constants_are_rounded_to_nearest(name, dtype):
    """MPFR confirms this, also for the macros of the header ``constants``."""
    constants, suffix = clmath.math_constants(name), {"half": "_H", "float": "_F", "double": ""}[name]
    members = {
        name.lower().replace("1_pi", "one_pi").replace("2_pi", "two_pi").replace("2_sqrtpi", "two_sqrtpi"): name
        for name in exact_constants()
    }
    assert vars(constants).keys() - {"type"} == members.keys()
    for member, macro_name in members.items():
        value, exact = getattr(constants, member), exact_constants()[macro_name]
        neighbours = [value, np.nextafter(value, dtype(np.inf)), np.nextafter(value, dtype(0))]
        distances = [abs(gmpy2.mpfr(float(v), 300) - exact) for v in neighbours]
        assert distances[0] < min(distances[1:])
        macro = getattr(clmath, f"M_{macro_name}{suffix}")
        assert macros.value(f"M_{macro_name}{suffix}") == macro
        assert type(value) is type(macro) is dtype
        assert value == macro


def test_math_constants_of_vectors_repeat_the_scalar():
    for name, dtype in FLOATS.items():
        for elements in (2, 3, 4, 8, 16):
            found = clmath.math_constants((name, elements))
            assert found.two_pi.tolist() == [clmath.math_constants(dtype).two_pi] * elements
            assert found.two_pi.dtype == dtype
    with pytest.raises(clmath.UnknownNameError, match="declares no math_constants"):
        clmath.math_constants("int")
    with pytest.raises(ValueError, match="read-only"):
        clmath.math_constants("float4").pi[0] = 3
