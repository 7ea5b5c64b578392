"""Calls whose arguments are arrays on an OpenCL device: kernels run there, and the results stay there."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, ladder
from clmath.call.guard import refuse_altered_arithmetic
from clmath.engines.device.engine import ELEMENTS
from clmath.engines.device.opencl import engine_of
from clmath.numbers.formats import format_of
from clmath.spec.builtins import builtin, precise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.engine import Device
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["are_there", "floats"]

ENGINES = ("auto", "device")


def are_there(args: Sequence[Any]) -> bool:
    """Whether one of ``args`` is an array of pyopencl, which must be imported by whoever made it."""
    module = sys.modules.get("pyopencl.array")
    return module is not None and any(isinstance(a, module.Array) for a in args)


def floats(name: str, mode: Rounding, args: Sequence[Any], out: Any, engine: Any) -> Any:
    """The built-in ``name`` on arrays of one shape on one device, correctly rounded in ``mode``: new arrays there.

    The few lanes that kernels leave undecided are copied to the host, decided by the reference, and copied back.
    """
    call, row = f"{name}()", builtin(name)
    if engine not in ENGINES:
        raise errors.not_one_of(f"{call} of arrays on a device", "engine", engine, ENGINES)
    if out is not None:
        raise errors.DTypeError(f"{call}: out takes results of arrays on the host; leave it away for {row.names[0]}")
    form = _checked(call, row, args)
    kernels = _kernels(call, name, row, form)
    refuse_altered_arithmetic(call)
    results = [_like(args[0]) for kernel in kernels for _ in range(kernel.results)]
    if args[0].size:
        _evaluate(name, mode, form, kernels, args, results)
    return results[0] if len(results) == 1 else tuple(results)


def _checked(call: str, row: Builtin, args: Sequence[Any]) -> Format:
    """The format of ``args``; an error where they are not contiguous arrays of one shape on one device."""
    array = sys.modules["pyopencl.array"].Array
    for parameter, a in zip(row.inputs, args, strict=True):
        if not isinstance(a, array):
            kind = f"{type(a).__module__}.{type(a).__qualname__}"
            raise errors.DTypeError(
                f"{call}: {parameter.name} is a {kind}, another argument an array on a device; all must lie there: "
                f"pyopencl.array.to_device(queue, numpy.asarray({parameter.name}))"
            )
        if not a.flags.c_contiguous:
            raise errors.ShapeError(f"{call}: {parameter.name} is not contiguous; on a device it must be: copy it")
    _check_alike(call, row, args)
    numbers = [a for p, a in zip(row.inputs, args, strict=True) if p.type != "intn"]
    form = format_of(numbers[0].dtype)
    if form is None or form not in row.formats or any(a.dtype != numbers[0].dtype for a in numbers):
        kinds = ", ".join(f"{n} is {a.dtype}" for n, a in zip(row.names, args, strict=True))
        raise errors.DTypeError(f"{call}: {kinds}; one of {', '.join(map(str, row.formats))} is needed: x.astype(...)")
    if any(a.dtype != np.int32 for p, a in zip(row.inputs, args, strict=True) if p.type == "intn"):
        raise errors.DTypeError(f"{call}: {row.names[1]} is {args[1].dtype}; int is needed: x.astype('int32')")
    return form


def _check_alike(call: str, row: Builtin, args: Sequence[Any]) -> None:
    """One shape, which nothing broadcasts, and one device."""
    first = args[0]
    for name, a in zip(row.names[1:], args[1:], strict=True):
        if a.shape != first.shape:
            shapes = f"{row.names[0]} has shape {first.shape}, {name} {a.shape}"
            raise errors.ShapeError(f"{call}: {shapes}; on a device nothing is broadcast: make them equal")
        if a.context != first.context or a.queue.device != first.queue.device:
            raise errors.DTypeError(
                f"{call}: {row.names[0]} and {name} lie on two devices or in two contexts; one is needed"
            )


def _kernels(call: str, name: str, row: Builtin, form: Format) -> list[Kernel]:
    """The kernels of ``name``, in the order of its results; an error where the device has none for one of them."""
    rung = ladder.rung(name, form)
    steps = () if rung is None else rung.steps(precise(name))
    if not steps or any(isinstance(step, str) for step in steps):
        x = row.names[0]
        raise errors.DTypeError(f"{call} is not computed on a device; {x}.get() copies {x} to the host")
    return [step for step in steps if not isinstance(step, str)]


def _like(array: Any) -> Any:
    """A new array of the type and shape of ``array``, beside it."""
    return sys.modules["pyopencl.array"].empty_like(array)


def _evaluate(  # noqa: PLR0917 - what is asked, of what, and where it goes
    name: str, mode: Rounding, form: Format, kernels: Sequence[Kernel], args: Sequence[Any], results: Sequence[Any]
) -> None:
    """Kernels first; what they leave undecided goes to the reference."""
    for a in args:
        a.queue.finish()  # whatever writes to the arguments
    engine, rest = engine_of(args[0].context, args[0].queue.device), iter(results)
    types = tuple(ELEMENTS[a.dtype.name] for a in args)
    sources, left = [a.base_data for a in args], []
    if any(a.offset for a in args):
        sources = [a.copy().base_data if a.offset else a.base_data for a in args]
        args[0].queue.finish()
    for kernel in kernels:
        targets = [next(rest).base_data for _ in range(kernel.results)]
        left.append(engine.rounded_in_place(kernel, form, mode, types, sources, targets, args[0].size))
    undecided = np.unique(np.concatenate(left))
    if undecided.size:
        few = [_gathered(engine, source, a.dtype, undecided) for source, a in zip(sources, args, strict=True)]
        for result, truth in zip(results, ladder.by_reference(name, form, mode, *few), strict=True):
            for lane, value in zip(undecided, np.ascontiguousarray(truth, form.dtype), strict=True):
                engine.machine.set(result.base_data, value.reshape(1), int(lane) * form.dtype.itemsize)


def _gathered(engine: Device, buffer: Any, dtype: np.dtype[Any], lanes: NDArray[np.int64]) -> NDArray[Any]:
    """The elements numbered ``lanes`` of a buffer."""
    found = np.empty(lanes.size, dtype)
    for i, lane in enumerate(lanes):
        engine.machine.get(buffer, found[i : i + 1], int(lane) * dtype.itemsize)
    return found
