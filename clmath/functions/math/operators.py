"""The arithmetic operators and the reciprocal as functions, in the mode in force.

Python ints are integers here: ``div(7, 2)`` is 3, ``div(7.0, 2)`` is 3.5. Operands of several types are converted as
in ``clmath.functions.operators``.
``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import call, pragmas
from clmath.call.device_arrays import are_there
from clmath.call.operands import FLOATS, INTEGERS, Operator, are_of_one_format, plan_of
from clmath.direct import expressions
from clmath.functions.families import Arguments, planned_by
from clmath.functions.operators import evaluated, in_numbers
from clmath.functions.overloads import floats_of_one, numbers_of_two
from clmath.numbers.rounding import checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.typing import FloatLike, Floats, IntLike, Ints, Out, Rounding, Where

__all__ = [
    "add",
    "sub",
    "mul",
    "div",
    "recip",
]


_ANY = INTEGERS + FLOATS
_ON_INTEGERS: Mapping[str, Callable[..., np.ndarray]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": expressions.quotient,
}


@planned_by(lambda name, of, **options: plan_of(_ANY, in_numbers(_ON_INTEGERS[name]))(name, of, **options))
def arithmetic(
    name: str,
    args: Arguments,
    /,
    *,
    rounding: Rounding | None = None,
    vector: bool = False,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats | Ints:
    """Evaluate an arithmetic operator."""
    mode = _in_force(rounding)
    if vector or not (are_of_one_format(*args) or are_there(args)):  # operands that are converted first
        mode = checked_mode(f"{name}()", mode)
        operator = Operator(name, _ANY, in_numbers(_ON_INTEGERS[name]), mode)
        return evaluated(operator, args, vector, out, where, threads, rounds=True)
    return call.floats(name, args, mode, out, where, threads=threads)


@planned_by(call.plan_in_mode)
def in_mode(
    name: str,
    args: Arguments,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in that rounds in the mode in force."""
    return call.floats(name, args, _in_force(rounding), out, where, threads=threads)


@numbers_of_two(arithmetic)
def add(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """Sum ``x + y``, rounded once; for integers modulo 2^n.

    Half, float or double, integers or bool, shapes that broadcast; ``clmath.functions.operators`` describes the types
    of mixed operands, and the effect of ``vector``. x + (-x) is +0, but -0 in rtn; inf + -inf is
    NaN. Without ``rounding`` the mode in force decides: rte outside ``select_rounding_mode``.
    Source: OpenCL C++ 1.0, 4.4 and 2.4; limit correctly rounded.

    >>> add(2**53, 1)
    np.int64(9007199254740993)
    >>> float(add(np.float32(0.1), np.float32(0.2), rounding="rtz")).hex()
    '0x1.3333320000000p-2'
    """


@numbers_of_two(arithmetic)
def sub(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """Difference ``x - y``, rounded once; for integers modulo 2^n.

    Half, float or double, integers or bool, shapes that broadcast, types as in ``add``. x - x is +0, but -0 in
    rtn; inf - inf is NaN. Without ``rounding`` the mode in force decides: rte outside ``select_rounding_mode``.
    Source: OpenCL C++ 1.0, 4.4 and 2.4; limit correctly rounded.

    >>> float(sub(np.float32(0.3), np.float32(0.1), rounding="rtp")).hex()
    '0x1.99999c0000000p-3'
    """


@numbers_of_two(arithmetic)
def mul(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """Product ``x * y``, rounded once; for integers modulo 2^n.

    Half, float or double, integers or bool, shapes that broadcast, types as in ``add``. 0 * inf is NaN. Without
    ``rounding`` the mode in force decides: rte outside ``select_rounding_mode``.
    Source: OpenCL C++ 1.0, 4.4 and 2.4; limit correctly rounded.

    >>> float(mul(np.float32(0.1), np.float32(0.1), rounding="rtn")).hex()
    '0x1.47ae140000000p-7'
    """


@numbers_of_two(arithmetic)
def div(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """Quotient ``x / y``, rounded once; for integers toward zero, for any ``rounding``.

    Half, float or double, integers or bool, shapes that broadcast, types as in ``add``. x / ±0 is an infinity; 0 / 0
    and inf / inf are NaN. For an integer divided by 0, and the smallest one by -1, the text names no value: here they
    have all bits set, and the smallest one. Without ``rounding`` the mode in force decides: rte outside
    ``select_rounding_mode``.
    Source: OpenCL C++ 1.0, 4.4 and 2.4; limit 2.5 ulp (float), correctly rounded (double, half).

    >>> div(7, 2), div(7.0, 2)
    (np.int64(3), np.float64(3.5))
    >>> float(div(np.float32(1.0), np.float32(3.0))).hex()
    '0x1.5555560000000p-2'
    """


@floats_of_one(in_mode)
def recip(x: FloatLike, /) -> Floats:
    """Reciprocal ``1 / x``, rounded once.

    Half, float or double, any shape. recip(±0) = ±inf; recip(±inf) = ±0. Without ``rounding`` the mode in force
    decides: rte outside ``select_rounding_mode``.
    Source: OpenCL C++ 1.0, 4.4; limit 2.5 ulp (float), correctly rounded (double, half).

    >>> float(recip(np.float32(3.0), rounding="rtz")).hex()
    '0x1.5555540000000p-2'
    """


def _in_force(rounding: Rounding | None) -> Rounding:
    """Return ``rounding``, or the mode in force for operators without a mode of their own."""
    return pragmas.rounding_mode() if rounding is None else rounding
