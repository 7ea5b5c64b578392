"""log, log2, log10, log1p in pairs of doubles: x = 2^q m, and k log 2 + log m, as in the fast kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.ir.lanes import mark
from clmath.kernels.double import logarithm as accurate
from clmath.kernels.double.logarithm import log10, refined_log10
from proofs.fast.logarithm import (
    BINADE,
    ONE,
    SCALED,
    Layout,
    doubling,
    farthest,
    lacking,
    next_to_one,
    places,
    total,
    v,
)
from proofs.fast.logarithm import refined_log10 as exact_log10
from proofs.lemmas import Lemma, kernel
from proofs.terms import encloses

if TYPE_CHECKING:
    from typing import Any

__all__ = ["GREATEST", "LAYOUT", "LEAST", "LEMMAS"]

LAYOUT = Layout(accurate.LOWEST, 256, 44, 256)
LEAST, GREATEST = (ONE - LAYOUT.start) // BINADE - SCALED, ((2047 << 52) - 1 - LAYOUT.start) // BINADE  # k
ORDINARY = {"pole": False, "above": True, "finite": True}


def logarithm(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log, log2 and log10."""
    f = kernel(getattr(accurate, name))
    powers = ((LEAST, -1), (0, 0), (1, GREATEST)) if name == "log" else doubling(LEAST, GREATEST)
    return places(f, LAYOUT, "k", subnormal=True), total(f, LAYOUT, name, 53, powers, ORDINARY, encloses)


def log1p(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log1p: where |x| < CLOSE, the sum is next to 1."""
    f = kernel(accurate.log1p)
    ordinary = ORDINARY | {"tiny": False, "small": False}
    one = (ONE - LAYOUT.start) >> LAYOUT.bits
    near = (1, one, 0), (-1, one, 0)
    assert all(farthest(LAYOUT, *which, 53) >= accurate.CLOSE for which in near)
    powers = (-53, -1), (0, 0), (1, GREATEST - 1), (GREATEST, GREATEST)  # 2^-k underflows at the last
    far = ordinary | {"close": False}
    return (
        places(f, LAYOUT, "k"),
        total(f, LAYOUT, name, 53, powers, far, encloses, {one}, lacking, v.m + v.rest),
        next_to_one(f, LAYOUT, near, accurate.TINY, 53, 53, ordinary, encloses),
    )


def log10_refined(x: Any) -> Any:
    """Return the results of log10, refined."""
    return refined_log10(x, *mark("hi lo err exponent", *log10(x)))


LEMMAS = {
    **dict.fromkeys(("log", "log2"), logarithm),
    "log10": lambda name: (*logarithm(name), *exact_log10(kernel(log10_refined), "hi", 22)),
    "log1p": log1p,
}
