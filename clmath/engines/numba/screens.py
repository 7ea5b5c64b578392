"""The text of the loops that look for results in float that stand out: one module for each row of an audit."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.numba.loops import FIRST_CACHE, kernel_module, template
from clmath.kernels import QUICK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from clmath.engines.numba.loops import Fill
    from clmath.kernels import Kernel

__all__ = ["are_screened", "screen_loops", "screen_module"]


class _Result(NamedTuple):
    """The result number ``n`` of a row, and the kernel that gives it."""

    n: int
    kernel: Kernel

    @property
    def parts(self) -> list[str]:
        """The names of the parts of its enclosures."""
        return [f"{part}{self.n}" for part in self.kernel.parts]


def are_screened(kernels: Sequence[Kernel], count: int) -> bool:
    """Whether there is a loop for the results in float, and ints, that ``kernels`` give of ``count`` arguments."""
    return count == 1 and all(kernel.rung == QUICK.name for kernel in kernels)


def screen_module(kernels: Sequence[Kernel]) -> str:
    """The name of the module of ``screen_loops``."""
    return "_".join(["clmath_loops_screen", *[kernel.name for kernel in kernels]])


def screen_loops(kernels: Sequence[Kernel], *, cached: bool) -> str:
    """The module that screens the results that ``kernels`` give together; it imports their own modules."""
    results = [_Result(n, kernel) for n, kernel in enumerate(k for k in kernels for _ in range(k.results))]
    parts = [part for one in results for part in one.parts]
    fill = {
        "cached": str(cached),
        "kernels": ", ".join(kernel.name for kernel in kernels),
        "chunk": str(FIRST_CACHE // len(parts)),
        "rounded": "0.0" if all(kernel.is_exact for kernel in kernels) else "0.5",
        "parts": ", ".join(parts),
        "codes": ", ".join(f"codes{one.n}" for one in results),
        "cut_codes": ", ".join(f"codes{one.n}[first:last]" for one in results),
        "scratch": "\n    ".join(f"all_{name} = np.empty(CHUNK)" for name in parts),
        "cuts": "\n        ".join(f"{name} = all_{name}[: last - first]" for name in parts),
    }
    fill |= _enclosures(kernels, results)
    fill |= _of_integers([one.n for one in results if one.kernel.is_integer])
    fill |= _of_reals([one for one in results if not one.kernel.is_integer])
    return template("screen").format(**fill)


def _enclosures(kernels: Sequence[Kernel], results: Sequence[_Result]) -> Fill:
    """What computes the enclosures of all results, kernel after kernel."""
    imports, calls, left = [], [], iter(results)
    for k, kernel in enumerate(kernels):
        parts = [part for one in itertools.islice(left, kernel.results) for part in one.parts]
        imports.append(f"from {kernel_module(kernel)} import enclosure_loop as enclosures{k}")
        calls.append(f"enclosures{k}(x0[first:last], {', '.join(parts)})")
    return {"imports": "\n".join(imports), "enclosures": "\n        ".join(calls)}


def _of_integers(numbers: Iterable[int]) -> Fill:
    """What tells which ints are right: of all lanes, and of one."""
    return {
        "are_right": "".join(f" & (hi{n}[i] == np.float64(codes{n}[i]))" for n in numbers),
        "is_right": "".join(f" and hi{n}[i] == codes{n}[first + i]" for n in numbers),
    }


def _of_reals(results: Iterable[_Result]) -> Fill:
    """What measures the other results, and looks at them one by one."""
    rounded, beyond, within, scratch, measured, judged = ([""] for _ in range(6))
    for one in results:
        n, bounds = one.n, ", ".join(f"{part}[i]" for part in one.parts)
        rounded.append(f" & is_rounded_to_float({bounds}, np.int64(codes{n}[i]))")
        beyond.append(f" | is_beyond({bounds}, beyond)")
        within.append(f" & is_well_within_float({bounds})")
        scratch.append(template("screen_scratch").format(n=n))
        measured.append(template("screen_measured").format(n=n, bounds=bounds, off=repr(one.kernel.reach)))
        judged.append(template("screen_judged").format(n=n))
    return {
        "are_rounded": "".join(rounded),
        "is_beyond": "".join(beyond),
        "is_within": "".join(within),
        "errors": "".join(scratch),
        "measured": "".join(measured),
        "judged": "".join(judged),
    }
