"""Components of vectors by letters and numbers, and the number of components: OpenCL C++ 1.0, 2.1.2."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.call.arguments import checked_width, operand
from clmath.call.results import delivery
from clmath.functions.pointers import aligned, broadcasts, check_type, writable
from clmath.numbers.datatypes import WIDTHS, type_named

if TYPE_CHECKING:
    from clmath.typing import Floats, NumberLike, Out, TypeName

__all__ = ["swizzle", "swizzle_assign", "vec_step"]

_LETTERS = ("xyzw", "rgba")  # of vectors of at most 4 components
_DIGITS = "0123456789abcdef"
_HALVES = {
    "lo": lambda n: range(n // 2),
    "hi": lambda n: range(n // 2, n),
    "even": lambda n: range(0, n, 2),
    "odd": lambda n: range(1, n, 2),
}
_SIZES = (1, *WIDTHS)


def swizzle(x: NumberLike, selector: str, /, *, out: Out = None) -> Floats:
    """The components of ``x`` that ``selector`` names: ``x.xyzw``, ``x.rgba``, ``x.s01``, ``x.lo`` of OpenCL C.

    ``x``: any type of ``convert``, a last axis of 2, 3, 4, 8 or 16 components. ``selector``: letters of
    ``xyzw`` or of ``rgba`` for vectors of up to 4 components, each within the vector; ``s`` or ``S`` with
    hexadecimal digits; ``lo``, ``hi``, ``even`` or ``odd``. Letters and digits may come in any order and repeat, 1, 2,
    3, 4, 8 or 16 of them; one takes the last axis away. Always a new array, or a scalar; bits are kept.
    The fourth component of 3, which ``hi`` and ``odd`` read, is undefined in the specification and 0 here.
    ``out``: see ``help(clmath)``; it may be ``x``.

    ValueError: a selector that is ill-formed for ``x``. TypeError: a dtype. Source: OpenCL C++ 1.0, 2.1.2.

    >>> swizzle(np.int32([10, 11, 12, 13]), "wwx")
    array([13, 13, 10], dtype=int32)
    >>> swizzle(np.int32([10, 20, 30]), "hi")
    array([30,  0], dtype=int32)
    """
    array = operand("swizzle()", "x", x)
    width = checked_width("swizzle()", "x", array, WIDTHS)
    places = _places("swizzle()", selector, width)
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    taken = np.where(np.array(places) < width, native[..., [p % width for p in places]], native.dtype.type(0))
    result: np.ndarray = taken.astype(native.dtype, copy=False)
    found = np.asarray(result[..., 0]) if len(places) == 1 else result
    return delivery("swizzle()", found.shape, found.dtype, out)(found)


def swizzle_assign(x: np.ndarray, selector: str, data: NumberLike, /) -> None:
    """Write ``data`` to the components of ``x`` that ``selector`` names: ``x.yx = data`` of OpenCL C.

    ``x``: an array as in ``swizzle``, which is changed. ``selector``: as in ``swizzle``, but each component at most
    once. ``data``: of the type of ``x`` (or Python numbers that it holds exactly), its last axis as long as the
    selector, no such axis if that names one component; the axes before broadcast to the axes of ``x``. A value for the
    fourth component of 3 is discarded.

    ValueError: a selector that is ill-formed or repeats a component, a shape, or ``x`` is read-only. TypeError: ``x``
    is not an array, or of another type than ``data``. Nothing is written then. Source: OpenCL C++ 1.0, 2.1.2.

    >>> v = np.int8([1, 2, 3, 4])
    >>> swizzle_assign(v, "zx", np.int8([33, 45]))
    >>> v
    array([45,  2, 33,  4], dtype=int8)
    """
    call = "swizzle_assign()"
    target = writable(call, "x", x, is_memory=False)
    places = _places(call, selector, checked_width(call, "x", target, WIDTHS))
    if len(set(places)) < len(places):
        fact = f"selector={selector!r} names a component twice"
        raise errors.ShapeError(f"{call}: {fact}; such a vector cannot be written to (2.1.2): name each at most once")
    values = _data(call, target, data)
    outer, components = target.shape[:-1], () if len(places) == 1 else (len(places),)
    needed = (*outer, *components)
    if values.shape[values.ndim - len(components) :] != components or not broadcasts(values.shape, needed):
        fact = f"data has shape {values.shape}; the components that are written have {needed}"
        raise errors.ShapeError(f"{call}: {fact}: give it that shape")
    written = np.broadcast_to(values, needed).reshape(*outer, len(places)).copy()
    for component, place in enumerate(places):
        if place < target.shape[-1]:
            target[..., place] = written[..., component]


def vec_step(a: NumberLike | TypeName | tuple[TypeName, int], /) -> int:
    """Number of elements of a scalar or a vector: 1 for a scalar, 4 for a vector of 3.

    ``a``: the name of a type as in ``convert``, such as ``"float3"``; or a value, whose last axis is the vector
    of 2, 3, 4, 8 or 16 components; a value without axes is a scalar.

    ValueError: an unknown name, or another number of components. Source: OpenCL C 2.0, 6.13.12.

    >>> vec_step("float3"), vec_step(np.zeros((5, 2))), vec_step(1.5)
    (4, 2, 1)
    """
    if isinstance(a, str) or (isinstance(a, tuple) and bool(a) and isinstance(a[0], str)):
        components = type_named("vec_step()", a).components
    else:
        array = operand("vec_step()", "a", a)
        components = checked_width("vec_step()", "a", array, WIDTHS) if array.ndim else 1
    return aligned(components)


def _places(call: str, selector: object, width: int) -> list[int]:
    """Return the component numbers of a selector, for 3 components as for 4; ShapeError if it is ill-formed."""
    if not isinstance(selector, str):
        raise errors.DTypeError(
            f"{call}: selector={errors.shown(selector)} is of type {type(selector).__name__}; a string is needed: "
            "give one such as 'xy' or 's01'"
        )
    if selector in _HALVES:
        return [*_HALVES[selector](aligned(width))]
    letters, known = _alphabet(selector, width)
    wrong = [letter for letter in letters if letter not in known]
    if wrong or len(letters) not in _SIZES:
        fact = f"{wrong[0]!r} names no component" if wrong else f"it names {len(letters)} components"
        words = [f"letters of {set_[:width]!r}" for set_ in _LETTERS if width <= 4]
        rule = ", ".join([*words, f"'s' with digits of {_DIGITS[:width]!r}", "lo, hi, even or odd"])
        raise errors.ShapeError(
            f"{call}: selector={selector!r} of {width} components: {fact}; give {rule}, 1, 2, 3, 4, 8 or 16 of them"
        )
    return [known.index(letter) for letter in letters]


def _alphabet(selector: str, width: int) -> tuple[str, str]:
    """Return the letters of a selector, and the letters for components of vectors of this width, in order."""
    if selector[:1] in ("s", "S"):
        return selector[1:].lower(), _DIGITS[:width]
    names = next((names for names in _LETTERS if selector[:1] and selector[0] in names), _LETTERS[0])
    return selector, names[:width] if width <= 4 else ""


def _data(call: str, target: np.ndarray, data: object) -> np.ndarray:
    """Return ``data`` in the type of the target; plain Python numbers, alone or in lists, take it."""
    values, needed = operand(call, "data", data), target.dtype.newbyteorder("=")
    if values.dtype == needed:
        return values
    if hasattr(data, "dtype") or values.astype(needed).tolist() != values.tolist():
        check_type(call, "data", values, "x", target.dtype)
    return values.astype(needed)
