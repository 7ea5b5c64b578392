"""Reproduce findings of audits of PoCL 3.0 and NVIDIA's driver with short OpenCL kernels, independently of clmath.

``python -m benchmarks.plain_kernels`` runs each kernel on the first device of a platform (number 0, or the argument),
prints its result and the one that the specification prescribes, and counts the differences. Expected special values
and texts are from the specification, other values from MPFR with 200 bits.
"""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any, NamedTuple

import numpy as np

FLOAT, DOUBLE, LONG = ("float", "u4"), ("double", "u8"), ("long", "u8")


class Bits(NamedTuple):
    """Expression of x (and of k, an int): its type, the encoding of x, and the expected encoding, ``due``."""

    type: tuple[str, str]
    expression: str
    x: int
    due: int
    k: int = 0


class Texel(NamedTuple):
    """Read of an image: its order, type, data and kind, the sampler's flags, the coordinates, the expected colour."""

    order: str
    channel: str
    data: Any
    kind: str
    flags: str
    at: str
    due: tuple[float, ...]
    letter: str = "f"


class Printed(NamedTuple):
    """Call of printf: the format and the value in OpenCL C, and the expected text."""

    format: str
    value: str
    due: str


MATH = [
    Bits(FLOAT, "cospi(x)", 0x3F000000, 0x00000000),  # cospi(n + 0.5) = +0
    Bits(FLOAT, "sinpi(x)", 0x3F800000, 0x00000000),  # sinpi(n) = +0 for n > 0
    Bits(FLOAT, "tanh(x)", 0x7F800000, 0x3F800000),  # tanh(inf) = 1
    Bits(FLOAT, "tanpi(x)", 0x3F800000, 0x80000000),  # tanpi(n) = copysign(0, -n) for odd n
    Bits(FLOAT, "(lgamma_r(x, &i), as_float(i))", 0x00000000, 0),  # the sign of lgamma_r(0) is 0
    Bits(FLOAT, "ldexp(x, k)", 0x11200001, 0x00000003, -55),  # 1.25000012 2^-148, nearer to 1.5 than to 1
    Bits(FLOAT, "fract(x, &y)", 0x80000000, 0x80000000),  # fract(-0) = -0
    Bits(FLOAT, "nan(as_uint(x))", 0x00000000, 0x7FC00000),  # a quiet NaN
    Bits(FLOAT, "tgamma(x)", 0xC20BECAE, 0x803BC742),  # 16.08 ulp where 16 are allowed
    Bits(FLOAT, "normalize(x)", 0x7FC00000, 0x7FC00000),  # NaN of NaN
    Bits(FLOAT, "fast_normalize(x)", 0x7FC00000, 0x7FC00000),
    Bits(DOUBLE, "atanpi(x)", 0x8000000000000000, 0x8000000000000000),
    Bits(DOUBLE, "cosh(x)", 0x408633CE8FB9F87D, 0x7FEFFFFFFFFFFD3B),
    Bits(DOUBLE, "sinh(x)", 0x408633CE8FB9F87D, 0x7FEFFFFFFFFFFD3B),
    Bits(DOUBLE, "cospi(x)", 0x3FE0000000000000, 0),
    Bits(DOUBLE, "sinpi(x)", 0x3FF0000000000000, 0),
    Bits(DOUBLE, "tanpi(x)", 0x3FF0000000000000, 0x8000000000000000),
    Bits(DOUBLE, "(lgamma_r(x, &i), as_double((long)i))", 0, 0),
    Bits(DOUBLE, "exp(x)", 0x40862E42FEFA39EF, 0x7FEFFFFFFFFFFF2A),
    Bits(DOUBLE, "ldexp(x, k)", 0x07D7EDFFFFFFFFFF, 0x5FB, -166),  # 1531.49999... 2^-1074
    Bits(DOUBLE, "fract(x, &y)", 0x8000000000000000, 0x8000000000000000),
    Bits(DOUBLE, "nan(as_ulong(x))", 0, 0x7FF8000000000000),
    Bits(DOUBLE, "tgamma(x)", 0x406573FAE561F647, 0x7FEFFFFFFFFFFE51),
    Bits(DOUBLE, "normalize(x)", 0x7FF8000000000000, 0x7FF8000000000000),
]

