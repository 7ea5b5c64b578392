"""Declarations of a target enter its criteria: mode, flushing, exact division, no infinities."""
# ruff: noqa: ARG001, ARG002, ARG005 - changes share one signature

from __future__ import annotations

import dataclasses
import inspect
import re

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.judge.piece import criteria_of
from clmath.audit.opencl.devices import find
from clmath.audit.opencl.kernel import selecting
from clmath.audit.opencl.opencl_target import OpenCL
from clmath.audit.opencl.trial import abilities
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.target import Target, TargetError
from clmath.audit.targets.declared import Declaration, Declared, declaration
from clmath.errors import ClmathError, RoundingError, UnknownNameError
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.audit.faulty import verdicts
from tests.cases import for_each

OPERATIONS = ["add", "mul", "div"]


def verdicts_on(target, names, form=FLOAT, profile="full"):
    return {v.item.builtin.name: v.status for v in verdicts(target, names, [form], profile=profile, inputs=256)}


@for_each("mode, name", [*(("rtz", name) for name in ("add", "fma", "fdim", "cbrt")), ("rtn", "mul"), ("rtn", "ldexp")])
def test_declared_mode_applies_to_operators(mode, name, truthful):
    """Functions round to nearest in every mode (3.17, 3.19); results of some are within their limits in any mode."""
    said = Declaration(mode)
    right, nearest = Declared(truthful(rounding=mode), said), Declared(truthful(rounding="rte"), said)
    is_operator, is_loose = name in ("add", "mul"), name in ("rint", "cbrt")
    assert verdicts_on(right, [name]) == {name: "pass" if is_operator or is_loose else "fail"}
    assert verdicts_on(nearest, [name]) == {name: "fail" if is_operator else "pass"}


def flush(row, form, args, results):
    return tuple(
        np.where(np.abs(r) < form.smallest_normal, np.copysign(form.dtype.type(0), r), r)
        if r.dtype == form.dtype
        else r
        for r in results
    )


@pytest.mark.parametrize("form", [HALF, FLOAT, DOUBLE], ids=str)
def test_flushed_format_must_be_declared(form, truthful):
    assert verdicts_on(truthful(flush), ["exp2", "mul"], form) == {"exp2": "fail", "mul": "fail"}
    status = "fail" if form is DOUBLE else "pass"  # 4.2: subnormals of double are not optional
    said = Declaration(flushes=(form.name,))
    assert verdicts_on(Declared(truthful(flush), said), ["exp2", "mul"], form) == {"exp2": status, "mul": status}
    others = tuple(f for f in ("half", "float", "double") if f != form.name)
    assert verdicts_on(Declared(truthful(flush), Declaration(flushes=others)), ["mul"], form) == {"mul": "fail"}


def off(row, form, args, results):
    y = results[0]
    with np.errstate(all="ignore"):
        return (np.where(np.isfinite(y) & (y != 0), np.nextafter(y, form.dtype.type(0)), y),)


def test_declared_exact_division_is_required(truthful):
    names = ["div", "recip", "sqrt"]
    assert verdicts_on(truthful(off), names) == dict.fromkeys(names, "pass")
    assert verdicts_on(Declared(truthful(off), Declaration(exact_divide=True)), names) == dict.fromkeys(names, "fail")


@dataclasses.dataclass(frozen=True)
class Saturating:
    """A target without infinities and NaN: its operations return the largest number, also for infinite arguments."""

    scalars: object
    names: tuple[str, ...] = tuple(OPERATIONS)

    def __getattr__(self, name):
        return getattr(self.scalars, name)

    def has_infinities(self, form):
        return False

    def evaluate(self, row, form, args):
        if row.name not in self.names:
            return self.scalars.evaluate(row, form, args)
        (y,) = self.scalars.evaluate(row, form, tuple(np.nan_to_num(a) for a in args))
        return (np.nan_to_num(y),)


