"""What the types of the arguments decide in calls of the math, common and geometric chapters on arrays as they are."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import ladder
from clmath.call.arguments import weak
from clmath.call.chunks import CHUNK
from clmath.call.plain import Plan
from clmath.call.plans import INTS
from clmath.engines import choice
from clmath.engines.native.arrays import FEW
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.pragmas import contracts
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.engines.native.arrays import Loop
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]

WORTH_A_TABLE = (1 << 15) - 1  # lanes beyond which looking results up takes less time, and the way to it is nothing
_INT = np.dtype(np.int32)


def planned(
    name: str, mode: Rounding, kinds: tuple[Any, ...]
) -> Plan | Callable[[tuple[NDArray[Any], ...]], Any] | None:
    """The plan for arguments of these kinds; None where arrays need more."""
    row = builtin(name)
    if row.widths:
        return _of_vectors(row, mode, kinds)
    given = list(zip(row.inputs, kinds, strict=True))
    form = _common_format(row, given)
    if form is None or not all(_is_taken(p, kind) for p, kind in given):
        return None
    dtypes = tuple(kind if isinstance(kind, np.dtype) else declared(p.type, form.dtype) for p, kind in given)
    loop = in_steps = None
    if choice.NATIVE.library is not None:
        loop, in_steps = (ladder.loop(name, form, mode, dtypes, contracted=contracted) for contracted in (True, False))
    if loop is None and not (ladder.direct(name) is not None and all(dtype.isnative for dtype in dtypes)):
        return None
    readers = tuple(None if isinstance(kind, np.dtype) else _reader(row, p, kind, form) for p, kind in given)
    plan = Plan(
        f"{name}()",
        row.names,
        tuple(declared(p.type, form.dtype) for p in row.outputs),
        loop,
        ladder.without_loop(name, form, mode),
        readers if any(readers) else None,
        _most(name, form, loop),
    )
    return plan if in_steps is loop else plan._replace(in_steps=plan._replace(loop=in_steps))


def _of_vectors(
    row: Builtin, mode: Rounding, kinds: tuple[Any, ...]
) -> Callable[[tuple[NDArray[Any], ...]], Any] | None:
    """What evaluates a geometric built-in on a few vectors in arrays of one format and shape; None for other kinds."""
    dtype = kinds[0]
    form = format_of(dtype) if isinstance(dtype, np.dtype) and dtype.isnative else None
    if form not in row.formats or any(kind != dtype for kind in kinds) or choice.NATIVE.library is None:
        return None
    is_vector = row.result == "gentype"

    @functools.cache
    def stored(width: int, contracted: bool) -> Callable[..., int] | None:
        return ladder.on_vectors(row.name, form, mode, len(kinds), width, contracted=contracted)

    def of_few(args: tuple[NDArray[Any], ...]) -> Any:
        first, second = args if len(args) == 2 else (args[0], None)
        shape = first.shape
        if not 0 < len(shape) <= 2 or first.size > FEW or (second is not None and second.shape != shape):
            return None
        if is_vector and not first.flags.c_contiguous:  # whose order in memory the result takes
            return None
        few = stored(shape[-1], contracts()) if shape[-1] in row.widths else None
        if few is None:
            return None
        result = np.empty(shape if is_vector else shape[:-1], dtype)
        return None if few(first, second, result) else result if result.ndim else result[()]

    return of_few


def _most(name: str, form: Format, loop: Loop | None) -> float:
    """Lanes beyond which results are looked up, or cut into chunks."""
    if loop is None:
        return CHUNK
    has_tables = form.is_short and len(builtin(name).inputs) == 1 and ladder.has_kernel(name, form)
    return WORTH_A_TABLE if has_tables else math.inf


def _common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments; None where there is none, or the built-in is not of numbers."""
    if any(p.type not in {"gentype", "intn"} for p in row.inputs):
        return None
    typed = {format_of(np.dtype(kind)) for p, kind in given if p.type == "gentype" and kind not in {int, float}}
    if len(typed) > 1:
        return None
    form = typed.pop() if typed else DOUBLE
    return form if form in row.formats else None


def _is_taken(parameter: Parameter, kind: Any) -> bool:
    """Whether an argument of ``kind``, of which the common format is known, can be one for ``parameter``."""
    if parameter.type == "gentype":
        return True
    return kind.newbyteorder("=") == _INT if isinstance(kind, np.dtype) else kind in INTS


def _reader(row: Builtin, parameter: Parameter, kind: type, form: Format) -> Callable[[Any], NDArray[Any] | None]:
    if parameter.type == "intn":
        return lambda number: np.asarray(number, _INT) if -(2**31) <= number < 2**31 else None
    if kind is int or (kind is float and form is not DOUBLE):
        return lambda number: weak(f"{row.name}()", parameter.name, number, form)
    return np.asarray
