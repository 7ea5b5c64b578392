"""Calls of built-ins whose results are rounded: the math, common and geometric chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import phases, pragmas
from clmath.call import flushed, on_device, others, slices
from clmath.call.evaluation import Evaluation, by_step, by_ufunc
from clmath.call.plans import at_once, of_few
from clmath.call.prepared import Call, prepare
from clmath.call.rounded_plans import planned
from clmath.call.slices import checked_threads
from clmath.engines import choice
from clmath.numbers.rounding import MODES, Rounding, checked_mode
from clmath.pragmas import contracts
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from clmath.call.evaluation import Store
    from clmath.call.slices import Operands
    from clmath.engines.choice import EngineName
    from clmath.engines.protocol import Engine

__all__ = ["by_reference", "floats"]

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
    made = phases.ufunc_of_vectors if row.widths else phases.ufunc
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
        return _store_of_vectors(call, phases.ufunc_of_vectors(name, mode, engine, known, contracted=contracts()))
    value_and_integers = phases.value_and_integers(name, form)
    if value_and_integers is not None and engine is choice.NATIVE and known is None:
        return _store_of_value_and_integers(name, mode, *value_and_integers)
    if form.is_short and len(call.args) == 1 and phases.has_kernel(name, form):
        return by_ufunc(phases.ufunc_of_steps(name, mode, form, engine))
    return by_ufunc(phases.ufunc(name, mode, engine, known, contracted=contracts()))


def _store_of_value_and_integers(name: str, mode: Rounding, value: str, integers: np.ufunc) -> Store:
    """Return the store of a built-in with two results: the one of the built-in ``value``, and integers."""
    store_value, store_integers = by_ufunc(phases.ufunc(value, mode, choice.NATIVE, counted=name)), by_ufunc(integers)

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
    call = prepare(name, args, judged=True)
    if call.builtin.widths:
        store = _store_of_vectors(call, phases.reference_of_vectors(name, mode, call.form))
    else:
        store = by_step(call.label, phases.step_of_reference(name, call.form, mode))
    return _asked(call).evaluated(store, None, True, restore=call.restore, threads=1)
