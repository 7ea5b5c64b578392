"""Devices that round toward zero, flush subnormals or have looser limits: both judges give the same verdicts."""

import functools
import re

import pytest

from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtin
from tests.audit.device_judge.test_device_judge import Counted
from tests.cases import for_each

pytestmark = pytest.mark.slow
# Computed in double, where products of floats are exact, and rounded to float toward zero. A sum is first moved to the
# next double toward zero.
TOWARD_ZERO = {
    "mul": "o0 = convert_float_rtz((double)i0 * (double)i1);",
    "fma": """
        double p = (double)i0 * (double)i1, c = i2, s = p + c;
        double t = s - p;
        double lost = (p - (s - t)) + (c - t);
        if (lost != 0.0 && isfinite(lost) && (lost < 0.0) != (s < 0.0)) s = as_double(as_ulong(s) - 1);
        o0 = convert_float_rtz(s);
    """,
}


def changed(written, code):
    """Return a kernel that computes by ``code``."""
    return re.sub(r"(?<!float )o0 = .*;", lambda _: code, written)


@pytest.fixture(scope="module")
def faulty_kernel(device):
    """Return the kernel with the fault ``code``, or False for other code; one program contains all faults."""
    from clmath.audit.opencl import opencl_target
    from clmath.engines.device.opencl import Built

    names = {code: name for name, code in OF_TWO.items()}
    target = opencl_target.OpenCL(device)

    @functools.cache
    def program():
        written = {n: kernel_source(builtin(n), FLOAT, entry=f"call_{n}") for n in OF_TWO}
        return target._program("".join(changed(written[name], code) for name, code in OF_TWO.items()))

    def kernel(code):
        return code in names and Built(target._cl.Kernel(program(), f"call_{names[code]}"), program())

    return kernel


@pytest.fixture
def made(device, monkeypatch, faulty_kernel):
    """Return a target that computes float by ``code``; ``mode`` and ``flushes``: its declared rounding and flushing."""
    from clmath.audit.opencl import opencl_target, programs

    def other(code=None, mode="rte", options="", *, flushes=False):
        class Other(opencl_target.OpenCL):
            def mode_of(self, *_):
                return mode

            def flushes(self, _):
                return flushes

            def _compiled(self, *given):
                faulty = faulty_kernel(code)
                return [faulty] if faulty else super()._compiled(*given)

        if code:
            monkeypatch.setattr(programs, "kernel_source", lambda *row: changed(kernel_source(*row), code))
        return Other(device, options)

    return other


def judged(name, target, judge, **options):
    plan = Plan.of([name], ["float"], **{"inputs": NUMBERED, "jobs": 1, "local_search": False} | options)
    return list(audit(plan, target, judge=judge))


@pytest.fixture
def same():
    """Return the verdict that both judges give on the second quarter of the inputs; the device must have judged."""

    def verdict(name, target, **options):
        counted = Counted(target)
        part = "2/4"  # the first quarter also has fixed inputs, which the host judges
        (found,) = judged(name, counted, "device", part=part, **options)
        assert repr([found]) == repr(judged(name, target, "host", part=part, **options))
        assert sum(answer.elements for answer in counted.answers) == NUMBERED // 4
        return found

    return verdict


@for_each("name", ["mul", "fma"])
def test_device_that_rounds_toward_zero_passes(name, made, same):
    found = same(name, made(TOWARD_ZERO[name], "rtz"), profile="embedded")
    assert found.status == "pass"
    assert abs(found.tally.worst.error) > 1.0
    assert found.tally.worst.got & 0x7FFFFFFF == 0x7F7FFFFF  # overflow gives the largest number
    assert found.tally.spread.share == 1.0


# errors that a formula may explain for some of the results, but not for all
OFF = {
    "tanh": "o0 = tanh(i0) * (fabs(i0) < 0.01f ? 1.0f + 0x1.8p-10f : 1.0f + 0x1p-20f);",
    "expm1": "o0 = expm1(i0) + 0x1p-21f;",
    "pow": "o0 = pow(i0, i1) * (1.0f + 0x1p-13f) * (fabs(i1) > 8.0f ? 1.001f : 1.0f);",
}


