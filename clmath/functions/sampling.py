"""Images and samplers: ``image::sample``, ``image::read`` and ``image::write`` of OpenCL C++."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.call import into
from clmath.call.arguments import any_of, as_array, checked_width, common_shape, is_weak, misfit
from clmath.call.results import mask_of, picked
from clmath.call.subnormals import as_here
from clmath.direct import addressing
from clmath.direct.filters import Corners, filtered
from clmath.direct.texels import ORDERS, TYPES, Texels
from clmath.functions.image import channelwise, lines_of, of_vectors
from clmath.numbers.datatypes import SCALARS, type_name
from clmath.numbers.formats import FLOAT, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clmath.direct.addressing import Places
    from clmath.direct.texels import Lines
    from clmath.functions.image import Channelwise
    from clmath.ir.values import Real, Truth
    from clmath.typing import Addressing, ChannelOrder, ChannelType, Filter, Floats, Out, Where

__all__ = ["Image", "Sampler"]

_ADDRESSING = addressing.ADDRESSING
_FILTERS = ("nearest", "linear")
_ALPHA = 3
_IN_ORDER = (0, 1, 2, 3)
_INT = np.dtype(np.int32)
_UNNORMALIZED = ("none", "clamp", "clamp_to_edge")  # addressing modes of coordinates in texels, and of integers


class Sampler:
    """Addressing and filter of reads: OpenCL C++ 1.0, 3.11.9 and 3.11.10.

    ``addressing``: ``"none"``, ``"clamp"``, ``"clamp_to_edge"``, ``"repeat"`` or ``"mirrored_repeat"``. ``filter``:
    ``"nearest"`` or ``"linear"``. ``normalized``: whether coordinates are multiples of the image's size; if not they
    are in texels. A sampler never changes.

    RangeError: ``repeat`` and ``mirrored_repeat`` without normalized coordinates, which the text leaves undefined.
    ValueError: a name of no mode.

    >>> Sampler("clamp", "linear", normalized=True)
    Sampler('clamp', 'linear', normalized=True)
    """

    __slots__ = ("addressing", "filter", "normalized")
    addressing: Addressing
    filter: Filter
    normalized: bool

    def __init__(
        self, addressing: Addressing = "none", filter: Filter = "nearest", *, normalized: bool = False
    ) -> None:
        call = "Sampler()"
        _checked_name(call, "addressing", addressing, _ADDRESSING)
        _checked_name(call, "filter", filter, _FILTERS)
        normalized = errors.checked_flag(call, "normalized", normalized)
        if not normalized and addressing not in _UNNORMALIZED:
            fact = f"addressing={addressing!r} is undefined with coordinates in texels"
            raise errors.RangeError(f"{call}: {fact}: give normalized=True, and coordinates over the size")
        for name, value in (("addressing", addressing), ("filter", filter), ("normalized", normalized)):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        fact = f"{name} cannot be set to {errors.shown(value)}; a Sampler never changes"
        raise AttributeError(f"Sampler: {fact}: make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Sampler: {name} cannot be deleted; a Sampler never changes: make a new one")

    def __reduce__(self) -> tuple[Callable[..., Sampler], tuple[Addressing, Filter]]:
        return functools.partial(Sampler, normalized=self.normalized), (self.addressing, self.filter)

    def __repr__(self) -> str:
        return f"Sampler({self.addressing!r}, {self.filter!r}, normalized={self.normalized})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sampler) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))


class Image:
    """An image, or an array of images of one size, over a copy of an array: OpenCL C++ 1.0, 3.11 and 5.

    ``data``: channels last, in the number and order of ``order``; for packed types one integer for each texel, and no
    axis of channels. Before that 1 to 3 axes, (depth, height, width) from the last on; with
    ``array=True`` one that selects a layer comes first, and at most two follow.

    ``type``, a channel type: ``unorm_int8``, ``unorm_int16``, ``snorm_int8``, ``snorm_int16``, ``unorm_short_565``,
    ``unorm_short_555``, ``unorm_int_101010``, ``half_float``, ``float``, ``signed_int8`` to ``32``, ``unsigned_int8``
    to ``32``; ``data`` has its dtype. Packed channels: red has the highest bits. ``order``, a channel order: ``r rx a
    rg rgx ra rgb rgbx rgba bgra argb abgr intensity luminance depth``, and for ``unorm_int8`` ``srgb srgbx srgba
    sbgra``, whose alpha is linear. Reads and writes are described by ``read`` and ``write``; a level of a mip-mapped
    image is an image of its own: the text has no formula for the levels that a lod selects.

    Attributes: ``data``, a copy without the bits that a type does not use; ``type``, ``order``, ``array``; ``sizes``,
    the width, height and depth; and, in ``array_size``, the number of layers. TypeError, ValueError: data, a type or an
    order that do not go together.

    >>> image = Image(np.array([[[0, 51, 255, 255], [255, 51, 0, 255]]], np.uint8), "unorm_int8")
    >>> image.read(Sampler("clamp_to_edge", "linear"), np.float32([1.25, 0.5])).tolist()
    [0.75, 0.20000000298023224, 0.25, 1.0]
    """

    __array_ufunc__ = None  # images have no arithmetic

    def __init__(self, data: object, type: ChannelType, order: ChannelOrder = "rgba", *, array: bool = False) -> None:
        call = "Image()"
        refuse_altered_arithmetic(call)
        _checked_name(call, "type", type, tuple(TYPES))
        _checked_name(call, "order", order, tuple(ORDERS))
        self._stores, self._order = TYPES[type], ORDERS[order]
        _refuse_order(call, type, order)
        self.type, self.order = type, order
        self.array = errors.checked_flag(call, "array", array)
        stored = _stored(call, data, type, order)
        self._shape = _shape(call, stored, array=self.array, packs=bool(self._stores.shifts))
        self.array_size = self._shape[0] if self.array else 1
        self.sizes: tuple[int, ...] = self._shape[self.array :][::-1]
        self._bounds = np.array(self.sizes + self._shape[: self.array], np.float64)[:, np.newaxis]
        self._columns = self._bounds[: len(self.sizes)]
        self._steps = np.cumprod([1, *self.sizes]).astype(np.float64)  # to the next texel of each axis, and layer
        native = stored.astype(stored.dtype.newbyteorder("="))
        channels = () if self._stores.shifts else (self._order.stored,)
        self._texels = Texels.of(native.reshape(-1, *channels), self._stores, self._order)

    def __repr__(self) -> str:
        shape = " x ".join(map(str, self._shape))
        return f"<Image {shape} {self.order} {self.type}{' array' if self.array else ''}>"

    @property
    def data(self) -> np.ndarray:
        """A copy of the stored image, in the shape of the constructor's data."""
        lines = self._texels.stored
        if self._stores.shifts:
            return self._stores.packed(lines).reshape(self._shape)
        return np.ascontiguousarray(lines.T).reshape(*self._shape, len(lines))

    def read(
        self,
        sampler: Sampler | None,
        coordinates: object,
        /,
        type: str | None = None,
        *,
        rounding: Rounding = "rte",
        out: Out = None,
        where: Where = True,
        threads: int = 1,
    ) -> Floats:
        """The colours at ``coordinates``: ``image::sample`` with a sampler, ``image::read`` if that is None.

        ``coordinates``: float or int, of shape (..., n), n being the axes of the image, x first, and last the layer of
        an array; a fourth component after three is ignored; if n is 1 there is no axis of components. A layer is not
        normalized; it is rounded to nearest even and clamped. Python numbers are floats, or ints. Results have four
        components, red, green, blue and alpha, or none for the order ``depth``. ``out``, ``where`` (for each place;
        coordinates at False may lie anywhere) and ``threads``: see ``help(clmath)``.

        ``type`` of results: ``"float"`` or ``"half"``; for ``float`` images only ``"float"``; ``"int"`` or ``"uint"``
        for integers, which are not changed. The addressing and the filter follow 5.2 in real numbers, at exactly the
        coordinates given and with texels that are not rounded, n / 255 or the linear value of sRGB; the result is
        rounded once, in the mode ``rounding``. A zero that a linear filter gives is +0.

        Channels that are not stored are 0, alpha 1. With ``clamp`` the border colour surrounds the image: 0,
        and alpha 1 for ``r``, ``rg``, ``rgb``, ``luminance`` and, which the text forgets, ``srgb``. With ``none`` it
        does, too, where a linear filter takes a texel beyond the border. Coordinates far outside never overflow a
        conversion to int. A linear filter whose texels include an infinity or NaN gives NaN; the text
        leaves that undefined. A device reads exactly the texel with coordinates in texels, ``nearest``, and ``none``,
        ``clamp`` or ``clamp_to_edge``; the error of all other reads is unspecified by 5.2.

        RangeError if the text leaves the result undefined: coordinates that are infinite or NaN; outside of the
        image with ``none``; a linear filter of integers or with integer coordinates; integer coordinates with
        ``repeat`` or ``mirrored_repeat``. (OpenCL C has integer coordinates in texels, OpenCL C++ 1.0 says normalized:
        both are read by the formulas.) Without a sampler, coordinates are ints inside of the image.
        ShapeError: the components of coordinates. TypeError: their type. ValueError: a name.
        Source: OpenCL C++ 1.0, 3.11.8, 3.11.11, 3.11.14, 5.1 to 5.4; cl_khr_fp16, read_imageh.

        >>> image = Image(np.uint8([[0], [102], [255]]), "unorm_int8", "r")
        >>> image.read(Sampler("clamp"), np.float32([1.5, 7])).tolist()
        [[0.4000000059604645, 0.0, 0.0, 1.0], [0.0, 0.0, 0.0, 1.0]]
        """
        call = "Image.read()"
        refuse_altered_arithmetic(call)
        mode = checked_mode(call, rounding)
        known = self._stores.reads
        _checked_name(call, "type", known[0] if type is None else type, known)
        dtype = SCALARS[known[0] if type is None else type]
        points = self._coordinates_of(call, coordinates)
        results = into(call, out, where, threads)
        self._check_sampler(call, sampler, points.dtype)
        reader = channelwise(call, self.type, self.order, dtype, mode, reads=True)
        flushes = sampler is not None and self.type == "float"  # 3.11.8 and 5.3.3; only sampled reads flush

        def read(places: np.ndarray) -> Iterable[np.ndarray | int]:
            lines = places.astype(np.float64)
            found: Lines
            if sampler is not None and sampler.filter == "linear":
                found, alpha = self._filtered(sampler, lines, dtype, mode)
            else:
                found, alpha = self._nearest(sampler or _OF_READ, lines, reader)
            if isinstance(found, np.ndarray) and self._order.components == _IN_ORDER and not flushes:
                return found
            colors = [
                found[component] if component is not None else alpha if number == _ALPHA else 0
                for number, component in enumerate(self._order.components)
            ]
            return [*map(as_here, (np.asarray(color, dtype) for color in colors))] if flushes else colors

        check = functools.partial(self._refuse_undefined, call, sampler)
        width = len(self._order.components)
        return of_vectors(call, "coordinates", points, dtype, width if width > 1 else None, read, results, check)

    def write(self, coordinates: object, color: object, /, *, rounding: Rounding = "rte", where: Where = True) -> None:
        """Store ``color`` at ``coordinates``, in place: ``image::write``.

        ``coordinates``: ints inside of the image, as in ``read``, with the layer. ``color``: four components, red,
        green, blue and alpha, or none for the order ``depth``; half or float, for ``float`` images float, for integers
        int or uint; the two broadcast. Each channel stores its component like ``write_unorm_int8`` and so on,
        ``intensity`` and ``luminance`` store red; other components are ignored. The last of several colours for
        one texel stays: they are stored in order, without ``threads``; the output is the image, without ``out``.
        ``where``, bools that broadcast with the colours: colours at False are not stored, and may lie anywhere.

        RangeError: coordinates outside of the image. ShapeError, TypeError: as in ``read``.
        Source: OpenCL C++ 1.0, 3.11.8, 3.11.14, 5.3; cl_khr_fp16, write_imageh.

        >>> image = Image(np.zeros((2, 1), np.uint8), "unorm_int8", "r")
        >>> image.write([1], np.float32([0.5, 0, 0, 1]))
        >>> image.data.tolist()
        [[0], [128]]
        """
        call = "Image.write()"
        refuse_altered_arithmetic(call)
        mode = checked_mode(call, rounding)
        points = self._coordinates_of(call, coordinates)
        self._check_sampler(call, None, points.dtype)
        colors = self._colors(call, color)
        names, shapes = ("coordinates", "color"), (points.shape[:-1], colors.shape[:-1])
        if where is True:
            shape = common_shape(call, names, shapes)
            whole = [
                a if a.shape[:-1] == shape else np.broadcast_to(a, (*shape, a.shape[-1])) for a in (points, colors)
            ]
            places, values = map(lines_of, whole)
        else:
            mask = mask_of(call, where, names, shapes)
            places, values = (picked(mask, a, a.shape[-1:]).T for a in (points, colors))
        stored, writer = self._texels.stored, channelwise(call, self.type, self.order, values.dtype, mode, reads=False)
        self._refuse_undefined(call, None, places)
        texels, _ = self._located(_OF_READ, places.astype(np.float64))
        taken = np.array([values[self._order.components.index(number)] for number in range(len(stored))])
        for line, codes in zip(stored, writer(taken), strict=True):
            line[texels] = codes

    def _coordinates_of(self, call: str, coordinates: object) -> np.ndarray:
        """Return the coordinates with an axis of components, floats or ints in the machine's byte order."""
        found = _numbers(call, "coordinates", coordinates)
        needed = len(self.sizes) + self.array
        if needed == 1:
            found = found[..., np.newaxis]
        elif found.shape[-1:] != (needed,):
            checked_width(call, "coordinates", found, (needed, 4) if needed == 3 else (needed,))
            found = found[..., :needed]
        return found if found.dtype.isnative else found.astype(found.dtype.newbyteorder("="))

    def _check_sampler(self, call: str, sampler: object, dtype: np.dtype) -> None:
        """Refuse coordinates of ``dtype``, and samplers with which the text leaves the results undefined."""
        is_integer = dtype == _INT
        if not is_integer and (dtype != FLOAT.dtype or sampler is None):
            needed = "float32 or int32" if sampler else "int32"
            remedy = errors.conversion("coordinates", "float" if sampler else "int")
            raise errors.wrong_dtype(call, "coordinates", dtype, needed, remedy)
        if sampler is None:
            return
        if not isinstance(sampler, Sampler):
            fact = f"sampler={errors.shown(sampler)} is of type {type(sampler).__name__}"
            raise errors.DTypeError(f"{call}: {fact}; give a Sampler, or None for coordinates in texels: Sampler()")
        if sampler.filter == "linear" and (is_integer or self._stores.reads[0] != "float"):
            what = "integer coordinates" if is_integer else "integers"
            fact = f"{sampler} filters linearly, which is undefined for {what}"
            raise errors.RangeError(f"{call}: {fact}: give a Sampler with filter='nearest'")
        if is_integer and sampler.addressing not in _UNNORMALIZED:
            fact = f"{sampler} with integer coordinates is undefined"
            raise errors.RangeError(f"{call}: {fact}: give np.float32(coordinates)")

    def _refuse_undefined(self, call: str, sampler: Sampler | None, places: np.ndarray) -> None:
        """Refuse coordinates, a line for each axis, at which the text leaves the result undefined."""
        if places.dtype.kind == "f" and not math.isfinite(np.add.reduce(places, axis=None, dtype=np.float64)):
            found = next(place for place in places.T.flat if not np.isfinite(place))
            fact = f"coordinates include {found} as {type_name(places.dtype)}, which leaves the result undefined"
            raise errors.RangeError(f"{call}: {fact}: give finite ones, e.g. np.nan_to_num(coordinates)")
        if sampler is None:
            inside, way = addressing.is_inside(places, self._bounds), "give coordinates"
        elif sampler.addressing == "none":  # a sampled read clamps layers
            inside = addressing.is_inside(self._unnormalized(sampler, places), self._columns)
            way = "give a Sampler of another addressing, or coordinates"
        else:
            return
        if not inside.all():
            axis = int(inside.all(axis=1).argmin())
            what = "texels" if axis < len(self.sizes) else "layers"
            wrong = places[axis, ~inside[axis]][0]
            fact = f"coordinates[..., {axis}] includes {wrong}, outside of {int(self._bounds[axis, 0])} {what}"
            raise errors.RangeError(f"{call}: {fact}, undefined with addressing='none': {way} inside, e.g. by np.clip")

    def _unnormalized(self, sampler: Sampler, places: np.ndarray) -> Real:
        """Return the coordinates along the axes, in texels."""
        s = places[: len(self.sizes)].astype(np.float64, copy=False)
        return addressing.unnormalized(s, self._columns, sampler.addressing, normalized=sampler.normalized)

    def _offset(self, places: np.ndarray) -> Real | None:
        """Return the place where the layer begins, or None for an image without layers."""
        return addressing.layer(places[-1], self.array_size) * self._steps[-1] if self.array else None

    def _nearest(self, sampler: Sampler, places: Real, reader: Channelwise) -> tuple[Lines, np.ndarray | int]:
        """Return each channel of the nearest texels, and an alpha that is not stored, for lines of coordinates."""
        texels, inside = self._located(sampler, places)
        found = reader(self._texels.stored.take(texels, axis=1))
        if inside is None:
            return found, 1
        return [np.where(inside, line, 0) for line in found], inside if self._order.has_edge else 1

    def _located(self, sampler: Sampler, places: Real) -> tuple[Places, Truth | None]:
        """Return the places of the nearest texels, and the elements that have one, or None if all have."""
        mode, inside = sampler.addressing, None
        found = addressing.nearest(self._unnormalized(sampler, places), self._columns, mode)
        if mode == "clamp":
            inside = np.logical_and.reduce(addressing.is_inside(found, self._columns), axis=0)
        texels, offset = np.dot(self._steps[:-1], found), self._offset(places)
        if offset is not None:
            texels += offset
        if inside is not None and inside.all():
            inside = None
        return (texels if inside is None else np.where(inside, texels, 0.0)).astype(np.intp), inside

    def _filtered(
        self, sampler: Sampler, places: Real, dtype: np.dtype, mode: Rounding
    ) -> tuple[np.ndarray, np.ndarray | int]:
        """Return each channel of the linear filter, and an alpha that is not stored, for lines of coordinates."""
        steps = self._steps[:-1, np.newaxis]

        def located(index: Places | slice) -> Corners:
            some = places[:, index]
            ends = addressing.ends(self._unnormalized(sampler, some), self._columns, sampler.addressing)
            return Corners.of(ends, steps, self._offset(some))

        form = format_of(dtype) or FLOAT
        return filtered(self._texels, located, places.shape[1], form, mode, has_edge=self._order.has_edge)

    def _colors(self, call: str, color: object) -> np.ndarray:
        """Return colours with an axis of components, of a type that can be written to the image."""
        found = _numbers(call, "color", color)
        needed = self._stores.reads[::-1]
        if found.dtype.newbyteorder("=") not in [SCALARS[name] for name in needed]:
            remedy = errors.conversion("color", needed[-1])
            raise errors.wrong_dtype(call, "color", found.dtype, any_of(needed), remedy)
        if self.order == "depth":
            return found[..., np.newaxis].astype(found.dtype.newbyteorder("="))
        checked_width(call, "color", found, (4,))
        return found.astype(found.dtype.newbyteorder("="))


