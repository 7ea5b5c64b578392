"""The subjects themselves: that each evaluates what it says it defines, and that bad ones are errors of one line."""

import math
import sys
import textwrap

import numpy as np
import pytest

from clmath.audit.isolation.choosing import subject
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.protocol.subject import Subject, SubjectError
from clmath.audit.subjects.function import Function
from clmath.errors import ClmathError, UnknownNameError
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.spec.builtins import builtin, builtins
from tests.cases import for_each


@pytest.fixture(scope="module")
def device(opencl_device):
    return subject(opencl_device)


def arguments(row, form, lanes, count=200):
    random = np.random.default_rng(5)
    shape = (count, lanes) if lanes else (count,)
    return tuple(
        random.uniform(0.5, 2.0, shape).astype(form.dtype)
        if p.type == "gentype"
        else random.integers(1, 5, count).astype(np.int32)
        for p in row.inputs
    )


@pytest.mark.parametrize("name", ["opencl", "numpy", "libm", "clmath"])
def test_every_subject_keeps_the_protocol(name, request):
    one = subject(request.getfixturevalue("opencl_device") if name == "opencl" else name)
    assert isinstance(one, Subject)
    assert all(isinstance(k, str) and isinstance(v, str) for k, v in one.describe().items())
    assert set(one.formats()) <= set(FORMATS)
    for form in one.formats():
        assert one.mode(form) == "rte"
        assert one.flushes(form) is ("DENORM" not in one.describe().get(f"{form} config", "DENORM"))


@pytest.mark.parametrize("name", ["numpy", "libm"])
def test_host_libraries_evaluate_all_they_define(name):
    one = subject(name)
    rows = [(row, form) for form in one.formats() for row in builtins().values() if one.defines(row, form)]
    assert len(rows) > 80
    for row, form in rows:
        args = arguments(row, form, 0)
        results = one.evaluate(row, form, args)
        dtypes = [np.dtype(np.int32) if p.type == "intn" else form.dtype for p in row.outputs]
        assert [r.dtype for r in results] == dtypes
        assert all(r.shape == args[0].shape for r in results)


def test_libm_agrees_with_python_which_calls_it():
    one, x = subject("libm"), np.linspace(-3, 3, 99)
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
def test_what_libm_stores_does_not_depend_on_the_lane_before(name):
    one, row = subject("libm"), builtin(name)
    x = np.array([5.5, np.nan, -0.5, np.inf, 0.0, -3.0, 7.25])
    args = (x, x[::-1].copy())[: len(row.inputs)]
    together = one.evaluate(row, DOUBLE, args)
    for i in range(len(x)):
        alone = one.evaluate(row, DOUBLE, tuple(a[i : i + 1] for a in args))
        for a, t in zip(alone, together, strict=True):
            np.testing.assert_array_equal(a, t[i : i + 1])


def test_libm_has_no_half():
    one = subject("libm")
    assert HALF not in one.formats()
    assert not one.defines(builtin("sin"), HALF)
    with pytest.raises(SubjectError, match=r"sin\(half\) is not in"):
        one.evaluate(builtin("sin"), HALF, (np.float16([1.0]),))


SHAPES = ["sin", "add", "recip", "fma", "lgamma_r", "remquo", "ldexp", "nan", "ilogb", "fract", "sincos", "half_divide"]


@for_each("name", [*SHAPES, "native_exp2", "mix", "step"])
def test_a_device_runs_every_shape_of_declaration(device, name):
    row = builtin(name)
    args = arguments(row, FLOAT, 0)
    results = device.evaluate(row, FLOAT, args)
    assert len(results) == len(row.outputs)
    expected = {
        "sin": lambda x: (np.sin(x),),
        "add": lambda x, y: (x + y,),
        "recip": lambda x: (1 / x,),
        "fma": lambda x, y, z: (x * y + z,),
        "lgamma_r": lambda x: (np.float32([math.lgamma(v) for v in x]), np.ones_like(x)),
        "remquo": lambda x, y: (x - y * np.rint(x / y), np.rint(x / y)),
        "ldexp": lambda x, k: (x * 2.0**k,),
        "nan": lambda x: (np.full_like(x, np.nan, np.float32),),
        "ilogb": lambda x: (np.floor(np.log2(x)),),
        "fract": lambda x: (x - np.floor(x), np.floor(x)),
        "sincos": lambda x: (np.sin(x), np.cos(x)),
        "half_divide": lambda x, y: (x / y,),
        "native_exp2": lambda x: (np.exp2(x),),
        "mix": lambda x, y, a: (x + (y - x) * a,),
        "step": lambda e, x: (np.where(x < e, 0, 1),),
    }[name](*args)
    for got, want in zip(results, expected, strict=True):
        np.testing.assert_allclose(got, want, rtol=2e-3, atol=1e-5)


@pytest.mark.parametrize("name", ["cross", "dot", "normalize"])
def test_a_device_runs_vectors_of_every_width(device, name):
    row = builtin(name)
    for lanes in row.widths:
        args = arguments(row, DOUBLE, lanes)
        (got,) = device.evaluate(row, DOUBLE, args)
        if name == "dot":
            want = np.sum(args[0] * args[1], axis=1)
        elif name == "normalize":
            want = args[0] / np.sqrt(np.sum(args[0] ** 2, axis=1, keepdims=True))
        else:
            want = np.pad(np.cross(args[0][:, :3], args[1][:, :3]), ((0, 0), (0, lanes - 3)))
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)


