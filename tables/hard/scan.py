"""Makes hard inputs for double by the ten thousand: ``python tables/hard/scan.py sin 10000`` prints one call per line.

Kernels are only asked which results look close to a rounding boundary, among millions of random arguments and runs of
neighbouring ones; for functions of period pi, numbers closest to multiples of pi/2, by continued fractions, come first.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.item import Item
from clmath.engines import choice
from clmath.kernels import ACCURATE
from clmath.numbers.formats import DOUBLE
from clmath.spec.builtins import builtin

if __name__ == "__main__":
    import find
else:
    from tables.hard import find

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["hard", "turns"]

CHUNK = 1 << 15
RUN = 64  # neighbouring arguments tried one after the other


def hard(name: str, count: int, tried: int = 1 << 20) -> tuple[NDArray[Any], ...]:
    """The ``count`` calls, among ``tried``, whose results seem closest to a number or a midpoint."""
    item, rng = Item(builtin(name), DOUBLE), np.random.default_rng(11)
    apart, columns = [], []
    for _ in range(0, tried, CHUNK):
        args = generated(rng, item)
        near = distances(name, args)
        elements = np.argpartition(near, min(count, CHUNK - 1))[:count]
        apart.append(near[elements])
        columns.append([a[elements] for a in args])
    order = np.argsort(np.concatenate(apart), kind="stable")[:count]
    return tuple(np.concatenate(column)[order] for column in zip(*columns, strict=True))


def generated(rng: np.random.Generator, item: Item) -> tuple[NDArray[Any], ...]:
    """As an audit generates them; half of the calls are runs of neighbours in the first argument."""
    first, *others = random_columns(rng, item, CHUNK)
    starts = first[: CHUNK // 2 : RUN].view(np.int64)
    runs = (starts[:, None] + np.arange(RUN)).ravel().view(np.float64)
    return (np.concatenate([runs, first[CHUNK // 2 :]]), *others)


def distances(name: str, args: tuple[NDArray[Any], ...]) -> NDArray[np.float64]:
    """How far, in ulp, results seem to be from the nearest number or midpoint; infinite where that is known exactly."""
    with np.errstate(all="ignore"):
        value = choice.PLAIN.enclosure(ACCURATE.kernels[name], args)
        share = np.abs(value.lo) / np.spacing(np.abs(value.hi))
        apart = np.minimum(share, np.abs(share - 0.5))
    return np.where((value.err > 0.0) & np.isfinite(apart), apart, np.inf)


def turns(count: int) -> NDArray[np.float64]:
    """The ``count`` doubles, of any exponent, that are closest to a multiple of pi/2."""
    return np.array([float.fromhex(text) for text in find.near_quarter_turns(DOUBLE, count)])


def main() -> None:
    """Print the calls, hexadecimal."""
    name, count = sys.argv[1], int(sys.argv[2])
    if name in find.QUARTER_TURNS:
        print("\n".join(find.short_hex(float(x)) for x in turns(count)))
    columns = hard(name, count)
    print("\n".join(find.line(columns, i) for i in range(len(columns[0]))))


if __name__ == "__main__":
    main()
