"""Lemmas of every kernel: every ordinary argument is in a subinterval."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from benchmarks.attack import judges
from benchmarks.attack.arguments import KINDS, Space
from proofs import terms
from tests.cases import for_each, some
from tests.proofs import concrete
from tests.proofs.proofs_of import KERNELS, lemmas_of, reported

RESULTS = {
    f"{new}{name}" for names in terms.RESULTS.values() for name in names if name != "exponent" for new in ("", "new_")
} | {"sine"}


def speaks_of_results(phase, lemma):
    """Whether the first claim is about an enclosure: in narrowing kernels, about their own."""
    results = {name for name in RESULTS if phase != "narrowing" or name.startswith("new_")}
    claim = lemma.statement(lemma.over[0]).claims[0]
    return isinstance(claim, terms.Bounded) and bool(claim.error.names() & results)


def has(found, x, s, powers):
    """A mask of the values that have a property; true where only another value decides it."""
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
    generated = [
        np.concatenate(given) for given in zip(*(space.generated(rng, kind, 120) for kind in KINDS), strict=True)
    ]
    if len(generated) > 1:
        return generated
    ends = np.exp2(np.arange(-140.0, 128.0, 4.0))
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf), 1.0 + ends[ends < 1.0]])
    return [np.concatenate([*generated, space.rounded(near), -space.rounded(near)])]


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


# functions with lemmas about any numbers: by kernel, the values that they receive, and their results
CALLED = {
    **{("fast", name): {"w": "log"} for name in ("asinh", "acosh", "atanh")},
    ("fast", "lgamma"): {"argument": "log", "large": "log_of_large"},
    **{("accurate", name): {"x f n": "found found_lo found_err"} for name in ("sinpi", "tanpi")},
    ("accurate", "cospi"): {"f steps": "found found_lo found_err"},
}
OF_ARGUMENTS = {"arguments", "inside", "reduction", "tiny"}  # lemmas of x itself: others are exact, or NaN


def lemmas_of_results(phase, name):
    """The lemmas about the results of the kernel, and the lemmas about results of a function that the kernel calls."""
    lemmas = [one for one in lemmas_of(phase, name) if speaks_of_results(phase, one)]
    inputs = lemmas[-1].traced.program.inputs  # some lemmas of narrowing kernels are about the accurate ones
    lemmas = [one for one in lemmas if phase != "narrowing" or one.traced.program.inputs == inputs]
    if (phase, name) not in CALLED:
        return [one for one in lemmas if one.traced.second == lemmas[0].traced.second], []
    results = max(len(one.traced.program.outputs) for one in lemmas)
    whole, inner = [], []
    for one in lemmas:
        (whole if len(one.traced.program.outputs) == results else inner).append(one)
    return [one for one in whole if one.traced.second == whole[0].traced.second], inner


def uncovered(lemmas, args, reported, caller=None, call=None):
    """Which arguments are ordinary, and which of them are in no subinterval."""
    negatives = [-args[0], *args[1:]]
    kernel = lemmas[0] if caller is None else caller
    named, of_negatives = (named_values(kernel.traced, *given, *reported(*given)) for given in (args, negatives))
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
        for s in lemma.over if left.any() else ():
            statement = lemma.statement(s)
            either = any(isinstance(claim, terms.OfNegative) for claim in statement.claims)
            for values in (named, of_negatives) if either else (named,):
                at = np.flatnonzero(left)
                inside = np.ones(len(at), bool)
                for one, found in statement.assume:
                    if one in values:
                        inside &= has(found, values[one][at], s, statement.powers)
                left[at[inside]] = False
            if not left.any():
                break
    return ordinary, left


@pytest.mark.slow
@for_each(("phase", "name"), KERNELS[::9])
def test_every_ordinary_argument_is_in_a_subinterval(phase, name):
    covered(phase, name)


@pytest.mark.exhaustive
@for_each(("phase", "name"), KERNELS)
def test_every_ordinary_argument_of_every_kernel_is_in_a_subinterval(phase, name):
    covered(phase, name)


def covered(phase, name):
    """Every ordinary argument of a kernel is in a subinterval of some lemma."""
    (whole, inner), args = lemmas_of_results(phase, name), arguments(phase, name)
    caller, call = called(lemmas_of(phase, name), whole[0].traced) or (None, None)
    ordinary, left = uncovered(
        whole, args, lambda *given: reported(name, *given) if phase == "narrowing" else (), caller, call
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
def test_kernels_mark_the_results_of_functions_with_lemmas(kernel):
    lemmas = lemmas_of(*kernel)
    inner = lemmas_of_results(*kernel)[1][0].traced
    kernels = [one.traced for one in lemmas if not one.traced.second]
    callers = [one for one in kernels if len(one.program.outputs) > len(inner.program.outputs)]
    for whole in {one.digest: one for one in callers}.values():
        for given, found in CALLED[kernel].items():
            digests = [whole.named(whole.program.names[name], whole.names) for name in given.split()]
            results = inner.names_where({}, digests)
            for name, (_, result) in zip(found.split(), inner.program.outputs, strict=True):
                assert inner.named(result, results) == whole.named(whole.program.names[name], whole.names), name
