"""Inputs of audits: which are always tried, how many of them are informative, and that they are reproducible."""

from __future__ import annotations

import importlib
import itertools
import os
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.audit.inputs import hard, layout, local_search, row_inputs, spaced, special, structured
from clmath.audit.inputs.random import random_columns
from clmath.audit.inputs.row_inputs import random_inputs
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import BFLOAT16, DOUBLE, FLOAT, FORMATS, HALF
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each


def bits(columns):
    return [c.tobytes() for c in columns]


@for_each("name", ["sin", "pow", "pown", "fma", "normalize", "nan"])
@for_each("form", FORMATS)
def test_same_seed_same_inputs(name, form):
    item = Plan.of([name], [form]).items()[-1]
    plan = Plan.of([name], [form], inputs=10_000, seed=5)
    last = row_inputs.chunks(item, plan) - 1
    once = row_inputs.columns(item, plan, last)
    structured.structured.cache_clear()
    assert bits(row_inputs.columns(item, Plan.of([name], [form], inputs=10_000, seed=5, jobs=7), last)) == bits(once)
    other = row_inputs.columns(item, Plan.of([name], [form], inputs=10_000, seed=6), last)
    assert (bits(other) == bits(once)) == layout.is_exhaustive(item)


def test_chunks_and_built_ins_have_different_inputs():
    plan = Plan.of(["sin", "cos"], [FLOAT], inputs=20_000)
    sin, cos = plan.items()
    n = row_inputs.chunks(sin, plan)
    pieces = {row_inputs.columns(item, plan, i)[0].tobytes() for item in (sin, cos) for i in (n - 3, n - 2)}
    assert len(pieces) == 4
    lengths = len(structured.structured(sin)[0]), spaced.spaced_count(sin, 20_000), 5_000
    assert sum(len(row_inputs.columns(sin, plan, i)[0]) for i in range(n)) == sum(lengths)


TOTAL = [
    "sin",
    "pow",
    "fma",
    "frexp",
    "nan",
    "dot",
    "hadd",
    "convert_half_rte",
    "isless",
    "vload",
    "printf_d",
    "read_srgb",
]


@for_each("count", [1, 2, 3])
def test_few_inputs_are_spaced_over_doubles(count):
    plan = Plan.of(["sin", "atan"], ["double"], inputs=count)
    for item in plan.items():
        sizes = [len(row_inputs.columns(item, plan, i)[0]) for i in range(row_inputs.chunks(item, plan))]
        assert sum(sizes) == row_inputs.length(item, plan, len(sizes))


@pytest.mark.slow
@for_each("count", [1, 37, 2000])
def test_total_is_the_number_of_inputs_of_a_case(count):
    """Structured and random inputs are both included; vectors are complete; all inputs occur without a total, too."""
    plan = Plan.of(TOTAL, ["half", "float", "int", "uint"], inputs=f"total:{count}", widths=(1, 3, 16))
    for item in plan.items():
        columns = [row_inputs.columns(item, plan, i) for i in range(row_inputs.chunks(item, plan))]
        tried = sum(len(piece[0]) for piece in columns)
        assert tried == row_inputs.length(item, plan, len(columns))
        assert tried == max(count - count % item.vector, item.vector) or layout.is_exhaustive(item)
        assert tried <= max(count, item.vector)
        assert local_search.pieces(item, plan) == 0
        if count == 2000 and item.vector == 1 and not layout.is_exhaustive(item):
            known, every = (
                list(zip(*(bits_of(column, item.form) for column in columns), strict=True))
                for columns in (structured.structured(item), map(np.concatenate, zip(*columns, strict=True)))
            )
            are_known = set(known)
            found = sum(call in are_known for call in every)
            assert min(len(known), 1000) <= found <= 1900


def test_every_item_has_its_columns(items):
    plan = Plan.of(["sin"], inputs=100)
    for item in items[::4]:
        values = row_inputs.columns(item, plan, row_inputs.chunks(item, plan) - 1)
        assert tuple(v.dtype for v in values) == layout.dtypes(item)
        assert {v.shape for v in values} == {values[0].shape}
        args = layout.arguments(item, values)
        assert len(args) == len(item.builtin.inputs)
        assert all(a.shape[1:] == ((item.width,) if item.width else ()) for a in args)


