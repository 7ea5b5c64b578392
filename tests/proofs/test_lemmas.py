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

from flint import arb

from benchmarks.attack import judges
from benchmarks.attack.arguments import KINDS, Space
from proofs import check, terms
from proofs.engine.assumed import grid_of
from proofs.engine.proof import is_refining
from proofs.lemmas import Lemma
from proofs.registry import PROOFS
from tests.cases import for_each, some
from tests.proofs import concrete
from tests.proofs.proofs_of import told

RESULTS = {
    f"{new}{name}" for names in terms.RESULTS.values() for name in names if name != "exponent" for new in ("", "new_")
} | {"sine"}


@functools.cache
def lemmas_of(phase, name):
    return [part for part in PROOFS[phase, name](name) if isinstance(part, Lemma)]


def is_stated(kernel):
    """Whether all parts of a proof are lemmas, but for what refines results, and what the accurate kernel gives."""
    parts = PROOFS[kernel](kernel[1])
    return all(isinstance(part, Lemma) or is_refining(part) or part.name.startswith("told") for part in parts)


KERNELS = [kernel for kernel in sorted(PROOFS) if is_stated(kernel)]


# every ordinary argument is in a subinterval


def speaks_of_results(phase, lemma):
    """Whether the first claim is about an enclosure: in narrowing kernels, about their own."""
    results = {name for name in RESULTS if phase != "narrowing" or name.startswith("new_")}
    claim = lemma.statement(lemma.over[0]).claims[0]
    return isinstance(claim, terms.Bounded) and bool(claim.error.names() & results)


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


def arguments(phase, name):
    """Arguments of all kinds that attacks draw, next to powers of two as well."""
    space, rng = Space.of(judges.kernel_of(phase, name)), np.random.default_rng(3)
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
    return {name: concrete.operand_of(found, values) for name, found in names.items()}


def called(lemmas, function):
    """The first lemma that a kernel calls a function, and the claim; None where the function is a kernel."""
    claims = ((lemma, claim) for lemma in lemmas for claim in lemma.statement(lemma.over[0]).claims)
    calls = (found for found in claims if isinstance(found[1], terms.Calls))
    return next((found for found in calls if found[1].program == function.program), None)


# functions of which lemmas are about any numbers: by kernel the values that these are given, and their results
CALLED = {
    **{("fast", name): {"w": "log"} for name in ("asinh", "acosh", "atanh")},
    ("fast", "lgamma"): {"argument": "log", "large": "log_of_large"},
    **{("accurate", name): {"x f n": "found found_lo found_err"} for name in ("sinpi", "tanpi")},
    ("accurate", "cospi"): {"f steps": "found found_lo found_err"},
}
OF_ARGUMENTS = {"arguments", "inside", "reduction", "tiny"}  # lemmas of x itself: others are exact, or NaN


def lemmas_of_results(phase, name):
    """The lemmas that speak of the results of the kernel, and those that do of a function that the kernel calls."""
    lemmas = [one for one in lemmas_of(phase, name) if speaks_of_results(phase, one)]
    inputs = lemmas[-1].traced.program.inputs  # some lemmas of narrowing kernels are about the accurate ones
    lemmas = [one for one in lemmas if phase != "narrowing" or one.traced.program.inputs == inputs]
    if (phase, name) not in CALLED:
        return [one for one in lemmas if one.second_functions == lemmas[0].second_functions], []
    results = max(len(one.traced.program.outputs) for one in lemmas)
    whole, inner = [], []
    for one in lemmas:
        (whole if len(one.traced.program.outputs) == results else inner).append(one)
    return [one for one in whole if one.second_functions == whole[0].second_functions], inner


def uncovered(lemmas, args, told, caller=None, call=None):
    """Which arguments are ordinary, and which of them are in no subinterval."""
    negatives = [-args[0], *args[1:]]
    kernel = lemmas[0] if caller is None else caller
    named, of_negatives = (named_values(kernel.traced, *given, *told(*given)) for given in (args, negatives))
    if call is not None:
        named |= named_values(lemmas[0].traced, *(named[argument] for argument in call.arguments))
    assumed = [set(lemma.statement(s).assume) for lemma in lemmas for s in some(lemma.over, 50)]
    assumed = assumed if call is None else [set(caller.statement(caller.over[0]).assume)]
    special = [(name, found) for name, found in set.intersection(*assumed) if isinstance(found, bool)]
    ordinary = np.logical_and.reduce([np.isfinite(args[0]), *(named[name] == found for name, found in special)])
    if closer := [taken for name, taken in named.items() if name.endswith("closer")]:
        ordinary &= np.logical_or.reduce(closer)  # elsewhere a narrowing kernel keeps the enclosure that it is given
    if {lemma.name for lemma in lemmas} <= OF_ARGUMENTS:
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
    return ordinary, left