def _checked_name(call: str, what: str, value: object, known: Sequence[str]) -> None:
    if not isinstance(value, str) or value not in known:
        raise errors.not_one_of(call, what, value, known)


def _refuse_order(call: str, type: str, order: str) -> None:
    """Refuse a type and an order that do not go together."""
    if ORDERS[order].is_srgb and type != "unorm_int8":
        fact = f"order={order!r} is of type 'unorm_int8' only, not {type!r}"
        raise errors.RangeError(f"{call}: {fact}: give that type, or order={order.strip('s')!r}")
    if TYPES[type].shifts and order not in {"rgb", "rgbx"}:
        fact = f"type={type!r} packs red, green and blue, and order={order!r} is not of these"
        raise errors.RangeError(f"{call}: {fact}: give order='rgb' or 'rgbx'")


def _stored(call: str, data: object, type: str, order: str) -> np.ndarray:
    """Return ``data`` as an array of the type's dtype with the number of channels that the order stores."""
    stored = as_array(call, "data", data)
    dtype = TYPES[type].dtype
    if stored.dtype.newbyteorder("=") != dtype:
        remedy = f"give what {type} stores, e.g. data.astype('{dtype}')"
        raise errors.wrong_dtype(call, "data", stored.dtype, str(dtype), remedy)
    if not TYPES[type].shifts:
        checked_width(call, "data", stored, (ORDERS[order].stored,))
    return stored


