"""Limits of the types, and mathematical constants by type: OpenCL C++ 1.0, 3.26 and 3.27.

The macros of both sections (``FLT_MAX``, ``INT_MIN``, ``M_PI_F`` ...) are constants of the package.
"""

from __future__ import annotations

import enum
import functools
import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from clmath import constants, errors
from clmath.numbers.datatypes import DataType, type_named
from clmath.numbers.formats import FORMATS
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.typing import Floats, Type

__all__ = ["float_denorm_style", "float_round_style", "math_constants", "numeric_limits"]


class float_round_style(enum.IntEnum):  # noqa: N801 - the text's name
    """Rounding of a type: the values of ``round_style``. Source: OpenCL C++ 1.0, 3.26.1; C++14, 18.3.2.5."""

    round_indeterminate = -1
    round_toward_zero = 0
    round_to_nearest = 1
    round_toward_infinity = 2
    round_toward_neg_infinity = 3


class float_denorm_style(enum.IntEnum):  # noqa: N801 - the text's name
    """Whether a type has subnormal numbers: the values of ``has_denorm``. Source: as for ``float_round_style``."""

    denorm_indeterminate = -1
    denorm_absent = 0
    denorm_present = 1


@dataclass(frozen=True, eq=False)
class NumericLimits:
    """The members of ``numeric_limits<type>``; functions of the text are values here."""

    type: str
    is_specialized: bool
    min: Floats
    max: Floats
    lowest: Floats
    digits: int
    digits10: int
    max_digits10: int
    is_signed: bool
    is_integer: bool
    is_exact: bool
    radix: int
    epsilon: Floats
    round_error: Floats
    min_exponent: int
    min_exponent10: int
    max_exponent: int
    max_exponent10: int
    has_infinity: bool
    has_quiet_NaN: bool  # noqa: N815 - the text's name
    has_signaling_NaN: bool  # noqa: N815
    has_denorm: float_denorm_style
    has_denorm_loss: bool
    infinity: Floats
    quiet_NaN: Floats  # noqa: N815
    signaling_NaN: Floats  # noqa: N815
    denorm_min: Floats
    is_iec559: bool
    is_bounded: bool
    is_modulo: bool
    traps: bool
    tinyness_before: bool
    round_style: float_round_style
    is_scalar: bool
    is_vector: bool


def numeric_limits(type: Type, /) -> NumericLimits:
    """``numeric_limits<type>``: an object with every member that the text lists, as an attribute.

    ``type``: bool, char, uchar, short, ushort, int, uint, long, ulong, half, float or double, or a vector of 2, 3, 4, 8
    or 16 bool or integers, ``"int4"``, by name or as NumPy's dtype; the text declares none for vectors of half, float
    and double. Members of the type itself (``min``, ``max``, ``lowest``, ``epsilon``, ``round_error``, ``infinity``,
    ``quiet_NaN``, ``signaling_NaN``, ``denorm_min``) are NumPy scalars, for a vector type read-only arrays of its
    components; digits and exponents are ints, the rest bools and members of ``float_denorm_style`` and
    ``float_round_style``. Members without a meaning for a type are 0 or False, as in C++.

    Members that depend on the device describe clmath itself: it has subnormal numbers (a device says so by
    ``HAS_HALF_FP_DENORM``, ``HAS_SINGLE_FP_DENORM``, ``HAS_DOUBLE_FP_DENORM``), signaling NaN, IEEE 754's results;
    integers wrap, signed ones too (``is_modulo``), and nothing traps.

    UnknownNameError: an unknown type, or one without numeric_limits in the text.
    Source: OpenCL C++ 1.0, 3.26.1 to 3.26.3; C++14, 18.3.2.4.

    >>> limits = numeric_limits("half")
    >>> float(limits.max), float(limits.denorm_min), limits.max_digits10
    (65504.0, 5.960464477539063e-08, 5)
    >>> numeric_limits("uchar2").max
    array([255, 255], dtype=uint8)
    """
    refuse_altered_arithmetic("numeric_limits()")
    target = type_named("numeric_limits()", type)
    if target.form is not None and (target.components > 1 or target.form not in FORMATS):
        fact = f"of {target.name} the text declares no numeric_limits (3.26.1), so that every member would be 0"
        scalar = target.form.name if target.form in FORMATS else "float"
        raise errors.UnknownNameError(f"numeric_limits(): {fact}: take those of {scalar!r}")
    return _limits(target)


@functools.lru_cache(maxsize=128)
def _limits(target: DataType) -> NumericLimits:
    known = _of_integers(target.dtype) if target.form is None else _of_format(target.form)
    known |= {"type": target.name, "is_specialized": True, "is_bounded": True, "radix": 2, "traps": False}
    known |= {"is_scalar": target.components == 1, "is_vector": target.components > 1}
    absent = {"has_denorm": float_denorm_style.denorm_absent, "round_style": float_round_style.round_toward_zero}
    found: dict[str, Floats] = {}
    for field in fields(NumericLimits):
        value = known.get(field.name, absent.get(field.name, 0 if field.type == "int" else False))
        found[field.name] = _value(target, value) if field.type == "Floats" else value  # a member of the type itself
    return NumericLimits(**found)


