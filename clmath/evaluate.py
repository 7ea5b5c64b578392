"""One call of a built-in: check the arguments, cut them into blocks, evaluate each block, hand the results back."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Concatenate, TypeAlias

import numpy as np

from clmath import errors
from clmath.datatypes import as_array, weak
from clmath.engines import dispatch, guard
from clmath.formats import DOUBLE, Format, format_of
from clmath.rounding import Rounding, canonical, checked_mode
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.engines.dispatch import Engine

__all__ = ["BLOCK", "Implementation", "blocks", "by_reference", "exactly", "floats", "prepare", "result_arrays"]

BLOCK = 16384  # lanes: the dozen float64 temporaries of a kernel stay in a core's cache
LARGE_BLOCK = 1 << 17  # for compiled loops, which have no temporaries, and for threads, which meet at every operation
_PLAIN = ("contig", "aligned", "nbo", "overlap_assume_elementwise")
_INT = np.dtype(np.int32)

Implementation: TypeAlias = "Callable[Concatenate[Format, Rounding, ...], tuple[NDArray[Any], ...]]"
"""A vectorised built-in: one-dimensional blocks in, one array a result out, already rounded."""

Step: TypeAlias = "Callable[[Sequence[NDArray[Any]], Sequence[NDArray[Any]]], None]"
"""One block of a call: one-dimensional arguments, and the arrays that the results are written to."""


@dataclass(frozen=True)
class Call:
    """A checked call: arguments of the right types that broadcast to ``shape``.

    ``bare``: a geometric built-in was given scalars, to which a lane axis of width 1 was added.
    """

    builtin: Builtin
    form: Format
    args: tuple[NDArray[Any], ...]
    shape: tuple[int, ...]
    bare: bool = False

    @property
    def label(self) -> str:
        """The call as messages name it."""
        return f"{self.builtin.name}()"

    def result_dtypes(self) -> list[np.dtype[Any]]:
        """The dtype of each result."""
        return [_INT if p.type == "intn" else self.form.dtype for p in self.builtin.outputs]


def floats(  # noqa: PLR0917  (the doors pass their keywords on by position)
    name: str,
    args: tuple[Any, ...],
    rounding: Rounding | None = None,
    out: Any = None,
    engine: Engine = "auto",
    threads: int = 1,
) -> Any:
    """Evaluate the built-in ``name`` correctly rounded in ``rounding`` (None: rte).

    Half and float go to the kernels by ``engine``, what they leave undecided and double to the reference.
    """
    mode = checked_mode(f"{name}()", "rte" if rounding is None else rounding)
    workers = _checked_threads(name, threads)
    call = prepare(name, args)
    if not dispatch.has_kernel(name, call.form):
        dispatch.checked_engine(f"{name}()", engine)
        return _evaluated(call, _stored(call, by_reference(name), mode), out, threads=workers)
    chosen = dispatch.chosen_engine(f"{name}()", engine, name, math.prod(call.shape))
    step = functools.partial(dispatch.evaluate, dispatch.Task(name, call.form, mode, chosen))
    size = BLOCK if chosen == "numpy" and workers == 1 else LARGE_BLOCK
    return _evaluated(call, step, out, threads=workers, size=size)


def by_reference(name: str) -> Implementation:
    """The built-in ``name`` evaluated by the reference alone."""
    return functools.partial(dispatch.by_reference, name)


def exactly(
    name: str, implementation: Implementation, args: tuple[Any, ...], rounding: Rounding | None = None, out: Any = None
) -> Any:
    """Evaluate the built-in ``name`` by ``implementation``, block by block.

    Geometric built-ins hand every lane of the last axis to the implementation as an argument of its own: first the
    lanes of p0, then those of p1; a vector result comes back as one array a lane.
    """
    mode = checked_mode(f"{name}()", "rte" if rounding is None else rounding)
    call = prepare(name, args)
    return _evaluated(call, _stored(call, implementation, mode), out)


def _stored(call: Call, implementation: Implementation, mode: Rounding) -> Step:
    """``implementation`` with its results copied to where they belong, NaN as the canonical one."""
    form, computes = call.form, not call.builtin.moves_bits

    def step(args: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]]) -> None:
        for target, value in zip(targets, implementation(form, mode, *args), strict=True):
            target[...] = value
            if computes and target.dtype == form.dtype:
                canonical(target, form)

    return step


def _checked_threads(name: str, threads: Any) -> int:
    if type(threads) is not int or threads < 1:
        raise errors.RangeError(f"{name}(): threads={threads!r} is not a positive int; 1 uses the caller's alone")
    return threads


def _evaluated(call: Call, step: Step, out: Any, *, threads: int = 1, size: int = BLOCK) -> Any:
    """Take ``step`` over all blocks of ``call`` and hand the results back."""
    results = _results(call, out)
    targets = _lanes_of(call, results, [p.type for p in call.builtin.outputs])
    sources = _lanes_of(call, list(call.args), [p.type for p in call.builtin.inputs])

    def work(part: tuple[list[NDArray[Any]], list[NDArray[Any]]]) -> None:
        guard.refuse_flush_to_zero(call.label)
        with np.errstate(all="ignore"):
            for block in blocks(*part, size):
                step(block[: len(sources)], block[len(sources) :])

    parts = _parts(sources, targets, threads)
    if len(parts) > 1:
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(work, parts))
    else:
        work(parts[0])
    if out is not None:
        return out
    plain = [r[()] for r in results]
    return tuple(plain) if len(plain) > 1 else plain[0]


def _overlap(sources: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]]) -> bool:
    """Whether an input may share memory with a result: then one loop, which sees both, must order the accesses."""
    return any(np.may_share_memory(s, t) for s in sources for t in targets)


def _parts(
    sources: list[NDArray[Any]], targets: list[NDArray[Any]], threads: int
) -> list[tuple[list[NDArray[Any]], list[NDArray[Any]]]]:
    """The operands cut along the first axis, one piece a thread; uncut where that is not worth it."""
    shape = targets[0].shape
    if threads == 1 or not shape or math.prod(shape) < 2 * BLOCK or _overlap(sources, targets):
        return [(sources, targets)]
    full = [np.broadcast_to(s, shape) for s in sources]
    cuts = [slice(i * shape[0] // threads, (i + 1) * shape[0] // threads) for i in range(threads)]
    return [([s[c] for s in full], [t[c] for t in targets]) for c in cuts if c.stop > c.start]


def prepare(name: str, args: tuple[Any, ...]) -> Call:
    """Check ``args`` against the declaration of ``name`` and bring them to their types; an error before any work."""
    row = builtin(name)
    form = _common_format(row, args)
    arrays = tuple(_typed(row, p, a, form) for p, a in zip(row.inputs, args, strict=True))
    bare = bool(row.lanes) and all(a.ndim == 0 for a in arrays)
    if row.lanes:
        arrays = tuple(_with_lane_axis(row, p, a) for p, a in zip(row.inputs, arrays, strict=True))
        _same_width(row, arrays)
    try:
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
    except ValueError:
        raise errors.no_shape(f"{name}()", [p.name for p in row.inputs], [a.shape for a in arrays]) from None
    return Call(row, form, arrays, shape, bare)


def _is_weak(arg: Any) -> bool:
    """A plain Python number takes the format of the arrays beside it."""
    return type(arg) in (int, float)


def _common_format(row: Builtin, args: tuple[Any, ...]) -> Format:
    """The one format of all gentype arguments; double, or the built-in's only format, where all are weak."""
    found: dict[Format, str] = {}
    for parameter, arg in zip(row.inputs, args, strict=True):
        weak = type(arg) is int if parameter.type == "nancode" else _is_weak(arg)
        if weak or parameter.type not in ("gentype", "nancode"):
            continue
        form = _format_of_argument(row, parameter, as_array(f"{row.name}()", parameter.name, arg).dtype)
        found.setdefault(form, parameter.name)
    if len(found) > 1:
        facts = ", ".join(f"{name} is {form}" for form, name in found.items())
        raise errors.DTypeError(
            f"{row.name}(): all gentype arguments need one format; {facts}: convert one, e.g. clmath.convert(...)"
        )
    form = next(iter(found), DOUBLE if DOUBLE in row.formats else row.formats[0])
    if form not in row.formats:
        only = " or ".join(str(f) for f in row.formats)
        raise errors.DTypeError(
            f"{row.name}(): {next(iter(found.values()))} is {form}; only {only} is defined: "
            f"convert it, e.g. clmath.convert({next(iter(found.values()))}, '{row.formats[0]}')"
        )
    return form


