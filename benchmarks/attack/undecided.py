"""Count the elements that kernels leave undecided, by kind of argument, before enclosures are narrowed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.attack.arguments import KINDS, Space
from benchmarks.attack.judges import Narrowing
from clmath.engines.numpy import round_enclosures
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.kernels import Kernel

__all__ = ["undecided"]

CHUNK = 1 << 16


def undecided(kernel: Kernel | Narrowing, lanes: int, seed: int) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """Return undecided elements per million, counted and expected, for each kind of argument.

    The counts are of the worst mode. The expected number is the mean of twice the bound divided by the distance of
    neighbouring numbers: the limit of the counts if values are distributed evenly between numbers.
    """
    function = kernel.enclosures if isinstance(kernel, Narrowing) else kernel.function
    alone = replace(kernel.accurate if isinstance(kernel, Narrowing) else kernel, is_narrowed=False)
    space = Space.of(kernel)
    found, expected = {}, {}
    for number, kind in enumerate(KINDS):
        rng = np.random.default_rng([seed, number])
        counted: Counter[str] = Counter()
        width = 0.0
        for first in range(0, lanes, CHUNK):
            args = space.generated(rng, kind, min(CHUNK, lanes - first))
            with np.errstate(all="ignore"):
                some, wide = _of_chunk(alone, space, args, function(*args))
            counted.update(some)
            width += wide
        found[kind] = round(1e6 * max(counted.values()) / lanes, 2)
        expected[kind] = round(1e6 * width / lanes, 4)
    return found, expected


def _of_chunk(
    alone: Kernel, space: Space, args: Sequence[NDArray[np.float64]], parts: Sequence[NDArray[np.float64]]
) -> tuple[Counter[str], float]:
    counted: Counter[str] = Counter()
    for mode in MODES:
        target = np.empty(args[0].shape, space.form.dtype)
        counted[mode] += round_enclosures(alone, space.form, mode, args, parts, (target,)).size
    return counted, _width(alone, space, parts)


def _width(kernel: Kernel, space: Space, parts: Sequence[NDArray[np.float64]]) -> float:
    """Return the sum of the widths of enclosures within the format's range, in ulp of the format."""
    named = kernel.named_parts(parts)
    exponent = named.get("exponent", 0)
    power = np.frexp(named["hi"])[1] + exponent
    share = 2.0 * named["err"] / np.spacing(np.abs(named["hi"]).astype(space.form.dtype)).astype(np.float64)
    in_range = (power > space.form.emin) & (power <= space.form.emax) & (share < 1.0)
    return float(np.sum(share, where=in_range))
