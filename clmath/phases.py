"""The phases of Ziv's strategy: kernels or whole built-ins first, the reference for undecided elements."""

from __future__ import annotations

import functools
import itertools
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsFloat, TypeAlias

import numpy as np

from clmath import kernels
from clmath.engines import choice, ufuncs
from clmath.locks import COUNTING, once
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import DOUBLE, FORMATS
from clmath.numbers.rounding import Enclosure, canonical, narrow, round_enclosure
from clmath.pragmas import contracts
from clmath.spec.builtins import JUDGED, builtin, precise

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Engine, Values
    from clmath.kernels import Kernel, Phase
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

_FEW = 64  # elements up to which MPFR computes each result in the format itself

Step: TypeAlias = "Callable[[Sequence[Values], Sequence[Values]], None]"
"""One chunk of a call: one-dimensional arguments, and the arrays to which the results are written."""

_SHORT_ASKED: Counter[tuple[str, str, str]] = Counter()
_EVALUATED: Counter[tuple[str, str]] = Counter()
_UNDECIDED: Counter[tuple[str, str]] = Counter()
_LOOPS: defaultdict[tuple[str, str], list[ufuncs.Loop]] = defaultdict(list)  # loops that count themselves


class Task(NamedTuple):
    """A task for a chunk of elements: a built-in, correctly rounded to a format in a mode by an engine."""

    name: str
    form: Format
    mode: Rounding
    engine: Engine


class Bounds(NamedTuple):
    """Enclosures of the exact values of one result, and the meaning of a value with err = 0.

    ``off``: the maximum distance of such a value from the exact value, in ulp of ``widest``, the widest format that the
    phase serves. A value that is a normal number of the requested format, or half-way between two, is the exact value.
    With emax of ``widest``, a value of at least 2^(emax + 2) represents any value beyond 2^(emax + 1).
    """

    value: Enclosure
    widest: Format
    off: float

    def elements(self, index: object) -> Bounds:
        """Return the bounds of the elements that ``index`` selects."""
        return self._replace(value=self.value.elements(index))


class Evaluated(NamedTuple):
    """Numbers of elements that kernels have evaluated, and that they left to the reference."""

    evaluated: int
    undecided: int


@functools.cache
def phase(name: str, form: Format) -> Phase | None:
    """Return the first phase with kernels of ``name`` in ``form``, or None if only the reference serves it."""
    first = _first(form)
    return None if first.results(precise(name)) is None else first


def _first(form: Format) -> Phase:
    return kernels.FAST if form.is_narrow else kernels.ACCURATE


def has_kernel(name: str, form: Format) -> bool:
    """Whether kernels evaluate ``name`` in ``form``."""
    return phase(name, form) is not None


def results(name: str, form: Format) -> tuple[Kernel | str, ...]:
    """Return the kernel of each result of the built-in ``name`` in ``form``; integer results by name. May be empty."""
    serves = phase(name, form)
    found = () if serves is None else serves.results(precise(name)) or ()
    return tuple(serves.kernels.get(part, part) for part in found) if serves else ()


def is_enclosed(name: str, form: Format) -> bool:
    """Whether ``enclose`` knows the built-in in ``form``: all built-ins except formulas and vector functions."""
    return has_kernel(name, form) or builtin(name).exact or bool(_of_arithmetic(name, form))


@np.errstate(all="ignore")
def enclose(
    name: str, args: Sequence[np.ndarray], form: Format, *, narrowed: bool = False
) -> tuple[Bounds | NDArray[np.int32], ...]:
    """Return bounds of the exact values of every result of the built-in ``name``, without the reference; ints as ints.

    ``args`` are one-dimensional arrays of one length, of ``form`` or int. ``narrowed``: by the functions that narrow
    enclosures, too.
    """
    if builtin(name).exact:
        found = by_step(name, form, "rte", choice.chosen(f"{name}()", choice.AUTO))(args)
        return tuple(_itself(result, form) for result in found)
    serves = phase(name, form)
    if serves is None:
        return tuple(itertools.chain.from_iterable(_arithmetic(one, args, form) for one in _of_arithmetic(name, form)))
    engine = choice.chosen(f"{name}()", choice.AUTO)
    return tuple(
        kernels.INTEGER_PARTS[part](*args)
        if isinstance(part, str)
        else Bounds(engine.enclosure(part, args, narrowed=narrowed), serves.widest, serves.off)
        for part in results(name, form)
    )


