"""Channel conversions of image reads and writes: OpenCL C++ 1.0, 5.3, and cl_khr_fp16 for half.

``read_*`` turn stored channels into the values that ``image::read`` returns, ``write_*`` the arguments of
``image::write`` into stored channels. clmath gives the preferred result, correctly rounded from the exact formula;
every docstring states the error that a device may have. ``out``, ``where`` and ``threads``: see ``help(clmath)``.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.call import NEW, Into, converted, elementwise, into, returned, whole_step
from clmath.call.arguments import as_array, checked_width, is_weak, weak
from clmath.call.evaluation import Evaluation, by_step
from clmath.call.subnormals import as_here
from clmath.direct import channels
from clmath.direct.channels import UNORM_INT8
from clmath.direct.texels import TYPES
from clmath.functions.families import family
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import FLOAT, HALF, Format, format_named, format_of
from clmath.numbers.rounding import Rounding, checked_mode, round_real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.direct.texels import ChannelType
    from clmath.phases import Step
    from clmath.typing import FloatLike, Floats, IntLike, Ints, Out, Where

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
    "read_unorm_short_555",
    "read_unorm_short_565",
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
    "write_unorm_short_555",
    "write_unorm_short_565",
    "write_unsigned_int8",
    "write_unsigned_int16",
    "write_unsigned_int32",
]

_Results: TypeAlias = "tuple[Out, Where, int]"
"""``out``, ``where`` and ``threads`` of a call."""

_COLORS = HALF.dtype, FLOAT.dtype
_FEW = 512  # elements that compiled code processes whole, which takes less time than cutting them into chunks
_CHANNEL_FORMATS = {form.name: form for form in (HALF, FLOAT)}


@family
def reading(
    x: IntLike,
    /,
    type: str = "float",
    *,
    rounding: Rounding = "rte",
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a read of channels that are normalized integers."""
    return _read("reading", x, type, rounding, (out, where, threads))


@family
def writing(
    color: FloatLike, /, *, rounding: Rounding = "rte", out: Out = None, where: Where = True, threads: int = 1
) -> Ints:
    """Evaluate a write of channels that are normalized integers."""
    return _write("writing", color, rounding, (out, where, threads))