@pytest.mark.slow
@pytest.mark.timeout(900)
@for_each(("phase", "name"), KERNELS)
def test_every_ordinary_argument_is_in_a_subinterval(phase, name):
    (whole, inner), args = lemmas_of_results(phase, name), arguments(phase, name)
    caller, call = called(lemmas_of(phase, name), whole[0].traced) or (None, None)
    ordinary, left = uncovered(
        whole, args, lambda *given: told(name, *given) if phase == "narrowing" else (), caller, call
    )
    assert ordinary.mean() > 0.2
    assert not left.any(), [arg[left][:4] for arg in args]
    if inner:
        named = named_values(whole[0].traced, *args)
        given = [named[one][ordinary] for one in next(iter(CALLED[phase, name])).split()]
        inexact = named_values(inner[0].traced, *given).get("err", np.ones(given[0].shape)) > 0.0
        given = [one[inexact] for one in given]
        _, left = uncovered(inner, given, lambda *_: ())
        assert not left.any(), [arg[left][:4] for arg in given]


@for_each("kernel", CALLED)
def test_results_of_functions_with_lemmas_are_those_that_kernels_mark(kernel):
    lemmas = lemmas_of(*kernel)
    inner = lemmas_of_results(*kernel)[1][0].traced
    kernels = [one.traced for one in lemmas if not one.second_functions]
    callers = [one for one in kernels if len(one.program.outputs) > len(inner.program.outputs)]
    for whole in {one.digest: one for one in callers}.values():
        for given, found in CALLED[kernel].items():
            digests = [whole.named(whole.program.names[name], whole.names) for name in given.split()]
            results = inner.names_where({}, digests)
            for name, (_, result) in zip(found.split(), inner.program.outputs, strict=True):
                assert inner.named(result, results) == whole.named(whole.program.names[name], whole.names), name


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
        scaled = [one for one in (*found, *statement.claims) if isinstance(one, terms.Number | terms.Bounded)]
        power = max((abs(one.power) for one in scaled), default=0) or 1
        low, high = max(low, LEAST // power), min(high, GREATEST // power)
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


def of_inverse_power(s, q, i):
    """The same number where the lemma has that of the unit."""
    k, fixed = of_group(s, q, i)
    return k, {"inverse_power": fixed["unit"], "below": 0.0}


def middle_of_power(s, q, _):
    """The middle of the range of the power in erfc."""
    return q, {"e": (s.least_e + s.most_e) / 2}


def middle_of_own_power(s, q, i):
    """The same in the narrowing kernels."""
    return q, {"beyond.e": middle_of_power(s, q, i)[1]["e"]}


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


def of_narrowing_product(s, q, i):
    """The same of narrowing kernels, whose bounds are finer: not of the smallest factors."""
    return max(q, -60), of_product(s, q, i)[1]


def of_quotient(s, q, _):
    """A quotient of a logarithm and an integer."""
    return q, {"quotient": s.sign * 2.0**s.binade * (1.0 + random.Random(q).random())}


def of_squares(s, q, _):
    """The smaller leg of a sum of squares."""
    return q, {"smaller": s.smaller[0] + (s.smaller[1] - s.smaller[0]) * random.Random(q).getrandbits(20) / 2**20}


def of_rest(s, q, _):
    """The last multiple of 2^-31 that a length may be beyond a multiple of 1/64 of the larger one."""
    high = s.rest[1]
    return q, {"rest": math.floor(high * 2.0**31) * 2.0**-31 if s.j else high}


def of_ratio(s, q, _):
    """A first part of a quotient, which has 26 bits."""
    return q, {"t": s.sign * (s.least + 2.0**-25 * random.Random(q).randrange(1 << 22))}


def of_unit(_s, _q, _i):
    """The power 2^0: others leave the checker too few bits of cubes, and of differences that are exact."""
    return 0, {}


def of_length(name):
    """A larger length of a direction, by that name."""
    return lambda _s, q, _i: (q, {name: 1.0 + random.Random(q).random()})


def of_cube(_s, q, _i):
    """The error of the cube of an approximate root."""
    return q, {"d": math.ldexp(random.Random(q).uniform(-1.0, 1.0), -31)}


def of_gamma(s, q, _i):
    """A rest of log gamma and a quotient."""
    draw = random.Random(q)
    return q, {"r": draw.uniform(*s.r), "quotient": s.sign * (1.0 + draw.random())}


def of_divided(_s, q, _i):
    """The first of two pairs."""
    return q, {"hi": 1.0 + random.Random(q).random()}


def of_inverse(s, q, _i):
    """An argument next to 0 whose inverse is as large as another number."""
    return q, {"x": (1.0 / s.low + 1.0 / s.high) / 2.0}


def of_log_ratio(s, q, _):
    """A logarithm of the ratio of lgamma."""
    return q, {"log_ratio": s.least + 0.75 * (s.most - s.least)} if s.least < s.most else {}


def of_pair(name, below_zero=""):
    """The first part of the other pair of a product or a quotient, in its half of 0.99 .. 2.01."""

    def choose(s, q, _):
        below = below_zero and s.negative
        return q, {below_zero if below else name: 0.99 + 0.51 * (s.half + random.Random(q).random())}

    return choose


def of_offset(_s, q, _):
    """An offset of powers whose exponents lie in a subinterval, not so small that its square is."""
    return -30, {"base_offset": 1.0 + random.Random(q).random()}


def of_scale(name):
    """An integer of that name that is multiplied by the numbers of a subinterval."""
    return lambda _s, q, _i: (q, {name: 1.0 + random.Random(q).randrange(140)})


def of_rest_of_leg(s, q, _):
    """The rest of a leg of hypot, with all its bits set."""
    return q, {"rest_of_b": 1.0 - 2.0 ** -max(s.i - 2, 0)}


POWERS = [(phase, name) for phase in ("fast", "accurate", "narrowing") for name in ("pow", "powr", "pown", "rootn")]
SECONDS = "second", "second next to 1"
FIXED = {  # numbers of which the statement knows a range
    ("fast", "hypot", "squares"): of_squares,
    **{("fast", name, "quotients"): of_rest for name in ("atan2", "atan2pi")},
    ("accurate", "expm1", "values"): of_group,
    ("accurate", "erfc", "products"): middle_of_power,
    ("accurate", "cbrt", "root"): of_cube,
    **{("accurate", "tgamma", f"values{suffix}"): of_gamma for suffix in ("", ", ordinary")},
    **{("accurate", "tgamma", f"small{suffix}"): of_inverse for suffix in ("", ", far")},
    ("accurate", "tgamma", "quotients"): of_divided,
    ("accurate", "sinh", "values"): twice,
    ("accurate", "cosh", "values"): twice,
    ("accurate", "tanh", "pairs"): of_group,
    **{(*power, "product"): of_narrowing_product if power[0] == "narrowing" else of_product for power in POWERS},
    **{(*power, part): of_quotient for power in POWERS for part in ("quotient", "bound")},
    ("accurate", "atan2", "quotients"): of_ratio,
    ("accurate", "atan2", "missed"): of_unit,
    ("accurate", "atan2", "cube"): of_unit,
    ("accurate", "atan2pi", "quotients"): of_ratio,
    **{("accurate", *part): of_offset for part in itertools.product(("pow", "powr", "pown", "rootn"), SECONDS)},
    **{("accurate", name, "scale"): of_scale("real_k") for name in ("pow", "powr", "pown")},
    **{("accurate", name, "scale of m"): of_scale("of_m.real_k") for name in ("pow", "powr")},
    ("accurate", "hypot", "product of the rest"): of_rest_of_leg,
    **{(phase, "rootn", "multiple"): of_scale("quotient") for phase in ("fast", "accurate")},
    ("narrowing", "expm1", "values"): of_group,
    ("narrowing", "lgamma", "values"): of_log_ratio,
    ("narrowing", "tgamma", "scaled"): lambda _s, q, _i: (abs(q), {}),  # exact in units
    ("narrowing", "lgamma", "ratio"): of_pair("over"),
    ("narrowing", "tgamma", "under"): of_pair("power"),
    ("narrowing", "tgamma", "values"): of_pair("power", "over"),
    **{("narrowing", name, part): of_group for name in ("sinh", "tanh") for part in ("pairs", "quotients")},
    **{("narrowing", "cosh", part): of_square for part in ("pairs", "quotients")},
    **{("narrowing", name, "quotients"): middle_of_own_power for name in ("erf", "erfc")},
    **{("narrowing", name, "step"): of_inverse_power for name in ("log1p", "asinh", "acosh", "atanh")},
    **{
        ("narrowing", kernel, part): of_length(name)
        for kernel in ("atan2", "atan2pi")
        for part, name in (("left", "length_b"), ("missed", "length"))
    },
}
ODD = "base", "x", "hi", "short", "size"
SINGLE = 60  # on cells of one number
OF_HYPERBOLIC = "roots", "residuals", "values", "near zero"
REDUCTIONS = "reduction", "reduction, ordinary"
SHORTER = {
    ("fast", "quotient"): SINGLE,
    ("accurate", "quotient"): SINGLE,
    ("accurate", "logarithm"): SINGLE,
    ("accurate", "rsqrt", "value"): SINGLE,
    **{("accurate", name, "reduction"): SINGLE for name in ("sin", "cos", "tan", "sincos")},
    ("accurate", "angles"): SINGLE,
    ("accurate", "quotients"): SINGLE,
    ("accurate", "missed"): SINGLE,
    **{("accurate", name, "angles"): 44 for name in ("atan", "atanpi")},
    **{("accurate", name, part): SINGLE for name in ("sinpi", "cospi", "tanpi") for part in REDUCTIONS},
    **{("accurate", name): SINGLE for name in ("quotient", "logarithm", "root")},
    **{("accurate", name, part): SINGLE for name in ("asinh", "acosh", "atanh") for part in OF_HYPERBOLIC},
    ("accurate", "atanh", "sums"): SINGLE,
    **{("accurate", *which): SINGLE for which in (("tgamma", "quotients"), ("tgamma", "pieces"), ("lgamma", "pieces"))},
    ("narrowing", "step"): 40,
    ("narrowing", "step near 0"): 48,  # so long that there are numbers on a grid in them
    ("accurate", "second next to 1"): SINGLE,
    **{(phase, f"odd part of {one}"): SINGLE for phase in ("fast", "accurate") for one in ODD},
}
BITS, COUNT = {"fast": 36, "accurate": 36, "narrowing": 60}, {"fast": 24, "accurate": 24, "narrowing": 8}
FINEST = {  # below, the checker knows too little of a sum whose first part is less, or of log gamma
    ("narrowing", "exp10", "rise"): 2.0**-56,
    ("narrowing", "erf", "series"): 2.0**-60,  # where small arguments are scaled
    **{("accurate", name, "pieces"): 2.0**-90 for name in ("tgamma", "lgamma")},
    **{("narrowing", name, "product"): 2.0**-30 for name in ("tgamma", "lgamma")},
}
LARGEST = {  # beyond, units are too large for the first terms, or logarithms are known too little
    **{("narrowing", name, "series"): 2.0 for name in ("erf", "erfc")},
    ("narrowing", "lgamma", "series"): 2.0**40,
}
LEAST, GREATEST = -200, 150  # the checker's numbers are multiples of 2^-448


def checked(lemma, *which):
    """The largest share of a bound by the checker."""
    return check.share(check.Traced(lemma.traced.program, lemma.traced.tables), *which)


def shares(phase, name, lemma):
    """The shares of sampled statements on short cells; None where the checker cannot decide."""
    draw = random.Random(5)
    finest = FINEST.get((phase, name, lemma.name), 2.0**-200)
    units = [s for s in lemma.over if dict(s.parameters).get("of") != "k" or s.i <= GREATEST]
    largest = LARGEST.get((phase, name, lemma.name), math.inf)
    within_reach = [s for s in units if s.low == s.high == 0.0 or finest < max(abs(s.low), abs(s.high)) <= largest]
    for s in some(within_reach, COUNT[phase]):
        statement = lemma.statement(s)
        for q, i in choices(statement, draw):
            k, fixed = FIXED.get((phase, name, lemma.name), lambda _s, q, _i: (q, {}))(s, q, i)
            bits = SHORTER.get((phase, name, lemma.name), SHORTER.get((phase, lemma.name), BITS[phase]))
            ends = short(s, bits, draw)
            try:
                yield checked(lemma, statement, ends, check.Case(k, i, fixed)), s, k
            except check.Undecided as why:
                yield None, s, why


@pytest.mark.slow
@pytest.mark.timeout(900)
@for_each(("phase", "name"), KERNELS)
def test_an_independent_checker_accepts_sampled_statements(phase, name):
    for lemma in lemmas_of(phase, name):
        found = list(shares(phase, name, lemma))
        undecided = [(s, why) for share, s, why in found if share is None]
        assert len(undecided) <= len(found) // 10, (lemma.name, undecided[:3])
        assert all(share is None or share <= Fraction(1) for share, *_ in found), (
            lemma.name,
            max(found, key=lambda one: one[0] or 0),
        )


# the prover's grids


@pytest.mark.parametrize(("low", "high", "grid"), [(1.0, 2.0, -52), (-2.0, -0.5, -53), (-1.0, 1.0, -300)])
def test_doubles_about_zero_are_multiples_of_no_more_than_is_said(low, high, grid):
    assert grid_of(terms.multiples(-300), arb(low), arb(high)) == grid
