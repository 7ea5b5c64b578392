"""Lemmas of every kernel: every ordinary argument is in a subinterval, and an independent checker agrees."""

from __future__ import annotations

import functools
import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from benchmarks.attack import judges
from benchmarks.attack.arguments import KINDS, Space
from clmath.ir.program import Value
from proofs import terms
from proofs.engine.proof import is_refining
from proofs.lemmas import Lemma
from proofs.registry import PROOFS
from tests.cases import for_each, some
from tests.proofs import concrete, second_lemmas
from tests.proofs.proofs_of import told
from tests.proofs.second_checker import Undecided

RESULTS = {
    f"{new}{name}" for names in terms.RESULTS.values() for name in names if name != "exponent" for new in ("", "new_")
} | {"sine"}


@functools.cache
def lemmas_of(rung, name):
    return [part for part in PROOFS[rung, name](name) if isinstance(part, Lemma)]


def is_stated(kernel):
    """Whether all parts of a proof are lemmas, but for what refines results."""
    return all(isinstance(part, Lemma) or is_refining(part) for part in PROOFS[kernel](kernel[1]))


KERNELS = [kernel for kernel in sorted(PROOFS) if is_stated(kernel)]


# every ordinary argument is in a subinterval


def names_in(term):
    """The names in a term or in a claim."""
    if isinstance(term, terms.Bounded):
        return names_in(term.error)
    if not isinstance(term, terms.Term):
        return set()
    return set(term.operands) if term.operation == "value" else set().union(*map(names_in, term.operands))


def speaks_of_results(lemma):
    """Whether the first claim is that of an enclosure."""
    return bool(names_in(lemma.statement(lemma.over[0]).claims[0]) & RESULTS)


def has(found, x, s, powers):
    """Which values have a property; those of which only another value decides have it."""
    match found:
        case terms.Number(value, grid, power=0):
            on_grid = np.ones(x.shape, bool)
            if grid is not None and grid > -900:
                on_grid = x * 2.0**-grid == np.rint(x * 2.0**-grid)
            if value == terms.VARIABLE:
                return on_grid & (x >= s.low) & (x <= s.high)
            if value.operation == "unknown" and value.operands[0].operation == "number":
                return on_grid & (np.abs(x) <= float(value.operands[0].operands[0]))
            return on_grid
        case terms.Residue(rest, modulus):
            return x % modulus == rest
        case terms.Exponent(added, 1, number=True):
            return (x >= powers[0] + added) & (x <= powers[1] + added)
        case bool() | int():
            return x == found
    return np.ones(x.shape, bool)


def arguments(rung, name):
    """Arguments of all kinds that attacks draw, next to powers of two as well."""
    space, rng = Space.of(judges.kernel_of(rung, name)), np.random.default_rng(3)
    drawn = [np.concatenate(given) for given in zip(*(space.drawn(rng, kind, 120) for kind in KINDS), strict=True)]
    if len(drawn) > 1:
        return drawn
    ends = np.exp2(np.arange(-140.0, 128.0, 4.0))
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf), 1.0 + ends[ends < 1.0]])
    return [np.concatenate([*drawn, space.rounded(near), -space.rounded(near)])]


def named_values(traced, *args):
    """The values of the names of a kernel."""
    with np.errstate(all="ignore"):
        values = concrete.values(traced, *args)
    results = terms.RESULTS.get(len(traced.program.outputs), ())
    outputs = zip(results, (operand for _, operand in traced.program.outputs), strict=False)
    names = {**dict(outputs), **traced.program.names}
    return {name: np.asarray(values[found.number]) for name, found in names.items() if isinstance(found, Value)}


