"""Built-ins that NumPy has, or that a few of its operations make: shorter for arrays than elementwise functions.

Each is a line of operators, which round in a format and a mode.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.direct import operators
from clmath.numbers.formats import format_named
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clmath.engines.protocol import Values
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["intrinsic"]


class _Rounded(NamedTuple):
    """The operators of a format in a mode. NumPy's own are right to nearest, for halves even by way of float."""

    form: Format
    mode: Rounding

    def add(self, x: Values, y: Values) -> Values:
        return x + y if self.mode == "rte" else operators.add(self.form, self.mode, x, y)[0]

    def sub(self, x: Values, y: Values) -> Values:
        return x - y if self.mode == "rte" else operators.sub(self.form, self.mode, x, y)[0]

    def mul(self, x: Values, y: Values) -> Values:
        return x * y if self.mode == "rte" else operators.mul(self.form, self.mode, x, y)[0]

    def div(self, x: Values, y: Values) -> Values:
        return x / y if self.mode == "rte" else operators.div(self.form, self.mode, x, y)[0]

    def sqrt(self, x: Values) -> Values:
        return np.sqrt(x) if self.mode == "rte" else operators.sqrt(self.form, self.mode, x)[0]

    @property
    def below_one(self) -> Any:
        """The largest number below 1."""
        return np.nextafter(self.number(1), self.number(0))

    def number(self, value: float) -> Any:
        return self.form.dtype.type(value)


def _select(chosen: Any, x: Values, y: Values) -> Values:
    """Return ``x`` where chosen, else ``y``, without the branches of ``np.where``, which processors mispredict."""
    kind = f"i{x.itemsize}"
    first, second = x.view(kind), y.view(kind)
    found: Values = (second ^ (first ^ second) * chosen).view(x.dtype)
    return found


def _smoothstep(of: _Rounded, low: Values, high: Values, x: Values) -> Values:
    t = np.fmin(np.fmax(of.div(of.sub(x, low), of.sub(high, low)), of.number(0)), of.number(1))
    inside = of.mul(of.mul(t, t), of.sub(np.full_like(t, 3), t + t))
    known = _select(x <= low, np.zeros_like(x), _select(x >= high, np.ones_like(x), inside))
    return _select(np.isnan(x) | np.isnan(low) | np.isnan(high), np.full_like(x, np.nan), known)


def _fract(of: _Rounded, x: Values) -> Sequence[Values]:
    whole = np.floor(x)
    zero = np.copysign(of.number(0), np.where(np.isinf(x) | (x == 0), x, of.number(0)))
    return _select(x == whole, zero, np.minimum(of.sub(x, whole), of.below_one)), whole


def _dot(of: _Rounded, *components: Values) -> Values:
    half = len(components) // 2
    return functools.reduce(of.add, map(of.mul, components[:half], components[half:]))


def _cross(of: _Rounded, *components: Values) -> Sequence[Values]:
    half = len(components) // 2
    p, q = components[:half], components[half:]
    three = [_dot(of, p[i], -p[j], q[j], q[i]) for i, j in ((1, 2), (2, 0), (0, 1))]
    return (*three, *[np.zeros_like(p[0])] * (half - 3))


def _ldexp(of: _Rounded, x: Values, k: Values) -> Values:
    m, exponent = np.frexp(x)
    n = np.clip(exponent.astype(np.int64) + k, -1200, 1200)  # for two factors, so that only the second product rounds
    return of.mul(m * np.ldexp(1.0, n >> 1), np.ldexp(1.0, n - (n >> 1)))


_INTRINSICS: Mapping[str, Callable[..., Any]] = {
    "add": _Rounded.add,
    "sub": _Rounded.sub,
    "mul": _Rounded.mul,
    "div": _Rounded.div,
    "sqrt": _Rounded.sqrt,
    "recip": lambda of, x: of.div(np.ones_like(x), x),
    "ceil": lambda _, x: np.ceil(x),
    "floor": lambda _, x: np.floor(x),
    "rint": lambda _, x: np.rint(x),
    "trunc": lambda _, x: np.trunc(x),
    "round": lambda of, x: np.copysign(np.floor(np.abs(x) + of.below_one / of.number(2)), x),
    "max": lambda _, x, y: _select(x < y, y, x),
    "min": lambda _, x, y: _select(y < x, y, x),
    "fmax": lambda _, x, y: _select((x < y) | np.isnan(x), y, x),
    "fmin": lambda _, x, y: _select((y < x) | np.isnan(x), y, x),
    "step": lambda _, edge, x: (~(x < edge)).astype(x.dtype),
    "fdim": lambda of, x, y: _select(x <= y, np.zeros_like(x), of.sub(x, y)),
    "mad_in_steps": lambda of, a, b, c: of.add(of.mul(a, b), c),
    "mix_in_steps": lambda of, x, y, a: of.add(x, of.mul(of.sub(y, x), a)),
    "dot_in_steps": _dot,
    "cross_in_steps": _cross,
    "smoothstep": _smoothstep,
    "fract": _fract,
}
_OF_SOME: Mapping[str, Mapping[str, Callable[..., Any]]] = {
    "half": {},
    "float": {"nextafter": lambda _, x, y: np.nextafter(x, y)},
    "double": {"nextafter": lambda _, x, y: np.nextafter(x, y), "ldexp": _ldexp},
}


def _known(form: str) -> Mapping[str, Callable[..., Any]]:
    """Return the intrinsics of a format by name, an empty mapping if it has none."""
    return {**_INTRINSICS, **_OF_SOME[form]} if form in _OF_SOME else {}


@functools.cache
def intrinsic(label: str) -> Callable[..., Sequence[Values]] | None:
    """Return the function of arrays that has all results of the built-in ``label``, if NumPy has it."""
    *name, last = label.split("_")
    mode: Rounding = "rte"
    if last in MODES:
        mode, last = last, name.pop()
    found = _known(last).get("_".join(name).rstrip("0123456789"))
    if found is None:
        return None
    of = _Rounded(format_named(last), mode)

    def results(*args: Values) -> Sequence[Values]:
        values = found(of, *args)
        return values if isinstance(values, tuple) else (values,)

    return results
