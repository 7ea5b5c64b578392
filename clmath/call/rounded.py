"""Calls of built-ins whose results are rounded: the math, common and geometric chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, ladder, pragmas
from clmath.call import flushed, on_device, others, slices
from clmath.call.arguments import (
    agreed,
    any_of,
    as_array,
    as_floats,
    checked_width,
    common_shape,
    is_typed_array,
    is_weak,
    misfit,
    weak,
)
from clmath.call.checked_call import Call, Signature
from clmath.call.containers import opened
from clmath.call.evaluation import Evaluation, by_step, by_ufunc
from clmath.call.plans import at_once, of_few
from clmath.call.remedies import best_of, into, likewise
from clmath.call.rounded_plans import planned
from clmath.call.slices import checked_threads
from clmath.engines import choice
from clmath.numbers.datatypes import declared, type_name
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.numbers.rounding import MODES, Rounding, checked_mode
from clmath.pragmas import contracts
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.call.evaluation import Store
    from clmath.call.slices import Operands
    from clmath.engines.choice import EngineName
    from clmath.engines.protocol import Engine

__all__ = ["by_reference", "floats", "prepare"]

_INT = np.dtype(np.int32)


def floats(  # noqa: PLR0917  (functions pass their keywords on by position)
    name: str,
    args: tuple[object, ...],
    rounding: Rounding | None = None,
    out: object = None,
    where: object = True,
    engine: EngineName = "auto",
    threads: int = 1,
) -> Any:
    """Evaluate the built-in ``name`` correctly rounded in ``rounding`` (None: rte).

    A ufunc of ``engine`` has the results: by kernels first, by the reference where these leave elements undecided.
    Arguments are prepared where they need it. Elements, or vectors, that ``where`` leaves out are not computed.
    """
    if len(args) <= 2 and rounding is out is None and where is True and engine == "auto" and not pragmas.FLUSHES:
        result = of_few(name, args) if type(threads) is int and threads == 1 else None
        if result is not None:
            return result
    return _floats(name, args, rounding, out, where, engine, threads)


def _floats(  # noqa: PLR0917 - as above
    name: str, args: tuple[Any, ...], rounding: Any, out: Any, where: Any, engine: EngineName, threads: int
) -> Any:
    """The same in every case."""
    mode: Rounding = "rte"
    if rounding is not None:
        mode = rounding if isinstance(rounding, str) and rounding in MODES else checked_mode(f"{name}()", rounding)
    workers = threads if type(threads) is int and threads > 0 else checked_threads(name, threads)
    if pragmas.may_flush():
        flushed.refuse_device(name, args)
    elif where is True:
        option = None if mode == "rte" and engine == "auto" else (mode, engine)
        result = at_once(planned, name, option, args, out, workers)
        if result is not None:
            return result
    if on_device.are_there(args):
        return on_device.floats(name, mode, args, out, where, engine)
    if others.are_theirs(f"{name}()", builtin(name).names, args):
        return _answered(name, mode, args, out, where, engine)
    return _evaluated(prepare(name, args, out, where), mode, out, where, engine, workers)


def _answered(  # noqa: PLR0917 - as above
    name: str, mode: Rounding, args: tuple[Any, ...], out: Any, where: Any, engine: EngineName
) -> Any:
    """The results of arguments that answer for ufuncs themselves."""
    row = builtin(name)
    if not row.widths:
        keywords = {} if mode == "rte" else {"rounding": mode}
        found = others.later(name, args, keywords, out, where, len(row.outputs))
        if found is not None:
            return found
    made = ladder.ufunc_of_vectors if row.widths else ladder.ufunc
    ufunc = made(name, mode, choice.chosen(f"{name}()", engine), contracted=contracts())
    return others.answered(f"{name}()", row.names, args, ufunc, out, where)


def _evaluated(  # noqa: PLR0917 - as above
    call: Call, mode: Rounding, out: object, where: object, engine: object, threads: int
) -> Any:
    """The results of a prepared ``call``, of kernels by ``engine``."""
    chosen = choice.chosen(call.label, engine)

    def store_in(mode: Rounding) -> Store:
        return _store_of(call, mode, chosen)

    flushes = pragmas.may_flush() and flushed.is_flushed(call, pragmas.flushed_formats())
    store = flushed.flushing(call, mode, store_in) if flushes else store_in(mode)
    return _asked(call).evaluated(store, out, where, restore=call.restore, threads=threads)


def _asked(call: Call) -> Evaluation:
    row, (_, label, _, _, dtypes) = call.builtin, call.signature
    if not row.widths:
        return Evaluation.of_elements(label, row.names, call.args, dtypes)
    is_vector = row.result == "gentype" and not call.bare
    vectors = (True,) * len(call.args) + (is_vector,)
    lanes = call.shape[-1] if is_vector else None
    return Evaluation(label, row.names, call.args, call.args, [a.shape[:-1] for a in call.args], dtypes, lanes, vectors)


def _store_of(call: Call, mode: Rounding, engine: Engine) -> Store:
    """Return the function that stores the results of ``call``."""
    name, form = call.builtin.name, call.form
    known = form if form not in call.builtin.formats else None
    if call.builtin.widths:
        return _store_of_vectors(call, ladder.ufunc_of_vectors(name, mode, engine, known, contracted=contracts()))
    value_and_integers = ladder.value_and_integers(name, form)
    if value_and_integers is not None and engine is choice.NATIVE and known is None:
        return _store_of_value_and_integers(name, mode, *value_and_integers)
    if form.is_short and len(call.args) == 1 and ladder.has_kernel(name, form):
        return by_ufunc(ladder.ufunc_of_steps(name, mode, form, engine))
    return by_ufunc(ladder.ufunc(name, mode, engine, known, contracted=contracts()))


def _store_of_value_and_integers(name: str, mode: Rounding, value: str, integers: np.ufunc) -> Store:
    """Return the store of a built-in with two results: the one of the built-in ``value``, and integers."""
    store_value, store_integers = by_ufunc(ladder.ufunc(value, mode, choice.NATIVE, counted=name)), by_ufunc(integers)

    def store(operands: Operands, threads: int) -> None:
        kept = [a.copy() if any(np.may_share_memory(a, r) for r in operands.results) else a for a in operands.args]
        first, second = operands.results
        store_value(slices.Operands.of(kept, [first]), threads)
        store_integers(slices.Operands.of(kept, [second]), threads)

    return store


def _store_of_vectors(call: Call, ufunc: np.ufunc) -> Store:
    """Return the store of a geometric built-in; scalars have an axis of length 1, which their results lose."""
    if not call.bare or call.builtin.result != "gentype":
        return by_ufunc(ufunc)

    def store(operands: Operands, threads: int) -> None:
        results = [r[..., np.newaxis] for r in operands.results]
        slices.store(ufunc, operands._replace(results=results, vectors=(True,) * len(operands.vectors)), threads)

    return store


def by_reference(name: str, args: tuple[object, ...], mode: Rounding) -> Any:
    """Evaluate the built-in ``name`` by the reference alone, whatever the format."""
    call = prepare(name, args)
    if call.builtin.widths:
        store = _store_of_vectors(call, ladder.reference_of_vectors(name, mode, call.form))
    else:
        store = by_step(call.label, ladder.step_of_reference(name, call.form, mode))
    return _asked(call).evaluated(store, None, True, restore=call.restore, threads=1)


def prepare(name: str, args: tuple[Any, ...], out: Any = None, where: Any = True) -> Call:
    """Check ``args`` against the declaration of ``name`` and bring them to their types; an error before any work."""
    row, label = builtin(name), f"{name}()"
    args, restore = opened(label, row.names, args, out, [True] * len(args) if row.widths else (), where=where)
    given = [
        a if is_typed_array(a) else _seen(label, p, a)  # lists, scalars and plain Python numbers
        for p, a in zip(row.inputs, args, strict=True)
    ]
    signature = _signature(row, given)
    arrays = [a if read is None else read(a) for read, a in zip(signature.readers, given, strict=True)]
    bare = False
    if row.widths:
        bare = all(a.ndim == 0 for a in arrays)
        arrays = [a[np.newaxis] if a.ndim == 0 and 1 in row.widths else a for a in arrays]
        _check_widths(label, row, arrays)
    shape = common_shape(label, row.names, [a.shape for a in arrays])
    return Call(signature, tuple(arrays), shape, bare, restore)


_SIGNATURES: dict[tuple[Any, ...], Signature] = {}


def _signature(row: Builtin, given: Sequence[object]) -> Signature:
    """The signature of a call with these arguments, arrays and plain Python numbers; an error where there is none."""
    key = row.name, *[a.dtype if isinstance(a, np.ndarray) else type(a) for a in given]
    if key not in _SIGNATURES:
        label, form = f"{row.name}()", _common_format(row, given)
        readers = [
            None if isinstance(a, np.ndarray) and _is_as_declared(p, a.dtype) else _reader(label, p, form)
            for p, a in zip(row.inputs, given, strict=True)
        ]
        results = tuple(declared(p.type, form.dtype) for p in row.outputs)
        _SIGNATURES[key] = Signature(row, label, form, tuple(readers), results)
    return _SIGNATURES[key]


def _is_as_declared(parameter: Parameter, dtype: np.dtype) -> bool:
    """Whether an array of ``dtype``, of which the common format is known, needs no further step."""
    return parameter.type != "intn" or dtype == _INT


def _reader(call: str, parameter: Parameter, form: Format) -> Callable[[Any], np.ndarray]:
    return lambda arg: _typed(call, parameter, arg, form)


def _seen(call: str, parameter: Parameter, arg: object) -> Any:
    """A plain Python number as it is, everything else as an array."""
    if parameter.type == "gentype":
        return arg if is_weak(arg) else as_floats(call, parameter.name, arg)
    return arg if type(arg) is int else as_array(call, parameter.name, arg)


def _common_format(row: Builtin, given: Sequence[object]) -> Format:
    """The one format of all gentype arguments; double, or the built-in's only format, where all are weak."""
    typed = [
        (p, a.dtype)
        for p, a in zip(row.inputs, given, strict=True)
        if p.type in ("gentype", "nancode") and isinstance(a, np.ndarray)
    ]
    if typed and typed[0][0].type == "nancode":
        return _format_of_code(row, *typed[0])
    found = [(p.name, form.dtype) for p, dtype in typed if (form := format_of(dtype)) is not None]
    wrong = [(p.name, dtype) for p, dtype in typed if format_of(dtype) is None]
    if wrong:
        raise _no_format(row, wrong, [dtype for _, dtype in found])
    taken = agreed(f"{row.name}()", found, "format", [f.dtype for f in row.formats])
    form = None if taken is None else format_of(taken)
    if form is None or taken is None:
        return DOUBLE if DOUBLE in row.formats else row.formats[0]
    if form not in row.formats + row.computed:
        (name, _), *others = found
        remedy = into(name, taken, best_of([taken], [f.dtype for f in row.formats])) + likewise(n for n, _ in others)
        raise errors.DTypeError(f"{row.name}(): {name} is {form}; only {any_of(row.formats)} is defined: {remedy}")
    return form


