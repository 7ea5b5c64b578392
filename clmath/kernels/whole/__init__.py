"""Whole built-ins that need no enclosures: loops from arguments to rounded results, as the native engine compiles them.

A way's function takes float64 lanes, whatever the arguments are, and what is ``known``. It returns the encoding of each
result, and, where it may leave lanes undecided, whether it leaves this one; or numbers of the format, where ``values``.
The first way is taken whose condition holds for all lanes of a block; the last has none.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.kernels.direct import DIRECT
from clmath.kernels.whole import arithmetic
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

__all__ = ["IN_STEPS", "Way", "Whole", "label", "wholes"]

IN_STEPS = {"mad": "mad_in_steps", "mix": "mix_in_steps"}  # without contraction; with it mad is fma
FORMS = ("half", "float", "double")
VECTORS = frozenset({"dot", "dot_in_steps", "cross", "cross_in_steps", "length", "distance", "normalize"})
RTE = 0


class Way(NamedTuple):
    """Functions that together give every result, and the one that tells for which lanes: None for all."""

    functions: tuple[Callable[..., Any], ...]
    known: tuple[Any, ...] = ()
    holds: Callable[..., Any] | None = None
    holds_known: tuple[Any, ...] = ()


class Whole(NamedTuple):
    """A built-in in one format and, where it rounds, one mode.

    ``inputs``, ``outputs``: half, float, double or int. ``leaves``: whether its ways may leave lanes undecided.
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
    return _label(f"{name}{lanes}" if name in VECTORS else name, form, mode)


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


_ROUNDED = frozenset(arithmetic.__all__)
_ONE_INSTRUCTION = frozenset({"add", "sub", "mul", "div", "recip"})  # in rte of float and double
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
