"""Each kind of claim, true and false, about a small kernel: prover and independent checker distinguish them."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.ir.primitives import fast_two_sum, mark, real, select
from proofs import check, terms
from proofs.engine.assumed import grid_of
from proofs.engine.models import Unproven
from proofs.engine.proof import prove
from proofs.lemmas import Lemma, kernel
from proofs.terms import Exponent, Residue, at, bounded, doubles, encloses_rounded, multiples, near, v, within
from tests.cases import for_each

# kernels


def squared(x):
    return x * x, x * x * 2.0**-50


def tripled(x):
    return x * 3.0


def of_size(x):
    return abs(x) * 3.0


def summed(x):
    square = mark("square", x * x)
    return mark("high low", *fast_two_sum(x, square))


def chosen(x):
    small = mark("small", x < 0.75)
    square = mark("square", x * x)
    return mark("one", select(small, square, x))


def of_integer(x, exponent):
    j, k = mark("j k", exponent & 7, exponent >> 3)
    return x + real(j), real(k)


def enclosing(x):
    square = mark("square", x * x)
    return square, square * 2.0**-60, square * 2.0**-100, 0


# claims


@dataclass
class Example:
    """A lemma with its true claim, and variants of it with false claims."""

    kernel: Any
    results: int
    true: Any
    false: tuple[Any, ...]
    assume: dict[str, Any] = field(default_factory=lambda: {"x": doubles()})
    ends: tuple[float, float] = (0.25, 0.5)
    through: Any = ()

    def lemma(self, claim):
        function = kernel(self.kernel, self.results)
        return Lemma("example", function, [at(*self.ends)], self.assume, claim, (-3, 3), through=self.through)


def calls(function, results=1):
    called = kernel(function, results)
    return terms.Calls(("value", "err")[:results], called.program, called.tables, ("x",))


EXAMPLES = {
    "Bounded, a rounding error": Example(
        squared, 2, near(v.value, v.x * v.x, 2.0**-55), (near(v.value, v.x * v.x, 2.0**-57),)
    ),
    "Bounded, less what rounding the ends takes": Example(
        squared, 2, encloses_rounded(v.x * v.x), (encloses_rounded(v.x * v.x * 1.001),)
    ),
    "Bounded, no error": Example(
        summed,
        2,
        near(v.high + v.low, v.x + v.square, 0),
        (near(v.high, v.x + v.square, 0), near(v.low, terms.term(0), 0)),
    ),
    "Bounded, an exact function": Example(
        squared,
        2,
        near(v.value, terms.exp(terms.log(v.x) * 2), 2.0**-54),
        (near(v.value, terms.exp(v.x), 0.1),),
    ),
    "Bounded, with what is unknown": Example(
        squared,
        2,
        near(v.value, (v.x + v.d) * (v.x + v.d), 2.0**-29),
        (near(v.value, (v.x + v.d) * (v.x + v.d), 2.0**-33),),
        {"x": doubles(), "d": within(2.0**-30)},
    ),
    "OnGrid": Example(
        squared,
        2,
        terms.OnGrid("value", -20, 18),
        (terms.OnGrid("value", -19), terms.OnGrid("value", -20, 8)),
        {"x": terms.Number(grid=-10, bits=9)},
    ),
    "Is, a rest": Example(
        of_integer,
        2,
        terms.Is("j", 3),
        (terms.Is("j", 4),),
        {"x": doubles(), "exponent": Residue(3, 8)},
    ),
    "Is, a condition": Example(chosen, 1, terms.Is("small", True), (terms.Is("small", False),)),
    "Is, an exponent": Example(
        of_integer,
        2,
        terms.Is("exponent", Exponent(2)),
        (terms.Is("exponent", Exponent(1)),),
        {"x": doubles(), "exponent": Exponent(2)},
    ),
    "Even": Example(of_size, 1, terms.Even("value"), (terms.Even("x"),)),
    "OfNegative": Example(
        tripled,
        1,
        terms.OfNegative(bounded(v.value + 1.0, 0.6)),
        (bounded(v.value + 1.0, 0.6), terms.OfNegative(bounded(v.value - 1.0, 0.6))),
    ),
    "Same": Example(
        chosen,
        1,
        terms.Same("one", "square"),
        (terms.Same("one", "x"),),
        {"x": doubles(), "small": True},
    ),
    "SameIn": Example(
        summed,
        2,
        terms.SameIn("square", __name__, "enclosing"),
        (terms.SameIn("square", __name__, "wrongly_enclosing"),),
    ),
    "Formula": Example(
        squared,
        2,
        terms.Formula("value", ("double.mul", "x", "x")),
        (
            terms.Formula("value", ("double.add", "x", "x")),
            terms.Formula("err", ("double.mul", "value", 2.0**-51)),
        ),
    ),
    "RestOfSum": Example(
        summed,
        2,
        terms.RestOfSum("high", "low"),
        (terms.RestOfSum("low", "high"), terms.RestOfSum("square", "low")),
    ),
    "Calls": Example(squared, 2, calls(squared, 2), (calls(tripled), calls(of_size))),
    "When": Example(
        chosen,
        1,
        terms.When("small", (bounded(v.one, 0.3),), (bounded(v.one, 0.1),)),
        (terms.When("small", (bounded(v.one, 0.06),), (bounded(v.one, 1.0),)),),
    ),
    "Through": Example(
        summed,
        2,
        near(v.high + v.low, v.x + v.x * v.x, 2.0**-54),
        (near(v.high, v.x + v.x * v.x, 2.0**-58),),
        through=[terms.Through(("high", "low"), v.x + v.x * v.x)],
    ),
}


def wrongly_enclosing(x):
    square = mark("square", x * 0.5)
    return square, square * 2.0**-60, square * 2.0**-100, 0


def is_proven(lemma):
    try:
        return not prove(lemma).failed
    except (AssertionError, Unproven):
        return False


def is_accepted(lemma):
    """By the checker, on a short cell in the middle."""
    (s,) = lemma.over
    low = (s.low + s.high) / 2
    traced = check.Traced(lemma.traced.program, lemma.traced.tables)
    try:
        return check.share(traced, lemma.statement(s), (low, low + 2.0**-40), check.Case(2)) <= Fraction(1)
    except (AssertionError, check.Undecided):
        return False


def test_every_kind_of_claim_has_an_example():
    kinds = {name.partition(",")[0] for name in EXAMPLES}
    assert kinds == {*terms.Claim.split(" | "), "Through"}


@for_each("kind", EXAMPLES)
def test_true_claims_are_proven_and_accepted(kind):
    lemma = EXAMPLES[kind].lemma(EXAMPLES[kind].true)
    assert is_proven(lemma)
    assert is_accepted(lemma)


@for_each("kind", EXAMPLES)
def test_false_claims_are_neither_proven_nor_accepted(kind):
    for claim in EXAMPLES[kind].false:
        lemma = EXAMPLES[kind].lemma(claim)
        assert not is_proven(lemma)
        assert not is_accepted(lemma)


# properties


@pytest.mark.parametrize(("low", "high", "grid"), [(1.0, 2.0, -52), (-2.0, -0.5, -53), (-1.0, 1.0, -300)])
def test_doubles_about_zero_are_multiples_of_no_more_than_is_said(low, high, grid):
    assert grid_of(multiples(-300), arb(low), arb(high)) == grid