def _no_format(row: Builtin, wrong: Sequence[tuple[str, np.dtype]], beside: Sequence[np.dtype]) -> errors.DTypeError:
    """Arguments are of no floating-point format; ``beside`` are the formats of others."""
    known = [f.dtype for f in row.formats]
    target = next((dtype for dtype in beside if dtype in known), known[-1])
    (name, dtype), *others = wrong
    remedy = errors.conversion(name, type_name(target)) + likewise(other for other, _ in others)
    return errors.wrong_dtype(f"{row.name}()", name, dtype, any_of(row.formats), remedy, target)


def _format_of_code(row: Builtin, parameter: Parameter, dtype: np.dtype) -> Format:
    """The format of the NaN that a code of ``dtype`` stands for."""
    for form in row.formats:
        if dtype.newbyteorder("=") == form.bits_dtype:
            return form
    remedy = f"ushort gives a half, uint a float, ulong a double; {errors.conversion(parameter.name, 'uint')}"
    raise errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, "ushort, uint or ulong", remedy, "uint32")


def _typed(call: str, parameter: Parameter, arg: Any, form: Format) -> np.ndarray:
    """The argument in the type that its parameter is declared with."""
    if parameter.type == "gentype":
        return arg if isinstance(arg, np.ndarray) else weak(call, parameter.name, arg, form)
    if parameter.type == "nancode":
        return _nancode(call, parameter, arg, form)
    return _as_int(call, parameter.name, arg)