@np.errstate(all="ignore")
def enclose_finely(name: str, args: Sequence[np.ndarray], form: Format) -> tuple[Bounds | NDArray[np.int32], ...]:
    """Return bounds like ``enclose``, for a narrow format by kernels for double, for double narrowed ones.

    Empty for built-ins that ``enclose`` does not know.
    """
    served = DOUBLE if has_kernel(name, DOUBLE) else form
    if not is_enclosed(name, served):
        return ()
    wide = [a.astype(served.dtype, copy=False) if a.dtype == form.dtype else a for a in args]
    return enclose(name, wide, served, narrowed=form is DOUBLE)


def _of_arithmetic(name: str, form: Format) -> Sequence[Kernel]:
    """Return the kernels of a built-in that the host evaluates without kernels."""
    from clmath.kernels.for_devices import kernels_of

    return kernels_of(precise(name), form)


def _arithmetic(kernel: Kernel, args: Sequence[np.ndarray], form: Format) -> Iterator[Bounds]:
    """Yield the bounds of the results of an arithmetic kernel."""
    parts = kernel.function(*(a.astype(np.float64) for a in args))
    width = len(kernel.parts)
    for first in range(0, len(parts), width):
        value = Enclosure.of(**kernel.named_parts(parts[first : first + width]))
        yield Bounds(value, _first(form).widest, kernel.reach)


def _itself(found: np.ndarray, form: Format) -> Bounds | NDArray[np.int32]:
    """Return a result that needs no rounding."""
    if found.dtype.kind == "i":
        return found
    return Bounds(Enclosure.of(found.astype(np.float64)), _first(form).widest, 0.0)


def stats() -> dict[tuple[str, str], Evaluated]:
    """Return the numbers of elements that kernels have evaluated in this process, and left to the reference.

    The keys are (built-in, format), for all that were called so far. Elements on a device are not among them.

    >>> _ = clmath.exp(np.linspace(-1, 1, 1000, dtype=np.float32))
    >>> evaluated, undecided = stats()["exp", "float"]
    >>> evaluated >= 1000, undecided / evaluated < 1e-3
    (True, True)
    """
    with COUNTING:
        found = {key: Evaluated(count, _UNDECIDED[key]) for key, count in _EVALUATED.items()}
        for key, loops in _LOOPS.items():
            for counts in [loop.counts for loop in loops]:
                evaluated, undecided = found.get(key, Evaluated(0, 0))
                found[key] = Evaluated(evaluated + counts[0], undecided + counts[1])
        return {key: counts for key, counts in found.items() if counts.evaluated}


@functools.cache
def is_whole(name: str) -> bool:
    """Whether the built-in ``name`` is evaluated from arguments to rounded results, without a kernel, in any format."""
    return builtin(name).chapter in JUDGED and not has_kernel(name, builtin(name).formats[0])


@functools.cache
def step(name: str, form: Format, mode: Rounding, engine: Engine) -> Step:
    """Return the function that rounds every result of ``name`` correctly, for one chunk of elements.

    The components of a geometric built-in are separate arguments, and results: first all of p0, then all of p1.
    """
    return functools.partial(_whole if is_whole(name) else _by_kernels, Task(name, form, mode, engine))


@functools.cache
def ufunc(
    name: str, mode: Rounding, engine: Engine, form: Format | None = None, *, contracted: bool = True, counted: str = ""
) -> np.ufunc:
    """Return the ufunc of the built-in ``name`` in all its formats, or in ``form`` alone.

    Loops are compiled if ``engine`` has them, and resolve undecided elements in the same call; others call functions of
    arrays. ``counted``: the built-in for which its elements count, if another.
    """
    row = builtin(name)
    forms = row.formats if form is None else (form,)
    compiled = [
        _compiled_loop(row, one, mode, contracted=contracted, counted=counted or name)
        if engine is choice.NATIVE
        else None
        for one in forms
    ]
    loops = [
        _loop_of_steps(row, one, mode, engine) if loop is None else loop
        for one, loop in zip(forms, compiled, strict=True)
    ]
    return ufuncs.ufunc(name, loops, len(row.inputs))


