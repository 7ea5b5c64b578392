"""SciPy, PyTorch, JAX and CuPy as targets: the table of names, and adapters tested with fake libraries."""

import importlib
import textwrap

import numpy as np
import pytest

from clmath.audit.isolation.choosing import target_named
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.arrays import DEVICES, NAMESPACES
from clmath.audit.targets.names import names
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, KNOWN
from clmath.spec.builtins import builtin, builtins

# The part of CuPy that an adapter uses: its arrays, devices and functions; this one flushes float.
CUPY = """
    import numpy as np

    __version__ = "99.1"

    class ndarray:
        def __init__(self, values):
            self.values = values

    def asarray(x):
        return ndarray(x)

    def asnumpy(y):
        return y.values

    def _flushed(x):
        return np.where(abs(x) < 2.0**-126, x * 0, x) if x.dtype == np.float32 else x

    def _function(f):
        def call(*arrays):
            found = f(*(_flushed(a.values) for a in arrays))
            many = found if isinstance(found, tuple) else (found,)
            flushed = tuple(ndarray(_flushed(r)) for r in many)
            return flushed if isinstance(found, tuple) else flushed[0]
        return call

    multiply, sqrt, floor, frexp, arccos = map(_function, (np.multiply, np.sqrt, np.floor, np.frexp, np.arccos))
    buffer = np.zeros(1 << 20, np.float32)

    def trunc(x):
        "Views of one buffer, which are something else after the next call."
        view = buffer[: len(x.values)]
        view[:] = np.trunc(x.values)
        return ndarray(view)

    def ceil(x):
        found = np.ceil(x.values)
        x.values[...] = 0
        return ndarray(found)

    def log(x):
        print("a warning of the driver")
        raise MemoryError("the device has none")

    class _Runtime:
        getDevice = staticmethod(lambda: 3)
        getDeviceProperties = staticmethod(lambda number: {"name": b"stand-in %d" % number})
        driverGetVersion = staticmethod(lambda: 12)

    class _Device:
        def __init__(self, number):
            self.number = number
        def use(self):
            if self.number > 3:
                raise RuntimeError("invalid device ordinal")

    class cuda:
        runtime, Device = _Runtime, _Device
"""
TORCH = """
    import numpy as np

    __version__ = "99.2"

    class Tensor:
        def __init__(self, values, device):
            self.values, self.device = values, device
        def to(self, device):
            return Tensor(self.values, device)
        def cpu(self):
            return Tensor(self.values, "cpu")
        def numpy(self):
            if self.device != "cpu":
                raise TypeError("can't convert a tensor of a device to numpy")
            return self.values

    class device:
        def __init__(self, name):
            self.type = name.partition(":")[0]
        def __str__(self):
            return self.type

    def zeros(count, device):
        if device.type == "cuda":
            raise RuntimeError("Found no NVIDIA driver on your system")
        return Tensor(np.zeros(count), device)

    def from_numpy(values):
        return Tensor(values, "cpu")

    def _function(f):
        return lambda *tensors: Tensor(f(*(t.values for t in tensors)), tensors[0].device)

    mul, round, sub = map(_function, (np.multiply, np.rint, np.subtract))
"""
FAST = ["--types", "float", "--inputs", "64", "--jobs", "1"]


@pytest.fixture
def cupy(tmp_path, monkeypatch):
    (tmp_path / "cupy").mkdir()
    (tmp_path / "cupy/__init__.py").write_text(textwrap.dedent(CUPY))
    monkeypatch.syspath_prepend(tmp_path)
    yield "cupy"
    import sys

    sys.modules.pop("cupy", None)


@pytest.mark.parametrize("library", NAMESPACES)
def test_table_of_names_contains_only_built_ins_and_callables(library):
    known = names(library)
    assert set(known.functions) <= {*builtins(), *builtins("relational")}
    assert all(path.startswith((known.package, "cupyx.")) for path in known.functions.values())
    assert set(known.formats) <= set(KNOWN)
    assert known.without_half <= set(known.functions)
    assert [name for name in known.functions if not known.has(name, HALF)] == (
        sorted(known.without_half, key=list(known.functions).index) if HALF in known.formats else [*known.functions]
    )
    if importlib.util.find_spec(known.package):
        missing = [path for path in known.functions.values() if not callable(resolved(path))]
        assert missing == []


