"""Channel conversions of image reads and writes: OpenCL C++ 1.0, 5.3, and cl_khr_fp16 for half.

``read_*`` turn stored channels into the values that ``image::read`` returns, ``write_*`` the arguments of
``image::write`` into stored channels. clmath gives the preferred result, correctly rounded from the exact formula;
every docstring states the error that a device may have. ``out``, ``where`` and ``threads``: see ``help(clmath)``.
"""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import errors
from clmath.call import NEW, Into, converted, elementwise, exact, into, returned
from clmath.call.arguments import as_array, checked_width, is_weak, weak
from clmath.call.evaluation import Evaluation, by_ufunc
from clmath.call.slices import BLOCK
from clmath.call.subnormals import as_here
from clmath.direct.channels import CHANNELS, NORMALIZED, SRGB, Normalized, normalized_integer, normalized_value
from clmath.direct.texels import ORDERS, TYPES, Lines, channels_of
from clmath.functions.families import Arguments, of_one
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import FLOAT, HALF, Format, format_named, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Rounding, checked_mode, round_real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

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

Block: TypeAlias = "Callable[[np.ndarray], np.ndarray]"
"""A function of numbers or codes."""
Channelwise: TypeAlias = "Callable[[np.ndarray], Lines]"
"""A function of lines, one for each channel."""

_FEW = 1024  # numbers that are evaluated whole, which takes less time than cutting them into blocks
_VECTORS = {
    "srgba": ("unorm_int8", "srgba"),
    **{type: (type, "rgb") for type, stored in TYPES.items() if stored.shifts},
}
_FORMATS = {form.name: form for form in (HALF, FLOAT)}
_TAKEN = {kind: np.dtype(f"{kind}4") for kind in "iuf"}  # by integer and float channels
_STORED = {"srgb": SRGB.dtype, "srgba": SRGB.dtype, **{name: type.dtype for name, type in TYPES.items()}}


