"""Runs the kernels of a built-in on one block by either engine; the reference decides the lanes they leave."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from clmath import errors, kernels
from clmath.engines.locks import COUNTING, once
from clmath.engines.narrow import MODE_NUMBERS, near_float, near_half, wide
from clmath.formats import DOUBLE, FLOAT, HALF, Format
from clmath.rounding import Rounding, canonical, narrow, round_enclosure
from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = [
    "ENGINES",
    "Engine",
    "Lanes",
    "Task",
    "by_reference",
    "checked_engine",
    "chosen_engine",
    "enclosure",
    "evaluate",
    "has_kernel",
    "parts",
    "rounded",
    "stats",
    "steps",
]

Values: TypeAlias = "NDArray[Any]"
Engine: TypeAlias = Literal["auto", "numpy", "numba"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
_TEMPORARIES = 16  # doubles that a kernel keeps for each lane, at most
WORTH_COMPILING = 1 << 22  # lanes of a built-in, summed over calls, from which compiling it (1 s) pays for itself

_ASKED: Counter[str] = Counter()
_HALFS_ASKED: Counter[tuple[str, str]] = Counter()
_EVALUATED: Counter[tuple[str, str]] = Counter()
_UNDECIDED: Counter[tuple[str, str]] = Counter()


class Task(NamedTuple):
    """What is asked of a block of lanes: a built-in, rounded correctly to a format in a mode, by an engine."""

    name: str
    form: Format
    mode: Rounding
    engine: Engine


class Lanes(NamedTuple):
    """How many lanes kernels have evaluated, and how many of them they left to the reference."""

    evaluated: int
    undecided: int


def checked_engine(call: str, engine: Any) -> Engine:
    """``engine`` itself; an error where it is unknown or not installed."""
    if engine not in ENGINES:
        raise errors.not_one_of(call, "engine", engine, ENGINES)
    if engine == "numba" and not _can_compile():
        raise errors.missing(f"{call}: engine='numba'", "numba", "fast")
    return engine  # type: ignore[no-any-return]


def _can_compile() -> bool:
    from clmath.engines import compiled

    return compiled.available()


def chosen_engine(call: str, engine: Any, name: str, lanes: int) -> Engine:
    """The engine for a call of ``lanes`` lanes of ``name``: auto compiles once a built-in has been asked for enough."""
    if checked_engine(call, engine) != "auto":
        return engine  # type: ignore[no-any-return]
    with COUNTING:
        _ASKED[name] += lanes
        worth = _ASKED[name] >= WORTH_COMPILING
    return "numba" if worth and _can_compile() else "numpy"


def has_kernel(name: str, form: Format) -> bool:
    """Whether ``name`` is evaluated by kernels in ``form``: half and float have them, double asks the reference."""
    return form is not DOUBLE and parts(name) is not None


def parts(name: str) -> tuple[str, ...] | None:
    """The kernels of each result of the built-in ``name``; None where one of them does not exist."""
    return kernels.parts(precise(name))


def steps(name: str) -> tuple[tuple[str, int], ...]:
    """The kernels to evaluate for the built-in ``name``, each with the number of its results, in their order."""
    return kernels.steps(precise(name))


def stats() -> dict[tuple[str, str], Lanes]:
    """How many lanes kernels have evaluated in this process, and how many of these they left to the reference.

    By (built-in, format), for those asked so far. Double is not among them, nor are calls on single numbers: both ask
    the reference alone.

    >>> _ = clmath.exp(np.linspace(-1, 1, 1000, dtype=np.float32))
    >>> evaluated, undecided = stats()["exp", "float"]
    >>> evaluated >= 1000, undecided / evaluated < 1e-3
    (True, True)
    """
    with COUNTING:
        return {key: Lanes(count, _UNDECIDED[key]) for key, count in _EVALUATED.items()}


def evaluate(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    """Round every result correctly into ``targets``, for one block of half or float lanes."""
    if task.form is HALF and len(args) == 1 and _worth_a_table(task.name, task.mode, args[0].size):
        codes = args[0].view(np.uint16)
        for table, target in zip(_half_table(task.name, task.mode), targets, strict=True):
            table.take(codes, out=target, mode="clip")
    else:
        _by_kernels(task, args, targets)


def _worth_a_table(name: str, mode: Rounding, lanes: int) -> bool:
    """Whether a built-in has been asked for as many halfs as there are."""
    with COUNTING:
        _HALFS_ASKED[name, mode] += lanes
        return _HALFS_ASKED[name, mode] >= 1 << HALF.width


@once
def _half_table(name: str, mode: Rounding) -> tuple[NDArray[Any], ...]:
    """The results of a built-in of one argument for every half, by encoding: 128 KiB each."""
    every = np.arange(1 << HALF.width, dtype=np.uint32).astype(np.uint16).view(np.float16)
    results = tuple(np.empty(every.shape, _dtype(part, HALF)) for part in parts(name) or ())
    _by_kernels(Task(name, HALF, mode, "numpy"), (every,), results)
    return results


def _dtype(part: str, form: Format) -> np.dtype[Any]:
    return np.dtype(np.int32) if part in kernels.INTEGER_PARTS else form.dtype


def _by_kernels(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    name, form, mode, _ = task
    rest = iter(targets)
    found = [rounded(task._replace(name=n), args, *itertools.islice(rest, count)) for n, count in steps(name)]
    undecided = _union(found)
    with COUNTING:
        _EVALUATED[name, form.name] += args[0].size
        _UNDECIDED[name, form.name] += undecided.size
    if undecided.size:
        truth = by_reference(name, form, mode, *(a[undecided] for a in args))
        for target, exact in zip(targets, truth, strict=True):
            target[undecided] = exact


def _union(found: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return found[0] if len(found) == 1 else np.unique(np.concatenate(found))


def by_reference(name: str, form: Format, mode: Rounding, *args: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Round every result of the built-in ``name`` correctly, for one block of lanes, asking the reference."""
    from clmath import reference

    values = reference.enclose(name, args, form)
    return tuple(v if isinstance(v, np.ndarray) else round_enclosure(v, form, mode)[0] for v in values)


