"""The kernels that decide a built-in in a format, in their order, from the tables of the phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.export.whole import is_whole
from clmath.kernels import PHASES
from clmath.kernels.for_devices import kernels_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin


class Result(NamedTuple):
    """One result of a built-in: the kernel that encloses it first, its number there, and its name by itself."""

    kernel: Kernel
    number: int
    alone: str


def results(row: Builtin, form: Format) -> tuple[Result, ...]:
    """Return each result of ``row`` in ``form``, in the order of its declaration; empty if none needs an enclosure."""
    if is_whole(row):
        return ()
    found = []
    for kernel in kernels_of(row.name, form):
        names = PHASES[kernel.phase].together.get(kernel.name, (kernel.name,) * kernel.results)
        found += [Result(kernel, number, name) for number, name in enumerate(names)]
    return tuple(found)


def further(result: Result) -> Iterator[Kernel]:
    """Yield the kernels to try if the first, with exact results found, leaves ``result`` undecided: one per phase.

    A kernel of several results is followed by the kernel of the one result in its own phase, which may be narrowed.
    """
    phases = list(PHASES.values())
    first = phases.index(PHASES[result.kernel.phase])
    for phase in phases[first + (result.kernel.results == 1) :]:
        kernel = phase.kernels.get(result.alone)
        if kernel is not None:
            yield kernel


def name_of_rounding(form: Format, kernel: Kernel) -> str:
    """Return the end of the names of functions that round middles of a kernel's enclosures."""
    return f"{form}{'_wide' * kernel.record.is_wide}"