def uncovered(rung, name):
    """(ordinary arguments, those of them that are in no subinterval): by the lemmas that speak of results."""
    lemmas = [one for one in lemmas_of(rung, name) if speaks_of_results(one)]
    lemmas = [one for one in lemmas if one.second_functions == lemmas[0].second_functions]
    args, negatives = arguments(rung, name), arguments(rung, name)
    negatives[0] = -negatives[0]
    named, of_negatives = (
        named_values(lemmas[0].traced, *given, *(told(name, *given) if rung == "fine" else ()))
        for given in (args, negatives)
    )
    assumed = [set(lemma.statement(s).assume) for lemma in lemmas for s in some(lemma.over, 50)]
    special = [(name, found) for name, found in set.intersection(*assumed) if isinstance(found, bool)]
    ordinary = np.logical_and.reduce([np.isfinite(args[0]), *(named[name] == found for name, found in special)])
    if [lemma.name for lemma in lemmas] == ["arguments"]:  # beyond the last one results are as there, or NaN
        top = max(s.high for s in lemmas[0].over)
        ordinary &= (np.abs(args[0]) <= top) & (named["err"] > 0.0)
    left = ordinary.copy()
    for lemma in lemmas:
        for s in lemma.over:
            statement = lemma.statement(s)
            either = any(isinstance(claim, terms.OfNegative) for claim in statement.claims)
            for values in (named, of_negatives) if either else (named,):
                at = np.flatnonzero(left)
                inside = np.ones(len(at), bool)
                for one, found in statement.assume:
                    if one in values:
                        inside &= has(found, values[one][at], s, statement.powers)
                left[at[inside]] = False
    return ordinary, left, args


@pytest.mark.slow
@pytest.mark.timeout(900)
@for_each(("rung", "name"), KERNELS)
def test_every_ordinary_argument_is_in_a_subinterval(rung, name):
    ordinary, left, args = uncovered(rung, name)
    assert ordinary.mean() > 0.2
    assert not left.any(), [arg[left][:4] for arg in args]


# the checker


def short(s, bits, draw):
    """A short cell within a subinterval, 2^-bits times as long as it is far from zero."""
    if s.low == s.high:
        return s.low, s.high
    at = draw.uniform(s.low, s.high)
    width = 2.0 ** (math.frexp(at)[1] - bits)
    first = math.floor(at / width) * width
    return max(first, s.low), min(first + width, s.high)