_RED = np.array([[51, 102], [153, 204]])  # unorm_int8: 0.2 0.4 / 0.6 0.8
_LAYERS = np.array([0, 255, 51, 102], np.uint8)  # one colour in each layer
_CLAMPED = "CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_"
_OF_LAYERS = "CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR"
_AT = "(float4)(0.5f, 0.5f, 2.5f, 0)"
_BORDER, _INSIDE = "(float2)(-3, 0.5f)", "(float2)(0.5f, 0.5f)"


def _layers(*shape: int) -> Any:
    return np.broadcast_to(_LAYERS.reshape(-1, *[1] * len(shape)), (4, *shape)).repeat(4).reshape(4, *shape, 4).copy()


READS = [
    # 3.11.11: the border of CL_R is (0, 0, 0, 1); a missing colour channel is 0, a missing alpha 1
    Texel("R", "UNORM_INT8", _RED.astype("u1"), "2d", _CLAMPED + "NEAREST", _BORDER, (0, 0, 0, 1)),
    Texel("R", "SIGNED_INT8", _RED.astype("i1"), "2d", _CLAMPED + "NEAREST", _INSIDE, (51, 0, 0, 1), "i"),
    Texel("R", "UNSIGNED_INT8", _RED.astype("u1"), "2d", _CLAMPED + "NEAREST", _INSIDE, (51, 0, 0, 1), "ui"),
    Texel("R", "UNORM_INT8", _RED.astype("u1"), "2d", _CLAMPED + "LINEAR", _BORDER, (0, 0, 0, 1)),
    Texel("R", "UNORM_INT16", _RED.astype("u2"), "2d", _CLAMPED + "LINEAR", _BORDER, (0, 0, 0, 1)),
    Texel("R", "SNORM_INT8", _RED.astype("i1"), "2d", _CLAMPED + "LINEAR", _BORDER, (0, 0, 0, 1)),
    Texel("R", "SNORM_INT16", _RED.astype("i2"), "2d", _CLAMPED + "LINEAR", _BORDER, (0, 0, 0, 1)),
    Texel("R", "FLOAT", _RED.astype("f4"), "2d", _CLAMPED + "LINEAR", _BORDER, (0, 0, 0, 1)),
    Texel("R", "HALF_FLOAT", _RED.astype("f2"), "2d", _CLAMPED + "NEAREST", _INSIDE, (51, 0, 0, 1)),
    Texel("R", "HALF_FLOAT", _RED.astype("f2"), "2d", _CLAMPED + "LINEAR", _INSIDE, (51, 0, 0, 1)),
    Texel("A", "HALF_FLOAT", _RED.astype("f2"), "2d", _CLAMPED + "LINEAR", _INSIDE, (0, 0, 0, 51)),
    # 5.4: the layer is clamp(rint(w), 0, layers - 1), here of 4 layers; rint(0.5) is 0 and rint(2.5) is 2
    Texel("RGBA", "UNORM_INT8", _layers(2, 2), "2d_array", _CLAMPED + "NEAREST", _AT, (0.2,) * 4),
    Texel("RGBA", "UNORM_INT8", _layers(7), "1d_array", _CLAMPED + "NEAREST", "(float2)(0.5f, 0.5f)", (0,) * 4),
    # the layer is never normalized, filtered or truncated
    Texel("RGBA", "UNORM_INT8", _layers(7), "1d_array", _OF_LAYERS, "(float2)(0.25f, 0.25f)", (0,) * 4),
    Texel("RGBA", "UNORM_INT8", _layers(2, 2), "2d_array", _OF_LAYERS, "(float4)(0.25f, 0.25f, 1.75f, 0)", (0.2,) * 4),
]  # fmt: skip

