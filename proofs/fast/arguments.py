"""Kernels that are proven directly on subintervals of their arguments: their reductions have few steps."""

from __future__ import annotations

from proofs.lemmas import *

FLOATS = Number(grid=-149, bits=24, snapped=True)
BELOW_ONE, ABOVE_ONE = 1.0 - 2.0**-24, 1.0 + 2.0**-23  # the floats next to 1


def of_arguments(  # noqa: PLR0917
    function: Callable[..., tuple[object, object]],
    ideal: Callable[[Term], Term],
    least: float,
    top: float,
    width: float = 0.0,
    special: Sequence[str] = (),
    signs: Sequence[int] = (1, -1),
) -> tuple[Lemma]:
    """Return a single lemma, "arguments": a kernel encloses ``ideal`` for floats of size ``least`` to ``top``.

    ``width``: of the subintervals; if 0, 2^-6 of their lower end. ``special``: conditions, by the names that ``mark``
    gives them, that do not hold. ``signs``: of the arguments.
    """
    over = (
        s
        for low, high in pieces(least, top)
        for s in equal(low, high, max(math.ceil((high - low) / (width or 2.0**-6 * low)), 1), signs)
    )
    given: dict[str, Property] = {"x": FLOATS, **dict.fromkeys(special, False)}
    return (lemma("arguments", kernel(function, 2), over)(given, encloses_rounded(ideal(v.x))),)


def pieces(least: float, top: float) -> Iterator[tuple[float, float]]:
    """Yield binades from ``least`` to ``top``; next to 1, binades of the distance from 1."""
    ends = {end for s in binades(least, top) for end in (s.low, s.high)}
    if top == BELOW_ONE:
        ends |= {1.0 - 2.0**-i for i in range(1, 24)}
    if least == ABOVE_ONE:
        ends |= {1.0 + 2.0**-i for i in range(1, 23)}
    yield from pairwise(sorted(ends))


def equal(low: float, high: float, count: int, signs: Sequence[int]) -> Iterator[Subinterval]:
    """Yield ``count`` equal subintervals, each with these signs."""
    for first, last in parts(low, high, count):
        for sign in signs:
            yield at(*((first, last) if sign > 0 else (-last, -first)), sign=sign)
