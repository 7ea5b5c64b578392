"""The native_* and half_* functions, which have float arguments and the values of the full built-ins.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

import inspect
import re
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple, ParamSpec

from clmath.functions.families import rounded, transcendental
from clmath.functions.math.exponential import exp, exp2, exp10
from clmath.functions.math.logarithmic import log, log2, log10
from clmath.functions.math.operators import div, recip
from clmath.functions.math.power import powr, rsqrt, sqrt
from clmath.functions.math.trigonometric import cos, sin, tan
from clmath.functions.overloads import singles_of_one, singles_of_two

if TYPE_CHECKING:
    import numpy as np

    from clmath.callables import AnyFunction
    from clmath.functions.families import Evaluation
    from clmath.functions.overloads import FloatsOfOne, FloatsOfTwo

__all__ = [
    "native_cos",
    "native_divide",
    "native_exp",
    "native_exp2",
    "native_exp10",
    "native_log",
    "native_log2",
    "native_log10",
    "native_powr",
    "native_recip",
    "native_rsqrt",
    "native_sin",
    "native_sqrt",
    "native_tan",
    "half_cos",
    "half_divide",
    "half_exp",
    "half_exp2",
    "half_exp10",
    "half_log",
    "half_log2",
    "half_log10",
    "half_powr",
    "half_recip",
    "half_rsqrt",
    "half_sin",
    "half_sqrt",
    "half_tan",
]

P = ParamSpec("P")

_DOCSTRING = """{value}: fast and {accuracy} on a device, correctly rounded here.

    Float, {shapes}. Special values are those of ``{of}``.{domain}
    Source: OpenCL C++ 1.0, {source}.

    >>> float({name}({example})).hex()
    '{result}'
    """
_VALUE = re.compile(r"(.*?)(?:, rounded once.*|: .*|\.)")  # in the first line of a docstring


class Form(NamedTuple):
    """One form of built-ins: the prefix of names, the accuracy on a device, and the source with the limit."""

    prefix: str
    accuracy: str
    source: str

    def of_one(
        self, evaluate: Evaluation[P], full: AnyFunction, example: str, result: str, domain: str = ""
    ) -> FloatsOfOne[P, np.float32]:
        """Return the form of a built-in of one number; ``example``: arguments that give ``result``."""
        return singles_of_one(evaluate)(self._declaration(full, "any shape", example, result, domain))

    def of_two(
        self, evaluate: Evaluation[P], full: AnyFunction, example: str, result: str
    ) -> FloatsOfTwo[P, np.float32]:
        """Return the form of a built-in of two numbers, likewise."""
        shapes = "one format for all, shapes that broadcast"
        return singles_of_two(evaluate)(self._declaration(full, shapes, example, result, ""))

    def _declaration(self, full: AnyFunction, shapes: str, example: str, result: str, domain: str) -> AnyFunction:
        """Return the declaration of a form: the parameters of the ``full`` built-in, and a docstring."""
        parameters, value = inspect.unwrap(full), _VALUE.match(full.__doc__ or "")
        name = f"{self.prefix}_{'divide' if full.__name__ == 'div' else full.__name__}"
        code = parameters.__code__.replace(co_name=name, co_qualname=name)
        found = FunctionType(code, parameters.__globals__, name)
        found.__module__, found.__annotations__ = __name__, parameters.__annotations__
        found.__doc__ = _DOCSTRING.format(
            value=value[1] if value else "",
            accuracy=self.accuracy,
            shapes=shapes,
            of=full.__name__,
            domain=domain,
            source=self.source,
            name=name,
            example=example,
            result=result,
        )
        return found


_NATIVE = Form("native", "of any accuracy", "3.19.9; limit implementation-defined")
_HALF = Form("half", "of at least 10 bits", "3.19.10; limit 8192 ulp")
_NEAR = " A device need only serve |x| <= 2^16."

native_cos = _NATIVE.of_one(transcendental, cos, 'np.float32(0.5), rounding="rtz"', "0x1.c152800000000p-1")
native_exp = _NATIVE.of_one(transcendental, exp, 'np.float32(0.5), rounding="rtn"', "0x1.a612980000000p+0")
native_exp2 = _NATIVE.of_one(transcendental, exp2, "np.float32(0.5)", "0x1.6a09e60000000p+0")
native_exp10 = _NATIVE.of_one(transcendental, exp10, 'np.float32(0.5), rounding="rtz"', "0x1.94c5820000000p+1")
native_log = _NATIVE.of_one(transcendental, log, 'np.float32(10.0), rounding="rtp"', "0x1.26bb1c0000000p+1")
native_log2 = _NATIVE.of_one(transcendental, log2, 'np.float32(10.0), rounding="rtn"', "0x1.a934f00000000p+1")
native_log10 = _NATIVE.of_one(transcendental, log10, "np.float32(2.0)", "0x1.3441360000000p-2")
native_powr = _NATIVE.of_two(
    transcendental, powr, 'np.float32(2.0), np.float32(0.5), rounding="rtz"', "0x1.6a09e60000000p+0"
)
native_recip = _NATIVE.of_one(rounded, recip, 'np.float32(3.0), rounding="rtp"', "0x1.5555560000000p-2")
native_rsqrt = _NATIVE.of_one(transcendental, rsqrt, 'np.float32(2.0), rounding="rtn"', "0x1.6a09e60000000p-1")
native_sin = _NATIVE.of_one(transcendental, sin, "np.float32(0.5)", "0x1.eaee880000000p-2")
native_sqrt = _NATIVE.of_one(rounded, sqrt, 'np.float32(2.0), rounding="rtz"', "0x1.6a09e60000000p+0")
native_tan = _NATIVE.of_one(transcendental, tan, 'np.float32(0.5), rounding="rtp"', "0x1.17b4f60000000p-1")
native_divide = _NATIVE.of_two(rounded, div, 'np.float32(1.0), np.float32(3.0), rounding="rtp"', "0x1.5555560000000p-2")

half_cos = _HALF.of_one(transcendental, cos, 'np.float32(0.5), rounding="rtn"', "0x1.c152800000000p-1", _NEAR)
half_exp = _HALF.of_one(transcendental, exp, 'np.float32(0.5), rounding="rtz"', "0x1.a612980000000p+0")
half_exp2 = _HALF.of_one(transcendental, exp2, 'np.float32(0.5), rounding="rtp"', "0x1.6a09e80000000p+0")
half_exp10 = _HALF.of_one(transcendental, exp10, 'np.float32(0.5), rounding="rtn"', "0x1.94c5820000000p+1")
half_log = _HALF.of_one(transcendental, log, "np.float32(10.0)", "0x1.26bb1c0000000p+1")
half_log2 = _HALF.of_one(transcendental, log2, 'np.float32(10.0), rounding="rtz"', "0x1.a934f00000000p+1")
half_log10 = _HALF.of_one(transcendental, log10, 'np.float32(2.0), rounding="rtp"', "0x1.3441360000000p-2")
half_powr = _HALF.of_two(
    transcendental, powr, 'np.float32(2.0), np.float32(0.5), rounding="rtn"', "0x1.6a09e60000000p+0"
)
half_recip = _HALF.of_one(rounded, recip, "np.float32(3.0)", "0x1.5555560000000p-2")
half_rsqrt = _HALF.of_one(transcendental, rsqrt, 'np.float32(2.0), rounding="rtz"', "0x1.6a09e60000000p-1")
half_sin = _HALF.of_one(transcendental, sin, 'np.float32(0.5), rounding="rtp"', "0x1.eaee880000000p-2", _NEAR)
half_sqrt = _HALF.of_one(rounded, sqrt, 'np.float32(2.0), rounding="rtn"', "0x1.6a09e60000000p+0")
half_tan = _HALF.of_one(transcendental, tan, "np.float32(0.5)", "0x1.17b4f60000000p-1", _NEAR)
half_divide = _HALF.of_two(rounded, div, "np.float32(1.0), np.float32(3.0)", "0x1.5555560000000p-2")
