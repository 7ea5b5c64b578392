"""Whole built-ins that need no enclosures: loops from arguments to rounded results, as the native engine compiles them.

A way's function takes float64 lanes, whatever the arguments are, and what is ``known``. It returns the encoding of each
result, and, where it may leave lanes undecided, whether it leaves this one; or numbers of the format, where ``values``.
The first way is taken whose condition holds for all lanes of a block; the last has none.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.kernels.direct import DIRECT
from clmath.kernels.whole import arithmetic, geometric, integers, remainders
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["IN_STEPS", "Way", "Whole", "label", "wholes"]

IN_STEPS = {
    name: f"{name}_in_steps" for name in ("mad", "mix", "dot", "cross")
}  # without contraction; with it mad is fma
FORMS = ("half", "float", "double")
RTE = 0


class Way(NamedTuple):
    """Functions that together give every result, and the one that tells for which lanes: None for all."""

    functions: tuple[Callable[..., Any], ...]
    known: tuple[Any, ...] = ()
    holds: Callable[..., Any] | None = None
    holds_known: tuple[Any, ...] = ()


class Whole(NamedTuple):
    """A built-in in one format and, where it rounds, one mode.

    ``inputs``, ``outputs``: half, float, double, int, long or ulong; lanes of the last two are int64. ``leaves``:
    whether its ways may leave lanes undecided.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    ways: tuple[Way, ...]
    values: bool = False
    leaves: bool = False


def label(name: str, form: str, mode: str, *, contracted: bool, lanes: int) -> str:
    """What ``wholes`` calls a built-in, with ``lanes`` arguments; no mode where nothing is rounded."""
    if not contracted:
        name = IN_STEPS.get(name, name)
    elif name == "mad":
        name = "fma"
    mode = mode if name in _ROUNDED else ""
    return _label(f"{name}{lanes}" if name in _VECTORS else name, form, mode)


def _label(*parts: str) -> str:
    return "_".join(filter(None, parts))


@functools.cache
def wholes() -> Mapping[str, Whole]:
    """All of them by label."""
    return dict(_all())


def _all() -> Iterator[tuple[str, Whole]]:
    for form in FORMS:
        yield from _arithmetic(form)
        yield from _exact(form)
        yield from _remainders(form)
        yield from _geometric(form)
    for type in ("long", "ulong"):
        yield from _integers(type)


_ROUNDED = frozenset({*arithmetic.__all__, *geometric.__all__})
_ONE_INSTRUCTION = frozenset({"add", "sub", "mul", "div", "recip"})  # in rte of float and double
_VECTORS = frozenset(geometric.__all__)
_LANES = {"recip": 1, "sqrt": 1, "degrees": 1, "radians": 1, "fract": 1} | dict.fromkeys(
    ("fma", "mad_in_steps", "mix", "mix_in_steps", "smoothstep"), 3
)


def _arithmetic(form: str) -> Iterator[tuple[str, Whole]]:
    """What rounds."""
    for name in arithmetic.__all__:
        inputs = (form, "int") if name == "ldexp" else (form,) * _LANES.get(name, 2)
        outputs = (form,) * (2 if name == "fract" else 1)
        for number, mode in enumerate(MODES):
            if number == RTE and form != "half" and name in _ONE_INSTRUCTION:
                continue  # NumPy's loop
            way = Way((getattr(arithmetic, name),), (form, number))
            yield _label(name, form, mode), Whole(inputs, outputs, (way,))


_EXACT = {
    **dict.fromkeys(("ceil", "floor", "rint", "round", "trunc", "sign", "logb", "modf", "ilogb", "frexp"), 1),
    **dict.fromkeys(("fmax", "fmin", "maxmag", "minmag", "max", "min", "step", "nextafter"), 2),
    "clamp": 3,
}


def _exact(form: str) -> Iterator[tuple[str, Whole]]:
    """What does not."""
    for name, lanes in _EXACT.items():
        kernels = DIRECT[form][name]
        outputs = tuple("int" if kernel.is_integer else form for kernel in kernels for _ in range(kernel.results))
        way = Way(tuple(kernel.function for kernel in kernels))
        yield _label(name, form), Whole((form,) * lanes, outputs, (way,), values=True)


_STEPS = {"half": (1,), "float": (1, 6), "double": (1, 6)}  # of 50 bits; halves are 2^40 apart, floats 2^277


def _remainders(form: str) -> Iterator[tuple[str, Whole]]:
    """Those; a block takes as few steps as it can."""
    *few, most = _STEPS[form]
    for name in ("fmod", "remainder", "remquo"):
        functions = (getattr(remainders, name),)
        ways = [Way(functions, (form, times), remainders.near, (times,)) for times in few]
        outputs = (form, "int") if name == "remquo" else (form,)
        whole = Whole((form, form), outputs, (*ways, Way(functions, (form, most))), leaves=form == "double")
        yield _label(name, form), whole


_SUMS = frozenset({"dot", "cross"})  # are exact: only doubles may be left
_OF_ONE = frozenset({"length", "normalize"})  # vector
_TO_VECTORS = frozenset({"cross", "cross_in_steps", "normalize"})


def _geometric(form: str) -> Iterator[tuple[str, Whole]]:
    """Geometric functions, by the number of their lanes."""
    for name in geometric.__all__:
        stem = name.removesuffix("_in_steps")
        for width in (3, 4) if stem == "cross" else (1, 2, 3, 4):
            inputs = (form,) * (width if name in _OF_ONE else 2 * width)
            outputs = (form,) * (width if name in _TO_VECTORS else 1)
            leaves = stem not in _SUMS or (name == stem and form == "double")
            for number, mode in enumerate(MODES):
                way = Way((getattr(geometric, name),), (form, number))
                yield _label(f"{name}{len(inputs)}", form, mode), Whole(inputs, outputs, (way,), leaves=leaves)


def _integers(type: str) -> Iterator[tuple[str, Whole]]:
    """Those of a type of 64 bits."""
    for name in integers.__all__:
        inputs = (type,) * (2 if name == "mul_hi" else 3)
        yield _label(name, type), Whole(inputs, (type,), (Way((getattr(integers, name),), (type == "long",)),))