def _nancode(call: str, parameter: Parameter, arg: Any, form: Format) -> np.ndarray:
    """The code of a NaN in the unsigned type of the format's width."""
    try:
        return np.asarray(arg, form.bits_dtype) if type(arg) is int else arg
    except OverflowError:
        fact = f"{parameter.name} is {errors.shown(arg)}; an ulong lies in 0 .. 2^64-1"
        way = f"mask it first, {parameter.name} & (2**64 - 1)"
        raise errors.DTypeError(f"{call}: {fact}: {way}") from None


def _as_int(call: str, name: str, arg: object) -> NDArray[np.int32]:
    """``arg`` as int (32 bits), refused where it is not an integer or does not fit."""
    array = np.asarray(arg)
    rule = f"an int lies in -2^31 .. 2^31-1: {errors.conversion(name, 'int', ', sat=True')}, the nearest one"
    if type(arg) is int and array.dtype.kind == "O":
        raise errors.DTypeError(f"{call}: {name} is {errors.shown(arg)}; {rule}")
    if array.dtype.kind not in "iu":
        raise errors.wrong_dtype(call, name, array.dtype, "an integer type", errors.conversion(name, "int"), "int32")
    beyond = misfit(array, _INT)
    if beyond is not None:
        raise errors.DTypeError(f"{call}: {name} holds {beyond}; {rule}")
    return array.astype(np.int32, copy=False)


def _check_widths(call: str, row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """The last axes must have a width that the built-in takes, all the same: lanes are not broadcast."""
    widths = {p.name: checked_width(call, p.name, a, row.widths) for p, a in zip(row.inputs, arrays, strict=True)}
    if len(set(widths.values())) > 1:
        facts = ", ".join(f"{name} has {width} lanes" for name, width in widths.items())
        raise errors.ShapeError(f"{call}: {facts}; all vectors of a call need one width: cut or pad some")