@functools.cache
def ufunc_of_steps(name: str, mode: Rounding, form: Format, engine: Engine) -> np.ufunc:
    """Return the ufunc of the built-in ``name`` whose loop calls functions of arrays, which may look results up."""
    row = builtin(name)
    return ufuncs.ufunc(name, [_loop_of_steps(row, form, mode, engine)], len(row.inputs))


@functools.cache
def ufunc_of_vectors(
    name: str, mode: Rounding, engine: Engine, form: Format | None = None, *, contracted: bool = True
) -> np.ufunc:
    """Return the generalised ufunc of a geometric built-in in all its formats, or in ``form`` alone.

    The last axes of arguments are vectors.
    """
    row = builtin(name)
    loops = []
    for one in row.formats if form is None else (form,):
        vectors = _vectors(row, one, step(name, one, mode, choice.PLAIN))
        loop = ufuncs.Loop.of_vectors(f"{name}()", vectors)
        if engine is choice.NATIVE:
            labels = {width: _whole_label(name, one, mode, contracted, width * len(row.inputs)) for width in row.widths}
            loop = choice.NATIVE.ufunc_loop_of_vectors(labels, vectors, loop)
        loops.append(loop)
    return _of_vectors(row, loops)


@functools.cache
def reference_of_vectors(name: str, mode: Rounding, form: Format) -> np.ufunc:
    """Return the generalised ufunc of a geometric built-in whose loop uses only the reference."""
    row = builtin(name)
    vectors = _vectors(row, form, step_of_reference(name, form, mode))
    return _of_vectors(row, [ufuncs.Loop.of_vectors(f"{name}()", vectors)])


def _of_vectors(row: Builtin, loops: Sequence[ufuncs.Loop]) -> np.ufunc:
    signature = f"{','.join(['(n)'] * len(row.inputs))}->({'n' if row.result == 'gentype' else ''})"
    return ufuncs.ufunc(row.name, loops, len(row.inputs), signature)


def _vectors(row: Builtin, form: Format, evaluate: Step) -> ufuncs.Vectors:
    """Return the types of a geometric built-in, and a function that evaluates its components by ``evaluate``."""

    def found(args: Sequence[Values]) -> Sequence[Values]:
        count = len(args) // len(row.inputs) if row.result == "gentype" else 1
        targets = [np.empty(args[0].size, form.dtype) for _ in range(count)]
        evaluate(args, targets)
        return targets

    return ufuncs.Vectors(_types(row, form), [True] * len(row.inputs) + [row.result == "gentype"], found)


@functools.cache
def ufunc_of_reference(name: str, mode: Rounding, form: Format) -> np.ufunc:
    """Return the ufunc of the built-in ``name`` that uses the reference: for few elements without compiled loops."""
    row = builtin(name)
    loop = ufuncs.Loop.of_function(f"{name}()", _types(row, form), decided(name, form, mode))
    return ufuncs.ufunc(name, [loop], len(row.inputs))


def _loop_of_steps(row: Builtin, form: Format, mode: Rounding, engine: Engine) -> ufuncs.Loop:
    looks_up = form.is_short and len(row.inputs) == 1 and not is_whole(row.name)
    return ufuncs.Loop.of_step(
        f"{row.name}()", _types(row, form), step(row.name, form, mode, engine), looks_up=looks_up
    )


def _types(row: Builtin, form: Format) -> ufuncs.Types:
    """Return types of the arguments, and of the results, in a format."""
    inputs = [form.bits_dtype if p.type == "nancode" else declared(p.type, form.dtype) for p in row.inputs]
    return inputs, [declared(p.type, form.dtype) for p in row.outputs]


def by_step(name: str, form: Format, mode: Rounding, engine: Engine) -> Callable[[Sequence[Values]], Sequence[Values]]:
    """Return the function of one-dimensional arrays that computes every result of ``name``, by ``step``."""
    evaluate = step(name, form, mode, engine)
    _, dtypes = _types(builtin(name), form)

    def found(args: Sequence[Values]) -> Sequence[Values]:
        targets = [np.empty(args[0].size, dtype) for dtype in dtypes]
        evaluate(args, targets)
        return targets

    return found


