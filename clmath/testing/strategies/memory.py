"""Strategies of the arguments of loads, stores and shuffles, and of copies between memories."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath import errors
from clmath.numbers.datatypes import INTEGERS, SCALARS, WIDTHS
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.strategies.entropy import strategies
from clmath.testing.strategies.mixtures import sizes_of
from clmath.testing.strategies.scalars import arrays
from clmath.testing.strategies.spans import Allowed, check_known, checked_type, several

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hypothesis.strategies import DrawFn, SearchStrategy

    from clmath.testing.memory_calls import MemoryCall
    from clmath.typing import Type

__all__ = ["COPIED", "Copy", "copies", "of_memory"]

COPIED = tuple(name for name in SCALARS if name != "bool")
_MOST = 5  # vectors that lie in the memory
_COPIED = 6  # elements that are copied, at most
_STRIDE = 4
_SPARE = 3  # numbers after the last one in use


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
