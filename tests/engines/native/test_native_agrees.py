"""Compiled kernels give the bits of the NumPy engine and leave the same elements: kernels, formats, modes, levels."""

import numpy as np
import pytest

from clmath import reference
from clmath.engines import choice
from clmath.kernels import ACCURATE, FAST, PHASES
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import BFLOAT16, DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES, round_enclosure
from clmath.spec import files
from clmath.spec.builtins import builtin
from tests.cases import for_each
from tests.engines import compared

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("narrowing_however_few")]

COUNT = 500
SHORT = 1500  # arguments of few bits, whose results lie close to boundaries; hard cases are as many
CASES = [
    (kernel, form)
    for phase, forms in ((FAST, (HALF, FLOAT)), (ACCURATE, (DOUBLE,)))
    for kernel in phase.kernels.values()
    for form in forms
]
SINGLE = [kernel for phase in PHASES.values() for kernel in phase.single]
NARROWED = [kernel for kernel in ACCURATE.single if kernel.narrow]
SIZES = [0, 1, 2, 7, 511, 512, 513, 1023, 1025]
STEPS = {"every third": np.s_[::3], "backwards": np.s_[::-1], "next to each other": np.s_[:]}


def results(kernel, form, size):
    """Arrays for results, full of a value that no kernel returns."""
    return [np.full(size, form.from_bits(form.bits_dtype.type(3))) for _ in range(kernel.results)]


def check(engines, kernel, form, mode, args, *, targets=None):
    """Assert that every engine gives the bits of NumPy's, and leaves the same elements, which are returned."""
    size = args[0].size
    wanted = results(kernel, form, size)
    with np.errstate(all="ignore"):
        undecided = choice.PLAIN.rounded(kernel, form, mode, args, wanted)
        for engine in engines:
            found = results(kernel, form, size) if targets is None else targets
            left = engine.rounded(kernel, form, mode, args, found)
            reported = f"{kernel.name} {form} {mode} {engine.library.level}"
            for got, want in zip(found, wanted, strict=True):
                differ = np.flatnonzero(form.bits(got) != form.bits(want))[:5]
                assert not differ.size, f"{reported}: {[a[differ] for a in args]}: {got[differ]} {want[differ]}"
            assert np.array_equal(left, undecided), reported
    return undecided


def test_every_kernel_is_compiled(natives):
    for engine in natives:
        assert set(engine.library.kernels) == {kernel for phase in PHASES.values() for kernel in phase.kernels.values()}


def at_the_ends(kernel, form):
    """Arguments of every exponent at which a product, or a split into halves, overflows or loses digits; random
    fractions.
    """
    rng, fraction = np.random.default_rng(26), form.precision - 1
    last = form.emax - form.emin + 1
    some = min(60, last)  # the halves of a double have 26 digits, and errors of its products need 53 more below
    low, high, any_one = (
        rng.integers(*ends, 2 * COUNT) for ends in ((0, some), (last - some, last + 1), (0, last + 1))
    )
    fields = rng.permuted([np.concatenate([low, high, any_one])] * 2, axis=1)
    signs, fractions = rng.integers(0, 2, fields.shape), rng.integers(0, 1 << fraction, fields.shape)
    codes = signs << (form.width - 1) | fields << fraction | fractions
    columns = list(codes.astype(form.bits_dtype).view(form.dtype))
    kinds = [p.type for p in builtin(kernel.name).inputs]
    if kinds[-1] == "intn":
        columns[1] = rng.integers(-40, 40, columns[0].size).astype(np.int32)
    return columns[: len(kinds)]


@for_each("kernel, form", CASES)
def test_results_have_the_same_bits(natives, kernel, form):
    """By the way for ordinary arguments and by the general one: NumPy takes one for all elements, C for each block.

    Products at the ends of the range are one instruction at a level with fused products, and halves at others.
    """
    for args in (compared.arguments(kernel, form, COUNT), at_the_ends(kernel, form)):
        for places in compared.by_ways(kernel, args):
            some = [a[places] for a in args]
            for mode in MODES:
                check(natives, kernel, form, mode, some)


@for_each("kernel", SINGLE)
def test_enclosures_have_the_same_bits(natives, kernel):
    """All elements take one code path, as with NumPy. Infinities and NaN have no error, and few errors are wide."""
    args = compared.arguments(kernel, FLOAT if kernel.phase == "fast" else DOUBLE, COUNT)
    for places in compared.by_ways(kernel, args):
        for engine in natives:
            compared.check_enclosures(engine, kernel, [a[places] for a in args])
    with np.errstate(all="ignore"):
        value = choice.PLAIN.enclosure(kernel, args)
        assert not (value.err < 0.0).any()
        if kernel.phase == "fast":
            assert not (value.err[~np.isfinite(value.hi)] > 0.0).any()
            assert kernel.record.is_wide or not (value.err > np.abs(value.hi) * 2.0**-44).any()