def test_batches_join_seamlessly(device, monkeypatch):
    monkeypatch.setattr("clmath.audit.opencl.opencl_subject.BATCH", 7)
    x = np.arange(1.0, 31.0)
    value, exponent = device.evaluate(builtin("frexp"), DOUBLE, (x,))
    assert list(zip(value.tolist(), exponent.tolist(), strict=True)) == [math.frexp(v) for v in x]


def test_a_result_that_is_not_stored_is_seen(device, monkeypatch):
    def idle(row, form, width=1):
        return kernel_source(row, form, width).replace("out0[i] = o0;", "if (i % 2) out0[i] = o0;")

    monkeypatch.setattr("clmath.audit.opencl.opencl_subject.kernel_source", idle)
    (got,) = device.evaluate(builtin("exp"), FLOAT, (np.zeros(4, np.float32),))
    assert got[1::2].tolist() == [1.0, 1.0]
    assert FLOAT.bits(got)[0::2].tolist() == [0x5A5A5A5A] * 2


def test_a_kernel_that_does_not_compile_carries_the_build_log(opencl_device, monkeypatch, capfd):
    one = subject(opencl_device)
    source = kernel_source(builtin("sin"), FLOAT).replace("sin(i0)", "no_such_function(i0)")
    monkeypatch.setattr("clmath.audit.opencl.opencl_subject.kernel_source", lambda *_: source)
    with pytest.raises(SubjectError, match=r"sin\(float\): the kernel does not compile:(.|\n)*no_such_function"):
        one.evaluate(builtin("sin"), FLOAT, (np.float32([1.0]),))
    capfd.readouterr()


def test_build_options_are_declared(opencl_device):
    one = subject(opencl_device, "-cl-denorms-are-zero -cl-mad-enable")
    assert one.build_options() == ("-cl-denorms-are-zero", "-cl-mad-enable")
    assert one.flushes(FLOAT) is subject(opencl_device).flushes(FLOAT)  # the device's answer, whatever programs may


@pytest.mark.parametrize(
    "name, text",
    [
        ("nunpy", "did you mean 'numpy'?"),
        ("no.such.module:f", "ModuleNotFoundError"),
        ("math:no_such", "AttributeError"),
        (":f", "MODULE:CALLABLE"),
        ("", "MODULE:CALLABLE"),
    ],
)
def test_unknown_subjects(name, text):
    with pytest.raises(UnknownNameError) as caught:
        subject(name)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "name, text",
    [
        ("opencl:NoSuchPlatform", "no OpenCL platform 'NoSuchPlatform'; there is 0 ("),
        ("opencl:99", "no OpenCL platform '99'; there is 0 ("),
        ("{}:no such device", "no OpenCL device 'no such device'; there is 0 ("),
        ("{}:99", "no OpenCL device '99'; there is 0 ("),
    ],
)
def test_unknown_devices(opencl_device, name, text):
    platform = opencl_device.rpartition(":")[0]
    with pytest.raises(UnknownNameError) as caught:
        subject(name.format(platform))
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_build_options_are_for_compilers():
    with pytest.raises(ClmathError, match="build options are for OpenCL devices"):
        subject("numpy", "-cl-mad-enable")


BAD = {
    "returned shape (3,) for result; (4,) is needed": lambda _, x: x[:3],
    "returned dtype float64 for result; float32 is needed": lambda _, x: x.astype(np.float64),
    "returned dtype complex64": lambda _, x: x.astype(np.complex64),
    "returned dtype object": lambda _, x: x.astype(object),
    "returned None for result; a NumPy array is needed: has the function a 'return'?": lambda *_: None,
    "returned list": lambda _, x: [x.tolist()],
    "returned str": lambda *_: "garbage",
    "returned a tuple of 2 arrays; one NumPy array is needed: return result alone": lambda _, x: (x, x),
    "raised ZeroDivisionError: float division by zero": lambda *_: 1.0 / 0.0,
    "raised SystemExit: bye now": lambda *_: sys.exit("bye\nnow"),
    "raised TypeError": lambda: None,
}


@for_each("text", BAD)
def test_bad_callables_are_errors_of_one_line(text):
    with pytest.raises(SubjectError) as caught:
        Function(BAD[text], "lab:f").evaluate(builtin("sin"), FLOAT, (np.ones(4, np.float32),))
    assert text in str(caught.value)
    assert str(caught.value).startswith("lab:f: sin(float) ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("wrong", [np.float32([1, 1]), np.int64([1, 2**31])])
def test_bad_int_results(wrong):
    with pytest.raises(SubjectError, match="for exp"):
        Function(lambda _, x: (x, wrong), "lab:f").evaluate(builtin("frexp"), FLOAT, (np.ones(2, np.float32),))


def test_a_callable_cannot_disturb_the_audit():
    def greedy(_name, x):
        x[:] = 7
        return x

    x = np.ones(3, np.float32)
    (got,) = Function(greedy, "lab:f").evaluate(builtin("sin"), FLOAT, (x,))
    assert x.tolist() == [1, 1, 1]
    assert got.tolist() == [7, 7, 7]


def test_a_module_may_hold_a_callable_or_an_object(tmp_path, monkeypatch):
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
    assert subject("some_lab:call").evaluate(builtin("sin"), DOUBLE, (x,))[0] == np.sin(x)
    holder = subject("some_lab:lab")
    assert holder.evaluate(builtin("cos"), DOUBLE, (x,))[0] == np.cos(x)
    assert not holder.defines(builtin("sin"), DOUBLE)
    assert holder.describe()["file"] == "some_lab.py"
    monkeypatch.delitem(sys.modules, "some_lab")