NVIDIA_MATH = [
    Bits(LONG, "mad_sat(x, 1L, -1L)", 0x8000000000000000, 0x8000000000000000),  # the least number less 1
    Bits(FLOAT, "length((float3)(0, 0, x))", 0x7FC00000, 0x7FC00000),  # NaN of NaN
    Bits(FLOAT, "normalize((float4)(0, 0, 0, x)).w", 0x7F800000, 0x3F800000),  # an infinite element is 1
    Bits(FLOAT, "normalize((float2)(0, x)).y", 0x7FC00000, 0x7FC00000),
    Bits(FLOAT, "normalize(x)", 0x7FC00000, 0x7FC00000),
    Bits(FLOAT, "fast_normalize(x)", 0x7FC00000, 0x7FC00000),
    Bits(FLOAT, "fast_normalize((float2)(0, x)).x", 0x00000001, 0x00000000),  # NaN of two numbers
    Bits(FLOAT, "tanpi(x)", 0x80000000, 0x80000000),
    Bits(FLOAT, "fract(x, &y)", 0x80000000, 0x80000000),
    Bits(FLOAT, "sign(x)", 0x80000000, 0x80000000),
    Bits(FLOAT, "(lgamma_r(x, &i), as_float(i))", 0x80000000, 0),
    Bits(FLOAT, "(lgamma_r(x, &i), (float)i)", 0xBF000000, 0xBF800000),  # gamma(-1/2) < 0
    Bits(DOUBLE, "normalize((double4)(0, 0, 0, x)).w", 0x7FF0000000000000, 0x3FF0000000000000),
    Bits(DOUBLE, "normalize((double2)(x, 0)).y", 0x7FF8000000000000, 0x7FF8000000000000),
    Bits(DOUBLE, "normalize(x)", 0x7FF8000000000000, 0x7FF8000000000000),
    Bits(DOUBLE, "tanpi(x)", 0x8000000000000000, 0x8000000000000000),
    Bits(DOUBLE, "fract(x, &y)", 0x8000000000000000, 0x8000000000000000),
    Bits(DOUBLE, "sign(x)", 0x8000000000000000, 0x8000000000000000),
    Bits(DOUBLE, "(lgamma_r(x, &i), (double)i)", 0xBFE0000000000000, 0xBFF0000000000000),
    Bits(DOUBLE, "smoothstep(x, 1.0, 0.0)", 0x9FE5555555555555, 0x0005555555555556),  # a subnormal
]

NVIDIA_READS = [
    # 5.4: with a sampler the layer is clamp(rint(w), 0, layers - 1), for integer coordinates, too
    Texel("RGBA", "UNORM_INT8", _layers(2, 2), "2d_array", _CLAMPED + "NEAREST", "(int4)(0, 0, 9, 0)", (0.4,) * 4),
    Texel("RGBA", "UNORM_INT8", _layers(7), "1d_array", _CLAMPED + "NEAREST", "(int2)(0, 9)", (0.4,) * 4),
]

PRINTS = [
    Printed("%f", "1e300", f"{1e300:f}"),
    Printed("%f", "DBL_MAX", f"{sys.float_info.max:f}"),
    Printed("%e", "0x1p-1074", "4.940656e-324"),
    Printed("%g", "0x1p-1074", "4.94066e-324"),
    Printed("%a", "as_double(1UL)", "0x0.0000000000001p-1022"),
    Printed("%+ 5hd", "(short)32766", "+32766"),
    Printed("%+ 5d", "2147483646", "+2147483646"),
    Printed("%+ 5ld", "9223372036854775806L", "+9223372036854775806"),
    Printed("%c", "0", "\0"),
    Printed("%8.3s", '"clmath"', "     clm"),
]

# vectors that two statements print, of which the first is compared: type, number of components, format
VECTORS = [
    ("int", 16, "%v16hld"),
    ("uint", 16, "%v16hlu"),
    ("long", 8, "%v8ld"),
    ("ulong", 8, "%v8lu"),
    ("float", 16, "%v16hlg"),
    ("double", 8, "%v8lg"),
]
# a number before a vector
NVIDIA_PRINTS = [
    Printed("%u|%v2hhd", "7u, (char2)(1, 2)", "7|1,2"),
    Printed("%u|%v2hu", "7u, (ushort2)(1, 2)", "7|1,2"),
    Printed("%u|%v2hld", "7u, (int2)(1, 2)", "7|1,2"),
    Printed("%u|%v2lu", "7u, (ulong2)(1, 2)", "7|1,2"),
    Printed("%u|%v2hlg", "7u, (float2)(1, 2)", "7|1,2"),
    Printed("%u|%v2lg", "7u, (double2)(1, 2)", "7|1,2"),
]


