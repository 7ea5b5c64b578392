"""Targets: each evaluates the functions that it defines; invalid targets are errors of one line."""

import copy
import math
import pickle
import sys
import textwrap

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.protocol.target import FaultError, Target, TargetError
from clmath.audit.targets.function import Function
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, KNOWN
from clmath.spec.builtins import builtin, builtins
from tests.cases import for_each


@pytest.fixture(scope="module")
def device(opencl_device):
    return target_named(opencl_device)


def arguments(row, form, components, count=200):
    random = np.random.default_rng(5)
    shape = (count, components) if components else (count,)
    return tuple(
        random.uniform(0.5, 2.0, shape).astype(form.dtype)
        if p.type == "gentype"
        else random.integers(1, 5, count).astype(form.bits_dtype if p.type == "nancode" else np.int32)
        for p in row.inputs
    )


@pytest.mark.parametrize("name", ["numpy", "libm", "clmath"])
def test_host_targets_follow_the_protocol(name):
    assert_keeps_the_protocol(target_named(name))


@pytest.mark.slow
def test_opencl_device_follows_the_protocol(opencl_device):
    assert_keeps_the_protocol(target_named(opencl_device))


def assert_keeps_the_protocol(one):
    assert isinstance(one, Target)
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in one.describe().items())
    assert set(one.formats()) <= set(KNOWN)
    for form in one.formats():
        assert one.mode(form) == "rte"
        assert one.flushes(form) is ("DENORM" not in one.describe().get(f"{form} config", "DENORM"))


@pytest.mark.parametrize("name", ["numpy", "libm"])
def test_host_libraries_evaluate_all_functions_that_they_define(name):
    one = target_named(name)
    rows = [(row, form) for form in one.formats() for row in builtins().values() if one.defines(row, form)]
    assert len(rows) > 80
    for row, form in rows:
        args = arguments(row, form, 0)
        results = one.evaluate(row, form, args)
        dtypes = [np.dtype(np.int32) if p.type == "intn" else form.dtype for p in row.outputs]
        assert [r.dtype for r in results] == dtypes
        assert all(r.shape == args[0].shape for r in results)


def test_libm_agrees_with_python():
    one, x = target_named("libm"), np.linspace(-3, 3, 99)
    (got,) = one.evaluate(builtin("sin"), DOUBLE, (x,))
    assert got.tolist() == [math.sin(v) for v in x]
    mantissa, exponent = one.evaluate(builtin("frexp"), DOUBLE, (x,))
    assert list(zip(mantissa.tolist(), exponent.tolist(), strict=True)) == [math.frexp(v) for v in x]
    value, sign = one.evaluate(builtin("lgamma_r"), FLOAT, (np.float32([-0.5, 3.0]),))
    assert value[1] == np.float32(math.log(2.0))
    assert sign.tolist() == [-1, 1]
    (scaled,) = one.evaluate(builtin("ldexp"), FLOAT, (np.float32([1.5, 1.0]), np.int32([3, -149])))
    assert scaled.tolist() == [12.0, 2.0**-149]


@pytest.mark.parametrize("name", ["frexp", "modf", "remquo", "lgamma_r"])
def test_results_stored_by_libm_do_not_depend_on_the_previous_element(name):
    one, row = target_named("libm"), builtin(name)
    x = np.array([5.5, np.nan, -0.5, np.inf, 0.0, -3.0, 7.25])
    args = (x, x[::-1].copy())[: len(row.inputs)]
    together = one.evaluate(row, DOUBLE, args)
    for i in range(len(x)):
        alone = one.evaluate(row, DOUBLE, tuple(a[i : i + 1] for a in args))
        for a, t in zip(alone, together, strict=True):
            np.testing.assert_array_equal(a, t[i : i + 1])


def test_libm_has_no_half():
    one = target_named("libm")
    assert HALF not in one.formats()
    assert not one.defines(builtin("sin"), HALF)
    with pytest.raises(TargetError, match=r"sin\(half\) is not in"):
        one.evaluate(builtin("sin"), HALF, (np.float16([1.0]),))


SHAPES = "sin add recip fma lgamma_r remquo ldexp nan ilogb fract sincos half_divide native_exp2 mix step"


