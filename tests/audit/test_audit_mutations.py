"""Correct results changed on one line of special values or in one region: default inputs meet and fail each change."""

from __future__ import annotations

import functools
import itertools
import zlib

import numpy as np
import pytest

import clmath
from clmath.audit.acceptance.batch import Batch, accepted
from clmath.audit.acceptance.criteria import Criteria, requirement
from clmath.audit.inputs import layout, row_inputs, structured
from clmath.audit.judge.piece import judge
from clmath.audit.plan.plan import CHAPTERS, Plan
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtins
from clmath.spec.limits import Unlimited
from clmath.spec.special_values import special_values
from tests.accepting import allowed_by
from tests.cases import for_each

LAW = Criteria("full", "rte", flushes=False)
ITEMS = [
    item
    for item in Plan.of([row.name for row in builtins().values() if row.chapter in CHAPTERS]).items()
    if special_values(item.builtin.name)
]


def kinds(values, form):
    """Return a mask of ``values`` for every kind of value that an argument may have."""
    if values.dtype != form.dtype:
        return {"least": values == values.min(), "greatest": values == values.max()} if values.size else {}
    size = np.abs(values)
    mixed = (form.bits(values) & form.bits_dtype.type(0x1E)) != 0
    return {
        "+0": (values == 0) & ~np.signbit(values),
        "-0": (values == 0) & np.signbit(values),
        "subnormal": (size < form.smallest_normal) & (size > 0),
        "smallest normal": size == form.smallest_normal,
        "largest": size == form.largest,
        "infinite": np.isinf(values),
        "NaN": np.isnan(values),
        "beside one": (size != 1) & (size >= 1 - form.eps / 2) & (size <= 1 + form.eps),
        "mixed": mixed & (size > form.eps) & (size < 1 / form.eps),
    }


def candidates(item):
    """Return arguments of all kinds crossed: all combinations that may occur."""
    form = item.form
    sizes = [0.0, form.smallest_subnormal, form.smallest_normal, 1.0 - form.eps / 2, 1.0 + form.eps, form.largest]
    numbers = np.array([*sizes, 1 / 3, 0.5, 1.0, 2.5, 10 / 3, np.inf, np.nan], form.dtype)
    pools = {
        "gentype": np.concatenate([numbers, -numbers]),
        "intn": np.array([-(2**31), -2, -1, 0, 1, 2, 2**31 - 1], np.int32),
        "nancode": np.array([0, 1], form.bits_dtype),
    }
    lists = [pools[kind] for kind in item.columns]
    return tuple(g.reshape(-1) for g in np.meshgrid(*lists, indexing="ij"))


@pytest.mark.slow
@for_each("item", [i for i in ITEMS if not i.width])
def test_every_line_meets_every_kind_of_argument(item):
    """If arguments of a kind can meet a line, a default input does."""
    values, possible = structured.structured(item), candidates(item)
    for special_value in special_values(item.builtin.name):
        met, may = special_value.matches(values, item.form), special_value.matches(possible, item.form)
        assert met.any(), special_value.text
        for k in range(len(item.columns)):
            found, wanted = kinds(values[k][met], item.form), kinds(possible[k][may], item.form)
            missing = [kind for kind in wanted if wanted[kind].any() and not found[kind].any()]
            assert not missing, (special_value.text, k, missing)


def of_each_kind(item, args, met):
    """Return the first two calls that meet a line for every kind of every argument, and the last calls."""
    elements = np.flatnonzero(met)
    chosen = [elements[:2], elements[-2:]]
    if not item.width:
        for column in args:
            chosen += [elements[of][:2] for of in kinds(column[elements], item.form).values()]
    return np.unique(np.concatenate(chosen))


def forbidden(special_value, args, right, form):
    """Return results that the line does not accept, for arguments that meet it; its other results are correct."""
    k = next((k for k, r in enumerate(special_value.results) if r.alternatives != ("any",) or r.low is not None), 0)
    wrong, open_yet = right[k].copy(), np.ones(len(right[k]), bool)
    for value in (7.0, 0.5, np.nan, -7.0):
        tried = wrong.copy()
        tried[open_yet] = value if wrong.dtype.kind == "f" or value == value else 3
        results = (*right[:k], tried, *right[k + 1 :])
        same = (tried == right[k]) | ((tried != tried) & (right[k] != right[k]))
        refused = ~allowed_by(special_value, args, results, form)[k] if special_value.prescribes_exactly else ~same
        refused = refused.reshape(len(refused), -1).any(axis=-1)
        wrong[open_yet & refused] = tried[open_yet & refused]
        open_yet &= ~refused
    assert not open_yet.any(), special_value.text
    return (*right[:k], wrong, *right[k + 1 :])


