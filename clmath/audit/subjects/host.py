"""What subjects that live in this process share: round to nearest, subnormals kept, results checked before use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.subject import SubjectError
from clmath.audit.subjects.wire import item_for
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import FORMATS, Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin, Parameter

__all__ = ["Host", "checked"]


class Host:
    """A library on the host's own arithmetic."""

    name = "host"

    def formats(self) -> tuple[Format, ...]:
        """half, float and double."""
        return FORMATS

    def flushes(self, form: Format) -> bool:  # noqa: ARG002 - the protocol's signature
        """Never: the host keeps subnormals."""
        return False

    def mode(self, form: Format) -> Rounding:  # noqa: ARG002 - the protocol's signature
        """The host's arithmetic rounds to nearest even."""
        return "rte"

    def build_options(self) -> tuple[str, ...]:
        """None: nothing is compiled."""
        return ()


def checked(
    who: str, row: Builtin, form: Format, args: Sequence[NDArray[Any]], returned: Any
) -> tuple[NDArray[Any], ...]:
    """``returned`` as fresh native arrays, one a result; SubjectError that names the first thing wrong with it."""
    values = returned if isinstance(returned, (tuple, list)) else (returned,)
    call = f"{who}: {row.name}({form})"
    if len(values) != len(row.outputs):
        names = ", ".join(p.name for p in row.outputs)
        raise SubjectError(f"{call} returned {len(values)} values; {len(row.outputs)} are needed: {names}")
    layout = item_for(row, form, args).layout(len(args[0]))
    return tuple(
        _checked(call, p, dtype, value, shape)
        for p, value, (dtype, shape) in zip(row.outputs, values, layout, strict=True)
    )


def _checked(call: str, result: Parameter, dtype: np.dtype[Any], value: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    name, integer = result.name, dtype.kind != "f"
    if not isinstance(value, (np.ndarray, np.generic)):
        fact = type(value).__name__
        raise SubjectError(f"{call} returned {fact} for {name}; a NumPy array is needed: wrap it in np.asarray(...)")
    if np.ma.is_masked(value):
        raise SubjectError(f"{call} returned masked values for {name}; a result for every input is needed")
    array = np.asarray(value)
    if array.shape != shape:
        raise SubjectError(f"{call} returned shape {array.shape} for {name}; {shape} is needed, one lane an input")
    if result.type == "booln" and array.dtype == np.bool_:
        return (-array.astype(np.int8) if len(shape) > 1 else array).astype(dtype)  # true in a lane is all bits set
    if integer and array.dtype.kind in "iu":
        return _integers(call, name, array, dtype)
    if integer or array.dtype.newbyteorder("=") != dtype:
        raise SubjectError(f"{call} returned dtype {array.dtype} for {name}; {dtype} is needed")
    return array.astype(dtype)


def _integers(call: str, name: str, array: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Integers of any type whose values the type of the result has."""
    info = np.iinfo(dtype)
    if array.size and (int(array.min()) < info.min or int(array.max()) > info.max):
        fact = f"that no {type_name(dtype)} holds; keep them in {info.min} .. {info.max}"
        raise SubjectError(f"{call} returned integers for {name} {fact}")
    return array.astype(dtype)
