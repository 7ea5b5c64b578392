"""All engines give the same bits, those of NaN too, and leave the same lanes undecided: kernels, modes."""

import numpy as np
import pytest

from clmath import ladder
from clmath.engines import choice
from clmath.kernels import QUICK
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.cases import for_each

OTHERS = [
    pytest.param(name, marks=pytest.mark.skipif(engine not in choice.installed(), reason=choice.told()[name]))
    for name, engine in choice.ENGINES.items()
    if engine is not choice.PLAIN
]
KERNELS = [kernel.name for kernel in QUICK.single]


def arguments(name, form):
    """Encodings, all of half, NaNs, powers of two with neighbours, tame numbers and the special values."""
    rng = np.random.default_rng(len(name))
    codes = np.arange(1 << 16) if form is HALF else rng.integers(0, 1 << form.width, 30_000, dtype=np.uint64)
    nans = form.bits(np.inf) | rng.integers(0, 1 << form.width, 2000, dtype=np.uint64)
    encodings = np.concatenate([codes, nans]).astype(form.bits_dtype).view(form.dtype)
    with np.errstate(all="ignore"):
        powers = (2.0 ** np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
        tame = (rng.integers(-400, 400, 20_000) * 0.25).astype(form.dtype)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0], form.dtype)
    first = np.concatenate([encodings, powers, -powers, np.nextafter(powers, special[2]), tame, special, special])
    args = [first]
    if len(builtin(name).inputs) == 2:
        second = rng.permutation(first)
        second[-len(special) :] = special[::-1]
        is_int = builtin(name).inputs[1].type == "intn"
        args.append(rng.integers(-200, 200, len(first)).astype(np.int32) if is_int else second)
    return args


@for_each("form", [HALF, FLOAT])
@for_each("name", KERNELS)
@for_each("other", OTHERS)
def test_the_engines_give_the_same_bits(other, name, form):
    args, kernel = arguments(name, form), QUICK.kernels[name]
    plain, fast = np.empty(args[0].shape, form.dtype), np.empty(args[0].shape, form.dtype)
    for mode in MODES:
        with np.errstate(all="ignore"):
            plain_undecided = choice.PLAIN.rounded(kernel, form, mode, args, [plain])
            fast_undecided = choice.ENGINES[other].rounded(kernel, form, mode, args, [fast])
        differ = np.flatnonzero(form.bits(plain) != form.bits(fast))
        assert not differ.size, (
            f"{name} {mode}: {[a[differ[:5]] for a in args]}: {plain[differ[:5]]} {fast[differ[:5]]}"
        )
        assert np.array_equal(plain_undecided, fast_undecided)


@for_each("name", KERNELS)
@for_each("other", OTHERS)
def test_the_enclosures_have_the_same_bits(other, name):
    args = arguments(name, FLOAT)
    with np.errstate(all="ignore"):
        value, _, err, _ = choice.PLAIN.enclosure(QUICK.kernels[name], args)
        values, _, errs, _ = choice.ENGINES[other].enclosure(QUICK.kernels[name], args)
    assert np.array_equal(values, value, equal_nan=True)
    assert np.array_equal(np.signbit(values[values == 0.0]), np.signbit(value[value == 0.0]))
    assert np.array_equal(errs, err, equal_nan=True)


@for_each("name", KERNELS)
def test_what_is_no_number_is_no_interval(name):
    with np.errstate(all="ignore"):
        value, _, err, _ = choice.PLAIN.enclosure(QUICK.kernels[name], arguments(name, FLOAT))
    assert not (err[~np.isfinite(value)] > 0.0).any()
    assert not (err < 0.0).any()


@for_each("name", [kernel.name for kernel in QUICK.single if not kernel.is_wide])
def test_other_enclosures_are_not_wide(name):
    with np.errstate(all="ignore"):
        value, _, err, _ = choice.PLAIN.enclosure(QUICK.kernels[name], arguments(name, FLOAT))
        assert not (err > np.abs(value) * 2.0**-44).any()


def test_every_kernel_is_that_of_a_built_in():
    for name in KERNELS:
        assert ladder.has_kernel(name, FLOAT)
        assert callable(QUICK.kernels[name].function)
