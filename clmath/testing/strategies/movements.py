"""Strategies of copies between memories: both memories, the number of elements, their components and a stride."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clmath import errors
from clmath.numbers.datatypes import SCALARS, WIDTHS
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.strategies.entropy import strategies
from clmath.testing.strategies.keywords import checked_type, several
from clmath.testing.strategies.lanes import arrays

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import numpy as np
    from hypothesis.strategies import DrawFn, SearchStrategy

    from clmath.typing import Type

__all__ = ["COPIED", "Copy", "copies"]

COPIED = tuple(name for name in SCALARS if name != "bool")
_MOST = 6  # elements
_STRIDE = 4
_SPARE = 3  # numbers after the last one in use


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
    lanes = st.sampled_from((1, *WIDTHS)) if widths else st.just(1)
    strides = st.sampled_from(("src_stride", "dst_stride")) if strided else st.just("")
    found: SearchStrategy[Copy] = st.tuples(st.sampled_from(chosen), lanes, strides).flatmap(
        lambda given: st.composite(_copy)(*given)
    )
    return found


def _copy(draw: DrawFn, type: Any, width: int, strided: str) -> Copy:
    st = strategies()
    count = draw(st.integers(0, _MOST))
    keywords = {strided: draw(st.integers(1, _STRIDE))} if strided else {}
    lanes = 4 if width == 3 else width
    sizes = []
    for stride in (keywords.get("dst_stride", 1), keywords.get("src_stride", 1)):
        reached = ((count - 1) * stride + 1) * lanes if count else 0
        sizes.append(reached + draw(st.integers(0, _SPARE)))
    dst, src = (draw(arrays(type, size)) for size in sizes)
    return Copy(dst, src, count, {**keywords, **({} if width == 1 else {"width": width})})