@for_each(
    "form, mode, profile, status",
    [
        (FLOAT, "rte", "embedded", "pass"),
        (FLOAT, "rtz", "embedded", "pass"),
        (FLOAT, "rte", "full", "fail"),  # 4.2: INF and NaNs must be supported
        (HALF, "rtz", "full", "pass"),
        (HALF, "rtz", "embedded", "pass"),
        (HALF, "rte", "embedded", "fail"),  # cl_khr_fp16: ROUND_TO_ZERO, or ROUND_TO_NEAREST with INF_NAN
        (DOUBLE, "rte", "embedded", "fail"),
    ],
)
def test_operations_without_infinities(form, mode, profile, status, truthful):
    found = verdicts_on(Saturating(truthful(claims=mode)), OPERATIONS, form, profile)
    assert found == dict.fromkeys(OPERATIONS, status)


def test_declared_infinities_are_required(truthful):
    device = Saturating(truthful())
    assert verdicts_on(Declared(device.scalars, Declaration()), ["mul"], profile="embedded") == {"mul": "pass"}

    class Lies(Saturating):
        def has_infinities(self, form):
            return True

    assert verdicts_on(Lies(truthful()), ["mul"], profile="embedded") == {"mul": "fail"}


def test_functions_are_judged_unchanged_without_infinities(truthful):
    """The embedded profile: built-in math functions shall behave as described for the full profile."""
    assert verdicts_on(Saturating(truthful(), ("exp",)), ["exp", "log"], profile="embedded") == {
        "exp": "fail",
        "log": "pass",
    }


def test_numbers_are_judged_unchanged_without_infinities(truthful):
    assert verdicts_on(Saturating(truthful(off)), ["add"], profile="embedded") == {"add": "fail"}


def positive(row, form, args, results):
    return tuple(np.where(r == 0, np.abs(r), r) for r in results)


def negative(row, form, args, results):
    return tuple(np.where(r == 0, -np.abs(r), r) for r in results)


def test_zeros_of_embedded_devices_may_be_positive(truthful):
    """The embedded profile: zero results of addition, subtraction and multiplication may always be positive 0.0."""
    names = ["add", "sub", "mul", "div", "fma"]
    expected = {"add": "pass", "sub": "pass", "mul": "pass", "div": "fail", "fma": "fail"}
    assert verdicts_on(truthful(positive), names, profile="embedded") == expected
    assert verdicts_on(truthful(negative), ["add", "fma"], profile="embedded") == {"add": "fail", "fma": "fail"}
    for name, form, profile in (("sub", FLOAT, "full"), ("mul", HALF, "embedded"), ("add", DOUBLE, "embedded")):
        assert verdicts_on(truthful(positive), [name], form, profile) == {name: "fail"}


def test_declaration_is_written_as_options():
    said = declaration("audit", "rtz", "half,float", "half", exact=True)
    assert said == Declaration("rtz", ("half", "float"), ("half",), True)
    assert said.words == ["--mode", "rtz", "--flushes", "half,float", "--no-infinities", "half", "--exact-divide"]
    by_type = declaration("audit", "half=rtz, float=rtn", None, None, exact=False)
    assert by_type.words == ["--mode", "half=rtz,float=rtn"]
    other = target_named("clmath", declared=by_type)
    assert [other.mode(form) for form in (HALF, FLOAT, DOUBLE)] == ["rtz", "rtn", "rte"]
    one = target_named("clmath", declared=said)
    assert isinstance(one, Target)
    for name in ("evaluate", "defines", "formats"):  # isinstance() looks them up in this way from Python 3.12 on
        assert callable(inspect.getattr_static(one, name))
    assert one.describe()["declared"] == " ".join(said.words)
    assert (one.mode(FLOAT), one.flushes(HALF), one.flushes(DOUBLE)) == ("rtz", True, False)
    assert (one.has_infinities(HALF), one.has_infinities(FLOAT)) == (False, True)