def choices(statement, draw):
    """Integers q and i for which a statement is checked: q between the powers where claims use q as a number."""
    found = [one for _, one in statement.assume]
    low, high = statement.powers
    if low < high or any(isinstance(one, terms.Exponent) and one.number for one in found):
        times = max([1, *(getattr(claim, "power", 0) for claim in statement.claims)])
        low, high = max(low, LEAST // times), min(high, GREATEST // times)
        return [(q, 0) for q in sorted({low, high, draw.randint(low, high)})] if low <= high else []
    if any(isinstance(one, terms.Encoding) for one in found):
        return [(q, i) for q in (-3, 0, 7) for i in (0, 1)]
    if any(isinstance(one, terms.Residue | terms.Exponent) for one in found):
        return [(q, 0) for q in (-5, 0, 3)]
    return [(0, 0)]


def of_group(s, q, _):
    """The unit 2^-k for the k of a group."""
    k = min(max(q, s.k[0]), s.k[1], 90)
    return k, {"unit": 2.0**-k, "below": 0.0}


def middle_of_power(s, q, _):
    """The middle of the range of the power in erfc."""
    return q, {"e": (s.least_e + s.most_e) / 2}


def of_square(s, q, _):
    """The unit 4^-k for the k of a group."""
    k, _ = of_group(s, q, _)
    return k, {"unit": 4.0**-k, "below": 0.0}


def twice(s, q, _):
    """The unit 2^(-n/256) 2^-k of the entry j of a table."""
    k, _ = of_group(s, q, _)
    return k, {"unit": 2.0 ** (-2 * k - (s.j > 0)), "below": 0.0}


def of_product(s, q, _):
    """A factor of a subinterval of products with logarithms."""
    return q, {"factor": s.sign * (1.0 + random.Random(q).random())}


def of_quotient(s, q, _):
    """A quotient of a logarithm and an integer."""
    return q, {"quotient": s.sign * 2.0**s.binade * (1.0 + random.Random(q).random())}


def of_offset(_s, q, _):
    """An offset of powers whose exponents lie in a subinterval, not so small that its square is."""
    return -30, {"base_offset": 1.0 + random.Random(q).random()}


def of_scale(name):
    """An integer of that name that is multiplied by the numbers of a subinterval."""
    return lambda _s, q, _i: (q, {name: 1.0 + random.Random(q).randrange(140)})


def of_rest(s, q, _):
    """The rest of a leg of hypot, with all its bits set."""
    return q, {"rest_of_b": 1.0 - 2.0 ** -max(s.i - 2, 0)}


POWERS = [(rung, name) for rung in ("quick", "double") for name in ("pow", "powr", "pown", "rootn")]
SECONDS = "second", "second next to 1"
FIXED = {  # numbers of which the statement knows a range
    ("double", "expm1", "values"): of_group,
    ("double", "erfc", "products"): middle_of_power,
    ("double", "sinh", "values"): twice,
    ("double", "cosh", "values"): twice,
    ("double", "tanh", "pairs"): of_group,
    **{(*power, "product"): of_product for power in POWERS},
    **{(*power, "quotient"): of_quotient for power in POWERS},
    **{("double", *part): of_offset for part in itertools.product(("pow", "powr", "pown", "rootn"), SECONDS)},
    **{("double", name, "scale"): of_scale("real_k") for name in ("pow", "powr", "pown")},
    **{("double", name, "scale of m"): of_scale("of_m.real_k") for name in ("pow", "powr")},
    ("double", "hypot", "product of the rest"): of_rest,
    **{(rung, "rootn", "multiple"): of_scale("quotient") for rung in ("quick", "double")},
    ("fine", "expm1", "values"): of_group,
    **{("fine", name, part): of_group for name in ("sinh", "tanh") for part in ("pairs", "quotients")},
    **{("fine", "cosh", part): of_square for part in ("pairs", "quotients")},
}
ODD = "base", "x", "hi", "short", "size"
SINGLE = 60  # on cells of one number
SHORTER = {("quick", "quotient"): SINGLE, ("double", "quotient"): SINGLE, ("double", "logarithm"): SINGLE}
SHORTER["double", "second next to 1"] = SINGLE
SHORTER |= {(rung, f"odd part of {one}"): SINGLE for rung in ("quick", "double") for one in ODD}
BITS, COUNT = {"quick": 36, "double": 36, "fine": 60}, {"quick": 24, "double": 24, "fine": 8}
FINEST = {("fine", "exp10", "rise"): 2.0**-56}  # below, the checker knows too little of a sum whose first part is less
LEAST, GREATEST = -200, 150  # the checker's numbers are multiples of 2^-320


def shares(rung, name, lemma):
    """The shares of sampled statements on short cells; None where the checker cannot decide."""
    draw = random.Random(5)
    finest = FINEST.get((rung, name, lemma.name), 2.0**-200)
    units = [s for s in lemma.over if dict(s.parameters).get("of") != "k" or s.i <= GREATEST]
    within_reach = [s for s in units if s.low == s.high or max(abs(s.low), abs(s.high)) > finest]
    for s in some(within_reach, COUNT[rung]):
        statement = lemma.statement(s)
        for q, i in choices(statement, draw):
            k, fixed = FIXED.get((rung, name, lemma.name), lambda _s, q, _i: (q, {}))(s, q, i)
            ends = short(s, SHORTER.get((rung, lemma.name), BITS[rung]), draw)
            try:
                yield second_lemmas.share(lemma.traced, statement, *ends, q=k, i=i, fixed=fixed), s, k
            except Undecided as why:
                yield None, s, why


# lemmas of arguments whose functions the checker does not have for all of them: it has no roots, and large powers
BEYOND_THE_CHECKER = {
    ("quick", name)
    for name in ("acos", "acospi", "asin", "asinpi", "atanpi", "cosh", "erf", "erfc", "expm1", "rsqrt", "sinh", "tanh")
}


@pytest.mark.slow
@pytest.mark.timeout(900)
@for_each(("rung", "name"), [kernel for kernel in KERNELS if kernel not in BEYOND_THE_CHECKER])
def test_an_independent_checker_accepts_sampled_statements(rung, name):
    for lemma in lemmas_of(rung, name):
        found = list(shares(rung, name, lemma))
        undecided = [(s, why) for share, s, why in found if share is None]
        assert len(undecided) <= len(found) // 10, (lemma.name, undecided[:3])
        assert all(share is None or share <= Fraction(1) for share, *_ in found), (
            lemma.name,
            max(found, key=lambda one: one[0] or 0),
        )
