"""An OpenCL device as a machine, and the engine that runs kernels on it, calibrated."""

import pytest

from clmath.engines import numpy as plain


@pytest.fixture(scope="session")
def opencl(opencl_device):
    """The ``pyopencl.Device`` that ``clmath audit`` takes when none is named."""
    from clmath.audit.opencl.devices import find

    return find(opencl_device.removeprefix("opencl:"))


@pytest.fixture(scope="session")
def device(opencl):
    """The engine of that device; its programs are compiled once for all tests."""
    from clmath.engines.device.engine import Device
    from clmath.engines.device.opencl import OpenCLMachine

    return Device(OpenCLMachine(opencl))


@pytest.fixture(autouse=True)
def narrowing_nothing(monkeypatch):
    """Keep NumPy's engine from narrowing: a device narrows undecided enclosures in a separate call."""
    monkeypatch.setattr(plain, "_WORTH_NARROWING", 1 << 62)