def _compiled_loop(row: Builtin, form: Format, mode: Rounding, *, contracted: bool, counted: str) -> ufuncs.Loop | None:
    """Return the compiled loop of a built-in, or None if it does not exist."""
    types = _types(row, form)
    if is_whole(row.name):
        label = _whole_label(row.name, form, mode, contracted, len(row.inputs))
        return choice.NATIVE.whole_ufunc_loop(label, types, decided(row.name, form, mode))
    kernel = _alone(row.name, form)
    if kernel is None:
        return None
    found = choice.NATIVE.ufunc_loop(kernel, form, mode, types, decided(row.name, form, mode))
    if found is not None:
        with COUNTING:
            _LOOPS[counted, form.name].append(found)
    return found


@functools.cache
def value_and_integers(name: str, form: Format) -> tuple[str, np.ufunc] | None:
    """Return the built-in whose result is the first one of ``name``, and the ufunc of the integers after it.

    None for a built-in that does not have two such results.
    """
    steps = () if is_whole(name) else _steps(name, form)
    if len(steps) != 2 or isinstance(steps[0], str) or not isinstance(steps[1], str):
        return None
    integers = kernels.INTEGER_PARTS[steps[1]]
    types = [form.dtype], [np.dtype(np.int32)]
    loop = ufuncs.Loop.of_function(f"{name}()", types, lambda args: (integers(*args),))
    return steps[0].name, ufuncs.ufunc(name, [loop], 1)


def decided(name: str, form: Format, mode: Rounding) -> Callable[[Sequence[Values]], Sequence[Values]]:
    """Return the function of one-dimensional arrays that computes every result of ``name`` by the reference."""
    return lambda args: (_one_by_one if args[0].size <= _FEW else by_reference)(name, form, mode, *args)


def _alone(name: str, form: Format) -> Kernel | None:
    """Return the kernel that has all results of ``name``; None without kernels or with several."""
    steps = () if is_whole(name) else _steps(name, form)
    return steps[0] if len(steps) == 1 and not isinstance(steps[0], str) else None


def step_of_reference(name: str, form: Format, mode: Rounding) -> Step:
    """Return a step like ``step``, by the reference alone; NaN is the canonical one unless bits are moved."""
    computes = not builtin(name).moves_bits

    def stored(args: Sequence[Values], targets: Sequence[Values]) -> None:
        _store(targets, by_reference(name, form, mode, *args))
        for target in targets:
            if computes and target.dtype == form.dtype:
                canonical(target, form)

    return stored


def _store(targets: Sequence[Values], found: Sequence[np.ndarray], elements: NDArray[np.int64] | None = None) -> None:
    """Store the values of each result: of all elements, or of some."""
    for target, values in zip(targets, found, strict=True):
        target[... if elements is None else elements] = values


