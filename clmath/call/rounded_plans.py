"""What the types of the arguments decide in calls of the math, common and geometric chapters on arrays as they are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import ladder
from clmath.call import vectors
from clmath.call.arguments import weak
from clmath.call.chunks import CHUNK
from clmath.call.plain import Plan
from clmath.call.plans import INTS
from clmath.engines import choice
from clmath.engines.native.arrays import FEW, operands
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plain import Planned
    from clmath.engines.native.arrays import Loop
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]

WORTH_A_TABLE = (1 << 15) - 1  # lanes beyond which looking results up takes less time, and the way to it is nothing
_INT = np.dtype(np.int32)


def planned(name: str, mode: Rounding, kinds: tuple[Any, ...]) -> Planned:
    """The plan for arguments of these kinds; None where arrays need more."""
    row = builtin(name)
    if row.widths:
        return vectors.planned(row, mode, kinds)
    given = list(zip(row.inputs, kinds, strict=True))
    form = _common_format(row, given)
    if form is None or not all(_is_taken(p, kind) for p, kind in given):
        return None
    dtypes = tuple(kind if isinstance(kind, np.dtype) else declared(p.type, form.dtype) for p, kind in given)
    loop = in_steps = None
    if choice.NATIVE.library is not None:
        loop, in_steps = (ladder.loop(name, form, mode, dtypes, contracted=contracted) for contracted in (True, False))
    if loop is None and not (ladder.direct(name) is not None and all(dtype.isnative for dtype in dtypes)):
        return _with_integer(name, form, mode, dtypes)
    readers = tuple(None if isinstance(kind, np.dtype) else _reader(row, p, kind, form) for p, kind in given)
    plan = Plan(
        f"{name}()",
        row.names,
        tuple(declared(p.type, form.dtype) for p in row.outputs),
        loop,
        _moving(name, form, mode) if row.moves_bits else ladder.without_loop(name, form, mode),
        readers if any(readers) else None,
        _most(name, form, loop),
        is_quiet=row.moves_bits,
    )
    return plan if in_steps is loop else plan._replace(in_steps=plan._replace(loop=in_steps))


def _with_integer(
    name: str, form: Format, mode: Rounding, dtypes: tuple[np.dtype, ...]
) -> Callable[[tuple[np.ndarray, ...]], Any] | None:
    """What evaluates a built-in of one argument, a compiled result and an integer, on few elements; None for others."""
    if len(dtypes) > 1 or choice.NATIVE.library is None:
        return None
    parts = ladder.loop_and_integer(name, form, mode, dtypes)
    if parts is None:
        return None
    loop, integers = parts

    def of_few(args: tuple[np.ndarray, ...]) -> Any:
        (x,) = args
        if x.ndim != 1 or x.size > FEW:
            return None
        result = np.empty(x.shape, form.dtype)
        return None if loop.few(loop.address, *operands(args, (result,))) else (result, integers(x))

    return of_few


def _moving(name: str, form: Format, mode: Rounding) -> Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]:
    """What moves bits, those of a NaN too."""
    implementation = ladder.direct(name)
    assert implementation is not None, name
    return lambda args: implementation(form, mode, *args)


def _most(name: str, form: Format, loop: Loop | None) -> float:
    """Lanes beyond which results are looked up, or cut into chunks."""
    if loop is None:
        return CHUNK
    has_tables = form.is_short and len(builtin(name).inputs) == 1 and ladder.has_kernel(name, form)
    return WORTH_A_TABLE if has_tables else math.inf


def _common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments, or of the number that one code stands for; None where there is none."""
    if any(p.type not in {"gentype", "intn"} for p in row.inputs):
        return next((form for form in row.formats if [form.bits_dtype] == [kind for _, kind in given]), None)
    typed = {format_of(np.dtype(kind)) for p, kind in given if p.type == "gentype" and kind not in {int, float}}
    if len(typed) > 1:
        return None
    form = typed.pop() if typed else DOUBLE
    return form if form in row.formats else None


def _is_taken(parameter: Parameter, kind: object) -> bool:
    """Whether an argument of ``kind``, of which the common format is known, can be one for ``parameter``."""
    if parameter.type != "intn":
        return True
    return kind.newbyteorder("=") == _INT if isinstance(kind, np.dtype) else kind in INTS


def _reader(row: Builtin, parameter: Parameter, kind: type, form: Format) -> Callable[[Any], np.ndarray | None]:
    if parameter.type == "intn":
        return lambda number: np.asarray(number, _INT) if -(2**31) <= number < 2**31 else None
    if kind is int or (kind is float and form is not DOUBLE):
        return lambda number: weak(f"{row.name}()", parameter.name, number, form)
    return np.asarray
