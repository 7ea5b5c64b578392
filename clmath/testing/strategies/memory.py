"""Strategies of memory with loads, stores and copies, of images with samplers, and of formats with values to print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.direct.addressing import ADDRESSING
from clmath.direct.texels import ORDERS, TYPES
from clmath.functions.sampling import Image, Sampler
from clmath.numbers.datatypes import INTEGERS, SCALARS, WIDTHS
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.strategies.mixtures import sizes_of, strategies
from clmath.testing.strategies.scalars import arrays
from clmath.testing.strategies.spans import Allowed, check_known, checked_type, several

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypothesis.strategies import DrawFn, SearchStrategy

    from clmath.testing.aliases import MemoryCall
    from clmath.typing import Type

COPIED = tuple(name for name in SCALARS if name != "bool")
_MOST = 5  # vectors that lie in the memory
_COPIED = 6  # elements that are copied, at most
_STRIDE = 4
_SPARE = 3  # numbers after the last one in use
_SIZES, _LAYERS = 5, 3  # texels along an axis, and layers, at most
_QUARTERS = 16  # of texels on either side, at most
_UNNORMALIZED = ("none", "clamp", "clamp_to_edge")
_PRINTED = {  # types that are printed, in the order of their length modifiers
    "d": ("char", "short", "int", "long"),
    "u": ("uchar", "ushort", "uint", "ulong"),
    "f": ("half", "float", "double"),
}
_KINDS = {**dict.fromkeys("di", "d"), **dict.fromkeys("ouxX", "u"), **dict.fromkeys("fFeEgGaA", "f")}


def of_memory(call: MemoryCall, type: object, shape: object, keywords: Allowed) -> SearchStrategy[tuple[object, ...]]:
    """Arguments of a built-in of the memory chapter; ``shape``: of the offsets, or of the vectors to shuffle."""
    check_known("arguments()", keywords, tuple(Allowed.__annotations__))
    known = checked_type("arguments()", type, call.types)
    allowed: Allowed = {} if known in INTEGERS else keywords
    made = _shuffled if call.shuffled else _moved

    def of_shape(outer: object) -> SearchStrategy[tuple[object, ...]]:
        sizes = sizes_of("arguments()", outer)
        found: SearchStrategy[tuple[object, ...]] = strategies().composite(made)(call, known, sizes, allowed)
        return found

    if isinstance(shape, strategies().SearchStrategy):
        found: SearchStrategy[tuple[object, ...]] = shape.flatmap(of_shape)
        return found
    return of_shape(() if shape is None else shape)


def _moved(draw: DrawFn, call: MemoryCall, type: str, shape: tuple[int, ...], allowed: Allowed) -> tuple[object, ...]:
    """Return (offset, p, n) of a load, (data, offset, p, n) of a store; without n if data has n components."""
    st = strategies()
    n, vectors = draw(st.sampled_from(call.widths)), draw(st.integers(1, _MOST))
    stored = "half" if call.half else type
    length = (vectors - 1) * call.step(n) + n + draw(st.integers(0, 1))
    p = draw(arrays(SCALARS[stored], length, **({} if stored in INTEGERS else allowed)))
    offset = draw(arrays("long", shape, min_value=0, max_value=vectors - 1))
    place = int(offset) if shape == () else offset
    rest = (n,) if call.names_width else ()
    if not call.stores:
        return place, p, *rest
    data = draw(arrays(SCALARS[type], shape if n == 1 else (*shape, n), **allowed))
    return data[()], place, p, *rest


def _shuffled(
    draw: DrawFn, call: MemoryCall, type: str, shape: tuple[int, ...], allowed: Allowed
) -> tuple[object, ...]:
    """Return (x, mask) or (x, y, mask): the numbers of a mask may exceed the number of components."""
    st = strategies()
    unsigned = np.dtype(f"u{SCALARS[type].itemsize}")
    m, n = draw(st.sampled_from(WIDTHS)), draw(st.sampled_from(WIDTHS))
    components = tuple(draw(arrays(SCALARS[type], (*shape, m), **allowed)) for _ in range(call.shuffled))
    most = draw(st.sampled_from([call.shuffled * m - 1, np.iinfo(unsigned).max]))
    return *components, draw(arrays(unsigned, (*shape, n), max_value=int(most)))


class Copy(NamedTuple):
    """Arguments of ``async_work_group_copy(dst, src, num_gentypes, **keywords)``, or of the strided one.

    >>> @given(cl.copies(["float"]))
    ... def what_lies_behind_stays(copy):
    ...     dst = copy.dst.copy()
    ...     clmath.async_work_group_copy(dst, copy.src, copy.num_gentypes, **copy.keywords)
    ...     assert dst.size == copy.dst.size
    >>> what_lies_behind_stays()
    """

    dst: np.ndarray
    src: np.ndarray
    num_gentypes: int
    keywords: Mapping[str, int]


def copies(types: Iterable[Type] | None = None, *, strided: bool = False, widths: bool = True) -> SearchStrategy[Copy]:
    """Memories of one of ``types`` (None: all), and a number of elements that both hold: ``Copy(dst, src, ...)``.

    ``keywords`` has ``width`` if elements are vectors, which ``widths=False`` leaves out, and with ``strided``
    either ``src_stride`` or ``dst_stride``. Memory ends with the last element or behind it, and holds any bits. They
    shrink to no elements and zeros. UnknownNameError for an unknown type.

    >>> @given(cl.copies(strided=True, widths=False))
    ... def the_first_element_is_copied(copy):
    ...     dst = copy.dst.copy()
    ...     clmath.async_work_group_strided_copy(dst, copy.src, copy.num_gentypes, **copy.keywords)
    ...     assert copy.num_gentypes == 0 or dst[:1].tobytes() == copy.src[:1].tobytes()
    >>> the_first_element_is_copied()
    """
    refuse_altered_arithmetic("copies()")
    given = COPIED if types is None else several("copies()", "types", types, "int")
    chosen = [checked_type("copies()", type, COPIED, "types") for type in given]
    if not chosen:
        raise errors.RangeError("copies(): types is empty: name some, or leave it out for all")
    st = strategies()
    components = st.sampled_from((1, *WIDTHS)) if widths else st.just(1)
    strides = st.sampled_from(("src_stride", "dst_stride")) if strided else st.just("")
    found: SearchStrategy[Copy] = st.tuples(st.sampled_from(chosen), components, strides).flatmap(
        lambda given: st.composite(_copy)(*given)
    )
    return found


def _copy(draw: DrawFn, type: str, width: int, strided: str) -> Copy:
    st = strategies()
    count = draw(st.integers(0, _COPIED))
    keywords = {strided: draw(st.integers(1, _STRIDE))} if strided else {}
    components = 4 if width == 3 else width
    sizes = []
    for stride in (keywords.get("dst_stride", 1), keywords.get("src_stride", 1)):
        reached = ((count - 1) * stride + 1) * components if count else 0
        sizes.append(reached + draw(st.integers(0, _SPARE)))
    dst, src = (draw(arrays(SCALARS[type], size)) for size in sizes)
    return Copy(dst, src, count, {**keywords, **({} if width == 1 else {"width": width})})


class Read(NamedTuple):
    """Arguments of a defined ``image.read(sampler, coordinates)``; ``sampler`` is None for coordinates in texels.

    >>> @given(cl.reads(orders=["rgba"]))
    ... def four_channels_are_read(read: cl.Read):
    ...     assert read.image.read(read.sampler, read.coordinates).shape[-1] == 4
    >>> four_channels_are_read()
    """

    image: Image
    sampler: Sampler | None
    coordinates: np.ndarray


def reads(types: Iterable[str] | None = None, orders: Iterable[str] | None = None) -> SearchStrategy[Read]:
    """Images, samplers and coordinates of reads that the specification defines: ``Read(image, sampler, at)``.

    Small images of one to three dimensions and arrays of them, of channel ``types`` and ``orders`` by name (None: all);
    every addressing mode and filter; coordinates at edges, quarters and centres of texels, next to them, inside of the
    image and outside, some far away. They shrink to few texels of 0. UnknownNameError for an unknown name, RangeError
    if no type fits an order.

    >>> @given(cl.reads(types=["unorm_int8"]))
    ... def what_is_read_lies_between_0_and_1(read):
    ...     found = read.image.read(read.sampler, read.coordinates)
    ...     assert (found >= 0).all() and (found <= 1).all()
    >>> what_is_read_lies_between_0_and_1()
    """
    refuse_altered_arithmetic("reads()")
    st = strategies()
    chosen = _named("orders", orders, ORDERS)
    known = {t: [o for o in chosen if _fit(t, o)] for t in _named("types", types, TYPES)}
    pairs = [st.tuples(st.just(t), st.sampled_from(of_type)) for t, of_type in known.items() if of_type]
    if not pairs:
        raise errors.RangeError("reads(): no type of types has an order of orders: name others, or leave one out")
    found: SearchStrategy[Read] = st.one_of(pairs).flatmap(lambda pair: st.composite(_read)(*pair))
    return found


def _named(what: str, names: Iterable[str] | None, known: Iterable[str]) -> list[str]:
    given = list(known if names is None else several("reads()", what, names, next(iter(known))))
    for name in given:
        if name not in set(known):
            raise errors.not_one_of("reads()", what, name, tuple(known))
    return given


def _fit(type: str, order: str) -> bool:
    """Whether there are images of a channel type and an order."""
    is_packed, is_rgb = bool(TYPES[type].shifts), order in ("rgb", "rgbx")
    return (is_rgb or not is_packed) and (type == "unorm_int8" or not ORDERS[order].is_srgb)


def _read(draw: DrawFn, type: str, order: str) -> Read:
    st, stores = strategies(), TYPES[type]
    axes, is_array = draw(st.sampled_from([(1, False), (2, False), (3, False), (1, True), (2, True)]))
    sizes = [draw(st.integers(1, _SIZES)) for _ in range(axes)]
    layers = [draw(st.integers(1, _LAYERS))] if is_array else []
    channels = [] if stores.shifts else [ORDERS[order].stored]
    finite = {"allow_nan": False, "allow_infinity": False} if stores.dtype.kind == "f" else {}
    data = draw(arrays(stores.dtype, (*layers, *sizes[::-1], *channels), **finite))
    image = Image(data, type, order, array=is_array)  # type: ignore[arg-type]
    sampler = draw(_samplers(stores.reads[0] == "float"))
    count = draw(st.integers(1, 8))
    bounds = [*sizes, *layers]
    components = [_coordinates(draw, sampler, n, count, is_layer=i >= axes) for i, n in enumerate(bounds)]
    places = np.stack(components, axis=-1)
    return Read(image, sampler, places if len(bounds) > 1 else places[:, 0])


def _samplers(filters: bool) -> SearchStrategy[Sampler | None]:
    """Strategy of samplers, and None; ``filters``: linear ones, too."""
    found: list[Sampler | None] = [None]
    for filter in ("nearest", "linear") if filters else ("nearest",):
        found += [Sampler(mode, filter) for mode in _UNNORMALIZED]  # type: ignore[arg-type]
        found += [Sampler(mode, filter, normalized=True) for mode in ADDRESSING]  # type: ignore[arg-type]
    chosen: SearchStrategy[Sampler | None] = strategies().sampled_from(found)
    return chosen


def _coordinates(draw: DrawFn, sampler: Sampler | None, size: int, count: int, *, is_layer: bool) -> np.ndarray:
    """Coordinates along one axis, ints without a sampler."""
    if sampler is None:
        return draw(arrays("int", count, min_value=0, max_value=size - 1))
    quarters = draw(arrays("int", count, min_value=-_QUARTERS, max_value=4 * size + _QUARTERS))
    moves = draw(arrays("char", count, min_value=-1, max_value=1))
    scale = size if sampler.normalized and not is_layer else 1
    at = (quarters / (4.0 * scale)).astype(np.float32) * np.float32(draw(strategies().sampled_from([1, 1, 2**20])))
    at = np.where(moves == 0, at, np.nextafter(at, np.copysign(np.float32(np.inf), moves.astype(np.float32))))
    if sampler.addressing == "none" and not is_layer:
        end = np.float32(size if scale == 1 else 1)
        at = np.clip(np.abs(at), np.float32(0), np.nextafter(end, np.float32(0)))
    return at


def printed(conversions: str = "diouxXfFeEgGaAc") -> SearchStrategy[tuple[str, Any]]:
    """A format with one conversion specification, and its argument, for which ``sprintf`` is defined.

    ``conversions``: the conversion specifiers to choose from. Flags, widths, precisions, length modifiers and vectors
    are random; numbers as ``numbers`` and ``integers`` generate them, scalars and vectors of 2 to 16. UnknownNameError
    for other specifiers.

    >>> @given(cl.printed("feg"))
    ... def what_is_printed_is_read_again(case):
    ...     form, x = case
    ...     assert len(clmath.sprintf(form, x).split(",")) == np.size(x)
    >>> what_is_printed_is_read_again()
    """
    refuse_altered_arithmetic("printed()")
    known = (*_KINDS, "c")
    for one in conversions:
        if one not in known:
            raise errors.not_one_of("printed()", "conversions", one, known)
    if not conversions:
        raise errors.RangeError("printed(): conversions='' names none: give some, or leave it out")
    found: SearchStrategy[tuple[str, Any]] = strategies().composite(_printed)(conversions)
    return found


def _printed(draw: DrawFn, conversions: str) -> tuple[str, Any]:
    st = strategies()
    conversion = draw(st.sampled_from(conversions))
    kind = _KINDS.get(conversion, "c")
    defined = "-+ " if conversion == "c" else "-+ 0" if conversion in "diu" else "-+ 0#"
    flags = "".join(draw(st.lists(st.sampled_from(defined), max_size=3)))
    width = draw(st.sampled_from(["", "1", "12", "30"]))
    precision = "" if kind == "c" else draw(st.sampled_from(["", ".", ".0", ".1", ".3", ".17", ".40"]))
    if kind == "c":
        return f"%{flags}{width}c", draw(arrays("int", (), min_value=0, max_value=255))[()]
    components = draw(st.sampled_from(["", "", *map(str, WIDTHS)]))
    types = _PRINTED[kind]
    number = draw(st.sampled_from(range(len(types))))
    modifiers = ("hh", "h", "hl" if components else "", "l")[-len(types) :]
    length = modifiers[number] if components or kind != "f" else ""
    value = draw(arrays(SCALARS[types[number]], (int(components),) if components else ()))
    return (
        f"%{flags}{width}{precision}{'v' * bool(components)}{components}{length}{conversion}",
        value if components else value[()],
    )