def rounded(task: Task, args: Sequence[Values], *targets: Values) -> NDArray[np.int64]:
    """Round the middles of one kernel's enclosures into ``targets``; the lanes whose ends round apart are undecided."""
    if task.name in kernels.INTEGER_PARTS:
        targets[0][...] = kernels.INTEGER_PARTS[task.name](*args)
        return np.empty(0, np.int64)
    return (_compiled if task.engine == "numba" else _vectorised)(task, args, targets)


def _ends_apart(value: Values, err: Values, form: Format, mode: Rounding) -> NDArray[np.bool_]:
    """Which enclosures close to a boundary are undecided."""
    below, above = narrow(value - err, form, mode), narrow(value + err, form, mode)
    apart: NDArray[np.bool_] = (form.bits(below) != form.bits(above)) & (err > 0.0)
    return apart


@once
def _keep_freed_memory(lanes: int) -> None:
    """Have glibc keep the temporaries of a block for the next: returning them to the system doubles a kernel's time.

    Freeing one mapped allocation, which is never touched, raises its threshold for giving back to twice the size of
    that: 4 MiB for blocks of 16384 lanes. It holds for the process, as after freeing any array of that size.
    """
    np.empty(_TEMPORARIES * lanes)


def _vectorised(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
    _keep_freed_memory(1 << (args[0].size - 1).bit_length())
    doubles = [a.astype(np.float64) for a in args]
    found = kernels.kernel(task.name)(*doubles)
    results = zip(found[::2], found[1::2], targets, strict=True)
    return _union([_narrowed(task, doubles, value, err, target) for value, err, target in results])


def _narrowed(task: Task, args: Sequence[Values], value: Values, err: Values, target: Values) -> NDArray[np.int64]:
    """Round ``value`` into ``target``; the lanes that are undecided."""
    name, form, mode, _ = task
    target[...] = narrow(value, form, mode)
    canonical(target, form)
    close = near_float(value) if form is FLOAT else near_half(value)
    if kernels.is_wide(name):
        close |= wide(value, err)
    lanes = np.flatnonzero(close & (err > 0.0))
    if not lanes.size:
        return lanes
    value, err = kernels.settled(name, [a[lanes] for a in args], value[lanes], err[lanes])
    target[lanes] = narrow(value, form, mode)
    return lanes[_ends_apart(value, err, form, mode)]


def _compiled(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
    from clmath.engines import compiled

    codes = [target.view(task.form.bits_dtype) for target in targets]
    undecided = np.empty(len(targets) * args[0].size, np.int64)
    plain = [_compilable(a) for a in args]
    count = compiled.run(task.name, f"{task.form}_loop", plain, MODE_NUMBERS[task.mode], *codes, undecided)
    return undecided[:count] if len(targets) == 1 else np.unique(undecided[:count])


def _compilable(array: NDArray[Any]) -> NDArray[Any]:
    """A view of ``array`` that is contiguous and not writeable; Numba knows no half: it is widened, exactly.

    Numba would compile a loop once more for arrays that are writeable.
    """
    plain = np.ascontiguousarray(array, np.float32 if array.dtype == np.float16 else None)[:]
    plain.flags.writeable = False
    return plain


def enclosure(part: str, args: Sequence[Values], engine: Engine) -> tuple[Values, Values]:
    """(value, err) of one kernel with one result on a block of half, float or int lanes."""
    if engine != "numba":
        return kernels.enclosure(part, *(a.astype(np.float64) for a in args))
    from clmath.engines import compiled

    plain = [_compilable(a) for a in args]
    value, err = np.empty(args[0].shape), np.empty(args[0].shape)
    compiled.run(part, "enclosure_loop", plain, value, err)
    if kernels.settling(part):
        compiled.run(part, "settle_loop", plain, value, err)
    return value, err