class Device:
    """The first device of a platform, with methods that run kernels."""

    def __init__(self, platform: int) -> None:
        import pyopencl as cl

        self.cl = cl
        self.device = cl.get_platforms()[platform].get_devices()[0]
        self.context = cl.Context([self.device])
        self.queue = cl.CommandQueue(self.context)

    def run(self, source: str, *buffers: Any) -> None:
        """Run one work-item of the kernel ``k``."""
        kernel = self.cl.Program(self.context, source).build().k
        kernel(self.queue, (1,), (1,), *buffers)
        self.queue.finish()

    def taken(self, source: str, *given: Any, dtype: Any, count: int = 1) -> Any:
        """Run the kernel and return the contents of its last buffer."""
        flags = self.cl.mem_flags
        result = np.zeros(count, dtype)
        buffers = [
            self.cl.Buffer(self.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=g)
            if isinstance(g, np.ndarray)
            else g
            for g in given
        ]
        out = self.cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=result)
        self.run(source, *buffers, out)
        self.cl.enqueue_copy(self.queue, result, out)
        return result

    def image(self, order: str, channel: str, data: Any, kind: str, flags: int) -> Any:
        """Return an image that contains ``data``."""
        cl, described = self.cl, self.cl.ImageDescriptor()
        shape = data.shape[:-1] if order == "RGBA" else data.shape
        described.image_type = getattr(cl.mem_object_type, f"IMAGE{kind.upper()}")
        described.shape = (*shape[1:][::-1], shape[0]) if "array" in kind else shape[::-1]
        described.array_size = shape[0] if "array" in kind else 0  # after the shape, whose setter changes it
        described.pitches, described.num_mip_levels, described.num_samples, described.buffer = (0, 0), 0, 0, None
        form = cl.ImageFormat(getattr(cl.channel_order, order), getattr(cl.channel_type, channel))
        return cl.Image(
            self.context, flags | cl.mem_flags.COPY_HOST_PTR, form, hostbuf=np.ascontiguousarray(data), desc=described
        )


def of_bits(device: Device, case: Bits) -> tuple[str, str]:
    """Return the expression's result and the expected one."""
    name, unsigned = case.type
    source = f"""__kernel void k(__global const {name} *a, int k, __global {name} *out)
    {{ {name} x = a[0], y; int i = 7; out[0] = {case.expression}; }}"""
    found = device.taken(source, np.array([case.x], unsigned), np.int32(case.k), dtype=unsigned)
    return hex(found[0]), hex(case.due)


def of_texel(device: Device, case: Texel) -> tuple[str, str]:
    """Return the colour that is read and the expected one."""
    image = device.image(case.order, case.channel, case.data, case.kind, device.cl.mem_flags.READ_ONLY)
    type = {"f": "float", "i": "int", "ui": "uint"}[case.letter]
    source = f"""__constant sampler_t s = {case.flags};
    __kernel void k(__read_only image{case.kind}_t i, __global {type} *out)
    {{ vstore4(read_image{case.letter}(i, s, {case.at}), 0, out); }}"""
    found = device.taken(source, image, dtype={"f": "f4", "i": "i4", "ui": "u4"}[case.letter], count=4)
    due = np.array(case.due, found.dtype)
    return str(due.tolist() if np.allclose(found, due, rtol=2**-7) else found.tolist()), str(due.tolist())


def of_code(device: Device) -> tuple[str, str]:
    """Return the code that is stored for -1.5 in snorm_int16, and the expected one."""
    cl, data = device.cl, np.zeros((1, 1, 4), "i2")
    image = device.image("RGBA", "SNORM_INT16", data, "2d", cl.mem_flags.WRITE_ONLY)
    device.run("__kernel void k(__write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(-1.5f)); }", image)
    cl.enqueue_copy(device.queue, data, image, origin=(0, 0), region=(1, 1))
    return str(data[0, 0, 0]), "-32768"