def is_ordinary(kernel, x):
    """Where a kernel of one argument has an ordinary way for ``x``."""
    if kernel.record.ordinary is None:
        return np.zeros(x.shape, bool)
    with np.errstate(all="ignore"):
        return kernel.record.ordinary.holds(x)


@for_each("kernel", NARROWED)
def test_narrowed_enclosures_have_the_same_bits(natives, kernel):
    """NumPy narrows the enclosures of the general code path. C narrows the enclosures of the one code path that it
    takes for all elements.
    """
    args = [a[~is_ordinary(kernel, a)] for a in compared.arguments(kernel, DOUBLE, COUNT)]
    with np.errstate(all="ignore"):
        want = choice.PLAIN.enclosure(kernel, args, narrowed=True)
    for engine in natives:
        compared.check_parts(kernel, args, want, engine.enclosure(kernel, args, narrowed=True))


@for_each("kernel", NARROWED)
def test_narrowed_results_equal_the_references(natives, kernel):
    """Hard cases, which may stay undecided, their neighbours, and numbers of few bits, which are nearly all decided."""
    args = hard_arguments(kernel)
    exact = reference.enclose(kernel.name, args, DOUBLE)[0]
    for engine in natives:
        for mode in MODES:
            found, want = np.empty(args[0].size), round_enclosure(exact, DOUBLE, mode)[0]
            left = engine.rounded(kernel, DOUBLE, mode, args, [found])
            decided = np.delete(np.arange(found.size), left)
            wrong = decided[DOUBLE.bits(found)[decided] != DOUBLE.bits(want)[decided]]
            wrong = wrong[~(np.isnan(found[wrong]) & np.isnan(want[wrong]))][:5]
            assert not wrong.size, f"{kernel.name} {mode}: {[a[wrong] for a in args]}: {found[wrong]} {want[wrong]}"
            assert (left >= SHORT).sum() <= SHORT // 100


def hard_arguments(kernel):
    """Numbers of the table with their neighbours, then numbers of few bits."""
    rng = np.random.default_rng(len(kernel.name))
    types = [np.int32 if p.type == "intn" else np.float64 for p in builtin(kernel.name).inputs]
    rows = [line.split() for line in files.load("hard/calls.toml")["found"]["double"].get(kernel.name, ())]
    columns = []
    for i, dtype in enumerate(types):
        if dtype is np.int32:
            columns.append(np.resize([int(row[i]) for row in rows], 2 * SHORT).astype(dtype))
            continue
        hard = np.array([float.fromhex(row[i]) for row in rows])
        with np.errstate(over="ignore"):
            near = np.resize(np.concatenate([hard, np.nextafter(hard, 0.0), np.nextafter(hard, np.inf)]), SHORT)
        short = rng.integers(1, 1 << 9, SHORT) * 2.0 ** rng.integers(-40, 3, SHORT)
        columns.append(np.concatenate([near, short]))
    return columns


@for_each("count", [1, 2, 30, 300, 1300])
@for_each("name", ["exp", "sin", "sincos", "pow", "pown", "hypot", "lgamma", "tgamma", "log10"])
@for_each("form", [DOUBLE, FLOAT])
def test_few_unusual_elements_among_ordinary_ones(natives, name, form, count):
    """Few are decided by themselves, many all in one go: chunks of 512 or 1024, and a shorter one."""
    kernel, rng = (ACCURATE if form is DOUBLE else FAST).kernels[name], np.random.default_rng(count)
    places = rng.choice(1300, count, replace=False)
    args = compared.arguments(kernel, form, COUNT)
    columns = [rng.uniform(0.5, 2.0, 1300).astype(a.dtype) for a in args]
    for column, unusual in zip(columns, args, strict=True):
        column[places] = unusual[-count:]  # the hard ones come last
    for mode in MODES:
        check(natives, kernel, form, mode, columns)


@for_each("name", [kernel.name for kernel in ACCURATE.single if kernel.record.far])
@for_each("share", [0.0, 0.3, 0.5, 0.7, 1.0])
def test_arguments_far_out_among_others(natives, name, share):
    """They take a separate path if at least half of a block is far out."""
    kernel, rng = ACCURATE.kernels[name], np.random.default_rng(5)
    codes = rng.integers(-(1 << 63), (1 << 63) - 1, 4000)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, -185.0, 175.0, 2.0**300, -(2.0**52), 2.0**-30, 2.0**-200, -1e300]
    out = np.append(codes.view(np.float64), special)
    out = out[kernel.record.far.holds(out)]
    x = np.where(rng.random(out.size) < share, out, rng.uniform(-40.0, 40.0, out.size))
    for mode in MODES:
        check(natives, kernel, DOUBLE, mode, [x])


