"""What subjects that live in this process share: round to nearest, subnormals kept, results checked before use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.subject import SubjectError
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
    shapes = [args[0].shape[:-1] if p.type == "scalar" else args[0].shape for p in row.outputs]
    return tuple(
        _checked(call, p, form, value, shape) for p, value, shape in zip(row.outputs, values, shapes, strict=True)
    )


def _checked(call: str, result: Parameter, form: Format, value: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    name, integer = result.name, result.type == "intn"
    if not isinstance(value, (np.ndarray, np.generic)):
        fact = type(value).__name__
        raise SubjectError(f"{call} returned {fact} for {name}; a NumPy array is needed: wrap it in np.asarray(...)")
    if np.ma.is_masked(value):
        raise SubjectError(f"{call} returned masked values for {name}; a result for every input is needed")
    array = np.asarray(value)
    if array.shape != shape:
        raise SubjectError(f"{call} returned shape {array.shape} for {name}; {shape} is needed, one lane an input")
    if integer and array.dtype.kind in "iu":
        return _int(call, name, array)
    if integer or array.dtype.newbyteorder("=") != form.dtype:
        needed = "int32" if integer else str(form.dtype)
        raise SubjectError(f"{call} returned dtype {array.dtype} for {name}; {needed} is needed")
    return array.astype(form.dtype)


def _int(call: str, name: str, array: NDArray[Any]) -> NDArray[Any]:
    if array.size and (int(array.min()) < -(2**31) or int(array.max()) >= 2**31):
        raise SubjectError(f"{call} returned integers for {name} that no int holds; keep them in -2^31 .. 2^31-1")
    return array.astype(np.int32)
