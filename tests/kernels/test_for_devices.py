"""Device kernels of built-ins that the host evaluates directly: their enclosures always round to the host's results."""

import numpy as np
import pytest

from clmath import phases
from clmath.engines import choice
from clmath.engines.device.ends import again as round_again
from clmath.engines.device.ends import at_once
from clmath.kernels import exact, gamma_sign
from clmath.kernels.for_devices import BY_FORMAT, kernels_of
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin
from tests.cases import for_each

COUNT = 20_000
CASES = [(name, form) for form in (HALF, FLOAT, DOUBLE) for name in BY_FORMAT[form.name]]


def column(rng, form, kind):
    """Random encodings, moderate numbers, halves of integers, powers of two, and special values in random order."""
    if kind == "intn":
        near = rng.integers(-form.emax - 80, form.emax + 80, COUNT)
        return np.where(rng.random(COUNT) < 0.1, rng.integers(-(2**31), 2**31, COUNT), near).astype(np.int32)
    codes = rng.integers(0, 1 << form.width, COUNT, np.uint64, endpoint=False) if form is not DOUBLE else None
    codes = rng.integers(0, 2**64 - 1, COUNT, np.uint64, endpoint=True) if codes is None else codes
    tame, halves = rng.standard_normal(COUNT) * 4.0, rng.integers(-64, 64, COUNT) * 0.5
    powers = np.ldexp(1.0, rng.integers(form.quantum, form.emax, COUNT))
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, form.largest, -form.largest, 2.0**form.quantum]
    sorts = [form.from_bits(codes.astype(form.bits_dtype))]
    sorts += [x.astype(form.dtype) for x in (tame, halves, powers, rng.choice(special, COUNT))]
    return np.choose(rng.integers(0, len(sorts), COUNT), sorts)


def arguments(name, form):
    """Some of the second numbers are the first ones, their opposites or their neighbours."""
    rng = np.random.default_rng(len(name))
    found = [column(rng, form, p.type) for p in builtin(name).inputs]
    if len(found) > 1 and found[1].dtype == form.dtype:
        step = rng.integers(-2, 3, COUNT // 2).astype(form.bits_dtype)
        beside = form.from_bits(form.bits(found[0][: COUNT // 2]) + step)
        found[1][: COUNT // 2] = np.where(rng.random(COUNT // 2) < 0.5, beside, -beside)
    return found


def enclosed(kernel, args, form):
    """The parts of every result's enclosure."""
    found = kernel.function(*(a.astype(np.float64) for a in args))
    found = found if isinstance(found, tuple) else (found,)
    if kernel.is_exact:
        found = sum((tuple((exact.in_two if form is DOUBLE else exact.in_one)(value)) for value in found), ())
    parts = [np.broadcast_to(np.asarray(part), args[0].shape) for part in found]
    return [parts[i : i + len(kernel.parts)] for i in range(0, len(parts), len(kernel.parts))]


@np.errstate(all="ignore")
@for_each("name, form", CASES)
def test_enclosures_round_to_the_hosts_results(name, form):
    args = arguments(name, form)
    wanted = {mode: list(phases.by_step(name, form, mode, choice.PLAIN)(args)) for mode in MODES}
    for kernel in kernels_of(name, form):
        if kernel.is_integer:
            assert (kernel.function(*(a.astype(np.float64) for a in args)) == wanted["rte"].pop(0)).all()
            continue
        for parts in enclosed(kernel, args, form):
            for mode, want in wanted.items():
                check(kernel, parts, mode, want.pop(0), form)
    assert not wanted["rte"]


def check(kernel, parts, mode, want, form):
    """Assert equal bits, except for undecided elements and for zeros if the kernel does not set their sign."""
    codes, again = round_again(*parts, form.name, MODE_NUMBERS[mode])
    found = form.from_bits(codes.view(np.uint64).astype(form.bits_dtype))
    same = (form.bits(found) == form.bits(want)) | (np.isnan(found) & np.isnan(want)) | again
    if mode == "rtn" and kernel.signs_zeros:
        same |= (found == 0.0) & (want == 0.0)
    assert same.all()
    assert again.mean() < 0.05  # a quotient of neighbours, and the root of the largest double, are by a midpoint


@for_each("name", ["add", "sub", "fma"])
def test_sums_that_cancel_are_zero(name):
    """The first rounding to double takes a zero with a positive exponent for a number."""
    args = [np.array([value]) for value in {"add": (6.0, -6.0), "sub": (6.0, 6.0), "fma": (2.0, 3.0, -6.0)}[name]]
    (kernel,) = kernels_of(name, DOUBLE)
    for number in MODE_NUMBERS.values():
        codes, again = at_once(*kernel.function(*args), DOUBLE.name, number, False)
        assert again or codes == 0


@np.errstate(all="ignore")
@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_the_sign_of_gamma(form):
    (x,), (_, kernel) = arguments("lgamma_r", form), kernels_of("lgamma_r", form)
    assert (kernel.function(x.astype(np.float64)) == gamma_sign(x)).all()


def test_functions_that_no_kernel_knows():
    assert kernels_of("mix", FLOAT) == ()
    assert kernels_of("fma", HALF)[0].module == "clmath.kernels.fast.arithmetic"
    assert kernels_of("fabs", DOUBLE)[0].module == "clmath.kernels.exact"