@for_each("name", OFF)
def test_formulas_of_the_relaxed_profile(name, made, same):
    """Results beyond the limit pass where the formula may give them, and fail elsewhere."""
    found = same(name, made(OFF[name], options="-cl-fast-relaxed-math"), profile="relaxed")
    assert 0 < found.tally.failed < found.tally.tried // 2
    assert found.tally.unjudged > 0
    assert found.tally.spread.share < 0.9


# subnormal arguments or results are flushed
SMALL = {
    "log": "o0 = log(fabs(i0) < 0x1p-126f ? copysign(0.0f, i0) : i0);",
    "asin": "o0 = i0 != 0.0f && fabs(i0) < 0x1p-126f ? -0.0f : asin(i0);",
    "exp": "o0 = exp(i0) < 0x1p-126f ? 0.0f : exp(i0);",
    "half_recip": "o0 = fabs(half_recip(i0)) < 0x1p-126f ? 0.0f : half_recip(i0);",
    "ceil": "o0 = ceil(fabs(i0) < 0x1p-126f ? copysign(0.0f, i0) : i0);",
}


@for_each("profile", ["full", "relaxed"])
@for_each("name", SMALL)
def test_flushed_results_are_counted_on_the_device(name, profile, made, verdicts):
    options = "-cl-fast-relaxed-math" if profile == "relaxed" else ""
    target = Counted(made(SMALL[name], options=options, flushes=profile == "full"))
    (found,) = verdicts(target, "device", name, profile=profile)
    assert repr([found]) == repr(verdicts(target, "host", name, profile=profile))
    assert found.tally.failed == 0
    assert found.tally.flushed > 500
    assert sum(answer.listed for answer in target.answers) < found.tally.tried // 100


# functions of flushed arguments; a subnormal first result is flushed, too
OF_SEVERAL = {
    "mul": "x * y",
    "atan2": "atan2(x, y)",
    "pow": "pow(x, y)",
    "fma": "fma(x, y, z)",
    "remquo": "remquo(x, y, &o1)",
}


def flushing(name):
    """Return the code of a built-in that flushes its arguments."""
    given = [(value, f"i{n}") for n, value in enumerate(re.findall(r"\b[xyz]\b", OF_SEVERAL[name]))]
    lines = [f"float {value} = fabs({i}) < 0x1p-126f ? copysign(0.0f, {i}) : {i};" for value, i in given]
    return f"{{ {' '.join(lines)} float r = {OF_SEVERAL[name]}; o0 = fabs(r) < 0x1p-126f ? copysign(0.0f, r) : r; }}"


@for_each("name, profile", [*((name, "full") for name in OF_SEVERAL), ("mul", "relaxed")])
def test_flushed_arguments_of_binary_functions_are_counted_on_the_device(name, profile, made, same):
    """A device that does not declare it fails."""
    options = "-cl-fast-relaxed-math" if profile == "relaxed" else ""
    target = Counted(made(flushing(name), options=options, flushes=profile == "full"))
    found = same(name, target, profile=profile)
    assert found.tally.failed == 0
    assert found.tally.flushed > found.tally.tried // 17
    assert sum(answer.listed for answer in target.answers) < found.tally.tried // 50
    if name in {"fma", "atan2"}:
        silent = same(name, made(flushing(name)))
        assert silent.tally.failed > 100
        assert any("flushed" in reason for reason, _ in silent.tally.reasons)


# one result misses the limit everywhere, the other one is correct or wrong in another way
OF_TWO = {
    "sincos": """
        o0 = sincos(i0, &o1);
        o1 *= 1.001f;
        if (as_uint(i0) & 2u) o0 *= 1.01f;
        if (as_uint(i0) % 64u == 0u) o0 = NAN;
    """,
    "frexp": "o0 = frexp(i0, &o1); o0 = as_float(as_uint(o0) ^ 1u); o1 += as_uint(i0) % 64u ? 0 : 1000;",
}


@pytest.mark.usefixtures("short_runs")
@for_each("name", OF_TWO)
def test_one_of_two_results_misses_the_limit(name, made, verdicts):
    target = made(OF_TWO[name])
    (found,) = verdicts(target, "device", name)
    assert repr([found]) == repr(verdicts(target, "host", name))
    assert found.tally.failed > found.tally.tried // 2