def _format_of_argument(row: Builtin, parameter: Parameter, dtype: np.dtype[Any]) -> Format:
    """The format that an argument of ``dtype`` asks for."""
    if parameter.type == "nancode":
        for form in row.formats:
            if dtype.newbyteorder("=") == form.bits_dtype:
                return form
        remedy = "ushort gives a half, uint a float, ulong a double"
        raise errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, "ushort, uint or ulong", remedy)
    found = format_of(dtype)
    if found is None:
        names = " or ".join(str(f) for f in row.formats) if len(row.formats) < 3 else "half, float or double"
        remedy = f"convert it, e.g. clmath.convert({parameter.name}, '{row.formats[-1]}')"
        raise errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, names, _REMEDIES.get(dtype.kind, remedy))
    return found


_REMEDIES = {
    "c": "take its real and imaginary parts one by one",
    "O": "give an array of numbers of one type",
    "U": "give numbers, not text",
    "S": "give numbers, not text",
}


def _typed(row: Builtin, parameter: Parameter, arg: Any, form: Format) -> NDArray[Any]:
    if parameter.type == "gentype":
        return weak(arg, form) if _is_weak(arg) else np.asarray(arg)
    if parameter.type == "nancode":
        return _nancode(row, parameter, arg, form)
    return _as_int(f"{row.name}()", parameter.name, arg)


