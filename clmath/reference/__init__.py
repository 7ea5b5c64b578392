"""Truth: the exact values of the real-valued built-ins by MPFR or, as a second opinion, by mpmath; never by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from clmath import errors
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Enclosure, Rounding

if TYPE_CHECKING:
    from clmath.reference.real import Real

__all__ = ["ORACLES", "Oracle", "enclose", "exact", "rounded"]

Oracle: TypeAlias = Literal["auto", "mpfr", "mpmath"]
ORACLES: tuple[Oracle, ...] = get_args(Oracle)


def enclose(
    name: str, args: Sequence[np.ndarray], form: Format, oracle: Oracle = "auto"
) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """The exact values of the built-in ``name`` on whole arrays: ``err = 0``, so that they round right in every mode.

    ``args`` are one-dimensional arrays of one length, of ``form`` or int; a geometric built-in takes one array per
    component, first the components of p0. One entry per result: an ``Enclosure``, or an int array. ``oracle``: 'mpfr'
    ('auto') or 'mpmath'.
    """
    if args[0].size == 0:
        ones = enclose(name, [np.ones(1, a.dtype) for a in args], form, oracle)
        return tuple(one[:0] if isinstance(one, np.ndarray) else one.elements(slice(0)) for one in ones)
    if oracle in ("auto", "mpfr"):
        from clmath.reference import mpfr

        return mpfr.enclose(name, args, form)
    if oracle == "mpmath":
        from clmath.reference import mp

        return mp.enclose(name, args, form)
    raise errors.not_one_of("enclose()", "oracle", oracle, ORACLES)


def exact(name: str, *args: object, form: Format | None = None) -> Real | int | tuple[Real | int, ...]:
    """The exact value of one call, a ``real.Real`` that narrows at will, or a tuple; see ``real.exact``."""
    from clmath.reference import real

    return real.exact(name, *args, form=form)


def rounded(
    name: str, args: Sequence[object], form: Format, mode: Rounding, oracle: Oracle = "auto"
) -> np.generic | tuple[np.generic, ...]:
    """The correctly rounded result of one call: a NumPy scalar of ``form`` or int, or a tuple; see ``real.rounded``."""
    from clmath.reference import real

    return real.rounded(name, args, form, mode, oracle)