def of_write(device: Device) -> tuple[str, str]:
    """Return the half that is stored in CL_R when 1 is written over 7, and the expected one."""
    cl = device.cl
    data = np.full((1, 1), 7, "f2")
    image = device.image("R", "HALF_FLOAT", data, "2d", cl.mem_flags.WRITE_ONLY)
    device.run("__kernel void k(__write_only image2d_t i) { write_imagef(i, (int2)(0), (float4)(1, 0, 0, 1)); }", image)
    cl.enqueue_copy(device.queue, data, image, origin=(0, 0), region=(1, 1))
    return str(data[0, 0]), "1.0"


def of_print(device: Device, case: Printed) -> tuple[str, str]:
    """Return the printed text and the expected one, both in brackets."""
    found = printed(device, f'__kernel void k(void) {{ printf("[{case.format}]\\n", {case.value}); }}')
    return found.rstrip("\n"), f"[{case.due}]"


def of_vector(device: Device, type: str, lanes: int, form: str) -> tuple[str, str]:
    """Return the first of two printed lines and the expected one."""
    statement = f'printf("{form}\\n", vload{lanes}(0, a));'
    values = np.arange(1, lanes + 1).astype(
        {"uint": "u4", "ulong": "u8", "float": "f4", "double": "f8"}.get(type, "i4" if type == "int" else "i8")
    )
    flags = device.cl.mem_flags
    given = device.cl.Buffer(device.context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=values)
    found = printed(device, f"__kernel void k(__global const {type} *a) {{ {statement} {statement} }}", given)
    return found.split("\n")[0], ",".join(str(n) for n in range(1, lanes + 1))


def printed(device: Device, source: str, *buffers: Any) -> str:
    """Return the text that a kernel prints."""
    sys.stdout.flush()
    with tempfile.TemporaryFile() as output:
        kept = os.dup(1)
        os.dup2(output.fileno(), 1)
        try:
            device.run(source, *buffers)
        finally:
            os.dup2(kept, 1)
            os.close(kept)
        output.seek(0)
        return output.read().decode("latin-1")


def of_pocl(device: Device) -> list[tuple[str, str, str]]:
    """Return the findings in PoCL 3.0: case, result, expected result."""
    cases = [(f"{c.type[0]} {c.expression} of {c.x:#x}", *of_bits(device, c)) for c in MATH]
    cases += of_reads(device, READS)
    cases += [("write_imagef of R HALF_FLOAT", *of_write(device))]
    cases += [(f"printf {c.format} of {c.value}", *of_print(device, c)) for c in PRINTS]
    return cases + [(f"printf {form}, twice", *of_vector(device, type, n, form)) for type, n, form in VECTORS]


def of_nvidia(device: Device) -> list[tuple[str, str, str]]:
    """Return the findings in NVIDIA's driver 580 (section 5.3.1.2 prescribes snorm_int16 below -1)."""
    cases = [(f"{c.type[0]} {c.expression} of {c.x:#x}", *of_bits(device, c)) for c in NVIDIA_MATH]
    cases += of_reads(device, NVIDIA_READS)
    cases += [("write_imagef of -1.5 to SNORM_INT16", *of_code(device))]
    return cases + [(f"printf {c.format} of {c.value}", *of_print(device, c)) for c in NVIDIA_PRINTS]


def of_reads(device: Device, cases: list[Texel]) -> list[tuple[str, str, str]]:
    """Return case, colour and expected colour of each read."""
    return [
        (f"read_image{c.letter} of {c.order} {c.channel}, {c.kind}, at {c.at}", *of_texel(device, c)) for c in cases
    ]


def main(words: list[str]) -> int:
    """Print every case and the number of differences."""
    device = Device(int(words[0]) if words else 0)
    platform = device.device.platform
    print(f"{platform.version}: {device.device.name}")
    cases = of_nvidia(device) if "NVIDIA" in platform.name else of_pocl(device)
    for what, got, due in cases:
        print(f"{'differs' if got != due else 'is right'}: {what}: {got!r}, due {due!r}"[:300])
    print(f"{sum(got != due for _, got, due in cases)} of {len(cases)} differ")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