def _nancode(row: Builtin, parameter: Parameter, arg: Any, form: Format) -> NDArray[Any]:
    """The code of a NaN in the unsigned type of the format's width."""
    try:
        return np.asarray(arg, form.bits_dtype) if type(arg) is int else np.asarray(arg)
    except OverflowError:
        message = f"{row.name}(): {parameter.name} is {arg}; an ulong lies in 0 .. 2^64-1: mask it first"
        raise errors.DTypeError(message) from None


def _as_int(call: str, name: str, arg: Any) -> NDArray[np.int32]:
    """``arg`` as int (32 bits), refused where it is not an integer or does not fit."""
    array = as_array(call, name, arg)
    if type(arg) is int and array.dtype.kind == "O":
        raise errors.DTypeError(f"{call}: {name} is {arg}; an int lies in -2^31 .. 2^31-1: reduce it first")
    if array.dtype.kind not in "iu":
        raise errors.wrong_dtype(call, name, array.dtype, "an integer type", "convert it with clmath.convert(...)")
    if array.size and not np.can_cast(array.dtype, _INT):
        least, most = int(array.min()), int(array.max())
        if least < -(2**31) or most >= 2**31:
            fact = most if most >= 2**31 else least
            raise errors.DTypeError(f"{call}: {name} holds {fact}; an int lies in -2^31 .. 2^31-1: reduce it first")
    return array.astype(np.int32, copy=False)


def _with_lane_axis(row: Builtin, parameter: Parameter, array: NDArray[Any]) -> NDArray[Any]:
    """A scalar is a vector of one lane; otherwise the last axis must have a width that the built-in takes."""
    if array.ndim == 0 and 1 in row.lanes:
        return array[np.newaxis]
    width = array.shape[-1] if array.ndim else 1
    if width not in row.lanes:
        needed = ", ".join(map(str, row.lanes[:-1])) + f" or {row.lanes[-1]}"
        raise errors.ShapeError(
            f"{row.name}(): the last axis of {parameter.name} has {width} lanes; {needed} are needed"
        )
    return array