@pytest.mark.slow
@for_each("name", SHAPES.split(" "))
def test_device_runs_every_shape_of_declaration(device, name):
    row = builtin(name)
    args = arguments(row, FLOAT, 0)
    results = device.evaluate(row, FLOAT, args)
    for got, want in zip(results, target_named("clmath").evaluate(row, FLOAT, args), strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cross", "dot", "normalize"])
def test_device_runs_vectors_of_every_width(device, name):
    row = builtin(name)
    for components in row.widths:
        args = arguments(row, DOUBLE, components)
        (got,), (want,) = (one.evaluate(row, DOUBLE, args) for one in (device, target_named("clmath")))
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


@pytest.mark.slow
def test_batches_are_joined(device, monkeypatch):
    monkeypatch.setattr("clmath.audit.opencl.opencl_target.BATCH", 7)
    x = np.arange(1.0, 31.0)
    value, exponent = device.evaluate(builtin("frexp"), DOUBLE, (x,))
    assert list(zip(value.tolist(), exponent.tolist(), strict=True)) == [math.frexp(v) for v in x]


@pytest.mark.slow
def test_missing_result_has_a_fill_pattern(device, monkeypatch):
    def idle(row, form, width=1):
        return kernel_source(row, form, width).replace("out0[i] = o0;", "if (i % 2) out0[i] = o0;")

    monkeypatch.setattr("clmath.audit.opencl.programs.kernel_source", idle)
    (got,) = device.evaluate(builtin("exp"), FLOAT, (np.zeros(4, np.float32),))
    assert got[1::2].tolist() == [1.0, 1.0]
    assert FLOAT.bits(got)[0::2].tolist() == [0x5A5A5A5A] * 2


@pytest.mark.slow
def test_build_options_are_declared(opencl_device):
    one = target_named(opencl_device, "-cl-denorms-are-zero -cl-mad-enable")
    assert one.build_options() == ("-cl-denorms-are-zero", "-cl-mad-enable")
    assert one.flushes(FLOAT) is target_named(opencl_device).flushes(FLOAT)  # independent of build options


def test_formats_keep_their_identity_in_other_processes():
    """Formats are compared by identity."""
    for form in FORMATS:
        assert pickle.loads(pickle.dumps(form)) is form  # noqa: S301 - our own bytes
        assert copy.deepcopy(form) is form


def raises(error):
    def call(_name, _x):
        raise error

    return call


BAD = {
    "returned shape (3,) for result; (4,) is needed": lambda _, x: x[:3],
    "returned dtype float64 for result; float32 is needed": lambda _, x: x.astype(np.float64),
    "returned dtype complex64": lambda _, x: x.astype(np.complex64),
    "returned dtype object": lambda _, x: x.astype(object),
    "returned masked values for result; a result for every input": lambda _, x: np.ma.array(x, mask=x == 1),
    "raised Two lines: told": raises(type("Two\nlines", (Exception,), {})("told")),
    "returned None for result; a NumPy array is needed: has the function a 'return'?": lambda *_: None,
    "returned list": lambda _, x: [x.tolist()],
    "returned str": lambda *_: "garbage",
    "returned a tuple of 2 arrays; one NumPy array is needed: return result alone": lambda _, x: (x, x),
    "raised ZeroDivisionError: float division by zero": lambda *_: 1.0 / 0.0,
    "raised SystemExit: bye now": lambda *_: sys.exit("bye\nnow"),
    "raised TypeError": lambda: None,
}


@for_each("text", BAD)
def test_invalid_callables_are_errors_of_one_line(text):
    with pytest.raises(TargetError) as caught:
        Function(BAD[text], "lab:f").evaluate(builtin("sin"), FLOAT, (np.ones(4, np.float32),))
    assert text in str(caught.value)
    assert str(caught.value).startswith("lab:f: sin(float) ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.float32([1, 1]), np.int64([1, 2**31])])
def test_invalid_int_results_are_errors(wrong):
    with pytest.raises(TargetError, match="for exp"):
        Function(lambda _, x: (x, wrong), "lab:f").evaluate(builtin("frexp"), FLOAT, (np.ones(2, np.float32),))


def test_callable_may_not_write_into_arguments():
    def greedy(_name, x):
        x[:] = 7
        return x

    x = np.ones(3, np.float32)
    with pytest.raises(FaultError, match="wrote into its argument x"):
        Function(greedy, "lab:f").evaluate(builtin("sin"), FLOAT, (x,))
    assert x.tolist() == [1, 1, 1]


def test_module_may_contain_a_callable_or_an_object(tmp_path, monkeypatch):
    source = """
        import numpy as np
        def call(name, *args):
            return getattr(np, name)(*args)
        class lab:
            cos = np.cos
    """
    (tmp_path / "some_lab.py").write_text(textwrap.dedent(source))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [p for p in sys.path if p])
    x = np.float64([0.5])
    assert target_named("some_lab:call").evaluate(builtin("sin"), DOUBLE, (x,))[0] == np.sin(x)
    holder = target_named("some_lab:lab")
    assert holder.evaluate(builtin("cos"), DOUBLE, (x,))[0] == np.cos(x)
    assert not holder.defines(builtin("sin"), DOUBLE)
    assert holder.describe()["file"] == "some_lab.py"
    monkeypatch.delitem(sys.modules, "some_lab")
