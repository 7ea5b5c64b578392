"""Every public function that computes refuses a thread that flushes subnormals or rounds in another mode."""

import ctypes.util
import json
import platform
import subprocess
import sys

import pytest

import clmath
from clmath.functions import common, conversion, geometric, image, integer, math, memory, relational
from clmath.functions import fp16 as half

CHAPTERS = (common, conversion, geometric, half, image, integer, math, memory, relational)
MOVES_BITS = {
    "as_type": "the bits of the argument are the result",
    "shuffle": "lanes change their places",
    "shuffle2": "lanes change their places",
    "vload": "a copy of memory",
    "vstore": "a copy to memory",
}
NAMES = sorted({name for chapter in CHAPTERS for name in chapter.__all__} - set(MOVES_BITS))

CHILD = """
import ctypes, ctypes.util, itertools, json, sys, threading
import numpy as np
import clmath
from clmath.spec.builtins import EXACT, builtins

def alter(flags):
    libm = ctypes.CDLL(ctypes.util.find_library("m"))
    environment = (ctypes.c_uint32 * 8)()  # fenv_t of x86-64: the SSE control word comes last
    libm.fegetenv(environment)
    environment[7] |= flags
    libm.fesetenv(environment)

MADE = {
    "convert": [(np.ones(4), "float"), (np.ones(4, np.float32), "half"), (1.5, "int"), (np.arange(4), "uchar")],
    "fp16": [(1.0,), (np.ones(3),)],
    "vload_half": [(0, np.ones(4, np.float16))],
    "vloada_half": [(0, np.ones(4, np.float16), 2)],
    "vstore_half": [(np.ones(1), 0, np.ones(4, np.float16))],
    "vstorea_half": [(np.ones(2), 0, np.ones(4, np.float16))],
}
DTYPES = ["f4", "f2", "f8", "u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]

def calls(name):
    "Arguments, of every chapter that has the name, that a thread in order takes."
    if name in MADE:
        return MADE[name]
    rows = [table[name] for table in (builtins(), builtins(*EXACT)) if name in table]
    count = len(rows[0].inputs) if rows else 1
    found = []
    for shape in [(), (3,), (4,)]:
        values = [np.ones(shape, dtype)[()] for dtype in DTYPES]
        same = [(value,) * count for value in values]
        mixed = itertools.product(values, repeat=count) if count < 3 else ()
        uneven = [(v,) * (count - 1) + (w,) for v in values for w in values]
        found += itertools.islice(filter(lambda args: works(name, args), itertools.chain(same, uneven, mixed)), 3)
    return found

def works(name, args):
    try:
        getattr(clmath, name)(*args)
    except clmath.ClmathError:
        return False
    return True

def attempt(name, flags, made, refused):
    alter(flags)
    for args in made:
        try:
            getattr(clmath, name)(*args)
        except (clmath.FlushToZeroError, clmath.ProcessorRoundingError) as error:
            refused.append(str(error))

report = {}
for name in json.loads(sys.argv[1]):
    made, refused = calls(name), []
    for flags in (0x8000, 0x0040, 0x4000):  # FTZ, DAZ, round upward
        thread = threading.Thread(target=attempt, args=(name, flags, made, refused))
        thread.start()
        thread.join()
    named = all(line.startswith(name) or name == "fp16" for line in refused)
    report[name] = [len(made), len(refused), named]
print(json.dumps(report))
"""


@pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"} or not ctypes.util.find_library("m") or sys.platform != "linux",
    reason="the test sets the SSE control word through glibc's fesetenv",
)
def test_every_function_refuses_an_altered_thread():
    command = [sys.executable, "-c", CHILD, json.dumps(NAMES)]
    child = subprocess.run(command, capture_output=True, text=True, check=True)
    report = json.loads(child.stdout)
    assert list(report) == NAMES
    assert all(tried for tried, _, _ in report.values()), report
    assert {name: seen for name, seen in report.items() if seen[1] != 3 * seen[0] or not seen[2]} == {}


def test_what_moves_bits_is_public_and_named_with_its_reason():
    assert all(callable(getattr(clmath, name)) and reason for name, reason in MOVES_BITS.items())
