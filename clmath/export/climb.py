"""Which kernels decide a built-in in a format, one after the other: what the tables of the rungs say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.export.whole import is_whole
from clmath.kernels import RUNGS
from clmath.kernels.direct import kernels_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Result", "further", "results"]


class Result(NamedTuple):
    """One result of a built-in: the kernel that encloses it first, its number there, and its name by itself."""

    kernel: Kernel
    number: int
    alone: str


def results(row: Builtin, form: Format) -> tuple[Result, ...]:
    """Each result of ``row`` in ``form``, in the order of its declaration; none where it needs no enclosure."""
    if is_whole(row):
        return ()
    found = []
    for kernel in kernels_of(row.name, form):
        names = RUNGS[kernel.rung].together.get(kernel.name, (kernel.name,) * kernel.results)
        found += [Result(kernel, number, name) for number, name in enumerate(names)]
    return tuple(found)


def further(result: Result) -> Iterator[Kernel]:
    """The kernels that are asked after the first, with exact results found, leaves ``result`` open: one of each rung.

    A kernel of several results is followed by that of the one result in its own rung, which may be narrowed.
    """
    rungs = list(RUNGS.values())
    first = rungs.index(RUNGS[result.kernel.rung])
    for rung in rungs[first + (result.kernel.results == 1) :]:
        kernel = rung.kernels.get(result.alone)
        if kernel is not None:
            yield kernel