def test_at_least_half_of_random_inputs_are_informative(items, evaluate):
    """Their results are finite and not zero; step is exempt, because zero is one of its two results."""
    rng = np.random.default_rng(8)
    for item in items[::3]:
        if len(item.columns) < 2 or item.builtin.name in ("step", "nan"):
            continue
        values = random_columns(rng, item, 1000)
        result = evaluate(item.builtin, item.form, layout.arguments(item, values), "rte")[0]
        telling = np.isfinite(result) & (result != 0)
        calls = telling.any(axis=-1) if telling.ndim > 1 else telling
        assert calls.mean() >= 0.5, f"{item}: {calls.mean()}"


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_structured_inputs_contain_powers_and_special_values(form):
    x = structured.structured(Item(builtin("sin"), form))[0]
    tried = set(form.bits(x).tolist())
    powers = np.ldexp(1.0, np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
    wanted = [powers, np.nextafter(powers, form.dtype.type(0)), np.arange(-100, 100, 0.5)]
    wanted += [[0.0, -0.0, np.inf, -np.inf, form.largest, -form.largest, form.smallest_subnormal]]
    wanted += [[form.smallest_normal, form.smallest_normal - form.smallest_subnormal]]
    wanted += [np.arange(1, 100) * (np.pi / 2)] if form is not DOUBLE else []
    for values in wanted:
        assert set(form.bits(values).tolist()) <= tried
    assert np.isnan(x).any()


@for_each("name", ["expm1", "tgamma", "asinpi", "floor", "sin", "tanh"])
@for_each("form", [FLOAT, DOUBLE])
def test_each_binade_has_numbers_between_its_powers_of_two(name, form):
    """A fault in the middle of a binade is met even where a function is nearly linear: expm1(-0x1.8p-733)."""
    plan = Plan.of([name], [form])
    (item,) = plan.items()
    x = np.concatenate([row_inputs.columns(item, plan, i)[0] for i in range(row_inputs.chunks(item, plan))])
    part, exponent = np.frexp(x[np.isfinite(x)])
    middle = (np.abs(part) > 0.625) & (np.abs(part) < 0.875)
    for is_negative in (False, True):
        found = set(exponent[middle & (np.signbit(part) == is_negative)].tolist())
        assert found >= set(range(form.emin + 1, form.emax + 2)), is_negative


@for_each("name", ["pown", "rootn", "ldexp"])
@for_each("form", [FLOAT, DOUBLE])
def test_each_binade_has_a_finite_result_for_some_int(name, form):
    x, n = structured.structured(Plan.of([name], [form]).items()[0])
    few = x[(np.abs(n) <= 2) & (n != 0) & np.isfinite(x) & (np.frexp(np.abs(x))[0] > 0.5)]
    assert set(np.frexp(few)[1].tolist()) >= set(range(form.emin + 1, form.emax + 2))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_odd_multiples_of_a_quarter_have_every_size(form):
    x = structured.structured(Item(builtin("tanpi"), form))[0]
    x = x[np.isfinite(x)].astype(np.float64)
    quarters = x[np.abs(np.fmod(x, 0.5)) == 0.25]
    assert set(np.frexp(quarters)[1].tolist()) == set(range(-1, form.precision - 1))


@for_each("name, source", [("convert_float", DOUBLE), ("convert_half", FLOAT), ("vstore_half", DOUBLE)])
def test_midpoints_between_subnormal_numbers_are_tried(name, source):
    """Their ties to even, to odd and away from zero are distinct faults."""
    item = Plan.of([name], [source]).items()[0]
    target = FLOAT if name == "convert_float" else HALF
    x = structured.structured(item)[0]
    x = np.abs(x[np.isfinite(x)].astype(np.float64))
    steps = x[x < target.smallest_normal] / target.smallest_subnormal
    ties = steps[steps % 1.0 == 0.5]
    assert min((ties % 2.0 == 0.5).sum(), (ties % 2.0 == 1.5).sum()) >= 10


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_extreme_ints_meet_all_special_values(form):
    for name in ("pown", "rootn", "ldexp"):
        x, n = structured.structured(Item(builtin(name), form))
        for extreme in (-(2**31), 2**31 - 1, 0, 1, -1):
            assert len(np.unique(form.bits(x[n == extreme]))) >= len(np.unique(form.bits(special.specials(form))))


def test_vectors_have_components_with_special_values():
    for item in Plan.of(["normalize", "dot"], [FLOAT]).items():
        values = np.stack(structured.structured(item))
        for test in (np.isinf, np.isnan, lambda v: v == 0, lambda v: (v != 0) & (np.abs(v) < 2.0**-126)):
            assert test(values).any(axis=1).all()


@pytest.mark.parametrize("name", ["cbrt", "asinh", "fabs"])
def test_random_doubles_without_an_interval_are_finite(name):
    """The difference of the largest and the least number overflows."""
    (x,) = random_columns(np.random.default_rng(0), Item(builtin(name), DOUBLE), 4096)
    assert np.isfinite(x).mean() > 0.98
    assert 0.4 < (x < 0).mean() < 0.6


@for_each("form", [FLOAT, DOUBLE])
@for_each("name", ["atan", "cbrt", "log", "acosh", "asinh", "rsqrt", "log1p"])
def test_a_third_of_the_numbers_have_moderate_size(name, form):
    """In every format, the behaviour of these functions changes between 2^-(p + 2) and 2^(p + 2)."""
    x = random_columns(np.random.default_rng(2), Item(builtin(name), form), 8192)[0]
    exponents = np.frexp(x[np.isfinite(x) & (x > 0)])[1]
    modest = np.abs(exponents) <= form.precision + 3
    assert 0.3 < modest.mean() < 0.9
    low = 1 if name == "acosh" else -form.precision - 1
    assert set(range(low, form.precision + 3)) <= set(exponents[modest].tolist())


@pytest.mark.parametrize("form", [*FORMATS, BFLOAT16], ids=str)
def test_hard_tables_contain_valid_calls(form):
    """Every line is a finite call of its built-in; trig has the double nearest to a multiple of pi/2."""
    tables = [files.load("hard/calls.toml")[part].get(str(form), {}) for part in ("found", "hardest")]
    assert any(tables)
    for name, lines in itertools.chain.from_iterable(table.items() for table in tables):
        item = Item(builtin(name), form)
        assert all(len(line.split()) == len(item.columns) for line in lines)
        assert all(abs(float.fromhex(line.split()[0])) <= form.largest for line in lines), name
        assert all(len(v) >= len(lines) for v in hard.hard(item))
    if form is DOUBLE:
        assert 6381956970095103.0 * 2.0**797 in hard.hard(Item(builtin("sin"), DOUBLE))[0]


@for_each("item", [i for i in Plan.of().items() if hard.known_lines(i)[0].size])
def test_known_calls_are_tried_and_clmath_is_correct_at_them(item, evaluate):
    known, tried = hard.known_lines(item), structured.structured(item)
    rows = [set(zip(*(bits_of(c, item.form) for c in columns), strict=True)) for columns in (known, tried)]
    assert rows[0] <= rows[1]
    computed = getattr(clmath, item.builtin.name)(*known)
    right = evaluate(item.builtin, item.form, known, "rte")
    for got, want in zip(computed if isinstance(computed, tuple) else (computed,), right, strict=True):
        np.testing.assert_array_equal(got, want)


def bits_of(column, form):
    return (form.bits(column) if column.dtype == form.dtype else column).tolist()


@for_each("form, within", [(FLOAT, 2.0**-22), (DOUBLE, 2.0**-36), (BFLOAT16, 2.0**-7)])
def test_hardest_results_lie_next_to_midpoints_and_numbers(form, within):
    """The bound is in ulp: one of 4 million random results is this close, or one of 7 x 10^10 in double.

    Quotients of bfloat16 are a multiple of 2^-9 from midpoints and numbers; other pairs of it are much closer.
    """
    for name, lines in files.load("hard/calls.toml")["hardest"][str(form)].items():
        kinds = Item(builtin(name), DOUBLE).columns
        columns = [
            np.array([float.fromhex(word) if kind == "gentype" else int(word) for word in words])
            for kind, words in zip(kinds, zip(*map(str.split, lines), strict=True), strict=True)
        ]
        exact = reference.enclose(name, tuple(columns), DOUBLE, oracle="mpmath")[0]
        part, exponent = np.frexp(exact.hi)
        below_power_of_two = (np.abs(part) == 0.5) & (exact.hi * exact.lo < 0.0)
        halves = form.precision + 1 - exponent + below_power_of_two
        high, low = np.ldexp(exact.hi, halves), np.ldexp(exact.lo, halves)
        apart = np.abs(high - np.rint(high) + (low - np.rint(low))) / 2.0
        assert apart.max() < within, name


@for_each("name", ["div", "hypot", "atan2", "fmod", "remainder"])
def test_search_of_all_pairs_finds_the_pairs_of_the_table(name, monkeypatch):
    pytest.importorskip("ml_dtypes")
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    pairs = importlib.import_module("tables.hard.pairs")
    assert pairs.hardest(name) == files.load("hard/calls.toml")["hardest"]["bfloat16"][name]


@for_each("name", ["pow", "powr", "rootn", "atan2"])
def test_results_of_bfloat16_by_way_of_float_are_wrong_at_hard_pairs(name):
    """Correctly rounded floats, rounded again: only a few pairs among all tell these from the right results."""
    columns = hard.hard_lines(Item(builtin(name), BFLOAT16))
    floats = [c.astype(np.float32) if c.dtype == BFLOAT16.dtype else c for c in columns]
    twice = getattr(clmath, name)(*floats).astype(BFLOAT16.dtype)
    assert (BFLOAT16.bits(twice) != BFLOAT16.bits(getattr(clmath, name)(*columns))).any()


ROWS = [("sin", "float"), ("tgamma", "double"), ("hypot", "float"), ("fma", "double"), ("mad24", "int")]
ROWS += [("convert_half", "float"), ("add_sat", "ulong"), ("vstore_half", "double"), ("all", "short")]
ROWS += [("smoothstep", "half"), ("dot", "float"), ("nan", "double")]
ROWS += [("convert_float", "long"), ("sample_rgba", "float")]
PINNED_PARTS = "halfway", "cases", "specials", "thresholds", "everyday"
PINNED = 10, "f3af24a0"


def test_version_changes_with_the_inputs():
    """Reports with other inputs cannot be joined: after a change, raise the version and pin the new digest."""
    assert (row_inputs.VERSION, digest_of_inputs()) == PINNED


def test_inputs_do_not_depend_on_vector_instructions():
    """The last bits of NumPy's exp2 and power differ with AVX-512."""
    dispatched = [name for name, has in np._core._multiarray_umath.__cpu_features__.items() if has]
    features = " ".join(set(dispatched) & set(np._core._multiarray_umath.__cpu_dispatch__))
    command = [sys.executable, "-c", f"import {__name__} as tests; print(tests.digest_of_inputs())"]
    environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": features}
    child = subprocess.run(
        command, cwd=Path(__file__).parents[2], env=environment, capture_output=True, text=True, check=True
    )
    assert child.stdout.strip() == PINNED[1]


def digest_of_inputs():
    total = 0
    for name, form in ROWS:
        item = Plan.of([name], [form]).items()[-1]
        known = [structured.structured(item)]
        if not isinstance(item, ExactItem):  # other parts follow from tables, whose digests are in reports
            known = [structured.parts(item)[part] for part in PINNED_PARTS]
        known += [spaced.spaced(item, 3, 1 << 10), random_inputs(item, 3, 1, row_inputs.chunk_size(item), 256)]
        if item.measured:
            worst = tuple(int(c[0].view(f"u{c.itemsize}")) for c in random_inputs(item, 3, 0, 1, 1))
            known += [local_search.columns(item, Plan.of([name], [form], inputs=640), worst, 0)]
        for columns in known:
            total = zlib.crc32(b"".join(column.tobytes() for column in columns), total)
    return f"{total:08x}"


@for_each("name", ["atan2", "atan2pi", "fmod", "remainder", "remquo"])
@for_each("form", FORMATS)
def test_exponents_differ_by_every_number_up_to_twice_the_precision(name, form):
    """Libraries neglect one argument beyond such a border: quotients of 2^60 in atan2 of fdlibm."""
    x, y = structured.structured(Plan.of([name], [form]).items()[0])
    finite = np.isfinite(x) & np.isfinite(y) & (x != 0) & (y != 0)
    x, y = x[finite].astype(np.float64), y[finite].astype(np.float64)
    found = set(zip(np.frexp(x)[1] - np.frexp(y)[1], np.signbit(x), np.signbit(y), strict=True))
    far = 2 * form.precision
    assert found >= set(itertools.product(range(-far, far + 1), (False, True), (False, True)))


@for_each("name", ["atan2", "clamp", "cross", "distance", "dot", "fma", "fmod", "hypot", "length", "mad", "mix", "pow"])
@for_each("form", [FLOAT, DOUBLE])
def test_several_arguments_between_one_and_two_have_all_digits(name, form):
    """Random arguments are mostly huge or tiny, and listed arguments have few digits."""
    values = structured.structured(Plan.of([name], [form]).items()[-1])
    found = [(np.abs(v) >= 1) & (np.abs(v) < 2) & (form.bits(v) & form.bits_dtype.type(0xFF) != 0) for v in values]
    assert np.logical_and.reduce(found).sum() > 100


def test_a_plan_expands_in_a_fixed_order():
    plan = Plan.of(["dot", "sin"], ["double", "float"], inputs="17")
    assert [str(item) for item in plan.items()] == [
        *("dot float", "dot float2", "dot float3", "dot float4", "sin float"),
        *("dot double", "dot double2", "dot double3", "dot double4", "sin double"),
    ]
    assert plan.count == 17
    assert {row.chapter for row in Plan.of().functions} == {"math"}
    assert HALF in Plan.of().formats
