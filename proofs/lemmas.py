"""Words for lemmas: functions and their marks, subintervals, and lemmas of functions that refine results.

A lemma is a value: assumptions on named values of a function over subintervals, and claims that follow from them::

    lemma("power", kernel(exp, 2), (at(0.0, 0.3467), at(-0.3467, 0.0)), powers=(-170, 170))(
        {"r": multiples(-150), "d": within(2.0**-54), "n": Exponent()}, encloses_rounded(exp(v.r + v.d), power=1)
    )

says: where r is a multiple of 2^-150 in the subinterval, |d| <= 2^-54 and n is any integer q between the powers, the
result is within its err of 2^q e^(r + d). Assumptions, or claims, that depend on the subinterval s are functions of s.
``terms`` has the words for assumptions and claims. Files of lemmas import all names from here, including the names of
the standard library that such files use (``math``, ``Fraction``, ``pairwise``, ``Sequence``).
"""

from __future__ import annotations

import inspect
import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction  # noqa: F401
from itertools import pairwise
from typing import Any, TypeAlias

from clmath.ir.primitives import SIGN  # noqa: F401
from clmath.ir.program import Kind
from proofs import terms
from proofs.engine.models import GREATEST, half_ulp  # noqa: F401
from proofs.engine.proof import Assumptions, Claiming, Lemma
from proofs.engine.traced import Traced, traced
from proofs.terms import *

Formulas: TypeAlias = "Mapping[str, tuple[object, ...]]"
Cases: TypeAlias = "Mapping[Any, tuple[Mapping[str, bool], Sequence[tuple[str, str | float]]]]"

ONE, BINADE = 1023 << 52, 1 << 52  # the encoding of 1; encodings in a binade
SCALED = 1074  # subnormal numbers are scaled by 2^1074

_RESULTS: tuple[Kind, ...] = ("double", "double", "double", "long")


def kernel(function: Callable[..., object], results: int = 4) -> Traced:
    """Return the trace of a kernel with ``results`` results, 2 for fast kernels, or of a function that refines them.

    The fourth result, and an argument called ``exponent``, are integers, all others are doubles.
    """
    inputs: list[Kind] = ["long" if name == "exponent" else "double" for name in inspect.signature(function).parameters]
    return traced(function, inputs, [_RESULTS[i % 4] for i in range(results)])


def second(function: Callable[..., object]) -> Traced:
    """Return the trace of a function that serves some arguments of a kernel."""
    return replace(kernel(function), second=function.__name__)


def scoped(kernel: Traced, scope: str) -> Traced:
    """Return the kernel with the names of a scope as the function that is called there marks them."""
    names, prefix = kernel.program.names, f"{scope}."
    inner = {name.removeprefix(prefix): found for name, found in names.items() if name.startswith(prefix)}
    return replace(kernel, program=replace(kernel.program, names={**names, **inner}))


Stated: TypeAlias = "Callable[[Assumptions, Claiming], Lemma]"
Settings: TypeAlias = "Mapping[str, Any]"  # of a lemma, for the prover
SAME_EXPONENT = Same("new_exponent", "exponent")  # the claim of functions that refine results


def lemma(name: str, function: Traced, over: Iterable[Subinterval], **more: Any) -> Stated:
    """Return the lemma of a function on subintervals as a function of its assumptions and its claim."""
    return lambda assume, claim: Lemma(name, function, tuple(over), assume, claim, **more)


def joined(name: str, *lemmas: Lemma) -> Lemma:
    """Return one lemma with the subintervals and statements of several lemmas."""
    statements = {s: one.statement(s) for one in lemmas for s in one.over}
    return lemma(name, lemmas[0].traced, statements)(
        lambda s: dict(statements[s].assume), lambda s: statements[s].claims
    )


