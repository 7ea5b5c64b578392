"""A thread that flushes subnormal numbers or rounds otherwise is refused; it never gives a wrong value."""

import ctypes.util
import math
import os
import platform
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

CHILD = """
import ctypes, ctypes.util, sys, threading
import numpy as np
import clmath

libm = ctypes.CDLL(ctypes.util.find_library("m"))

def alter(flags):
    environment = (ctypes.c_uint32 * 8)()  # fenv_t of x86-64: the SSE control word comes last
    libm.fegetenv(environment)
    environment[7] |= flags
    libm.fesetenv(environment)

def judged():
    from clmath.audit.plan.plan import Plan
    from clmath.audit.running.run import audit
    from clmath.audit.isolation.choosing import target_named

    return [v.reason for v in audit(Plan.of(["fabs"], ["float"], inputs=8, jobs=1), target_named("numpy"))]

CALLS = {
    "convert": lambda: clmath.convert(np.float64([1e-40]), "float"),
    "half": lambda: clmath.convert(np.float64([1e-7]), "half", rounding="rtp"),
    "store": lambda: clmath.vstore_half(np.float64([1e-7]), 0, np.zeros(1, np.float16)),
    "image": lambda: clmath.read_unorm_int8(np.uint8([1])),
    "audit": judged,
}

def attempt(flags, engine, results):
    alter(flags)
    try:
        compute = CALLS.get(engine) or (lambda: clmath.exp(np.float32([-100.0] * 4), engine=engine))
        results.append(compute())
    except (clmath.errors.FlushToZeroError, clmath.errors.ProcessorRoundingError) as error:
        results.append(str(error))

for flags in (0x8000, 0x0040, 0x8040, 0x2000, 0x4000, 0x6000):  # FTZ, DAZ, both; down, up, toward zero
    for engine in sys.argv[1:]:
        results = []
        thread = threading.Thread(target=attempt, args=(flags, engine, results))
        thread.start()
        thread.join()
        print(hex(flags), engine, results[0])
print(float(clmath.exp(np.float32(-100.0))).hex())
"""


@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"} or not ctypes.util.find_library("m") or sys.platform != "linux",
    reason="the test sets the SSE control word through glibc's fesetenv",
)
@pytest.mark.parametrize("compiled", [False, True], ids=["first import", "later import"])
def test_a_thread_of_altered_arithmetic_is_refused(compiled, tmp_path):
    """Test also without compiled modules: such a thread would misread the constants of the modules it imports."""
    engines = ["numpy", "auto", "convert", "half", "store", "image", "audit"]
    kept = {} if compiled else {"PYTHONPYCACHEPREFIX": str(tmp_path)}
    child = subprocess.run(
        [sys.executable, "-c", CHILD, *engines], capture_output=True, text=True, check=False, env=os.environ | kept
    )
    assert child.returncode == 0, child.stderr
    *refused, healthy = child.stdout.splitlines()
    assert len(refused) == 6 * len(engines)
    flushing, rounding = refused[: 3 * len(engines)], refused[3 * len(engines) :]
    assert all("flushes them to zero" in line and "-ffast-math" in line for line in flushing), child.stdout
    assert all("another mode set" in line and "FE_TONEAREST" in line for line in rounding), child.stdout
    exact = float.fromhex(healthy) * math.exp(100.0)  # the main thread was left alone; e^-100 is a subnormal float
    assert 0.9 < exact < 1.1