def _whole(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    """Store the results of a built-in that is evaluated whole; the reference computes undecided elements."""
    name, form, mode, engine = task
    if form not in FORMATS:
        if name == "nextafter":  # depends on the numbers of the format
            _store(targets, by_reference(name, form, mode, *args))
        else:
            _in_double(task, args, targets)
        return
    label = _whole_label(name, form, mode, contracts(), len(args))
    left = choice.NATIVE.whole(label, args, targets) if engine is choice.NATIVE else None
    if left is None:
        from clmath.engines import wholes

        left = wholes.evaluate(label, args, targets)
    if left.size:
        _store(targets, by_reference(name, form, mode, *(a[left] for a in args)), left)


def _in_double(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    """Store the results for a format of few digits, rounded to double in the mode first, which changes none."""
    form, mode = task.form, task.mode
    wide = [a.astype(np.float64) if a.dtype == form.dtype else a for a in args]
    found = [np.empty(t.size, DOUBLE.dtype if t.dtype == form.dtype else t.dtype) for t in targets]
    _whole(task._replace(form=DOUBLE), wide, found)
    for target, values in zip(targets, found, strict=True):
        target[...] = narrow(values, form, mode) if target.dtype == form.dtype else values


@functools.cache
def _whole_label(name: str, form: Format, mode: Rounding, contracted: bool, arguments: int) -> str:
    """Return the library's name of a built-in with this number of arguments, with or without contraction."""
    from clmath.kernels import whole

    known = name if name in whole.IN_STEPS else precise(name)  # mad has steps of its own
    return whole.label(known, form.name, mode, contracted=contracted, arguments=arguments)


def _by_kernels(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    """Round every result correctly into ``targets``."""
    name, form, mode, _ = task
    if form.is_short and len(args) == 1 and _worth_a_table(name, form, mode, args[0].size):
        codes = args[0].view(form.bits_dtype)
        for table, target in zip(_table(task), targets, strict=True):
            table.take(codes, out=target, mode="wrap")  # every code is inside: the fastest mode
    else:
        _climb(task, args, targets)


def _worth_a_table(name: str, form: Format, mode: Rounding, elements: int) -> bool:
    """Whether calls of a built-in have had at least as many elements as a short format has numbers."""
    with COUNTING:
        _SHORT_ASKED[name, form.name, mode] += elements
        return _SHORT_ASKED[name, form.name, mode] >= 1 << form.width


@once
def _table(task: Task) -> tuple[np.ndarray, ...]:
    """Return the results of a unary built-in for every number of a short format, by encoding: 128 KiB each."""
    form = task.form
    every = form.from_bits(np.arange(1 << form.width, dtype=np.uint32).astype(form.bits_dtype))
    found = tuple(np.empty(every.shape, _dtype(part, form)) for part in results(task.name, form))
    _climb(task, (every,), found)
    return found


def _dtype(part: Kernel | str, form: Format) -> np.dtype:
    return np.dtype(np.int32) if isinstance(part, str) else form.dtype


def _climb(task: Task, args: Sequence[Values], targets: Sequence[Values]) -> None:
    """Evaluate kernels first; undecided elements go to the reference."""
    name, form, mode, _ = task
    rest = iter(targets)
    left = [_step(task, step, args, rest) for step in _steps(name, form)]
    undecided = left[0] if len(left) == 1 else np.unique(np.concatenate(left))
    with COUNTING:
        _EVALUATED[name, form.name] += args[0].size
        _UNDECIDED[name, form.name] += undecided.size
    if undecided.size:
        refer = _one_by_one if undecided.size <= _FEW else by_reference
        _store(targets, refer(name, form, mode, *(a[undecided] for a in args)), undecided)


@functools.cache
def _steps(name: str, form: Format) -> tuple[Kernel | str, ...]:
    """Return the kernels to evaluate for the built-in, in the order of its results; integer results by name."""
    serves = phase(name, form)
    return () if serves is None else serves.steps(precise(name))


def _step(task: Task, step: Kernel | str, args: Sequence[Values], targets: Iterator[Values]) -> NDArray[np.int64]:
    """Round the results of one kernel into the next of ``targets``; return the elements that it leaves undecided."""
    if isinstance(step, str):
        next(targets)[...] = kernels.INTEGER_PARTS[step](*args)
        return np.empty(0, np.int64)
    taken = tuple(itertools.islice(targets, step.results))
    return task.engine.rounded(step, task.form, task.mode, args, taken)


def _one_by_one(name: str, form: Format, mode: Rounding, *args: np.ndarray) -> Sequence[Any]:
    """Return results like ``by_reference``, for a few elements, without the preparations for arrays."""
    of_numbers, nan = _operation(name, form, mode), float(form.nan)
    rows = zip(*(a.tolist() for a in args), strict=True)
    with np.errstate(all="ignore"):
        return list(zip(*([_float(v, nan) for v in of_numbers(*row)] for row in rows), strict=True))


def _float(value: SupportsFloat, nan: float) -> float:
    """Return ``value`` as a float, with the canonical NaN for a NaN."""
    return float(value) if value == value else nan


@functools.cache
def _operation(name: str, form: Format, mode: Rounding) -> Callable[..., tuple[SupportsFloat, ...]]:
    """Return the built-in ``name`` on Python numbers of ``form``, rounded once by MPFR."""
    from clmath.reference.mpfr import rounded_operation

    return rounded_operation(name, form, mode)


def by_reference(name: str, form: Format, mode: Rounding, *args: np.ndarray) -> tuple[np.ndarray, ...]:
    """Round every result of the built-in ``name`` correctly by the reference, for one chunk of elements."""
    from clmath import reference

    values = reference.enclose(name, args, form)
    return tuple(round_enclosure(v, form, mode)[0] if isinstance(v, Enclosure) else v for v in values)
