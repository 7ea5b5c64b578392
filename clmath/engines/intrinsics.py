"""Built-ins that NumPy has, or that a few of its operations make: shorter for arrays than elementwise functions.

Each is a line of operators, which round in a format and a mode.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from clmath.kernels.whole.operators import Operators
from clmath.numbers.formats import FORMATS, format_named
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.callables import AnyFunction
    from clmath.engines.protocol import Values
    from clmath.numbers.rounding import Rounding


def _select(chosen: NDArray[np.bool_], x: Values, y: Values) -> Values:
    """Return ``x`` where chosen, else ``y``, without the branches of ``np.where``, which processors mispredict."""
    kind = f"i{x.itemsize}"
    first, second = x.view(kind), y.view(kind)
    found: Values = (second ^ (first ^ second) * chosen).view(x.dtype)
    return found


def _smoothstep(of: Operators, low: Values, high: Values, x: Values) -> Values:
    t = np.fmin(np.fmax(of.div(of.sub(x, low), of.sub(high, low)), 0.0), 1.0)
    inside = of.mul(of.mul(t, t), of.sub(np.full_like(t, 3), t + t))
    known = _select(x <= low, np.zeros_like(x), _select(x >= high, np.ones_like(x), inside))
    return _select(np.isnan(x) | np.isnan(low) | np.isnan(high), np.full_like(x, np.nan), known)


def _dot(of: Operators, *components: Values) -> Values:
    half = len(components) // 2
    return functools.reduce(of.add, map(of.mul, components[:half], components[half:]))


def _cross(of: Operators, *components: Values) -> Sequence[Values]:
    half = len(components) // 2
    p, q = components[:half], components[half:]
    three = [_dot(of, p[i], -p[j], q[j], q[i]) for i, j in ((1, 2), (2, 0), (0, 1))]
    return (*three, *[np.zeros_like(p[0])] * (half - 3))


_FORMS = [form.name for form in FORMATS]
_INTRINSICS: Mapping[str, AnyFunction] = {
    "add": Operators.add,
    "sub": Operators.sub,
    "mul": Operators.mul,
    "div": Operators.div,
    "sqrt": Operators.sqrt,
    "recip": lambda of, x: of.div(np.ones_like(x), x),
    "ceil": lambda _, x: np.ceil(x),
    "floor": lambda _, x: np.floor(x),
    "rint": lambda _, x: np.rint(x),
    "trunc": lambda _, x: np.trunc(x),
    "max": lambda _, x, y: _select(x < y, y, x),
    "min": lambda _, x, y: _select(y < x, y, x),
    "fmax": lambda _, x, y: _select((x < y) | np.isnan(x), y, x),
    "fmin": lambda _, x, y: _select((y < x) | np.isnan(x), y, x),
    "fdim": lambda of, x, y: _select(x <= y, np.zeros_like(x), of.sub(x, y)),
    "mad_in_steps": lambda of, a, b, c: of.add(of.mul(a, b), c),
    "mix_in_steps": lambda of, x, y, a: of.add(x, of.mul(of.sub(y, x), a)),
    "dot_in_steps": _dot,
    "cross_in_steps": _cross,
    "smoothstep": _smoothstep,
}


@functools.cache
def intrinsic(label: str) -> Callable[..., Sequence[Values]] | None:
    """Return the function of arrays that has all results of the built-in ``label``, if NumPy has it."""
    *name, last = label.split("_")
    mode: Rounding = "rte"
    if last in MODES:
        mode, last = last, name.pop()
    found = _INTRINSICS.get("_".join(name).rstrip("0123456789"))
    if found is None or last not in _FORMS:
        return None
    of = Operators(format_named(last), mode)

    return lambda *args: as_tuple(found(of, *args))


def as_tuple(found: Values | tuple[Values, ...]) -> tuple[Values, ...]:
    """Return one result of a function, or several, as a tuple."""
    return found if isinstance(found, tuple) else (found,)