def _value(target: DataType, value: object) -> Floats:
    """A value of the type: a scalar, or a read-only vector."""
    scalar = np.asarray(value, target.dtype)
    if target.components == 1:
        return scalar[()]
    vector = np.full(target.components, scalar)
    vector.flags.writeable = False
    return vector


def _of_integers(dtype: np.dtype) -> dict[str, object]:
    if dtype.kind == "b":
        least, most = 0, 1
    else:
        least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return {
        "min": least,
        "lowest": least,
        "max": most,
        "digits": most.bit_length(),
        "digits10": len(str(most)) - 1,
        "is_signed": least < 0,
        "is_integer": True,
        "is_exact": True,
        "is_modulo": dtype.kind != "b",
    }


def _of_format(form: Format) -> dict[str, object]:
    quiet = 1 << form.precision - 2
    return {
        "min": form.smallest_normal,
        "max": form.largest,
        "lowest": -form.largest,
        "digits": form.precision,
        "digits10": math.floor((form.precision - 1) * math.log10(2.0)),
        "max_digits10": math.ceil(1 + form.precision * math.log10(2.0)),
        "is_signed": True,
        "epsilon": form.eps,
        "round_error": 0.5,
        "min_exponent": form.emin + 1,
        "min_exponent10": math.ceil(form.emin * math.log10(2.0)),
        "max_exponent": form.emax + 1,
        "max_exponent10": math.floor(math.log10(form.largest)),
        "has_infinity": True,
        "has_quiet_NaN": True,
        "has_signaling_NaN": True,
        "has_denorm": float_denorm_style.denorm_present,
        "infinity": math.inf,
        "quiet_NaN": form.nan,
        "signaling_NaN": form.from_bits((form.quiet_nan ^ quiet) | quiet >> 1),
        "denorm_min": form.smallest_subnormal,
        "is_iec559": True,
        "round_style": float_round_style.round_to_nearest,
    }


@dataclass(frozen=True, eq=False)
class MathConstants:
    """The members of ``math_constants<type>``; functions of the text are values here."""

    type: str
    e: Floats
    log2e: Floats
    log10e: Floats
    ln2: Floats
    ln10: Floats
    pi: Floats
    pi_2: Floats
    pi_4: Floats
    one_pi: Floats
    two_pi: Floats
    two_sqrtpi: Floats
    sqrt2: Floats
    sqrt1_2: Floats


_SUFFIXES = {"half": "_H", "float": "_F", "double": ""}


def math_constants(type: Type, /) -> MathConstants:
    """``math_constants<type>``: an object with every constant of the text as an attribute, rounded to nearest.

    ``type``: half, float or double, or a vector of 2, 3, 4, 8 or 16 of them, ``"float4"``, by name or as NumPy's dtype.
    Attributes: ``e``, ``log2e``, ``log10e``, ``ln2``, ``ln10``, ``pi``, ``pi_2`` (π / 2), ``pi_4`` (π / 4), ``one_pi``
    (1 / π), ``two_pi`` (2 / π, not 2 π), ``two_sqrtpi`` (2 / √π), ``sqrt2`` and ``sqrt1_2`` (1 / √2): a NumPy scalar of
    the type, for a vector type a read-only array of its components. The variables ``e_v<T>`` to ``sqrt1_2_v<T>`` of the
    text are the same values. A device's need only be "accurate within the precision" of
    the type.

    UnknownNameError: an unknown type, or one whose constants the text leaves 0.
    Source: OpenCL C++ 1.0, 3.27.1 to 3.27.5.

    >>> math_constants("float").two_pi
    np.float32(0.63661975)
    >>> math_constants("half2").pi
    array([3.14, 3.14], dtype=float16)
    """
    refuse_altered_arithmetic("math_constants()")
    target = type_named("math_constants()", type)
    if target.form is None or target.form.name not in _SUFFIXES:
        fact = f"of {target.name} the text declares no math_constants (3.27.1), so that each would be 0"
        raise errors.UnknownNameError(f"math_constants(): {fact}: take those of 'half', 'float' or 'double'")
    suffix = _SUFFIXES[target.form.name]
    names = [field.name for field in fields(MathConstants)][1:]
    return MathConstants(target.name, *(_value(target, getattr(constants, _macro(name) + suffix)) for name in names))


def _macro(name: str) -> str:
    """Return the macro of a constant of double, such as M_2_PI of two_pi."""
    return "M_" + name.upper().replace("ONE_", "1_").replace("TWO_", "2_")