@dataclass(frozen=True)
class Refinement:
    """The lemmas of a function that is called after a kernel and refines its results."""

    traced: Traced

    def lemma(self, name: str, over: Iterable[Subinterval], **more: Any) -> Stated:
        """Return a lemma of the function, as a function of assumptions and claim."""
        return lemma(name, self.traced, over, **more)

    @property
    def results(self) -> Sequence[str]:
        """The names of the results that the function is given."""
        return RESULTS[len(self.traced.program.outputs)]

    def unchanged(self, *groups: tuple[str, ...], name: str = "unchanged") -> Lemma:
        """Return the lemma that results stay the same where all conditions of a group are false."""
        same = tuple((f"new_{result}", result) for result in self.results)
        return self.same(name, {group: (dict.fromkeys(group, False), same) for group in groups})

    def same(self, name: str, cases: Cases) -> Lemma:
        """Return the lemma that values are other values, or numbers, under conditions; ``cases``: both by a key."""

        def claim(s: Subinterval) -> Claims:
            return [
                Same(name, other) if isinstance(other, str) else near(v[name], other, 0)
                for name, other in cases[s.of][1]
            ]

        return self.lemma(name, [terms.at(of=key) for key in cases])(lambda s: cases[s.of][0], claim)

    def meaning(self, formulas: Formulas, name: str = "meaning") -> Lemma:
        """Return the lemma that values are computed by these operations."""
        over = [terms.at(of=value) for value in formulas]
        return self.lemma(name, over)({}, lambda s: Formula(s.of, formulas[s.of]))

    def never(self, name: str, of: str, condition: str, over: Sequence[Subinterval]) -> Lemma:
        """Return the lemma that a condition is false where the value ``of`` is in these subintervals."""
        return self.lemma(name, over)({of: multiples(-1074)}, Is(condition, expected=False))

    def exactly(self, value: Numeric, power: int = 0) -> Claims:
        """Return the claims that the new results are ``value`` 2^(power q), with a bound of 0."""
        found = sum((v[f"new_{part}"] for part in self.results if part in {"value", "hi", "lo"}), term(0))
        return [near(found, value, 0, power=power), near(v.new_err, 0, 0)]


def refinement(function: Callable[..., object], results: int = 4, name: str = "") -> Refinement:
    """Return the refinement by a function, or by the function ``name`` that it calls."""
    return Refinement(replace(kernel(function, results), second=name or function.__name__, refines=True))


def last_place(x: float, bits: int = 53) -> int:
    """Return the exponent of the last place of a number of ``bits`` bits."""
    return math.frexp(x)[1] - bits


def binades(low: float, high: float, *, signs: bool = False, **parameters: object) -> Iterator[Subinterval]:
    """Yield 0 < low .. high cut at powers of two; with ``signs``, also mirrored, with another parameter ``sign``."""
    start, last = low, math.frexp(high)[1]
    while start < high:
        exponent = math.frexp(start)[1]
        end = math.ldexp(1.0, exponent) if exponent < last else high
        if signs:
            yield terms.at(start, end, sign="+", **parameters)
            yield terms.at(-end, -start, sign="-", **parameters)
        else:
            yield terms.at(start, end, **parameters)
        start = end


def of_both_signs(low: float, high: float) -> list[Subinterval]:
    """Return the binades of both signs, told apart by 1 and -1."""
    return [at(s.low, s.high, sign=1 if s.low > 0.0 else -1) for s in binades(low, high, signs=True)]


def opposite(over: Iterable[Subinterval]) -> Iterator[Subinterval]:
    """Yield the subintervals on the other side of zero."""
    yield from (replace(s, low=-s.high, high=-s.low) for s in over)


def mirrored(over: Iterable[Subinterval]) -> Iterator[Subinterval]:
    """Yield subintervals, each followed by its mirror image on the other side of zero."""
    for s in over:
        yield from (s, *opposite([s]))


def open_binades(low: float, high: float, bits: int = 53, **parameters: object) -> Iterator[Subinterval]:
    """Yield binades of both signs, each without the power of two at its end, for numbers of ``bits`` bits."""
    for s in binades(low, high):
        last = s.high - max(math.ldexp(s.high, -bits), math.ulp(0.0))
        yield terms.at(s.low, last, sign="+", **parameters)
        yield terms.at(-last, -s.low, sign="-", **parameters)


def parts(low: float, high: float, count: int) -> Iterator[tuple[float, float]]:
    """Yield the ends of ``count`` equal parts."""
    yield from pairwise([*(low + (high - low) * i / count for i in range(count)), high])


def cut(over: Iterable[Subinterval], count: int) -> Iterator[Subinterval]:
    """Yield subintervals, each cut into ``count`` equal parts."""
    yield from (replace(s, low=low, high=high) for s in over for low, high in parts(s.low, s.high, count))


def eighths(low: float, high: float, **parameters: Any) -> Iterator[Subinterval]:
    """Yield the eighths of all binades from 0 < low to high, each also mirrored."""
    return mirrored(cut(binades(low, high, **parameters), 8))


def choices(over: Iterable[Subinterval] = (terms.at(),), **parameters: Iterable[object]) -> Iterator[Subinterval]:
    """Yield subintervals with every choice of further parameters, the last one changing fastest."""
    values = [tuple(several) for several in parameters.values()]
    for s in over:
        for chosen in itertools.product(*values):
            yield replace(s, parameters=(*s.parameters, *zip(parameters, chosen, strict=True)))