def _shape(call: str, stored: np.ndarray, *, array: bool, packs: bool) -> tuple[int, ...]:
    """Return the layers and sizes, without the channels."""
    shape = stored.shape if packs else stored.shape[:-1]
    if not 1 + array <= len(shape) <= 3:
        channels = "no axis of channels, which are packed" if packs else "the channels"
        needed = "a layer and 1 or 2 axes" if array else "1 to 3 axes"
        fact = f"data has shape {stored.shape}; {needed} are needed, and {channels}"
        raise errors.ShapeError(f"{call}: {fact}: reshape it{'' if array else ', or give array=True for layers'}")
    if 0 in shape or max(shape) > addressing.LARGEST:
        fact = f"data has shape {stored.shape}; an axis has 1 to {addressing.LARGEST} texels"
        raise errors.ShapeError(f"{call}: {fact}: give data with texels, in images of less")
    return shape


def _numbers(call: str, argument: str, value: object) -> np.ndarray:
    """Return ``value`` as an array; Python numbers, and lists of them, as floats or ints."""
    found = as_array(call, argument, value)
    if not (is_weak(value) or isinstance(value, (list, tuple, range))):
        return found
    if found.dtype == np.float64:
        with np.errstate(all="ignore"):
            return found.astype(np.float32)
    wrong = misfit(found, _INT) if found.dtype.kind in "iu" else None
    if wrong is not None:
        raise errors.RangeError(f"{call}: {argument} lists {wrong}, which no int holds: give a number within 32 bits")
    return found.astype(_INT) if found.dtype.kind in "iu" else found


_OF_READ = Sampler()  # with which ``image::read`` accesses an image