@pytest.mark.slow
@for_each("item", ITEMS)
def test_a_line_without_a_branch_fails(item, evaluate):
    """A device without a branch for the line returns another result."""
    columns = structured.structured(item)
    args, met = layout.arguments(item, columns), []
    for special_value in special_values(item.builtin.name):
        meets = special_value.matches(args, item.form)
        if item.width and not meets.any():
            assert item.width < 4, special_value.text  # no vector so short has as many infinite elements
            continue
        if isinstance(LAW.limit(item).clauses[-1][0], Unlimited) or not (
            special_value.prescribes_exactly or "π" in special_value.text
        ):
            continue
        met.append((special_value, of_each_kind(item, args, meets)))
    if not met:
        return
    elements = np.concatenate([elements for _, elements in met])
    values, chosen = tuple(c[elements] for c in columns), tuple(a[elements] for a in args)
    right = evaluate(item.builtin, item.form, chosen, "rte")
    assert not judge(item, values, right, LAW).failed, [special_value.text for special_value, _ in met]
    ends = np.cumsum([len(elements) for _, elements in met])
    parts = [slice(end - len(elements), end) for (_, elements), end in zip(met, ends, strict=True)]
    forgotten = [
        forbidden(special_value, tuple(a[part] for a in chosen), tuple(r[part] for r in right), item.form)
        for (special_value, _), part in zip(met, parts, strict=True)
    ]
    wrong = tuple(map(np.concatenate, zip(*forgotten, strict=True)))
    waived = [one.unspecified for one in accepted(Batch.of(item, values, wrong, LAW), requirement(item, LAW))]
    free = np.logical_or.reduce([one.reshape(len(one), -1).all(axis=-1) for one in waived])
    assert not [special_value.text for (special_value, _), part in zip(met, parts, strict=True) if free[part].all()]
    if judge(item, values, wrong, LAW).failed == np.count_nonzero(~free):
        return
    for (special_value, elements), part in zip(met, parts, strict=True):  # identifies the line
        values = tuple(c[elements] for c in columns)
        failed = judge(item, values, tuple(w[part] for w in wrong), LAW).failed
        assert failed == np.count_nonzero(~free[part]), special_value.text
    pytest.fail("the lines are judged otherwise together than one by one")


@functools.cache
def default_inputs(name, form):
    """Return the inputs of a quick audit without local search; several tests change results of the same inputs."""
    plan = Plan.of([name], [form], jobs=1)
    (item,) = plan.items()
    pieces = [row_inputs.columns(item, plan, i) for i in range(row_inputs.chunks(item, plan))]
    return item, tuple(np.concatenate(column) for column in zip(*pieces, strict=True))


def first_results(name, values):
    """Return the first results of clmath, to select inputs: the reference would take seconds."""
    results = getattr(clmath, name)(*values)
    return results[0] if isinstance(results, tuple) else results


def blamed(item, values, elements, change, evaluate):
    """Whether the judge fails results changed at (at most 256 of) the calls ``elements``."""
    elements = np.flatnonzero(elements)
    elements = elements[:: max(len(elements) // 256, 1)]
    part = tuple(v[elements] for v in values)
    results = evaluate(item.builtin, item.form, layout.arguments(item, part), "rte")
    with np.errstate(all="ignore"):
        return judge(item, part, (change(results[0]), *results[1:]), LAW).failed > 0


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("name", ["sin", "exp2", "log", "cbrt", "atan", "rsqrt", "tanh", "erf", "mul", "div", "hypot"])
def test_one_wrong_binade_fails(name, form, evaluate):
    """Wrong by 20 ulp or more, or no longer infinite, in any binade of normal numbers of the first argument.

    For pairs of doubles, one binade in 200 may lack a first argument in a quick audit.
    """

    def off(y):
        return np.where(np.isfinite(y), y * form.dtype.type(1 + 32 * form.eps), form.dtype.type(1))

    item, values = default_inputs(name, form)
    exponents = np.frexp(np.nan_to_num(values[0], nan=0.0))[1]
    finite = np.isfinite(values[0]) & (values[0] > 0)
    rng = np.random.default_rng(zlib.crc32(f"{name} {form}".encode()))
    there = np.unique(exponents[finite])
    binades = np.arange(form.emin + 1, form.emax + 2)
    assert np.isin(binades, there).mean() >= (0.995 if len(values) > 1 and form is DOUBLE else 1)
    for e in {form.emin + 2, -1, 0, 1, form.emax + 1, *rng.choice(np.intersect1d(binades, there), 8)}:
        assert blamed(item, values, finite & (exponents == e), off, evaluate), e


SMALL = ["exp", "exp2", "exp10", "erfc", "mul", "div", "fma", "ldexp", "pow", "powr", "sin", "tanh", "fmod", "sub"]


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("name", SMALL)
def test_results_flushed_near_underflow_fail(name, form, evaluate):
    """Results in the topmost binade of subnormals are zero, or the least number where no error is allowed."""
    item, values = default_inputs(name, form)
    results = first_results(name, values)
    least = [2 * form.smallest_subnormal] if LAW.limit(item).is_equality else []
    for below in (form.smallest_normal, *least):
        with np.errstate(all="ignore"):
            elements = (np.abs(results) < below) & (np.abs(results) >= below / 2)
        assert elements.any(), below
        assert blamed(item, values, elements, np.zeros_like, evaluate), below


LARGE = ["exp", "exp2", "exp10", "expm1", "sinh", "cosh", "tgamma", "mul", "div", "pow", "powr", "hypot", "add", "fma"]


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("name", LARGE)
def test_overflow_one_argument_early_fails(name, form, evaluate):
    """The last finite result before infinity becomes infinite, for an argument that grows by one number."""
    item, values = default_inputs(name, form)
    results = first_results(name, values)
    near = np.isfinite(results) & (np.abs(results) > form.largest / 4)
    part = tuple(v[near] for v in values)
    last = np.zeros(len(part[0]), bool)
    with np.errstate(all="ignore"):
        for k, toward in itertools.product(range(len(part)), (np.inf, -np.inf)):
            moved = np.nextafter(part[k], form.dtype.type(toward))
            after = first_results(name, (*part[:k], moved, *part[k + 1 :]))
            last |= np.isinf(after)
    assert last.any()
    assert blamed(item, part, last, lambda y: np.copysign(np.inf, y), evaluate)
