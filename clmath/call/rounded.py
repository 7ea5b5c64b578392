"""Calls of built-ins whose results are rounded: the math, common and geometric chapters."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import phases, pragmas
from clmath.call import others, slices, subnormals
from clmath.call.containers import are_plain
from clmath.call.evaluation import Evaluation, by_step, by_ufunc
from clmath.call.exact import as_ufunc
from clmath.call.plans import Plan
from clmath.call.prepared import Call, prepare, typed
from clmath.call.slices import checked_threads
from clmath.engines import choice
from clmath.numbers.formats import Format, format_of
from clmath.numbers.rounding import Rounding, checked_mode
from clmath.pragmas import contracts
from clmath.spec.builtins import Builtin, builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.call.evaluation import Store
    from clmath.call.readers import Kind
    from clmath.call.slices import Operands
    from clmath.engines.choice import EngineName
    from clmath.engines.protocol import Engine

_FEW_BY_REFERENCE = 8  # elements that the reference computes sooner than NumPy's engine
_FEW_WITHOUT_TABLE = (1 << 15) - 1  # elements of a short format: looking results up takes less time beyond


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
    mode = "rte" if rounding is None else checked_mode(f"{name}()", rounding)
    workers = checked_threads(name, threads)
    if not are_plain(args):
        from clmath.call import device_arrays

        if device_arrays.are_there(args):
            from clmath.call import on_device

            return on_device.floats(name, mode, args, out, where, engine)
        if others.are_theirs(f"{name}()", builtin(name).names, args):
            return _answered(name, mode, args, out, where, engine)
    return _evaluated(prepare(name, args, out, where), mode, out, where, engine, workers)


def _answered(  # noqa: PLR0917 - as above
    name: str, mode: Rounding, args: tuple[object, ...], out: object, where: object, engine: EngineName
) -> object:
    """Return the results for arguments that handle ufuncs themselves."""
    row = builtin(name)
    if not row.widths:
        keywords = {} if mode == "rte" else {"rounding": mode}
        found = others.later(name, args, keywords, out, where, len(row.outputs))
        if found is not None:
            return found
    if pragmas.may_flush() and not row.moves_bits and _are_flushed(args):
        raise others.unflushed(f"{name}()", row.names, args)
    made = phases.ufunc_of_vectors if row.widths else phases.ufunc
    ufunc = made(name, mode, choice.chosen(f"{name}()", engine), contracted=contracts())
    return others.answered(f"{name}()", row.names, args, ufunc, out, where)


def _are_flushed(args: Sequence[object]) -> bool:
    """Whether the block in force flushes numbers of a type of the arguments; yes if none has a type of NumPy."""
    types = [found for a in args if isinstance(found := getattr(a, "dtype", None), np.dtype)]
    return not types or any(getattr(format_of(t), "name", "") in pragmas.flushed_formats() for t in types)


def _evaluated(  # noqa: PLR0917 - as above
    call: Call, mode: Rounding, out: object, where: object, engine: object, threads: int
) -> object:
    """Return the results of a prepared ``call``, by kernels of ``engine``."""
    chosen = choice.chosen(call.label, engine)
    asked, ufunc = _asked(call), functools.partial(_ufunc, call.builtin, call.form, engine=chosen)
    flushes = pragmas.may_flush() and subnormals.is_flushed(call, pragmas.flushed_formats())
    if not (flushes or call.builtin.widths):
        return asked.by(ufunc(mode), out, where, restore=call.restore, threads=threads)

    def store_in(mode: Rounding) -> Store:
        return _store(call, ufunc(mode))

    store = subnormals.flushing(call, mode, store_in) if flushes else store_in(mode)
    return asked.evaluated(store, out, where, restore=call.restore, threads=threads)


def _asked(call: Call) -> Evaluation:
    row, label, dtypes = call.builtin, call.label, call.results
    if not row.widths:
        return Evaluation.of_elements(label, row.names, call.args, dtypes)
    is_vector = row.result == "gentype" and not call.bare
    vectors = (True,) * len(call.args) + (is_vector,)
    components = call.shape[-1] if is_vector else None
    return Evaluation(
        label, row.names, call.args, call.args, [a.shape[:-1] for a in call.args], dtypes, components, vectors
    )


def planned(
    name: str,
    kinds: tuple[Kind, ...],
    *,
    rounding: object = None,
    engine: object = choice.AUTO,
    **others: object,
) -> Plan | None:
    """Return the plan for arguments of these kinds and keywords; None, or an error, for preparation."""
    if others:
        return None
    row, label = builtin(name), f"{name}()"
    mode = checked_mode(label, "rte" if rounding is None else rounding)
    chosen = choice.chosen(label, engine)
    if row.widths:
        forms = {format_of(kind) if isinstance(kind, np.dtype) else None for kind in kinds}
        if len(forms) != 1 or not forms <= set(row.formats):
            return None
        widths = frozenset((width,) for width in row.widths)
        return Plan(_ufunc(row, row.formats[0], mode, chosen), (), (), widths=widths)
    if row.inputs[0].type == "nancode" and kinds[0] in {int, float}:
        return None
    types = typed(row, kinds)
    if types is None or types.form is None or types.form not in row.formats:
        return None
    ufunc = _ufunc(row, types.form, mode, chosen)
    if engine == choice.AUTO and chosen is choice.PLAIN and phases.has_kernel(name, types.form):
        ufunc = _by_size(phases.ufunc_of_reference(name, mode, types.form), _FEW_BY_REFERENCE, ufunc)
    return Plan(ufunc, types.inputs, types.results, types.readers)


def planned_in_mode(name: str, kinds: tuple[Kind, ...], **options: object) -> Plan | None:
    """Return the plan of a built-in that rounds in the mode in force, unless ``rounding`` is among the keywords."""
    found = planned(name, kinds, **options)
    return None if found is None else replace(found, in_mode="rounding" not in options)


def _ufunc(row: Builtin, form: Format, mode: Rounding, engine: Engine) -> np.ufunc:
    """Return a ufunc that evaluates a built-in in the format, or a function that is called like one."""
    name, known = row.name, form if form not in row.formats else None
    if row.formula or row.uncontracted:  # contraction changes results
        made = phases.ufunc_of_vectors if row.widths else phases.ufunc
        both = [made(name, mode, engine, known, contracted=contracted) for contracted in (False, True)]
        if "fp_contract" not in pragmas.begun():
            return both[True]
        return _by_state(*both)
    if row.widths:
        return phases.ufunc_of_vectors(name, mode, engine, known)
    if engine is choice.NATIVE and known is None:
        pair = phases.value_and_integers(name, form)
        if pair is not None:
            return _of_pair(phases.ufunc(pair[0], mode, engine, counted=name), pair[1])
    found = phases.ufunc(name, mode, engine, known)
    if form.is_short and len(row.inputs) == 1 and phases.has_kernel(name, form):
        return _by_size(found, _FEW_WITHOUT_TABLE, phases.ufunc_of_steps(name, mode, form, engine))
    return found


def _by_state(apart: np.ufunc, contracted: np.ufunc) -> np.ufunc:
    """Return a function called as a ufunc: ``contracted`` where ``fp_contract`` allows it, else ``apart``."""

    def evaluated(*args: object, **options: object) -> object:
        return (contracted if contracts() else apart)(*args, **options)

    return as_ufunc(evaluated)


def _by_size(small: np.ufunc, most: int, large: np.ufunc) -> np.ufunc:
    """Return a function called as a ufunc: ``small`` for at most so many elements, else ``large``."""

    def evaluated(*args: object, **options: object) -> object:
        size = max([getattr(a, "size", 1) for a in args])
        return (small if size <= most else large)(*args, **options)

    return as_ufunc(evaluated)


def _of_pair(value: np.ufunc, integers: np.ufunc) -> np.ufunc:
    """Return a function called as a ufunc of one argument and two results, which two ufuncs have."""

    def evaluated(x: np.ndarray, out: tuple[np.ndarray, np.ndarray] | None = None) -> object:
        if out is None:
            return value(x), integers(x)
        kept = x.copy() if np.may_share_memory(x, out[0]) else x
        value(kept, out=out[0])
        integers(kept, out=out[1])
        return out

    return as_ufunc(evaluated)


def _store(call: Call, ufunc: np.ufunc) -> Store:
    """Return the store of a ufunc; scalars as vectors have an axis of length 1, which their results lose."""
    if not call.bare or call.builtin.result != "gentype":
        return by_ufunc(ufunc)

    def store(operands: Operands, threads: int) -> None:
        results = [r[..., np.newaxis] for r in operands.results]
        slices.store(ufunc, operands._replace(results=results, vectors=(True,) * len(operands.vectors)), threads)

    return store


def by_reference(name: str, args: tuple[object, ...], mode: Rounding) -> Any:
    """Evaluate the built-in ``name`` by the reference alone, in any format."""
    call = prepare(name, args, judged=True)
    if call.builtin.widths:
        store = _store(call, phases.reference_of_vectors(name, mode, call.form))
    else:
        store = by_step(call.label, phases.step_of_reference(name, call.form, mode))
    return _asked(call).evaluated(store, None, True, restore=call.restore, threads=1)