@for_each(
    "words, error, text",
    [
        (("rounded", None, None), RoundingError, "'rounded' is not one of"),
        ((None, "floats", None), UnknownNameError, "floats"),
        ((None, ",", None), UnknownNameError, "--flushes ',' names nothing; write --flushes half,float"),
        ((None, None, ","), UnknownNameError, "--no-infinities ',' names nothing; write --no-infinities half,float"),
        ((None, None, "quad"), UnknownNameError, "quad"),
        ((None, "float,double", None), UnknownNameError, "--flushes double: subnormals of float and half alone"),
        ((None, "float,double", None), UnknownNameError, "; leave double out"),
        ((None, "double", None), UnknownNameError, "; leave --flushes out"),
        (("down,up", None, None), RoundingError, "'down' is not one of"),
        (("half=rtz,rtz", None, None), RoundingError, "--mode 'half=rtz,rtz' mixes modes"),
        (("half=rtz,half=rte", None, None), RoundingError, "has two modes of half"),
        (("half=down", None, None), RoundingError, "'down' is not one of"),
        (("quad=rtz", None, None), UnknownNameError, "quad"),
        ((",", None, None), RoundingError, "names nothing"),
    ],
)
def test_invalid_declarations_raise(words, error, text):
    with pytest.raises(error) as caught:
        declaration("audit", *words, exact=False)
    assert text in str(caught.value)
    for option, name in re.findall(r"write --(mode|flushes|no-infinities) ([^\s;]+)", text):
        place = ("mode", "flushes", "no-infinities").index(option)
        declaration("audit", *(name if k == place else None for k in range(3)), exact=False)


@pytest.mark.slow
def test_declarations_of_a_device_are_checked_against_its_driver(opencl_device):
    with pytest.raises(ClmathError, match="--flushes float is for targets without a driver"):
        target_named(opencl_device, declared=Declaration(flushes=("float",)))
    with pytest.raises(TargetError, match=r"has no cl_khr_select_fprounding_mode.*leave out --mode rtz"):
        target_named(opencl_device, declared=Declaration("rtz"))
    assert target_named(opencl_device, declared=Declaration("rte")).mode_of(builtin("add"), FLOAT) == "rte"


@pytest.mark.slow
def test_criteria_follow_the_driver_of_a_small_device(opencl_device, monkeypatch):
    """An embedded device that rounds toward zero, flushes, and has no infinities."""
    device = find(opencl_device.removeprefix("opencl:"))
    monkeypatch.setattr(OpenCL, "_config", lambda self, form: ("ROUND_TO_ZERO",))
    one = OpenCL(device)
    criteria = criteria_of(Plan.of(["mul"], [FLOAT]).items()[0], Plan.of(["mul"], profile="embedded"), one)
    assert (criteria.mode, criteria.flushes, criteria.infinities) == ("rtz", True, False)
    assert "float, rtz, subnormals may be flushed, no infinities" in abilities(one)["types"]


@pytest.mark.slow
def test_mode_is_selected_for_operators_if_the_device_supports_it(opencl_device, monkeypatch):
    """PoCL ignores the pragma and lacks the extension; a claim to have it would be caught."""
    device = find(opencl_device.removeprefix("opencl:"))
    monkeypatch.setattr("clmath.audit.opencl.opencl_target.SELECTION", device.extensions.split()[0])
    claimed = OpenCL._config
    monkeypatch.setattr(OpenCL, "_config", lambda self, form: (*claimed(self, form), "ROUND_TO_ZERO"))
    one = OpenCL(device, mode="rtz")
    assert {name: one.mode_of(builtin(name), FLOAT) for name in ("add", "div", "fma", "sin")} == {
        "add": "rtz",
        "div": "rtz",
        "fma": "rte",
        "sin": "rte",
    }
    assert criteria_of(Plan.of(["mul"]).items()[1], Plan.of(["mul"]), one).mode == "rtz"
    assert one.describe()["declared"] == "--mode rtz"
    assert verdicts_on(one, ["add", "fabs"]) == {"add": "fail", "fabs": "pass"}
    assert selecting("rtz").splitlines() == [
        "#pragma OPENCL EXTENSION cl_khr_select_fprounding_mode : enable",
        "#pragma OPENCL SELECT_ROUNDING_MODE rtz",
    ]
