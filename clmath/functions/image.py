"""Channel conversions of image reads and writes: OpenCL C++ 1.0, 5.3, and cl_khr_fp16 for half.

``read_*`` turn what an image stores into what ``image::read`` returns, ``write_*`` what ``image::write`` is given into
what the image stores. clmath gives the preferred result, correctly rounded from the exact formula; every docstring
says how far a device may be off.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call import converted, elementwise
from clmath.call.arguments import as_array, checked_width, is_weak, weak
from clmath.direct import channels
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import FLOAT, HALF, Format, format_named, format_of
from clmath.numbers.rounding import Rounding, checked_mode, round_real

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "read_float",
    "read_half_float",
    "read_snorm_int8",
    "read_snorm_int16",
    "read_srgb",
    "read_srgba",
    "read_unorm_int8",
    "read_unorm_int16",
    "read_unorm_int_101010",
    "write_float",
    "write_half_float",
    "write_signed_int8",
    "write_signed_int16",
    "write_signed_int32",
    "write_snorm_int8",
    "write_snorm_int16",
    "write_srgb",
    "write_srgba",
    "write_unorm_int8",
    "write_unorm_int16",
    "write_unorm_int_101010",
    "write_unsigned_int8",
    "write_unsigned_int16",
    "write_unsigned_int32",
]


def read_unorm_int8(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_UNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 255, correctly rounded.

    ``x``: uchar, any shape. A device may be 1.5 ulp off, except that 0 gives 0 and 255 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_unorm_int8(np.uint8([0, 51, 255]))
    array([0. , 0.2, 1. ], dtype=float32)
    """
    return _read_normalized("read_unorm_int8()", x, channels.UNORM_INT8, type, rounding)


