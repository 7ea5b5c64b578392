"""Calls whose arguments are arrays on a device: kernels run there, and the results stay there."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, phases, pragmas
from clmath.call.arguments import any_of, common_shape, is_weak, weak
from clmath.call.containers import remedy, type_name
from clmath.call.device_arrays import library_of
from clmath.call.results import as_given, handed_back
from clmath.engines.device.machine import ELEMENTS, UnfitDeviceError
from clmath.kernels import for_devices
from clmath.numbers.formats import DOUBLE, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.spec.builtins import builtin, precise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.call.device_arrays.library import Library, Piece
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

ENGINES = ("auto", "device")
FEW = 128  # elements that the reference decides in a millisecond or so: not worth compiling a program


def floats(  # noqa: PLR0917  (keywords, passed on by position)
    name: str, mode: Rounding, args: Sequence[object], out: object, where: object, engine: object
) -> object:
    """Evaluate ``name`` on arrays on one device, correctly rounded in ``mode``, into arrays of the same package there.

    Kernels leave few elements undecided; narrower enclosures of doubles decide nearly all of these on the device. The
    rest is copied to the host, decided by the reference, and copied back.
    """
    call, row = f"{name}()", builtin(name)
    if engine not in ENGINES:
        raise errors.not_one_of(f"{call} of arrays on a device", "engine", engine, ENGINES)
    library = library_of(call, args)
    if pragmas.may_flush():
        fact = "flush_to_zero is in force, and arguments lie on a device"
        raise errors.DTypeError(f"{call}: {fact}, which flushes by itself or not: copy them to the host first")
    _refuse(call, name, mode, library, args)
    if where is not True:
        rule = "where picks elements of arrays in memory alone, and these lie on a device"
        raise errors.DTypeError(f"{call}: {rule}: leave it away, and choose among the results")
    given, restore = library.opened(call, row.names, args)
    try:
        results = _computed(name, mode, library, given, out)
    except UnfitDeviceError as error:
        raise UnfitDeviceError(f"{call}: {error}") from None
    return handed_back(results, out, restore)


def _computed(name: str, mode: Rounding, library: Library, given: Sequence[object], out: object) -> list[object]:
    """Return the results as arrays of ``library``: new ones, or ``out``."""
    call, row = f"{name}()", builtin(name)
    form = _format(call, row, given)
    kernels = for_devices.kernels_of(precise(name), form)
    shape = _shape(call, row, library, given)
    beside = _first(given)
    refuse_altered_arithmetic(call)
    library.engine(beside)  # an error where the device is unfit, before anything is sent there and waited for
    arrays = _arrays(call, row, form, library, given)
    results = _results(call, library, beside, shape, _dtypes(kernels, form), out)
    if results[0].size:
        for piece in library.pieces(arrays, results):
            _evaluate(name, mode, form, kernels, library, piece)
    return results


def _refuse(call: str, name: str, mode: Rounding, library: Library, args: Sequence[object]) -> None:
    """Raise an error if a device does not compute ``name``, or not in the mode."""
    row = builtin(name)
    found = for_devices.kernels_of(precise(name), row.formats[-1])
    if not found or row.moves_bits or (row.uncontracted and not pragmas.contracts()):
        rule = "what is on a device is not computed there by this built-in"
    elif mode == "rtn" and any(kernel.signs_zeros for kernel in found):
        rule = "a device does not compute it in 'rtn', for the signs of its zeros"
    else:
        return
    x, value = next((x, a) for x, a in zip(row.names, args, strict=True) if library.owns(a))
    raise errors.DTypeError(f"{call}: {x} is a {type_name(value)}; {rule}: {remedy(call, x, value)}")


def _first(given: Sequence[object]) -> Any:
    """Return the first array among the arguments."""
    return next(a for a in given if not is_weak(a))


def _format(call: str, row: Builtin, given: Sequence[Any]) -> Format:
    """Return the format of the gentype arrays, else double; an error for several formats, or integers not int."""
    pairs = [(p, a) for p, a in zip(row.inputs, given, strict=True) if not is_weak(a)]
    for p, a in pairs:
        if not a.dtype.isnative:
            fact = f"{p.name} has dtype {a.dtype.str}; a device takes numbers in its own byte order alone"
            raise errors.DTypeError(f"{call}: {fact}: bring them to it on the host, with {a.dtype.str[1:]!r} as dtype")
        if p.type == "intn" and a.dtype != np.int32:
            raise errors.DTypeError(f"{call}: {p.name} is {a.dtype}; int is needed: {p.name}.astype('int32')")
    found = {p.name: a.dtype for p, a in pairs if p.type != "intn"}
    form = format_of(next(iter(found.values()))) if found else DOUBLE
    needed = form if form in row.formats else row.formats[-1]
    wrong = next((x for x, dtype in found.items() if dtype != needed.dtype), None)
    if wrong:
        kinds = ", ".join(f"{p.name} is {a.dtype}" for p, a in pairs)
        rule = f"on a device {any_of(row.formats)} is needed, one for all"
        raise errors.DTypeError(f"{call}: {kinds}; {rule}: convert {wrong} to {needed.dtype.name} there")
    return needed


def _arrays(call: str, row: Builtin, form: Format, library: Library, given: Sequence[Any]) -> list[Any]:
    """Return the arguments with Python numbers sent to the device, in the type of their parameter."""
    beside, arrays = _first(given), []
    for p, a in zip(row.inputs, given, strict=True):
        if not is_weak(a):
            arrays.append(a)
            continue
        if p.type == "intn" and not (type(a) is int and -(2**31) <= a < 2**31):
            raise errors.DTypeError(f"{call}: {p.name} is {errors.shown(a)}; an int, -2^31 .. 2^31-1, is needed")
        number = np.asarray(a, np.int32) if p.type == "intn" else weak(call, p.name, a, form)
        arrays.append(library.sent(number, beside))
    return arrays


def _shape(call: str, row: Builtin, library: Library, given: Sequence[Any]) -> tuple[int, ...]:
    """Return the shape of the results; Python numbers fit any."""
    shapes = {x: tuple(a.shape) for x, a in zip(row.names, given, strict=True) if not is_weak(a)}
    if library.broadcasts:
        return common_shape(call, list(shapes), list(shapes.values()))
    (first, shape), *others = shapes.items()
    for name, other in others:
        if other != shape:
            fact = f"{first} has shape {shape}, {name} {other}"
            raise errors.ShapeError(f"{call}: {fact}; on a device nothing is broadcast: make them equal")
    return shape


def _results(  # noqa: PLR0917 - the results' types and place
    call: str, library: Library, beside: object, shape: tuple[int, ...], dtypes: Sequence[np.dtype], out: object
) -> list[Any]:
    """Return new arrays, or ``out`` after a check."""
    given = as_given(call, out, len(dtypes))
    for array, dtype in zip(given, dtypes, strict=True):
        if array is None:
            continue
        unfit = library.unfit(array, beside)
        if unfit:
            raise errors.DTypeError(f"{call}: out {unfit}")
        if array.dtype != dtype or tuple(array.shape) != shape:
            fact = f"out is {array.dtype} of shape {tuple(array.shape)}"
            raise errors.ShapeError(f"{call}: {fact}; {dtype} of shape {shape} is needed")
    if any(library.overlap(a, [b]) for a, b in itertools.combinations([a for a in given if a is not None], 2)):
        raise errors.shared_results(call)
    return [library.empty(shape, d, beside) if a is None else a for a, d in zip(given, dtypes, strict=True)]


def _dtypes(kernels: Sequence[Kernel], form: Format) -> list[np.dtype]:
    """Return the dtypes of the results."""
    return [np.dtype(np.int32) if k.is_integer else form.dtype for k in kernels for _ in range(k.results)]


def _evaluate(  # noqa: PLR0917 - a built-in, its kernels and a chunk
    name: str, mode: Rounding, form: Format, kernels: Sequence[Kernel], library: Library, piece: Piece
) -> None:
    """Run the kernels; narrower enclosures decide most of the undecided elements, the reference the rest."""
    sources, results = piece
    engine, targets = library.engine(results[0]), [library.buffer(a) for a in results]
    types, given = tuple(ELEMENTS[a.dtype.name] for a in sources), [library.buffer(a) for a in sources]
    left: list[NDArray[np.int64]] = []
    rest = iter(targets)
    for kernel in kernels:
        taken = [next(rest) for _ in range(kernel.results)]
        if kernel.is_integer:
            engine.integers_in_place(kernel, types, given, taken[0], results[0].size)
        else:
            left.append(engine.rounded_in_place(kernel, form, mode, types, given, taken, results[0].size))
    undecided, singles = _united(left), [k for k in phases.results(name, form) if not isinstance(k, str)]
    if undecided.size > FEW and singles and all(kernel.narrow for kernel in singles):
        pairs = zip(singles, targets, strict=False)  # ints come last
        undecided = _united([engine.narrowed_in_place(k, mode, types, given, t, undecided) for k, t in pairs])
    if undecided.size:
        few = [library.taken(a, undecided) for a in sources]
        for result, truth in zip(results, phases.by_reference(name, form, mode, *few), strict=True):
            library.put(result, undecided, np.ascontiguousarray(truth, result.dtype))


def _united(elements: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return elements[0] if len(elements) == 1 else np.unique(np.concatenate([np.empty(0, np.int64), *elements]))
