"""Turns of double in steps of 1/1024: tiny arguments, and the sine and the cosine at every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from flint import arb

from clmath.kernels.double import trigonometric as double
from clmath.kernels.double.near_zero import SMALL
from clmath.kernels.double.trigonometric import TINY_TURNS
from proofs.engine.ideals import COS, SIN, applied
from proofs.engine.models import Cell, Model, binades
from proofs.engine.proof import OfFamily
from proofs.families.floats import doubles_between

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["TURN", "OfTiny", "both"]

TURN = 2 * double.HALF_TURN


@dataclass(frozen=True)
class OfTiny(OfFamily):
    """What is below ``top``."""

    name: str = "tiny"
    top: float = TINY_TURNS

    def pieces(self) -> Iterator[tuple[Any, float, float]]:
        """Binades of doubles, both signs, subnormal ones among them; whether the kernel scales them."""
        for _, low, high in binades(2.0**-1074, self.top):
            yield min(abs(low), abs(high)) < SMALL, low, high

    def cell(self, which: Any, low: arb, high: arb) -> Cell | None:
        """Doubles."""
        return doubles_between(low, high)


def both(f: Model, n: int) -> tuple[Model, Model]:
    """The sine and the cosine of (n + f) pi/1024."""
    angle = f.scaled(arb.pi() / double.HALF_TURN)
    step = arb(n) / double.HALF_TURN
    s, c = step.sin_pi(), step.cos_pi()
    sine, cosine = applied(SIN, angle), applied(COS, angle)
    return cosine.scaled(s) + sine.scaled(c), cosine.scaled(c) - sine.scaled(s)