def read_unorm_int16(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_UNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 65535, correctly rounded.

    ``x``: ushort, any shape. A device may be 1.5 ulp off, except that 0 gives 0 and 65535 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_unorm_int16(np.uint16([0, 13107, 65535]))
    array([0. , 0.2, 1. ], dtype=float32)
    """
    return _read_normalized("read_unorm_int16()", x, channels.UNORM_INT16, type, rounding)


def read_unorm_int_101010(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_UNORM_INT_101010 to ``type``, ``"half"`` or ``"float"``: each channel c / 1023, correctly rounded.

    ``x``: uint, any shape, with red in bits 29 to 20, green in 19 to 10, blue in 9 to 0; the two highest bits do not
    count. The result has a further, last axis of 3 lanes. A device may be 1.5 ulp off, except that 0 gives 0 and 1023
    gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the OpenCL API.

    >>> read_unorm_int_101010(np.uint32(1023 << 20))
    array([1., 0., 0.], dtype=float32)
    """
    call = "read_unorm_int_101010()"
    packed = _stored(call, x, np.dtype(np.uint32))
    lanes = (packed[..., np.newaxis] >> np.array([20, 10, 0], np.uint32)) & np.uint32(1023)
    return _read_normalized(call, lanes.astype(np.uint16), channels.UNORM_INT10, type, rounding)


def read_snorm_int8(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_SNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 127, correctly rounded and no less than -1.

    ``x``: char, any shape. A device may be 1.5 ulp off, except that -128 and -127 give -1, 0 gives 0, 127 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_snorm_int8(np.int8([-128, -127, 0, 127]))
    array([-1., -1.,  0.,  1.], dtype=float32)
    """
    return _read_normalized("read_snorm_int8()", x, channels.SNORM_INT8, type, rounding)


def read_snorm_int16(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_SNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 32767, correctly rounded and no less than -1.

    ``x``: short, any shape. A device may be 1.5 ulp off, except that -32768 and -32767 give -1, 0 gives 0, 32767
    gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_snorm_int16(np.int16([-32768, -32767, 0, 32767]))
    array([-1., -1.,  0.,  1.], dtype=float32)
    """
    return _read_normalized("read_snorm_int16()", x, channels.SNORM_INT16, type, rounding)


def write_unorm_int8(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_UNORM_INT8: max(0, min(255, 255 color)), the exact product rounded once.

    Any shape; a Python number is a float. Infinities saturate and NaN gives 0, which the specification leaves open. A
    device may be 0.6 off before rounding is seen: |f(x) - result| <= 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_unorm_int8(np.float32([-1, 0.5, 2]))
    array([  0, 128, 255], dtype=uint8)
    """
    return _write_normalized("write_unorm_int8()", color, channels.UNORM_INT8, rounding)


def write_unorm_int16(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_UNORM_INT16: max(0, min(65535, 65535 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may be 0.6 off. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_unorm_int16(np.float32([-1, 0.5, 2]))
    array([    0, 32768, 65535], dtype=uint16)
    """
    return _write_normalized("write_unorm_int16()", color, channels.UNORM_INT16, rounding)


def write_unorm_int_101010(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_UNORM_INT_101010: max(0, min(1023, 1023 color)) a channel, the exact product rounded once.

    ``color``: the last axis holds red, green and blue, packed as ``read_unorm_int_101010`` says into a uint whose two
    highest bits are 0. Otherwise as ``write_unorm_int8``: a device may be 0.6 off.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_int_101010(np.float32([1, 0, 0.5])))
    '0x3ff00200'
    """
    call = "write_unorm_int_101010()"
    array = _color(call, color)
    checked_width(call, "color", array, (3,))
    lanes = np.asarray(_write_normalized(call, array, channels.UNORM_INT10, rounding)).astype(np.uint32)
    return (lanes[..., 0] << np.uint32(20)) | (lanes[..., 1] << np.uint32(10)) | lanes[..., 2]


def write_snorm_int8(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_SNORM_INT8: max(-128, min(127, 127 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may be 0.6 off. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_snorm_int8(np.float32([-2, -1, 0.5, 2]))
    array([-128, -127,   64,  127], dtype=int8)
    """
    return _write_normalized("write_snorm_int8()", color, channels.SNORM_INT8, rounding)


def write_snorm_int16(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_SNORM_INT16: max(-32768, min(32767, 32767 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may be 0.6 off. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_snorm_int16(np.float32([-2, -1, 0.5, 2]))
    array([-32768, -32767,  16384,  32767], dtype=int16)
    """
    return _write_normalized("write_snorm_int16()", color, channels.SNORM_INT16, rounding)


def read_half_float(x: Any, /, type: str = "float") -> Any:
    """CL_HALF_FLOAT to ``type``, ``"half"`` or ``"float"``: exact.

    ``x``: half, any shape. Lossless on a device too. Source: OpenCL C++ 1.0, 5.3.2.

    >>> read_half_float(np.float16(0.1))
    np.float32(0.099975586)
    """
    call = "read_half_float()"
    return converted(call, _stored(call, x, HALF.dtype), _format(call, type).dtype, "rte")[()]


def write_half_float(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Half or float to CL_HALF_FLOAT: correctly rounded; NaN stays NaN and an infinity an infinity.

    Any shape; a Python number is a float. A device rounds to nearest even or toward zero and may flush subnormal
    results to zero. Source: OpenCL C++ 1.0, 5.3.2.

    >>> write_half_float(np.float32([0.1, 65520, 1e-7]), rounding="rtz").tolist()
    [0.0999755859375, 65504.0, 5.960464477539063e-08]
    """
    call = "write_half_float()"
    return converted(call, _color(call, color), HALF.dtype, checked_mode(call, rounding))[()]


def read_float(x: Any, /) -> Any:
    """CL_FLOAT as it is: a copy of ``x``, float, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.

    >>> read_float(np.float32(0.1))
    np.float32(0.1)
    """
    return _copied("read_float()", x, FLOAT.dtype)


def write_float(color: Any, /) -> Any:
    """A float to CL_FLOAT as it is: a copy of ``color``, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.

    >>> write_float(np.float32(0.1))
    np.float32(0.1)
    """
    return _copied("write_float()", color, FLOAT.dtype)


def write_signed_int8(color: Any, /) -> Any:
    """An int to CL_SIGNED_INT8, saturated: ``convert_char_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int8(np.int32([-1000, -1, 1000]))
    array([-128,   -1,  127], dtype=int8)
    """
    return _saturated("write_signed_int8()", color, np.int32, np.int8)


def write_signed_int16(color: Any, /) -> Any:
    """An int to CL_SIGNED_INT16, saturated: ``convert_short_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int16(np.int32([-100000, -1, 100000]))
    array([-32768,     -1,  32767], dtype=int16)
    """
    return _saturated("write_signed_int16()", color, np.int32, np.int16)


def write_signed_int32(color: Any, /) -> Any:
    """An int to CL_SIGNED_INT32 as it is: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int32(np.int32(-5))
    np.int32(-5)
    """
    return _saturated("write_signed_int32()", color, np.int32, np.int32)


def write_unsigned_int8(color: Any, /) -> Any:
    """A uint to CL_UNSIGNED_INT8, saturated: ``convert_uchar_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int8(np.uint32([1, 1000]))
    array([  1, 255], dtype=uint8)
    """
    return _saturated("write_unsigned_int8()", color, np.uint32, np.uint8)


def write_unsigned_int16(color: Any, /) -> Any:
    """A uint to CL_UNSIGNED_INT16, saturated: ``convert_ushort_sat``. A device must agree.

    Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int16(np.uint32([1, 100000]))
    array([    1, 65535], dtype=uint16)
    """
    return _saturated("write_unsigned_int16()", color, np.uint32, np.uint16)


def write_unsigned_int32(color: Any, /) -> Any:
    """A uint to CL_UNSIGNED_INT32 as it is: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int32(np.uint32(5))
    np.uint32(5)
    """
    return _saturated("write_unsigned_int32()", color, np.uint32, np.uint32)


def read_srgb(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """An 8-bit sRGB channel to linear ``type``, ``"half"`` or ``"float"``, correctly rounded from the exact formula.

    With r = x / 255: r / 12.92 up to 0.04045, ((r + 0.055) / 1.055)^2.4 above. ``x``: uchar, any shape; red, green and
    blue only, alpha is ``read_unorm_int8``. A device's y must be so near that |x - 255 c_sRGB(y)| <= 0.5.
    Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgb(np.uint8([0, 128, 255]))
    array([0.       , 0.2158605, 1.       ], dtype=float32)
    """
    return _read_srgb("read_srgb()", x, type, rounding)


def write_srgb(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Linear half or float to an 8-bit sRGB channel: 255 c_sRGB(color), exact, rounded once.

    c_sRGB(y) is 0 for NaN and y < 0, 12.92 y below 0.0031308, 1.055 y^(1/2.4) - 0.055 up to 1, and 1 above. (The
    OpenCL C++ text has lost the - 0.055, which OpenCL C and the sRGB standard have.) Any shape; a Python number is a
    float; red, green and blue only, alpha is ``write_unorm_int8``. A device's x must be so near that
    |x - 255 c_sRGB(y)| <= 0.6. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgb(np.float32([0, 0.21586, 1]))
    array([  0, 128, 255], dtype=uint8)
    """
    return _write_srgb("write_srgb()", color, rounding)


def read_srgba(x: Any, /, type: str = "float", *, rounding: Rounding = "rte") -> Any:
    """CL_sRGBA to linear ``type``: ``read_srgb`` for red, green and blue, ``read_unorm_int8`` for alpha.

    ``x``: uchar, 4 lanes on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgba(np.uint8([0, 255, 128, 128])).tolist()
    [0.0, 1.0, 0.2158605009317398, 0.501960813999176]
    """
    array = _stored("read_srgba()", x, np.dtype(np.uint8))
    checked_width("read_srgba()", "x", array, (4,))
    alpha = _read_normalized("read_srgba()", array[..., 3:], channels.UNORM_INT8, type, rounding)
    return np.concatenate([_read_srgb("read_srgba()", array[..., :3], type, rounding), alpha], axis=-1)


def write_srgba(color: Any, /, *, rounding: Rounding = "rte") -> Any:
    """Linear half or float to CL_sRGBA: ``write_srgb`` for red, green and blue, ``write_unorm_int8`` for alpha.

    ``color``: 4 lanes on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgba(np.float32([0, 1, 0.5, 0.5]))
    array([  0, 255, 188, 128], dtype=uint8)
    """
    array = _color("write_srgba()", color)
    checked_width("write_srgba()", "color", array, (4,))
    alpha = _write_normalized("write_srgba()", array[..., 3:], channels.UNORM_INT8, rounding)
    return np.concatenate([_write_srgb("write_srgba()", array[..., :3], rounding), alpha], axis=-1)


def _read_normalized(call: str, x: Any, channel: channels.Normalized, type: str, rounding: Rounding) -> Any:
    form, mode = _format(call, type), checked_mode(call, rounding)
    stored = _stored(call, x, channel.dtype)
    whole = channel.read(form, mode)
    return elementwise(call, stored, form.dtype, lambda v: channels.normalized_value(v, channel, form, mode), whole)[()]


def _write_normalized(call: str, color: Any, channel: channels.Normalized, rounding: Rounding) -> Any:
    array, mode = _color(call, color), checked_mode(call, rounding)
    whole = channel.written(array.dtype, mode)
    return elementwise(call, array, channel.dtype, lambda v: channels.normalized_integer(v, channel, mode), whole)[()]


def _read_srgb(call: str, x: Any, type: str, rounding: Rounding) -> Any:
    form, mode = _format(call, type), checked_mode(call, rounding)
    stored = _stored(call, x, np.dtype(np.uint8))
    return elementwise(call, stored, form.dtype, lambda v: channels.linear_from_srgb(v, form, mode))[()]


def _write_srgb(call: str, color: Any, rounding: Rounding) -> Any:
    array, mode = _color(call, color), checked_mode(call, rounding)
    return elementwise(call, array, np.dtype(np.uint8), lambda v: channels.srgb_from_linear(v, mode))[()]


def _saturated(call: str, color: Any, needed: Any, target: Any) -> Any:
    return converted(call, _stored(call, color, np.dtype(needed), "color"), np.dtype(target), "rte", sat=True)[()]


def _copied(call: str, x: Any, dtype: np.dtype[Any]) -> Any:
    return elementwise(call, _stored(call, x, dtype), dtype, lambda v: v)[()]


def _format(call: str, type: Any) -> Format:
    form = format_named(type, call)
    if form not in (HALF, FLOAT):
        raise errors.not_one_of(call, "type", type, ("half", "float"))
    return form


def _stored(call: str, x: Any, dtype: np.dtype[Any], argument: str = "x") -> NDArray[Any]:
    """``x``, which must have the channel's type; a Python number that the type holds takes it."""
    array = _weak(call, argument, x, dtype) if is_weak(x) else as_array(call, argument, x)
    if array.dtype.newbyteorder("=") != dtype:
        remedy = errors.conversion(argument, type_name(dtype))
        raise errors.wrong_dtype(call, argument, array.dtype, str(dtype), remedy)
    return array


def _weak(call: str, argument: str, number: float, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A Python number in the channel's type; a float stays a double where that is an integer type."""
    form = format_of(dtype)
    if form is not None:
        return weak(call, argument, number, form)
    if type(number) is float:
        return np.asarray(number)
    info = np.iinfo(dtype)
    if not info.min <= number <= info.max:
        nearest = errors.conversion(argument, type_name(dtype), ", sat=True")
        fact = f"{argument} is {errors.shown(number)}; {dtype} lies in {info.min} .. {info.max}"
        raise errors.RangeError(f"{call}: {fact}: {nearest}")
    return np.asarray(number, dtype)


def _color(call: str, color: Any) -> NDArray[Any]:
    """Colours as half or float; a Python number is rounded to float, where beyond it to an infinity."""
    array = np.asarray(round_real(color, FLOAT, "rte")) if is_weak(color) else as_array(call, "color", color)
    if format_of(array.dtype) not in (HALF, FLOAT):
        raise errors.wrong_dtype(call, "color", array.dtype, "half or float", errors.conversion("color", "float"))
    return array