def resolved(path):
    module, _, function = path.rpartition(".")
    return getattr(importlib.import_module(module), function, None)


def test_fake_cupy_is_judged(clm, cupy):
    status, out, err = clm("audit", f"{cupy}:3", "--functions", "sqrt,floor,frexp,acos", *FAST)
    assert (status, err) == (0, "")
    assert "cupy:3 12\n" in out
    assert out.splitlines()[-1].startswith("4 pass; ")
    one = target_named("cupy")
    assert one.describe()["device"] == "stand-in 3"
    assert one.describe()["version"] == "99.1"


def test_tensors_are_copied_from_their_device(clm, refusal, tmp_path, monkeypatch):
    (tmp_path / "torch.py").write_text(textwrap.dedent(TORCH))
    monkeypatch.syspath_prepend(tmp_path)
    for text in ("torch", "torch:mps"):
        status, out, err = clm("audit", text, "--functions", "rint,sub", *FAST)
        assert (status, err) == (0, "")
        assert f"{text} 99.2\n" in out
    err = refusal("audit", "torch:cuda:0", "--functions", "rint", *FAST)
    assert err.startswith("clmath audit: 'torch:cuda:0' cannot be used: RuntimeError: Found no NVIDIA driver")


def test_flushing_of_subnormals_is_detected(cupy):
    one = target_named(cupy)
    assert [one.flushes(form) for form in FORMATS] == [False, True, False]
    assert one.describe()["flushes subnormals of"] == "float"
    plain = target_named("numpy")
    assert not any(plain.flushes(form) for form in FORMATS)
    assert "flushes subnormals of" not in plain.describe()


def test_functions_that_the_version_lacks_are_not_audited(clm, cupy):
    one = target_named(cupy)
    assert not one.defines(builtin("sin"), FLOAT)
    status, _, err = clm("audit", cupy, "--functions", "sin,erf", *FAST)
    assert (status, err) == (
        2,
        "clmath audit: cupy does not define sin, erf for float; leave --functions out for all that it has\n",
    )


def test_function_that_raises_affects_only_its_case(clm, cupy):
    status, out, err = clm("audit", cupy, "--functions", "log,floor", *FAST)
    assert (status, err) == (2, "")
    assert "not judged: log float: cupy: log(float) raised MemoryError: the device has none; with x = " in out
    assert "1 pass, 1 not judged; " in out


def test_views_and_changed_arguments_are_copied(clm, cupy):
    status, out, err = clm("audit", cupy, "--functions", "trunc,ceil", *FAST[:2], "--inputs", "20000", "--jobs", "2")
    assert (status, err) == (0, "")
    assert out.splitlines()[-1].startswith("2 pass; ")


@pytest.mark.parametrize(
    "device, fact",
    [
        ("9", "RuntimeError: invalid device ordinal; name one of its devices, or none: cupy"),
        ("x", "ValueError: invalid literal"),
    ],
)
def test_missing_device_is_an_error(cupy, device, fact):
    with pytest.raises(TargetError) as caught:
        target_named(f"{cupy}:{device}")
    assert str(caught.value).startswith(f"clmath audit: 'cupy:{device}' cannot be used: {fact}")


@pytest.mark.parametrize("library", sorted({*DEVICES, "scipy"} - {"cupy"}))
def test_missing_library_is_an_error_with_its_remedy(refusal, library):
    if importlib.util.find_spec(library):
        pytest.skip(f"{library} is installed")
    err = refusal("audit", library, *FAST)
    assert err.startswith(f"clmath audit: {library} cannot be imported: ModuleNotFoundError: ")
    assert err.endswith(f"; pip install {library}\n")


@pytest.mark.parametrize("library", sorted({*DEVICES, "scipy"} - {"cupy"}))
def test_installed_library_returns_arrays_of_the_right_shape(library):
    pytest.importorskip(library)
    one, x = target_named(library), np.linspace(0.25, 2, 50)
    for form in (f for f in (HALF, FLOAT, DOUBLE) if f in one.formats()):
        for row in builtins().values():
            if one.defines(row, form):
                args = tuple(np.ones(50, np.int32) if p.type == "intn" else x.astype(form.dtype) for p in row.inputs)
                results = one.evaluate(row, form, args)
                assert [r.shape for r in results] == [(50,)] * len(row.outputs)