def reading(
    name: str,
    args: Arguments,
    /,
    type: str = "float",
    *,
    rounding: Rounding = "rte",
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a read of channels that are normalized integers."""
    (x,), call, kind = args, f"{name}()", name.removeprefix("read_")
    dtype, mode, results = _format(call, type).dtype, checked_mode(call, rounding), into(call, out, where, threads)
    return _evaluated(call, "x", _stored(call, "x", x, _STORED[kind]), kind, dtype, mode, results, reads=True)


def writing(
    name: str,
    args: Arguments,
    /,
    *,
    rounding: Rounding = "rte",
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a write of channels that are normalized integers, or halfs."""
    call, kind = f"{name}()", name.removeprefix("write_")
    mode, results, array = checked_mode(call, rounding), into(call, out, where, threads), _color(call, *args)
    if kind == "half_float":
        return returned(converted(call, array, HALF.dtype, mode, into=results, argument="color"), out)
    return _evaluated(call, "color", array, kind, array.dtype, mode, results, reads=False)


def copying(name: str, args: Arguments, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """Evaluate a read or a write of channels that store integers, saturated, or floats."""
    call, argument, dtype = f"{name}()", "x" if name == "read_float" else "color", _STORED[name.partition("_")[2]]
    results = into(call, out, where, threads)
    array = as_here(_stored(call, argument, args[0], _TAKEN[dtype.kind]))
    found = converted(call, array, dtype, "rte", sat=dtype.kind != "f", into=results, argument=argument)
    return returned(found, out)


@of_one(reading)
def read_unorm_int8(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 255, correctly rounded.

    ``x``: uchar, any shape. A device may have an error of 1.5 ulp, except that 0 gives 0 and 255 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_unorm_int8(np.uint8([0, 51, 255]))
    array([0. , 0.2, 1. ], dtype=float32)
    """


@of_one(reading)
def read_unorm_int16(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 65535, correctly rounded.

    ``x``: ushort, any shape. A device may have an error of 1.5 ulp, except that 0 gives 0 and 65535 gives 1.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.
    """


@of_one(reading)
def read_unorm_short_565(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_SHORT_565 to ``type``, ``"half"`` or ``"float"``: red c / 31, green c / 63, blue c / 31.

    ``x``: ushort, any shape, with red in bits 15 to 11, green in 10 to 5, blue in 4 to 0. Otherwise as
    ``read_unorm_int_101010``: a device may have an error of 1.5 ulp, except that no bit of a channel
    gives 0 and all give 1.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the OpenCL API.

    >>> read_unorm_short_565(np.uint16(63 << 5))
    array([0., 1., 0.], dtype=float32)
    """


@of_one(reading)
def read_unorm_short_555(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_SHORT_555 to ``type``, ``"half"`` or ``"float"``: each channel c / 31, correctly rounded.

    ``x``: ushort, any shape, with red in bits 14 to 10, green in 9 to 5, blue in 4 to 0; the highest bit does not
    count. Otherwise as ``read_unorm_short_565``.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the OpenCL API.
    """


@of_one(reading)
def read_unorm_int_101010(x: IntLike, /, type: str = "float") -> Floats:
    """CL_UNORM_INT_101010 to ``type``, ``"half"`` or ``"float"``: each channel c / 1023, correctly rounded.

    ``x``: uint, any shape, with red in bits 29 to 20, green in 19 to 10, blue in 9 to 0; the two highest bits do not
    count. The result has a further, last axis of 3 components. A device may have an error of 1.5 ulp, except that 0
    gives 0 and 1023 gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16; bits as in table "packed formats" of the
    OpenCL API.

    >>> read_unorm_int_101010(np.uint32(1023 << 20))
    array([1., 0., 0.], dtype=float32)
    """


@of_one(reading)
def read_snorm_int8(x: IntLike, /, type: str = "float") -> Floats:
    """CL_SNORM_INT8 to ``type``, ``"half"`` or ``"float"``: x / 127, correctly rounded and no less than -1.

    ``x``: char, any shape. A device may have an error of 1.5 ulp, except that -128 and -127 give -1, 0 gives 0, 127
    gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> read_snorm_int8(np.int8([-128, -127, 0, 127]))
    array([-1., -1.,  0.,  1.], dtype=float32)
    """


@of_one(reading)
def read_snorm_int16(x: IntLike, /, type: str = "float") -> Floats:
    """CL_SNORM_INT16 to ``type``, ``"half"`` or ``"float"``: x / 32767, correctly rounded and no less than -1.

    ``x``: short, any shape. A device may have an error of 1.5 ulp, except that -32768 and -32767 give -1, 0 gives 0,
    32767 gives 1. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.
    """


@of_one(writing)
def write_unorm_int8(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT8: max(0, min(255, 255 color)), the exact product rounded once.

    Any shape; a Python number is a float. Infinities saturate and NaN gives 0, which the specification leaves
    unspecified. A device may have an error of 0.6 before rounding: |f(x) - result| <= 0.6.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_unorm_int8(np.float32([-1, 0.5, 2]))
    array([  0, 128, 255], dtype=uint8)
    """


@of_one(writing)
def write_unorm_int16(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT16: max(0, min(65535, 65535 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.
    """


@of_one(writing)
def write_unorm_short_565(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_SHORT_565: red and blue max(0, min(31, 31 color)), green of 63; rounded once.

    ``color``: the last axis holds red, green and blue, packed into a ushort as in ``read_unorm_short_565``. Otherwise
    as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_short_565(np.float32([1, 0, 0.5])))
    '0xf810'
    """


@of_one(writing)
def write_unorm_short_555(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_SHORT_555: max(0, min(31, 31 color)) a channel, the exact product rounded once.

    ``color``: the last axis holds red, green and blue, packed as in ``read_unorm_short_555`` into a ushort whose
    highest bit is 0. Otherwise as ``write_unorm_int8``: a device may have an error of 0.6.
    Source: OpenCL C++ 1.0, 3.11.11 and 5.3.1; cl_khr_fp16.
    """


@of_one(writing)
def write_unorm_int_101010(color: FloatLike, /) -> Ints:
    """Half or float to CL_UNORM_INT_101010: max(0, min(1023, 1023 color)) a channel, the exact product rounded once.

    ``color``: the last axis holds red, green and blue, packed as in ``read_unorm_int_101010`` into a uint whose two
    highest bits are 0. Otherwise as ``write_unorm_int8``: a device may have an error of 0.6.
    Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> hex(write_unorm_int_101010(np.float32([1, 0, 0.5])))
    '0x3ff00200'
    """


@of_one(writing)
def write_snorm_int8(color: FloatLike, /) -> Ints:
    """Half or float to CL_SNORM_INT8: max(-128, min(127, 127 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.

    >>> write_snorm_int8(np.float32([-2, -1, 0.5, 2]))
    array([-128, -127,   64,  127], dtype=int8)
    """


@of_one(writing)
def write_snorm_int16(color: FloatLike, /) -> Ints:
    """Half or float to CL_SNORM_INT16: max(-32768, min(32767, 32767 color)), the exact product rounded once.

    Otherwise as ``write_unorm_int8``: a device may have an error of 0.6. Source: OpenCL C++ 1.0, 5.3.1; cl_khr_fp16.
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
    return returned(converted(call, _stored(call, "x", x, HALF.dtype), target, "rte", into=results), out)


@of_one(writing)
def write_half_float(color: FloatLike, /) -> Floats:
    """Half or float to CL_HALF_FLOAT: correctly rounded; NaN stays NaN and an infinity an infinity.

    Any shape; a Python number is a float. A device rounds to nearest even or toward zero and may flush subnormal
    results to zero. Source: OpenCL C++ 1.0, 5.3.2.

    >>> write_half_float(np.float32([0.1, 65520, 1e-7]), rounding="rtz").tolist()
    [0.0999755859375, 65504.0, 5.960464477539063e-08]
    """


@of_one(copying)
def read_float(x: FloatLike, /) -> Floats:
    """CL_FLOAT unchanged: a copy of ``x``, float, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.

    >>> read_float(np.float32(0.1))
    np.float32(0.1)
    """


@of_one(copying)
def write_float(color: FloatLike, /) -> Floats:
    """A float to CL_FLOAT, unchanged: a copy of ``color``, any shape.

    A device may change NaNs and flush subnormal numbers to zero. Source: OpenCL C++ 1.0, 5.3.3.
    """


@of_one(copying)
def write_signed_int8(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT8, saturated: ``convert_char_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_signed_int8(np.int32([-1000, -1, 1000]))
    array([-128,   -1,  127], dtype=int8)
    """


@of_one(copying)
def write_signed_int16(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT16, saturated: ``convert_short_sat``. A device must agree.

    Source: OpenCL C++ 1.0, 5.3.4.
    """


@of_one(copying)
def write_signed_int32(color: IntLike, /) -> Ints:
    """An int to CL_SIGNED_INT32, unchanged: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4."""


@of_one(copying)
def write_unsigned_int8(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT8, saturated: ``convert_uchar_sat``. A device must agree. Source: OpenCL C++ 1.0, 5.3.4.

    >>> write_unsigned_int8(np.uint32([1, 1000]))
    array([  1, 255], dtype=uint8)
    """


@of_one(copying)
def write_unsigned_int16(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT16, saturated: ``convert_ushort_sat``. A device must agree.

    Source: OpenCL C++ 1.0, 5.3.4.
    """


@of_one(copying)
def write_unsigned_int32(color: IntLike, /) -> Ints:
    """A uint to CL_UNSIGNED_INT32, unchanged: a copy. A device must agree. Source: OpenCL C++ 1.0, 5.3.4."""


@of_one(reading)
def read_srgb(x: IntLike, /, type: str = "float") -> Floats:
    """An 8-bit sRGB channel to linear ``type``, ``"half"`` or ``"float"``, correctly rounded from the exact formula.

    With r = x / 255: r / 12.92 up to 0.04045, ((r + 0.055) / 1.055)^2.4 above. ``x``: uchar, any shape; red, green and
    blue only, alpha is ``read_unorm_int8``. A device's y must be so near that |x - 255 c_sRGB(y)| <= 0.5.
    Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgb(np.uint8([0, 128, 255]))
    array([0.       , 0.2158605, 1.       ], dtype=float32)
    """


@of_one(writing)
def write_srgb(color: FloatLike, /) -> Ints:
    """Linear half or float to an 8-bit sRGB channel: 255 c_sRGB(color), exact, rounded once.

    c_sRGB(y) is 0 for NaN and y < 0, 12.92 y below 0.0031308, 1.055 y^(1/2.4) - 0.055 up to 1, and 1 above. (The
    OpenCL C++ text has lost the - 0.055, which OpenCL C and the sRGB standard have.) Any shape; a Python number is a
    float; red, green and blue only, alpha is ``write_unorm_int8``. A device's x must be so near that
    |x - 255 c_sRGB(y)| <= 0.6. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgb(np.float32([0, 0.21586, 1]))
    array([  0, 128, 255], dtype=uint8)
    """


@of_one(reading)
def read_srgba(x: IntLike, /, type: str = "float") -> Floats:
    """CL_sRGBA to linear ``type``: ``read_srgb`` for red, green and blue, ``read_unorm_int8`` for alpha.

    ``x``: uchar, 4 components on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> read_srgba(np.uint8([0, 255, 128, 128])).tolist()
    [0.0, 1.0, 0.2158605009317398, 0.501960813999176]
    """


@of_one(writing)
def write_srgba(color: FloatLike, /) -> Ints:
    """Linear half or float to CL_sRGBA: ``write_srgb`` for red, green and blue, ``write_unorm_int8`` for alpha.

    ``color``: 4 components on the last axis, alpha last. Source: OpenCL C++ 1.0, 5.3.5.

    >>> write_srgba(np.float32([0, 1, 0.5, 0.5]))
    array([  0, 255, 188, 128], dtype=uint8)
    """


def _evaluated(  # noqa: PLR0917 - an argument, and its meaning
    call: str,
    argument: str,
    array: np.ndarray,
    kind: str,
    numbers: np.dtype,
    mode: Rounding,
    given: Into,
    *,
    reads: bool,
) -> Floats:
    """Return stored channels of a ``kind`` as ``numbers``, half or float, or numbers as stored channels."""
    target = numbers if reads else _STORED[kind]
    if kind not in _VECTORS:
        function, whole = _function(NORMALIZED[kind], numbers, mode, reads=reads)
        found = elementwise(call, array, target, function, whole=whole, option=mode, into=given, argument=argument)
        return returned(found, given.out)
    type, order = _VECTORS[kind]
    packed, count = TYPES[type] if TYPES[type].shifts else None, len(channels_of(TYPES[type], ORDERS[order]))
    if not (reads and packed):
        checked_width(call, argument, array, (count,))
    evaluate = channelwise(call, type, order, numbers.newbyteorder("="), mode, reads=reads)
    refuse_altered_arithmetic(call)
    if packed is None:
        return of_vectors(call, argument, array, target, count, evaluate, given)
    if not reads:
        return of_vectors(call, argument, array, target, None, lambda v: [packed.packed(evaluate(v))], given)
    words = array[..., np.newaxis]
    return of_vectors(call, argument, words, target, count, lambda w: evaluate(packed.unpacked(w[0])), given)


def of_vectors(  # noqa: PLR0917 - a function of vectors, and its results
    call: str,
    argument: str,
    vectors: np.ndarray,
    dtype: np.dtype,
    width: int | None,
    evaluate: Callable[[np.ndarray], Iterable[np.ndarray | int]],
    given: Into,
    check: Callable[[np.ndarray], None] | None = None,
) -> Floats:
    """Return the ``width`` components, or None for a number, that ``evaluate`` gives for the components of vectors.

    ``check`` sees the components first. Few vectors are evaluated at once, which takes less time, if they lie in memory
    as in C; results lie as the vectors do.
    """
    (out, where, threads), further = given, () if width is None else (width,)

    if given is NEW and vectors.size <= _FEW and vectors.flags.c_contiguous:
        found, lines = np.empty((*vectors.shape[:-1], *further), dtype), lines_of(vectors)
        with np.errstate(all="ignore"):
            if check is not None:
                check(lines)
            _fill(evaluate(lines), found.reshape(lines.shape[1], width or 1))
        return found[()]

    @np.errstate(all="ignore")
    def checked(_: str, some: Sequence[np.ndarray]) -> None:
        if check is not None:
            check(lines_of(some[0]))

    @np.errstate(all="ignore")
    def store(some: np.ndarray, out: tuple[np.ndarray]) -> None:
        refuse_altered_arithmetic(call)
        (target,), lines = out, np.ascontiguousarray(lines_of(some))
        is_apart = target.flags.c_contiguous and target.dtype == dtype and not np.may_share_memory(target, some)
        found = target if is_apart else np.empty(target.shape, dtype)
        rows = found.reshape(lines.shape[1], width or 1)
        for first in range(0, len(rows), BLOCK):
            _fill(evaluate(lines[:, first : first + BLOCK]), rows[first : first + BLOCK])
        if not is_apart:
            target[...] = found

    shapes, are_vectors = [vectors.shape[:-1]], (True, width is not None)
    asked = Evaluation(call, (argument,), [vectors], [vectors], shapes, [dtype], width, are_vectors)
    return asked.evaluated(by_ufunc(exact.as_ufunc(store)), out, where, restore=None, threads=threads, check=checked)


def _fill(found: Iterable[np.ndarray | int], rows: np.ndarray) -> None:
    """Store components, a line or a number for each, in rows of vectors."""
    if isinstance(found, np.ndarray):
        rows.T[...] = found
        return
    for values, target in zip(found, rows.T, strict=True):
        target[...] = values


def lines_of(vectors: np.ndarray) -> np.ndarray:
    """Return the components of vectors, a line for each, in the machine's byte order."""
    native = vectors if vectors.dtype.isnative else vectors.astype(vectors.dtype.newbyteorder("="))
    return native.reshape(-1, vectors.shape[-1]).T


@functools.cache
def channelwise(call: str, type: str, order: str, numbers: np.dtype, mode: Rounding, *, reads: bool) -> Channelwise:
    """Return the function that reads stored channels as ``numbers``, or stores numbers; lines are channels."""
    channels, stored = channels_of(TYPES[type], ORDERS[order]), TYPES[type].dtype
    if not channels:
        types = (stored, numbers) if reads else (numbers, stored)
        return exact.converting(call, *types, mode, sat=numbers.kind != "f")
    runs = [(channel, len([*equal])) for channel, equal in itertools.groupby(channels)]
    functions = [_of_lines(call, channel, numbers, mode, reads=reads) for channel, _ in runs]
    ends = [*itertools.accumulate((count for _, count in runs), initial=0)]
    if len(runs) == 1:
        return functions[0]
    parts = [*zip(itertools.starmap(slice, itertools.pairwise(ends)), functions, strict=True)]
    return lambda lines: [line for part, evaluate in parts for line in evaluate(lines[part])]


def _of_lines(call: str, channel: Normalized, numbers: np.dtype, mode: Rounding, *, reads: bool) -> Channelwise:
    function, whole = _function(channel, numbers, mode, reads=reads)
    if channel not in CHANNELS:  # which are compiled
        return function
    types = (channel.dtype, numbers) if reads else (numbers, channel.dtype)
    return exact.ufunc(call, (channel.name, mode), types[:1], types[1], function, whole)


@functools.cache
def _function(channel: Normalized, numbers: np.dtype, mode: Rounding, *, reads: bool) -> tuple[Block, str]:
    """Return the function that reads or writes a channel, and the native engine's name of it."""
    if reads:
        form = HALF if numbers == HALF.dtype else FLOAT
        return functools.partial(normalized_value, channel=channel, form=form, mode=mode), channel.read(form, mode)
    return functools.partial(normalized_integer, channel=channel, mode=mode), channel.written(numbers, mode)


def _format(call: str, type: object) -> Format:
    form = _FORMATS[type] if isinstance(type, str) and type in _FORMATS else format_named(type, call)
    if form.name not in _FORMATS:
        raise errors.not_one_of(call, "type", type, ("half", "float"))
    return form


def _stored(call: str, argument: str, x: object, dtype: np.dtype) -> np.ndarray:
    """Return ``x``, which must have the channel's type; a Python number gets it if the type holds it."""
    array, form = None, format_of(dtype)
    if not is_weak(x):
        array = as_array(call, argument, x)
    elif form is not None:
        array = weak(call, argument, x, form)
    elif type(x) is float:
        array = np.asarray(x)
    else:
        array = _held(call, argument, x, dtype)
    if array.dtype.newbyteorder("=") != dtype:
        remedy = errors.conversion(argument, type_name(dtype))
        raise errors.wrong_dtype(call, argument, array.dtype, str(dtype), remedy)
    return array


def _held(call: str, argument: str, number: float, dtype: np.dtype) -> np.ndarray:
    """Return a Python int in an integer type; RangeError if that does not hold it."""
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
