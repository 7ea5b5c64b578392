"""Truth: the exact value of every real-valued built-in, by MPFR or, as a second opinion, by mpmath; never by kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.formats import Format
    from clmath.rounding import Enclosure

__all__ = ["ORACLES", "Oracle", "enclose"]

Oracle: TypeAlias = Literal["auto", "mpfr", "mpmath"]
ORACLES: tuple[Oracle, ...] = ("auto", "mpfr", "mpmath")


def enclose(
    name: str, args: Sequence[NDArray[Any]], form: Format, oracle: Oracle = "auto"
) -> tuple[Enclosure | NDArray[np.int32], ...]:
    """The exact values of the built-in ``name`` on whole arrays: ``err = 0``, so that they round right in every mode.

    ``args`` are one-dimensional arrays of one length, of ``form`` or int; a geometric built-in takes one array a lane,
    those of p0 first. One entry a result: an ``Enclosure``, or an int array. ``oracle``: 'mpfr' ('auto') or 'mpmath'.
    """
    if oracle in ("auto", "mpfr"):
        from clmath.reference import mpfr

        return mpfr.enclose(name, args, form)
    raise errors.not_one_of("enclose()", "oracle", oracle, ORACLES)
