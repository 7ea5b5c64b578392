"""Channel conversions on an OpenCL device: reads of images that the host filled, and writes that it reads back."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.opencl.buffers import POISON
from clmath.audit.opencl.kernel import extensions, pragmas, program_text
from clmath.audit.plan.sampled_rows import sampling
from clmath.audit.protocol.target import TargetError
from clmath.spec.families import is_sampled, packed_by

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pyopencl import CommandQueue, Context, Image

    from clmath.audit.opencl.buffers import Buffers
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.sampled_rows import Way
    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

WIDTH = 1024  # texels in a line
_ORDERS = {1: ("r", "rgba"), 4: ("rgba",)}  # channel orders by number of judged channels, the preferred one first
_API_ORDERS = {  # cl_channel_order, of which pyopencl names only some
    **{name: 0x10B0 + n for n, name in enumerate(("r", "a", "rg", "ra", "rgb", "rgba", "bgra", "argb"))},
    **{name: 0x10B8 + n for n, name in enumerate(("intensity", "luminance", "rx", "rgx", "rgbx", "depth"))},
    **{name: 0x10BF + n for n, name in enumerate(("srgb", "srgbx", "srgba", "sbgra", "abgr"))},
}
_API_TYPES = {  # cl_channel_type
    name: 0x10D0 + n
    for n, name in enumerate((
        "snorm_int8", "snorm_int16", "unorm_int8", "unorm_int16", "unorm_short_565", "unorm_short_555",
        "unorm_int_101010", "signed_int8", "signed_int16", "signed_int32", "unsigned_int8", "unsigned_int16",
        "unsigned_int32", "half_float", "float",
    ))
}  # fmt: skip
_API_KINDS = {"2d": 0x10F1, "3d": 0x10F2, "2d_array": 0x10F3, "1d": 0x10F4, "1d_array": 0x10F5}  # cl_mem_object_type
_LETTERS = {"half": "h", "float": "f", "int": "i", "uint": "ui"}
_COLORS = {1: "({type}4)(other[i], 0, 0, 1)", 3: "({type}4)(vload3(i, other), 1)", 4: "vload4(i, other)"}
_STATEMENTS = {1: "other[i] = {texel}.x;", 3: "vstore3({texel}.xyz, i, other);", 4: "vstore4({texel}, i, other);"}
_CHANNELS = {"r": 1, "rgba": 4, "srgba": 4, "rgb": 1, "rgbx": 1}  # numbers of a texel: rgb is packed in one
_PACKED = ("rgb", "rgbx")


class Images:
    """Reads and writes of the images of a device."""

    def __init__(self, cl: ModuleType, context: Context, queue: CommandQueue, buffers: Buffers) -> None:
        self._cl, self._context, self._queue, self._buffers = cl, context, queue, buffers
        self._formats: dict[tuple[int, str], frozenset[tuple[int, int]]] = {}

    def offers(self, row: Builtin, form: Format) -> bool:
        """Whether the device has the images that a case needs."""
        return bool(self._sampled(row, form) if is_sampled(row) else self.order(row))

    def _sampled(self, row: Builtin, form: Format) -> tuple[int, int] | None:
        """Return order and type of the image that a case samples, by the API's numbers, or None if unsupported."""
        how = sampling(row, form.name)
        pair = _API_ORDERS[how.order], _API_TYPES[how.type]
        return pair if pair in self._supported(int(self._cl.mem_flags.READ_ONLY), how.shape) else None

    def order(self, row: Builtin, components: int = 1) -> str:
        """Return an order of ``components`` channels or more that the device has in the built-in's type; else empty."""
        known, channel = self._supported(self._access(row)), _API_TYPES[channel_type(row)]
        return next((o for o in orders_of(row, components) if (_API_ORDERS[o], channel) in known), "")

    def run(
        self, item: ExactItem, start: AnyFunction, sources: Sequence[np.ndarray], results: Sequence[np.ndarray]
    ) -> bool:
        """Run one batch, which ``start`` starts with an image and buffers; return whether memory behind is intact.

        A read has the stored texels as its only source, a write as its only result. Bytes that a write does not store
        are poison.
        """
        if is_sampled(item.builtin):
            return self._buffers.run(functools.partial(start, self._sampled_image(item)), sources, results)
        if is_read(item.builtin):
            image, _ = self._lines(item, sources[0])
            return self._buffers.run(functools.partial(start, image), (), results)
        (result,) = results
        result.reshape(-1).view(np.uint8)[:] = POISON
        image, stored = self._lines(item, result)
        is_intact = self._buffers.run(functools.partial(start, image), sources, ())
        region = (WIDTH, len(stored) // WIDTH)
        self._cl.enqueue_copy(self._queue, stored, image, origin=(0, 0), region=region, is_blocking=True)
        result[...] = stored[: len(result), : result[0].size].reshape(result.shape)
        return is_intact

    def _lines(self, item: ExactItem, texels: np.ndarray) -> tuple[Image, np.ndarray]:
        """Return an image with these texels in lines, and the array with all of its channels that it was made from."""
        cl, order = self._cl, self.order(item.builtin, item.components)
        if not order:
            raise TargetError(f"{item}: the device has no image of {item.components} channels of that type")
        lines = -(-len(texels) // WIDTH)
        stored = np.zeros((lines * WIDTH, _CHANNELS[order]), texels.dtype)
        stored[: len(texels), : texels[0].size] = texels.reshape(len(texels), -1)
        form = cl.ImageFormat(_API_ORDERS[order], _API_TYPES[channel_type(item.builtin)])
        flags = self._access(item.builtin) | cl.mem_flags.COPY_HOST_PTR
        return cl.create_image(self._context, flags, form, shape=(WIDTH, lines), hostbuf=stored), stored

    def _sampled_image(self, item: ExactItem) -> Image:
        """Return the image that a case samples; pyopencl's ``create_image`` would give arrays of lines one layer."""
        cl, how, pair = self._cl, sampling(item.builtin, item.form.name), self._sampled(item.builtin, item.form)
        if pair is None:
            raise TargetError(f"{item}: the device has no such image")
        described = cl.ImageDescriptor()
        described.image_type = _API_KINDS[how.shape]
        described.shape = (*how.sizes, how.layers) if how.is_array else how.sizes
        described.array_size = how.layers
        described.pitches = (0, 0)
        described.num_mip_levels = described.num_samples = 0
        described.buffer = None
        flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        texels = np.ascontiguousarray(how.data)
        made: Image = cl.Image(self._context, flags, cl.ImageFormat(*pair), hostbuf=texels, desc=described)
        return made

    def _access(self, row: Builtin) -> int:
        flags = self._cl.mem_flags
        return int(flags.READ_ONLY if is_read(row) else flags.WRITE_ONLY)

    def _supported(self, flags: int, kind: str = "2d") -> frozenset[tuple[int, int]]:
        """Return the supported channel orders and types of images of a kind."""
        if (flags, kind) not in self._formats:
            cl = self._cl
            found = cl.get_supported_image_formats(self._context, flags, _API_KINDS[kind])
            self._formats[flags, kind] = frozenset((f.channel_order, f.channel_data_type) for f in found)
        return self._formats[flags, kind]


def is_read(row: Builtin) -> bool:
    """Whether the image is read."""
    return row.name.startswith("read_")


def orders_of(row: Builtin, components: int) -> tuple[str, ...]:
    """Return the channel orders that suffice for this number of judged channels, the preferred one first."""
    return ("srgba",) if _is_srgb(row) else _PACKED if packed_by(row) else _ORDERS[components]


def _is_srgb(row: Builtin) -> bool:
    return row.rule.endswith(("srgb", "srgba"))


def channel_type(row: Builtin) -> str:
    """Return the channel type: the built-in's name without its verb; sRGB is an order of another type."""
    return "unorm_int8" if _is_srgb(row) else row.name.partition("_")[2]


def image_numbers(item: ExactItem) -> list[str]:
    """Return the API's numbers for the image of a case: kind, type, and two orders, each with its number of channels.

    The second order is for devices without the first.
    """
    kind, type, orders = "2d", channel_type(item.builtin), orders_of(item.builtin, item.components)
    if is_sampled(item.builtin):
        how = sampling(item.builtin, item.form.name)
        kind, type, orders = how.shape, how.type, (how.order,)
    numbers = [f"{_API_KINDS[kind]:x}", f"{_API_TYPES[type]:x}"]
    for order in (orders[0], orders[-1]):
        numbers += [f"{_API_ORDERS[order]:x}", str(_CHANNELS.get(order, 0))]
    return numbers


def image_source(item: ExactItem) -> str:
    """Return the program text: its kernel takes the number of texels, an image, and the buffer of the other side."""
    if is_sampled(item.builtin):
        return _sampled_source(item)
    reads, type = is_read(item.builtin), item.form.name
    letter = _LETTERS[type]
    place = f"(int2)((int)(i % {WIDTH}), (int)(i / {WIDTH}))"
    if reads:
        texel = f"read_image{letter}(image, nearest, {place})"
        statement = _STATEMENTS[item.components].format(texel=texel)
    else:
        color = _COLORS[item.components].format(type=type)
        statement = f"write_image{letter}(image, {place}, {color});"
    other = f"__global {'' if reads else 'const '}{type} *other"
    image = f"__{'read' if reads else 'write'}_only image2d_t image"
    sampler = "__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;"
    body = ["size_t i = get_global_id(0);", f"if (i < n) {{ {statement} }}"]
    return program_text([image, other], body, [*pragmas(extensions(item)), sampler])


def _sampled_source(item: ExactItem) -> str:
    """Return the program text of a sampled read: coord.w is the number of the way in which the image is read."""
    type, how = item.form.name, sampling(item.builtin, item.form.name)
    is_depth, components = how.order == "depth", len(how.sizes) + how.is_array
    at, width = {1: ("at.x", ""), 2: ("at.xy", "2"), 3: ("(float4)(at.xyz, 0)", "4")}[components]
    cases = []
    for number, way in enumerate(how.ways):
        place = f"convert_int{width}_rtn({at})" if way.are_ints else at
        texel = f"read_image{_LETTERS[type]}(image, way{number}, {place})"
        color = f"({type}4)({texel}, 0, 0, 0)" if is_depth else texel
        cases.append(f"    if (at.w == {number}) vstore4({color}, i, other);")
    image = f"__read_only image{how.shape}{'_depth' * is_depth}_t image"
    parameters = [image, "__global const float *coord", f"__global {type} *other"]
    body = ["size_t i = get_global_id(0);", "if (i < n) {", "    float4 at = vload4(i, coord);", *cases, "}"]
    samplers = [f"__constant sampler_t way{number} = {_flags(way)};" for number, way in enumerate(how.ways)]
    return program_text(parameters, body, [*pragmas(extensions(item)), *samplers])


def _flags(way: Way) -> str:
    """Return the sampler as a program declares it."""
    sampler = way.sampler
    coordinates = f"CLK_NORMALIZED_COORDS_{str(sampler.normalized).upper()}"
    return f"{coordinates} | CLK_ADDRESS_{sampler.addressing.upper()} | CLK_FILTER_{sampler.filter.upper()}"