def _same_width(row: Builtin, arrays: Sequence[NDArray[Any]]) -> None:
    """Vectors of one call have one width: lanes are not broadcast."""
    widths = {p.name: a.shape[-1] for p, a in zip(row.inputs, arrays, strict=True)}
    if len(set(widths.values())) > 1:
        facts = ", ".join(f"{name} has {width} lanes" for name, width in widths.items())
        raise errors.ShapeError(f"{row.name}(): {facts}; all vectors of a call need one width")


def _results(call: Call, out: Any) -> list[NDArray[Any]]:
    shapes = [call.shape[:-1] if p.type == "scalar" else call.shape for p in call.builtin.outputs]
    shapes = [() if call.bare else s for s in shapes]
    return result_arrays(call.label, shapes, call.result_dtypes(), out)


def result_arrays(
    call: str, shapes: Sequence[tuple[int, ...]], dtypes: Sequence[np.dtype[Any]], out: Any
) -> list[NDArray[Any]]:
    """Fresh arrays, or those given as ``out`` after a check of type, shape and writability."""
    if out is None:
        return [np.empty(s, d) for s, d in zip(shapes, dtypes, strict=True)]
    given = list(out) if isinstance(out, tuple) else [out]
    if len(given) != len(dtypes):
        raise errors.ShapeError(f"{call}: out has {len(given)} arrays; {len(dtypes)} are needed, as a tuple")
    for array, shape, dtype in zip(given, shapes, dtypes, strict=True):
        if not isinstance(array, np.ndarray) or array.dtype.newbyteorder("=") != dtype:
            fact = array.dtype if isinstance(array, np.ndarray) else type(array).__name__
            raise errors.wrong_dtype(call, "out", fact, f"an array of {dtype}", f"np.empty({shape}, '{dtype}')")
        if array.shape != shape or not array.flags.writeable:
            fact = f"has shape {array.shape}" if array.shape != shape else "is read-only"
            raise errors.ShapeError(f"{call}: out {fact}; a writable array of shape {shape} is needed")
    if any(np.may_share_memory(a, b) for a, b in itertools.combinations(given, 2)):
        raise errors.ShapeError(f"{call}: the arrays of out share memory; give each result an array of its own")
    return given


def _lanes_of(call: Call, arrays: Sequence[NDArray[Any]], types: Sequence[str]) -> list[NDArray[Any]]:
    """The operands of the block loop: whole arrays, or for geometric built-ins each lane of the last axis."""
    if not call.builtin.lanes:
        return list(arrays)
    lanes: list[NDArray[Any]] = []
    for array, kind in zip(arrays, types, strict=True):
        vector = kind == "gentype" and array.ndim > 0
        lanes += [array[..., i] for i in range(array.shape[-1])] if vector else [array]
    return lanes


def blocks(
    sources: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]], size: int = BLOCK
) -> Iterator[tuple[NDArray[Any], ...]]:
    """One-dimensional native blocks of all operands side by side, whatever their strides and byte order.

    Sources stay as they are while the targets of their block are written, though both be one array. Only where they
    overlap otherwise does the iterator copy a whole operand.
    """
    operands = [*sources, *targets]
    shared = _overlap(sources, targets)
    count = len(sources)
    if operands[-1].size == 0:
        return
    dtypes = [o.dtype.newbyteorder("=") for o in operands]
    flags: list[Any] = [["readonly", *_PLAIN]] * count + [["writeonly", *_PLAIN]] * len(targets)
    with np.nditer(
        operands,
        flags=["external_loop", "buffered", "copy_if_overlap", "zerosize_ok"],
        op_flags=flags,
        op_dtypes=dtypes,
        buffersize=size,
        casting="equiv",
    ) as iterator:
        for block in iterator:
            parts = block if isinstance(block, tuple) else (block,)
            yield (*(s.copy() for s in parts[:count]), *parts[count:]) if shared else parts
