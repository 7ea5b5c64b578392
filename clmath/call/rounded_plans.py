"""Plans by the types of arguments for calls of the math, common and geometric chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import ladder
from clmath.call.arguments import weak
from clmath.call.plans import INTS, Plan
from clmath.engines import choice
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import DOUBLE, FORMATS, Format, format_of
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.call.plans import Reader
    from clmath.engines.protocol import Engine
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]

_INT = np.dtype(np.int32)
_FEW_BY_REFERENCE = 8  # elements that the reference has sooner than NumPy's engine
_CODES = {form.bits_dtype: form for form in FORMATS}


def planned(name: str, option: tuple[Rounding, str] | None, kinds: tuple[Any, ...]) -> Plan | None:
    """The plan for arguments of these kinds; None where they need preparation."""
    mode, engine = option or ("rte", choice.AUTO)
    row, chosen = builtin(name), choice.chosen(f"{name}()", engine)
    given = list(zip(row.inputs, kinds, strict=True))
    if row.widths:
        return _planned_of_vectors(row, mode, chosen, kinds)
    form = None if bool in kinds else _common_format(row, given)
    if form is None or not all(_is_taken(p, kind) for p, kind in given):
        return None
    counted, integers = name, None
    if chosen is choice.NATIVE:
        name, integers = ladder.value_and_integers(name, form) or (name, None)
    ufunc = ladder.ufunc(name, mode, chosen, counted=counted)
    readers = tuple(_reader(row, p, kind, form) for p, kind in given)
    plan = Plan(
        f"{name}()",
        ufunc,
        tuple(declared(p.type, form.dtype) for p in row.outputs),
        readers if any(readers) else None,
        ladder.ufunc(name, mode, chosen, contracted=False) if _contracts(row) else None,
        _by_table(name, mode, form, chosen) if len(kinds) == 1 else None,
        integers,
    )
    if engine == choice.AUTO and chosen is choice.PLAIN and ladder.has_kernel(name, form):
        return plan._replace(ufunc=ladder.ufunc_of_reference(name, mode, form), many=ufunc, few=_FEW_BY_REFERENCE)
    return plan


def _planned_of_vectors(row: Builtin, mode: Rounding, engine: Engine, kinds: tuple[Any, ...]) -> Plan | None:
    """The plan for arrays of vectors in one format."""
    forms = {format_of(kind) if isinstance(kind, np.dtype) else None for kind in kinds}
    if len(forms) != 1 or not forms <= set(row.formats):
        return None
    return Plan(
        f"{row.name}()",
        ladder.ufunc_of_vectors(row.name, mode, engine),
        (),
        in_steps=ladder.ufunc_of_vectors(row.name, mode, engine, contracted=False) if _contracts(row) else None,
        widths=frozenset((width,) for width in row.widths),
    )


def _contracts(row: Builtin) -> bool:
    """Whether contraction changes results: of formulas, and of what another formula replaces without it."""
    return bool(row.formula or row.uncontracted)


def _by_table(name: str, mode: Rounding, form: Format, engine: Engine) -> np.ufunc | None:
    """Return the ufunc that looks results of a short format up; None where there is no table."""
    is_tabled = form.is_short and ladder.has_kernel(name, form)
    return ladder.ufunc_of_steps(name, mode, form, engine) if is_tabled else None


def _common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments, or of the number that one code stands for; None where there is none."""
    if row.inputs[0].type == "nancode":
        kind = given[0][1]
        return None if kind is int else _CODES.get(np.dtype(kind).newbyteorder("="))
    typed = {format_of(np.dtype(kind)) for p, kind in given if p.type == "gentype" and kind not in {int, float}}
    if len(typed) > 1:
        return None
    form = typed.pop() if typed else DOUBLE if DOUBLE in row.formats else row.formats[0]
    return form if form in row.formats else None


def _is_taken(parameter: Parameter, kind: Any) -> bool:
    """Whether an argument of ``kind``, of which the common format is known, can be one for ``parameter``."""
    if parameter.type != "intn":
        return True
    return kind.newbyteorder("=") == _INT if isinstance(kind, np.dtype) else kind in INTS


def _reader(row: Builtin, parameter: Parameter, kind: Any, form: Format) -> Reader:
    """Return a function that gives an argument the type of the call; None for arguments that have it."""
    if isinstance(kind, np.dtype) or kind is form.dtype.type or (kind is float and form is DOUBLE):
        return None
    if parameter.type == "nancode":
        return None
    if parameter.type == "intn":
        return lambda number: np.int32(number) if -(2**31) <= number < 2**31 else None
    label, name = f"{row.name}()", parameter.name
    return lambda number: weak(label, name, number, form)