@family
def saturating(color: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Ints:
    """Evaluate a write of an integer channel."""
    return _saturated("saturating", color, (out, where, threads))


@reading
def read_unorm_int8(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 255, correctly rounded.

    ``x``: uchar, any shape. A device may have an error of 1.5 ulp, except that 0 gives 0 and 255 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_unorm_int8(np.uint8([0, 51, 255]))
    array([0. , 0.2, 1. ], dtype=float32)
    """


@reading
def read_unorm_int16(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 65535, correctly rounded.

    ``x``: ushort, any shape. A device may have an error of 1.5 ulp, except that 0 gives 0 and 65535 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_unorm_int16(np.uint16([0, 13107, 65535]))
    array([0. , 0.2, 1. ], dtype=float32)
    """


@reading
def read_unorm_short_565(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_SHORT_565 to ``type``, ``"half"`` or ``"float"``: red c / 31, green c / 63, blue c / 31.

    ``x``: ushort, any shape, with red in bits 15 to 11, green in 10 to 5, blue in 4 to 0. Otherwise as
    ``read_unorm_int_101010``: a device may have an error of 1.5 ulp, except that no bit of a channel
    gives 0 and all give 1.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the OpenCL API.

    >>> read_unorm_short_565(np.uint16(63 << 5))
    array([0., 1., 0.], dtype=float32)
    """


@reading
def read_unorm_short_555(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_SHORT_555 to ``type``, ``"half"`` or ``"float"``: each channel c / 31, correctly rounded.

    ``x``: ushort, any shape, with red in bits 14 to 10, green in 9 to 5, blue in 4 to 0; the highest bit does not
    count. Otherwise as ``read_unorm_short_565``.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the OpenCL API.

    >>> read_unorm_short_555(np.uint16(31 << 10))
    array([1., 0., 0.], dtype=float32)
    """


@reading
def read_unorm_int_101010(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT_101010 to ``type``, ``"half"`` or ``"float"``: each channel c / 1023, correctly rounded.

    ``x``: uint, any shape, with red in bits 29 to 20, green in 19 to 10, blue in 9 to 0; the two highest bits do not
    count. The result has a further, last axis of 3 components. A device may have an error of 1.5 ulp, except that 0
    gives 0 and 1023 gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the
    OpenCL API.

    >>> read_unorm_int_101010(np.uint32(1023 << 20))
    array([1., 0., 0.], dtype=float32)
    """


@reading
def read_snorm_int8(x: IntLike, /, type: str = "float") -> Floats:
    """CL_SNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 127, correctly rounded and no less than -1.

    ``x``: char, any shape. A device may have an error of 1.5 ulp, except that -128 and -127 give -1, 0 gives 0, 127
    gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_snorm_int8(np.int8([-128, -127, 0, 127]))
    array([-1., -1.,  0.,  1.], dtype=float32)
    """


@reading
def read_snorm_int16(x: IntLike, /, type: str = "float") -> Floats:
    """CL_SNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 32767, correctly rounded and no less than -1.

    ``x``: short, any shape. A device may have an error of 1.5 ulp, except that -32768 and -32767 give -1, 0 gives 0,
    32767 gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_snorm_int16(np.int16([-32768, -32767, 0, 32767]))
    array([-1., -1.,  0.,  1.], dtype=float32)
    """


@writing
def write_unorm_int8(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT8: max(0, min(255, 255 color)), the exact product rounded once.

    Any shape; a Python number is a float. Infinities saturate and NaN gives 0, which the specification leaves
    unspecified. A device may have an error of 0.6 before rounding: |f(x) - result| <= 0.6.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_unorm_int8(np.float32([-1, 0.5, 2]))
    array([  0, 128, 255], dtype=uint8)
    """


@writing
def write_unorm_int16(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT16: max(0, min(65535, 65535 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_unorm_int16(np.float32([-1, 0.5, 2]))
    array([    0, 32768, 65535], dtype=uint16)
    """


@writing
def write_unorm_short_565(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_SHORT_565: red and blue max(0, min(31, 31 color)), green of 63; rounded once.

    ``color``: the last axis holds red, green and blue, packed into a ushort as in ``read_unorm_short_565``. Otherwise
    as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_short_565(np.float32([1, 0, 0.5])))
    '0xf810'
    """


@writing
def write_unorm_short_555(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_SHORT_555: max(0, min(31, 31 color)) a channel, the exact product rounded once.

    ``color``: the last axis holds red, green and blue, packed as in ``read_unorm_short_555`` into a ushort whose
    highest bit is 0. Otherwise as ``write_unorm_int8``: a device may have an error of 0.6.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_short_555(np.float32([1, 0, 0.5])))
    '0x7c10'
    """


@writing
def write_unorm_int_101010(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT_101010: max(0, min(1023, 1023 color)) a channel, the exact product rounded once.

    ``color``: the last axis holds red, green and blue, packed as in ``read_unorm_int_101010`` into a uint whose two
    highest bits are 0. Otherwise as ``write_unorm_int8``: a device may have an error of 0.6.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_int_101010(np.float32([1, 0, 0.5])))
    '0x3ff00200'
    """


@writing
def write_snorm_int8(color: FloatLike, /) -> Ints:
    """Half or float to CL_SNORM_INT8: max(-128, min(127, 127 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_snorm_int8(np.float32([-2, -1, 0.5, 2]))
    array([-128, -127,   64,  127], dtype=int8)
    """


@writing
def write_snorm_int16(color: FloatLike, /) -> Ints:
    """Half or float to CL_SNORM_INT16: max(-32768, min(32767, 32767 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_snorm_int16(np.float32([-2, -1, 0.5, 2]))
    array([-32768, -32767,  16384,  32767], dtype=int16)
    """


def read_half_float(
    x: FloatLike, /, type: str = "float", *, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """CL_HALF_FLOAT to ``type``, ``"half"`` or ``"float"``: exact.

    ``x``: half, any shape. Lossless on a device too. Source: OpenCL C++ 1.0, 5.3.2.

    >>> read_half_float(np.float16(0.1))
    np.float32(0.099975586)
    """
    call, target = "read_half_float()", _format("read_half_float()", type).dtype
    results = into(call, out, where, threads)
    return returned(converted(call, _stored(call, x, HALF.dtype), target, "rte", into=results), out)


def write_half_float(
    color: FloatLike, /, *, rounding: Rounding = "rte", out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Half or float to CL_HALF_FLOAT: correctly rounded; NaN stays NaN and an infinity an infinity.

    Any shape; a Python number is a float. A device rounds to nearest even or toward zero and may flush subnormal
    results to zero. Source: OpenCL C++ 1.0, 5.3.2.

    >>> write_half_float(np.float32([0.1, 65520, 1e-7]), rounding="rtz").tolist()
    [0.0999755859375, 65504.0, 5.960464477539063e-08]
    """
    call, target = "write_half_float()", HALF.dtype
    mode, results = checked_mode(call, rounding), into(call, out, where, threads)
    return returned(converted(call, _color(call, color), target, mode, into=results, argument="color"), out)


def read_float(x: FloatLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """CL_FLOAT unchanged: a copy of ``x``, float, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.

    >>> read_float(np.float32(0.1))
    np.float32(0.1)
    """
    return _copied("read_float()", x, FLOAT.dtype, (out, where, threads))


def write_float(color: FloatLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """A float to CL_FLOAT, unchanged: a copy of ``color``, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.

    >>> write_float(np.float32(0.1))
    np.float32(0.1)
    """
    return _copied("write_float()", color, FLOAT.dtype, (out, where, threads), "color")


@saturating
def write_signed_int8(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT8, saturated: ``convert_char_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int8(np.int32([-1000, -1, 1000]))
    array([-128,   -1,  127], dtype=int8)
    """


@saturating
def write_signed_int16(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT16, saturated: ``convert_short_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int16(np.int32([-100000, -1, 100000]))
    array([-32768,     -1,  32767], dtype=int16)
    """


@saturating
def write_signed_int32(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT32, unchanged: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int32(np.int32(-5))
    np.int32(-5)
    """


@saturating
def write_unsigned_int8(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT8, saturated: ``convert_uchar_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int8(np.uint32([1, 1000]))
    array([  1, 255], dtype=uint8)
    """


@saturating
def write_unsigned_int16(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT16, saturated: ``convert_ushort_sat``. A device must agree.

    Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int16(np.uint32([1, 100000]))
    array([    1, 65535], dtype=uint16)
    """


@saturating
def write_unsigned_int32(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT32, unchanged: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int32(np.uint32(5))
    np.uint32(5)
    """


def read_srgb(
    x: IntLike,
    /,
    type: str = "float",
    *,
    rounding: Rounding = "rte",
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """An 8-bit sRGB channel to linear ``type``, ``"half"`` or ``"float"``, correctly rounded from the exact formula.

    With r = x / 255: r / 12.92 up to 0.04045, ((r + 0.055) / 1.055)^2.4 above. ``x``: uchar, any shape; red, green and
    blue only, alpha is ``read_unorm_int8``. A device's y must be so near that |x - 255 c_sRGB(y)| <= 0.5.
    Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgb(np.uint8([0, 128, 255]))
    array([0.       , 0.2158605, 1.       ], dtype=float32)
    """
    return _read_srgb("read_srgb()", x, type, rounding, (out, where, threads))


def write_srgb(
    color: FloatLike, /, *, rounding: Rounding = "rte", out: Out = None, where: Where = True, threads: int = 1
) -> Ints:
    """Linear half or float to an 8-bit sRGB channel: 255 c_sRGB(color), exact, rounded once.

    c_sRGB(y) is 0 for NaN and y < 0, 12.92 y below 0.0031308, 1.055 y^(1/2.4) - 0.055 up to 1, and 1 above. (The
    OpenCL C++ text has lost the - 0.055, which OpenCL C and the sRGB standard have.) Any shape; a Python number is a
    float; red, green and blue only, alpha is ``write_unorm_int8``. A device's x must be so near that
    |x - 255 c_sRGB(y)| <= 0.6. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgb(np.float32([0, 0.21586, 1]))
    array([  0, 128, 255], dtype=uint8)
    """
    return _write_srgb("write_srgb()", color, rounding, (out, where, threads))


def read_srgba(
    x: IntLike,
    /,
    type: str = "float",
    *,
    rounding: Rounding = "rte",
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """CL_sRGBA to linear ``type``: ``read_srgb`` for red, green and blue, ``read_unorm_int8`` for alpha.

    ``x``: uchar, 4 components on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgba(np.uint8([0, 255, 128, 128])).tolist()
    [0.0, 1.0, 0.2158605009317398, 0.501960813999176]
    """
    call = "read_srgba()"
    form, mode, results = _format(call, type), checked_mode(call, rounding), into(call, out, where, threads)
    array = _stored(call, x, UNORM_INT8.dtype)
    checked_width(call, "x", array, (4,))
    read = _reading(UNORM_INT8, form, mode)

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        for lane, target in zip(chunk[:3], targets, strict=False):
            target[...] = channels.linear_from_srgb(lane, form, mode)
        read(chunk[3:], targets[3:])

    return _of_vectors(_on_pixels(call, "x", array, form.dtype), step, results)


def write_srgba(
    color: FloatLike, /, *, rounding: Rounding = "rte", out: Out = None, where: Where = True, threads: int = 1
) -> Ints:
    """Linear half or float to CL_sRGBA: ``write_srgb`` for red, green and blue, ``write_unorm_int8`` for alpha.

    ``color``: 4 components on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgba(np.float32([0, 1, 0.5, 0.5]))
    array([  0, 255, 188, 128], dtype=uint8)
    """
    call = "write_srgba()"
    mode, results = checked_mode(call, rounding), into(call, out, where, threads)
    array = _color(call, color)
    checked_width(call, "color", array, (4,))
    write = _writing(UNORM_INT8, array.dtype, mode)

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        for lane, target in zip(chunk[:3], targets, strict=False):
            target[...] = channels.srgb_from_linear(lane, mode)
        write(chunk[3:], targets[3:])

    return _of_vectors(_on_pixels(call, "color", array, UNORM_INT8.dtype), step, results)


def _read(name: str, x: object, type: str, rounding: Rounding, given: _Results) -> Any:
    call, stored = f"{name}()", TYPES[name.removeprefix("read_")]
    if stored.shifts:
        return _read_packed(call, x, stored, type, rounding, given)
    return _read_normalized(call, x, stored.channels[0], type, rounding, given)


def _write(name: str, color: object, rounding: Rounding, given: _Results) -> Any:
    call, stored = f"{name}()", TYPES[name.removeprefix("write_")]
    if stored.shifts:
        return _write_packed(call, color, stored, rounding, given)
    return _write_normalized(call, color, stored.channels[0], rounding, given)


def _read_normalized(  # noqa: PLR0917 - keywords, passed on by position
    call: str, x: object, channel: channels.Normalized, type: str, rounding: Rounding, given: _Results
) -> Any:
    form, mode, results = _format(call, type), checked_mode(call, rounding), into(call, *given)
    found = elementwise(
        call,
        _stored(call, x, channel.dtype),
        form.dtype,
        lambda v: channels.normalized_value(v, channel, form, mode),
        whole=channel.read(form, mode),
        option=mode,
        into=results,
    )
    return returned(found, results.out)


def _write_normalized(
    call: str, color: object, channel: channels.Normalized, rounding: Rounding, given: _Results
) -> Any:
    mode, results = checked_mode(call, rounding), into(call, *given)
    array = _color(call, color)
    found = elementwise(
        call,
        array,
        channel.dtype,
        lambda v: channels.normalized_integer(v, channel, mode),
        whole=channel.written(array.dtype, mode),
        option=mode,
        into=results,
        argument="color",
    )
    return returned(found, results.out)


def _read_packed(  # noqa: PLR0917 - keywords, passed on by position
    call: str, x: object, packed: ChannelType, type: str, rounding: Rounding, given: _Results
) -> Any:
    """Return the channels of words, on a further, last axis."""
    form, mode, results = _format(call, type), checked_mode(call, rounding), into(call, *given)
    words = _stored(call, x, packed.dtype)
    lanes = list(zip(packed.channels, packed.shifts, strict=True))
    if results is NEW and words.size <= _FEW:
        return _read_few(call, words, packed, type, rounding)
    steps = [_reading(lane, form, mode) for lane in packed.channels]

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        for (lane, shift), read, target in zip(lanes, steps, targets, strict=True):
            values = np.empty(chunk[0].shape, form.dtype)
            read([(chunk[0] >> shift & lane.most).astype(lane.dtype)], [values])
            target[...] = values

    asked = Evaluation(call, ("x",), [words], [words], [words.shape], [form.dtype], len(lanes))
    return _of_vectors(asked, step, results)


def _read_few(call: str, words: np.ndarray, packed: ChannelType, type: str, rounding: Rounding) -> Any:
    """Return the channels of few words; equal channels are read by one call of compiled code."""
    shifts, channel = np.array(packed.shifts, packed.dtype), packed.equal_channels
    if channel is not None:
        codes = (words[..., np.newaxis] >> shifts & channel.most).astype(channel.dtype)
        return _read_normalized(call, codes, channel, type, rounding, NEW)
    lanes = zip(packed.channels, np.split(words[..., np.newaxis] >> shifts, len(shifts), axis=-1), strict=True)
    read = [_read_normalized(call, (v & lane.most).astype(lane.dtype), lane, type, rounding, NEW) for lane, v in lanes]
    return np.concatenate(read, axis=-1)


def _write_packed(call: str, color: object, packed: ChannelType, rounding: Rounding, given: _Results) -> Any:
    """Return words of the channels on the last axis."""
    mode, results = checked_mode(call, rounding), into(call, *given)
    array = _color(call, color)
    checked_width(call, "color", array, (len(packed.channels),))
    lanes = list(zip(packed.channels, packed.shifts, strict=True))
    if results is NEW and array.size <= _FEW:
        return _write_few(call, array, packed, rounding)
    source = array.dtype.newbyteorder("=")
    steps = [_writing(lane, source, mode) for lane in packed.channels]

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        words = np.zeros(chunk[0].shape, packed.dtype)
        for (lane, shift), write, values in zip(lanes, steps, chunk, strict=True):
            codes = np.empty(values.shape, lane.dtype)
            write([np.ascontiguousarray(values, source)], [codes])
            words |= codes.astype(packed.dtype) << shift
        targets[0][...] = words

    colors = [array[..., n] for n in range(len(lanes))]
    asked = Evaluation(call, ("color",), [array], colors, [array.shape[:-1]], [packed.dtype])
    return _of_vectors(asked, step, results)


def _write_few(call: str, array: np.ndarray, packed: ChannelType, rounding: Rounding) -> Any:
    """Return few words; equal channels are written by one call of compiled code."""
    channel = packed.equal_channels
    if channel is not None:
        codes = _write_normalized(call, array, channel, rounding, NEW).astype(packed.dtype)
    else:
        colors = np.split(array, len(packed.channels), axis=-1)
        lanes = zip(packed.channels, colors, strict=True)
        written = [_write_normalized(call, color, lane, rounding, NEW).astype(packed.dtype) for lane, color in lanes]
        codes = np.concatenate(written, axis=-1)
    return np.bitwise_or.reduce(codes << np.array(packed.shifts, packed.dtype), axis=-1)


def _read_srgb(call: str, x: object, type: str, rounding: Rounding, given: _Results) -> Any:
    form, mode, results = _format(call, type), checked_mode(call, rounding), into(call, *given)
    stored = UNORM_INT8.dtype
    array, linear = _stored(call, x, stored), functools.partial(channels.linear_from_srgb, form=form, mode=mode)
    return returned(elementwise(call, array, form.dtype, linear, option=mode, into=results), results.out)


def _write_srgb(call: str, color: object, rounding: Rounding, given: _Results) -> Any:
    mode, stored, results = checked_mode(call, rounding), UNORM_INT8.dtype, into(call, *given)
    array, codes = _color(call, color), functools.partial(channels.srgb_from_linear, mode=mode)
    found = elementwise(call, array, stored, codes, option=mode, into=results, argument="color")
    return returned(found, results.out)


def _reading(channel: channels.Normalized, form: Format, mode: Rounding) -> Step:
    """Return a function that stores the numbers of a chunk of a channel."""
    return whole_step(lambda v: channels.normalized_value(v, channel, form, mode), channel.read(form, mode))


def _writing(channel: channels.Normalized, source: np.dtype, mode: Rounding) -> Step:
    """Return a function that stores a chunk of numbers of the format ``source`` as channel values."""
    whole = channel.written(source.newbyteorder("="), mode)
    return whole_step(lambda v: channels.normalized_integer(v, channel, mode), whole)


def _on_pixels(call: str, argument: str, array: np.ndarray, dtype: np.dtype) -> Evaluation:
    """Evaluate four components of ``dtype`` for each pixel's four in ``array``."""
    lanes = [array[..., lane] for lane in range(4)]
    return Evaluation(call, (argument,), [array], lanes, [array.shape[:-1]], [dtype], 4)


def _of_vectors(asked: Evaluation, step: Step, results: Into) -> Any:
    out, where, threads = results
    return asked.evaluated(by_step(asked.call, step), out, where, restore=None, threads=threads)


def _saturated(name: str, color: Any, given: _Results) -> Any:
    call, stored = f"{name}()", TYPES[name.removeprefix("write_")].dtype
    results, taken = into(call, *given), np.dtype(f"{stored.kind}4")
    array = _stored(call, color, taken, "color")
    return returned(converted(call, array, stored, "rte", sat=True, into=results, argument="color"), results.out)


def _copied(call: str, value: object, dtype: np.dtype, given: _Results, argument: str = "x") -> Any:
    results = into(call, *given)
    taken = as_here(_stored(call, value, dtype, argument))
    return returned(elementwise(call, taken, dtype, np.array, into=results, argument=argument), results.out)


def _format(call: str, type: object) -> Format:
    if isinstance(type, str) and type in _CHANNEL_FORMATS:
        return _CHANNEL_FORMATS[type]
    form = format_named(type, call)
    if form not in (HALF, FLOAT):
        raise errors.not_one_of(call, "type", type, ("half", "float"))
    return form


def _stored(call: str, x: Any, dtype: np.dtype, argument: str = "x") -> np.ndarray:
    """Return ``x``, which must have the channel's type; a Python number gets it if the type holds it."""
    array = _weak(call, argument, x, dtype) if is_weak(x) else as_array(call, argument, x)
    if array.dtype.newbyteorder("=") != dtype:
        remedy = errors.conversion(argument, type_name(dtype))
        raise errors.wrong_dtype(call, argument, array.dtype, str(dtype), remedy)
    return array


def _weak(call: str, argument: str, number: float, dtype: np.dtype) -> np.ndarray:
    """Return a Python number in the channel's type; a float stays a double if that is an integer type."""
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


def _color(call: str, color: object) -> np.ndarray:
    """Return colours as half or float; a Python number is rounded to float, and overflows to an infinity."""
    array = np.asarray(round_real(color, FLOAT, "rte")) if is_weak(color) else as_array(call, "color", color)
    if format_of(array.dtype) not in (HALF, FLOAT):
        raise errors.wrong_dtype(call, "color", array.dtype, "half or float", errors.conversion("color", "float"))
    return array
