"""Plans by the types of arguments for calls of the math, common and geometric chapters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, phases
from clmath.call.plans import Plan, number_readers, sample
from clmath.call.prepared import signature_of
from clmath.engines import choice
from clmath.numbers.formats import Format, format_of
from clmath.spec.builtins import Builtin, builtin

if TYPE_CHECKING:
    from clmath.engines.protocol import Engine
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]

_FEW_BY_REFERENCE = 8  # elements that the reference has sooner than NumPy's engine


def planned(name: str, option: tuple[Rounding, str] | None, kinds: tuple[Any, ...]) -> Plan | None:
    """The plan for arguments of these kinds; None where they need preparation."""
    mode, engine = option or ("rte", choice.AUTO)
    row, chosen = builtin(name), choice.chosen(f"{name}()", engine)
    if row.widths:
        return _planned_of_vectors(row, mode, chosen, kinds)
    if row.inputs[0].type == "nancode" and kinds[0] in {int, float}:
        return None
    samples = [sample(kind) for kind in kinds]
    try:
        signature = signature_of(row, samples)
        readers = number_readers(signature.readers, samples, kinds)
    except errors.ClmathError:
        return None
    form = signature.form
    if form not in row.formats:
        return None
    counted, integers = name, None
    if chosen is choice.NATIVE:
        name, integers = phases.value_and_integers(name, form) or (name, None)
    ufunc = phases.ufunc(name, mode, chosen, counted=counted)
    plan = Plan(
        f"{name}()",
        ufunc,
        signature.results,
        readers,
        phases.ufunc(name, mode, chosen, contracted=False) if _contracts(row) else None,
        _by_table(name, mode, form, chosen) if len(kinds) == 1 else None,
        integers,
    )
    if engine == choice.AUTO and chosen is choice.PLAIN and phases.has_kernel(name, form):
        return plan._replace(ufunc=phases.ufunc_of_reference(name, mode, form), many=ufunc, few=_FEW_BY_REFERENCE)
    return plan


def _planned_of_vectors(row: Builtin, mode: Rounding, engine: Engine, kinds: tuple[Any, ...]) -> Plan | None:
    """The plan for arrays of vectors in one format."""
    forms = {format_of(kind) if isinstance(kind, np.dtype) else None for kind in kinds}
    if len(forms) != 1 or not forms <= set(row.formats):
        return None
    return Plan(
        f"{row.name}()",
        phases.ufunc_of_vectors(row.name, mode, engine),
        (),
        in_steps=phases.ufunc_of_vectors(row.name, mode, engine, contracted=False) if _contracts(row) else None,
        widths=frozenset((width,) for width in row.widths),
    )


def _contracts(row: Builtin) -> bool:
    """Whether contraction changes results: of formulas, and of what another formula replaces without it."""
    return bool(row.formula or row.uncontracted)


def _by_table(name: str, mode: Rounding, form: Format, engine: Engine) -> np.ufunc | None:
    """Return the ufunc that looks results of a short format up; None where there is no table."""
    is_tabled = form.is_short and phases.has_kernel(name, form)
    return phases.ufunc_of_steps(name, mode, form, engine) if is_tabled else None
