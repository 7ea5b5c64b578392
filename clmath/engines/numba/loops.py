"""The text of the compiled loops: one module for each kernel, one for rounding to each format.

A loop that computes and rounds at once is so long that a processor does not overlap its rounds. So one compiled call
takes chunk after chunk through two short loops, enclosures first, which stay in the first cache, their rounding next;
a third finds exact results and notes what is undecided, in the few chunks that come close to a boundary.
"""

from __future__ import annotations

from clmath import kernels

__all__ = ["FORMS", "kernel_loops", "rounding_loops", "rounding_module"]

FORMS = ("float", "half")

_ROUNDING = '''"""Rounds enclosures to {form} in every mode; written and compiled by clmath.engines.numba."""
import numba
import numpy as np

from clmath.engines.numba.llvm import wide_vectors
from clmath.numbers.lane_rounding import RTE, wide
from clmath.numbers.lane_rounding import near_{form} as near
from clmath.numbers.lane_rounding import to_{form} as encoded

MAY_BE_WIDE = {wide}


@numba.njit(cache={cached}, nogil=True, error_model="numpy")
def encode(values, errs, mode, codes):
    """Encode the middles; whether a lane may be undecided."""
    wide_vectors()
    some = False
    if mode == RTE:
        for i in range(values.shape[0]):
            codes[i] = encoded(values[i], RTE)
            some |= near(values[i]) & (errs[i] > 0.0)
    else:
        for i in range(values.shape[0]):
            codes[i] = encoded(values[i], mode)
            some |= near(values[i]) & (errs[i] > 0.0)
    if MAY_BE_WIDE:
        for i in range(values.shape[0]):
            some |= wide(values[i], errs[i])
    return some


@numba.njit(cache={cached}, nogil=True, error_model="numpy")
def note_undecided(values, errs, mode, first, undecided, count):
    """Note the undecided lanes, numbered from ``first``, behind the ``count`` known ones; how many are known then."""
    for i in range(values.shape[0]):
        if (near(values[i]) or wide(values[i], errs[i])) and errs[i] > 0.0:
            if encoded(values[i] - errs[i], mode) != encoded(values[i] + errs[i], mode):
                undecided[count] = first + i
                count += 1
    return count
'''
_KERNEL = '''"""The loops of kernel {kernel}, written and compiled by clmath.engines.numba."""
import numba
import numpy as np

from clmath.engines.numba.llvm import wide_vectors
from clmath.kernels.{family} import {imports}
from {rounding_float} import encode as encode_float, note_undecided as note_undecided_floats
from {rounding_half} import encode as encode_half, note_undecided as note_undecided_halfs

CHUNK = 1024  # enclosures stay in the first cache until they are rounded


@numba.njit(cache={cached}, nogil=True, error_model="numpy")
def enclosure_loop({arrays}, {enclosures}):
    wide_vectors()
    for i in range(values0.shape[0]):
        {elements} = kernel({scalars})
{settle}{forms}'''
_SETTLE = """

@numba.njit(cache={cached}, nogil=True, error_model="numpy")
def settle_loop({arrays}, values0, errs0):
    wide_vectors()
    for i in range(values0.shape[0]):
        values0[i], errs0[i] = settle({scalars}, values0[i], errs0[i])
"""
_FORM = '''

@numba.njit(cache={cached}, nogil=True, error_model="numpy")
def {form}_loop({arrays}, mode, {codes}, undecided):
    """Round every lane, write the numbers of the undecided ones to ``undecided`` and return how many there are."""
    {scratch}
    count = np.int64(0)
    for first in range(0, codes0.shape[0], CHUNK):
        last = min(first + CHUNK, codes0.shape[0])
        {cuts}
        enclosure_loop({slices}, {enclosures})
        {roundings}
    return count
'''
_ROUNDED = """\
if encode_{form}(values{n}, errs{n}, mode, codes{n}[first:last]):
            {again}count = note_undecided_{form}s(values{n}, errs{n}, mode, first, undecided, count)
"""
_AGAIN = """\
settle_loop({slices}, values0, errs0)
            encode_{form}(values0, errs0, mode, codes0[first:last])
            """


def rounding_module(form: str, *, wide: bool) -> str:
    """The name of the module of ``rounding_loops``."""
    return f"clmath_loops_rounding_{form}" + "_wide" * wide


def rounding_loops(form: str, *, wide: bool, cached: bool) -> str:
    """The module that rounds enclosures to ``form``, ``wide`` ones too; Numba keeps it on disk where it is ``cached``.

    Its functions have one signature each: where two processes fill one cache, Numba may mix up several.
    """
    return _ROUNDING.format(form=form, wide=wide, cached=cached)


def kernel_loops(kernel: str, count: int, *, cached: bool) -> str:
    """The module of one kernel with ``count`` arguments and, where it has one, the function that settles it."""
    settling = kernels.settling(kernel)
    arrays, results = [f"x{i}" for i in range(count)], range(kernels.results(kernel))
    pairs = [name for n in results for name in (f"values{n}", f"errs{n}")]
    fill = {
        "cached": str(cached),
        "arrays": ", ".join(arrays),
        "slices": ", ".join(f"{name}[first:last]" for name in arrays),
        "scalars": ", ".join(f"np.float64({name}[i])" for name in arrays),
        "enclosures": ", ".join(pairs),
        "elements": ", ".join(f"{name}[i]" for name in pairs),
        "codes": ", ".join(f"codes{n}" for n in results),
        "scratch": "\n    ".join(f"all_{name} = np.empty(CHUNK)" for name in pairs),
        **{f"rounding_{form}": rounding_module(form, wide=kernels.is_wide(kernel)) for form in FORMS},
        "cuts": "\n        ".join(f"{name} = all_{name}[: last - first]" for name in pairs),
    }
    return _KERNEL.format(
        family=kernels.family_of(kernel),
        kernel=kernel,
        imports=f"{kernel} as kernel" + (f", {settling} as settle" if settling else ""),
        settle=_SETTLE.format(**fill) if settling else "",
        forms="".join(_form_loop(form, settling is not None, results, fill) for form in FORMS),
        **fill,
    )


def _form_loop(form: str, settles: bool, results: range, fill: dict[str, str]) -> str:
    """The function that rounds the results of a kernel to ``form``."""
    again = _AGAIN.format(form=form, **fill) if settles else ""
    roundings = [_ROUNDED.format(form=form, n=n, again=again).strip() for n in results]
    return _FORM.format(form=form, roundings="\n        ".join(roundings), **fill)
