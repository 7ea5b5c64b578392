"""The text of the compiled loops: one module for each kernel, one for rounding to each format.

A loop that computes and rounds at once is so long that a processor does not overlap its rounds. So one compiled call
takes chunk after chunk through two short loops, enclosures first, which stay in the first cache, their rounding next;
a third finds exact results and decides again, noting what is undecided, where lanes come close to a boundary: on these
by themselves where they are few. The texts are the files of the folder ``templates``.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from clmath.kernels import DOUBLE, QUICK, RUNGS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.kernels import Kernel

__all__ = [
    "FIRST_CACHE",
    "FORMS",
    "Fill",
    "kernel_loops",
    "kernel_module",
    "rounding_loops",
    "rounding_module",
    "template",
]

FORMS = {QUICK.name: ("float", "half"), DOUBLE.name: ("double",)}  # the formats that the kernels of a rung serve
FIRST_CACHE = 2048  # enclosures' parts of so many lanes, each 8 bytes, leave room for arguments and results in it
Fill = dict[str, str]


@functools.cache
def template(name: str) -> str:
    """The text of one file of the folder."""
    return (Path(__file__).parent / "templates" / f"{name}.txt").read_text(encoding="utf-8")


def rounding_module(form: str, *, wide: bool) -> str:
    """The name of the module of ``rounding_loops``."""
    return f"clmath_loops_rounding_{form}" + "_wide" * wide


def rounding_loops(form: str, *, wide: bool, cached: bool) -> str:
    """The module that rounds enclosures to ``form``, ``wide`` ones too; Numba keeps it on disk where it is ``cached``.

    Its functions have one signature each: where two processes fill one cache, Numba may mix up several.
    """
    rung = DOUBLE if form in FORMS[DOUBLE.name] else QUICK
    text = template(f"rounding_{'double' if rung is DOUBLE else 'narrow'}") + template("rest")
    return text.format(form=form, wide=wide, cached=cached, parts=", ".join(rung.parts))


def kernel_module(kernel: Kernel) -> str:
    """The name of the module of ``kernel_loops``."""
    return f"clmath_loops_{kernel.rung}_{kernel.name}"


def kernel_loops(kernel: Kernel, count: int, *, cached: bool) -> str:
    """The module of one kernel with ``count`` arguments."""
    fill = _names(kernel, count) | {
        "cached": str(cached),
        "kernel": kernel.name,
        "imported": f"in_one, {kernel.name} as kernel" if kernel.is_exact else f"{kernel.name} as kernel",
        "module": kernel.module,
        "refining": kernel.refining or "",
        "chunk": str(FIRST_CACHE // len(RUNGS[kernel.rung].parts)),
    }
    text = template("kernel").format(**fill)
    text += template("ordinary").format(**fill) if kernel.ordinary else "\n\nenclosure_loop = general_loop\n"
    text += template("refine").format(**fill) if kernel.refining else ""
    return text + "".join(_form_loop(kernel, form, fill) for form in FORMS[kernel.rung])


def _names(kernel: Kernel, count: int) -> Fill:
    """The arguments and the parts of the enclosures as the loops name them."""
    arrays = [f"x{i}" for i in range(count)]
    scalars = ", ".join(f"np.float64({name}[i])" for name in arrays)
    parts = [name for n in range(kernel.results) for name in _parts(kernel, n)]
    return {
        "arrays": ", ".join(arrays),
        "slices": ", ".join(f"{name}[first:last]" for name in arrays),
        "cuts_of_slices": ", ".join(f"{name}[first + start : first + stop]" for name in arrays),
        "cuts_of_parts": _cut(parts),
        "scalars": scalars,
        "bounded": _bounded(kernel, f"kernel({scalars})"),
        "parts": ", ".join(parts),
        "first_part": parts[0],
        "elements": ", ".join(f"{name}[i]" for name in parts),
        "refined": "\n        ".join(_refined(kernel, n, count) for n in range(kernel.results)),
        "codes": ", ".join(f"codes{n}" for n in range(kernel.results)),
        "scratch": "\n    ".join(f"all_{name} = np.empty(CHUNK, np.{_dtype(name)})" for name in parts),
        "cuts": "\n        ".join(f"{name} = all_{name}[: last - first]" for name in parts),
    }


def _bounded(kernel: Kernel, call: str) -> str:
    """The parts of all enclosures, one after the other, from a ``call`` of the kernel."""
    if not kernel.is_exact:
        return call
    return (
        f"in_one({call})" if kernel.results == 1 else " + ".join(f"in_one({call}[{n}])" for n in range(kernel.results))
    )


def _parts(kernel: Kernel, n: int) -> list[str]:
    """The names of the parts of the result number ``n``."""
    return [f"{part}{n}" for part in RUNGS[kernel.rung].parts]


def _refined(kernel: Kernel, n: int, count: int) -> str:
    """The line that finds the exact results among those numbered ``n``."""
    elements = ", ".join(f"{part}[i]" for part in _parts(kernel, n))
    scalars = ", ".join(f"np.float64(x{i}[i])" for i in range(count))
    return f"{elements} = refine({scalars}, {elements})"


def _cut(parts: Iterable[str]) -> str:
    """The lanes from ``start`` to ``stop`` of ``parts``."""
    return ", ".join(f"{part}[start:stop]" for part in parts)


def _dtype(part: str) -> str:
    return "int64" if part.startswith("exponent") else "float64"


def _form_loop(kernel: Kernel, form: str, fill: Fill) -> str:
    """The function that rounds the results of a kernel to ``form``."""
    refine = (
        "refine_loop({cuts_of_slices}, {cuts_of_parts})\n                ".format(**fill) if kernel.refining else ""
    )
    roundings = [
        template("result")
        .format(
            form=form,
            n=n,
            refine=refine,
            parts_of_result=", ".join(_parts(kernel, n)),
            cut_of_result=_cut(_parts(kernel, n)),
        )
        .strip()
        for n in range(kernel.results)
    ]
    rounding = rounding_module(form, wide=kernel.is_wide)
    return template("form").format(form=form, rounding=rounding, roundings="\n        ".join(roundings), **fill)