@pytest.mark.parametrize("name", ["sin", "tgamma"])
def test_one_code_path_encloses_all_elements(natives, name):
    """One argument beyond the ordinary range, in the last block, makes NumPy take the general code path for all."""
    kernel, many = ACCURATE.kernels[name], np.linspace(1.0, 30.0, 3000)
    x = np.append(many[kernel.record.ordinary.holds(many)], 1e6)
    assert x.size > 1000
    assert not kernel.record.ordinary.holds(x)[-1]
    with np.errstate(all="ignore"):
        general, ordinary = choice.PLAIN.enclosure(kernel, [x]), choice.PLAIN.enclosure(kernel, [x[:-1]])
        assert (general.err[:-1] != ordinary.err).any()
        for engine in natives:
            assert np.array_equal(engine.enclosure(kernel, [x]).err, general.err)
            assert np.array_equal(engine.enclosure(kernel, [x[:-1]]).err, ordinary.err)


def test_something_is_left_undecided(natives):
    """Otherwise the lists of undecided elements above would agree in being empty: next to a zero of lgamma."""
    x = 1.0 + np.arange(1, 300_000) * 2.0**-40
    assert check(natives, ACCURATE.kernels["lgamma"], DOUBLE, "rte", [x]).size


@for_each("size", SIZES)
@for_each("name, form", [("pow", FLOAT), ("rootn", DOUBLE), ("sincos", HALF)])
def test_every_number_of_elements(natives, name, form, size):
    kernel = PHASES["fast" if form.is_narrow else "accurate"].kernels[name]
    args = [a[-size or a.size :] for a in compared.arguments(kernel, form, 64)]
    for mode in MODES:
        check(natives, kernel, form, mode, args)


@for_each("given", STEPS)
@for_each("taken", STEPS)
@for_each("name, form", [("pown", FLOAT), ("hypot", DOUBLE), ("sincos", HALF)])
def test_arguments_and_results_with_strides(natives, name, form, given, taken):
    """Arguments and results may have strides; memory between results stays unchanged."""
    kernel = PHASES["fast" if form.is_narrow else "accurate"].kernels[name]
    args = [a[-2000:][STEPS[given]] for a in compared.arguments(kernel, form, 64)]
    step = 3 if taken == "every third" else 1
    for engine in natives:
        wholes = results(kernel, form, args[0].size * step)
        check([engine], kernel, form, "rtp", args, targets=[whole[STEPS[taken]] for whole in wholes])
        between = np.delete(np.arange(args[0].size * step), np.s_[::step])
        assert all((form.bits(whole[between]) == 3).all() for whole in wholes)


def test_arguments_are_broadcast_widened_or_left_to_numpy(natives):
    """Narrower numbers are widened; NumPy takes doubles for a kernel of floats, ints for numbers, other kernels."""
    x, ints = np.linspace(0.5, 9.0, 1000), np.arange(1000, dtype=np.int32)
    floats, (added,) = x.astype(np.float32), kernels_of("add", FLOAT)
    check(natives, ACCURATE.kernels["pow"], DOUBLE, "rtz", [x, np.broadcast_to(np.float64(2.5), 1000)])
    for dtype in (np.float16, np.float32):
        check(natives, ACCURATE.kernels["exp"], DOUBLE, "rtn", [x.astype(dtype)])
    check(natives, ACCURATE.kernels["pown"], DOUBLE, "rte", [x, np.arange(1000, dtype=np.int16)])
    check(natives, FAST.kernels["exp"], FLOAT, "rte", [x])
    check(natives, FAST.kernels["exp"], FLOAT, "rte", [ints])
    check(natives, FAST.kernels["pown"], FLOAT, "rte", [floats, ints.astype(np.int64)])
    check(natives, added, FLOAT, "rte", [floats, floats])
    want = choice.PLAIN.enclosure(FAST.kernels["exp"], [x]).hi
    assert all(np.array_equal(engine.enclosure(FAST.kernels["exp"], [x]).hi, want) for engine in natives)


def test_a_format_that_is_rounded_by_numpy(natives):
    pytest.importorskip("ml_dtypes")
    x = np.linspace(-90.0, 90.0, 4000).astype(BFLOAT16.dtype)
    for mode in MODES:
        check(natives, FAST.kernels["exp"], BFLOAT16, mode, [x])
