"""Public functions refuse threads that flush subnormals or round in another mode, or return the right bits in them."""

import ast
import ctypes.util
import importlib
import inspect
import json
import platform
import subprocess
import sys

import pytest

import clmath
from clmath import constants, errors, testing
from clmath.functions import aliases
from clmath.public import WHOLE
from clmath.spec import aliases as alias_grammar
from clmath.testing import strategies

CHAPTERS = [
    importlib.import_module(name)
    for name in WHOLE
    if name not in ("clmath.constants", "clmath.functions.accuracy", "clmath.functions.sampling")
]
MOVES_BITS = {
    "float_denorm_style": "names of integers",
    "float_round_style": "names of integers",
    "async_work_group_copy": "a copy between memories",
    "async_work_group_strided_copy": "a copy between memories",
    "prefetch": "does nothing",
    "as_type": "the bits of the argument are the result",
    "shuffle": "components change their places",
    "shuffle2": "components change their places",
    "swizzle": "components change their places",
    "swizzle_assign": "components change their places",
    "vec_step": "counts components",
    "vload": "a copy of memory",
    "vstore": "a copy to memory",
}
SIGNATURES = ("Edition", "Format", "GroupOperation", "Profile", "Rounding")
NAMES = sorted({name for chapter in CHAPTERS for name in chapter.__all__} - {*MOVES_BITS, *SIGNATURES})
MEASURES = """
import fractions
from clmath import testing
from clmath.testing import strategies
from clmath.testing.fixtures import UlpRecorder, Conformance

X, HALF = np.float32([0.5, 1e-40]), np.float16([1])
Y, K, LIMIT = clmath.sin(X), clmath.isnan(X), clmath.limit("sin", "float")
MAKES = {"halfs": (), "floats": (), "doubles": (), "numbers": ("float",), "integers": ("int",), "vectors": ("float", 2),
    "printed": (), "copies": (), "reads": (),
    "arrays": ("float", 3), "arguments": ("sin", "float"), "conversions": ("float", "half"), "hard": ("exp", "double"),
    "near_boundary": ("exp", "double"), "for_function": (abs,)}
IMAGE = clmath.Image(np.ones((2, 1), np.float32), "float", "r")
made = testing.conformance_test(clmath.sin, "sin", types=["half"])
TRIED = {
    "ulp_error": [lambda: clmath.ulp_error(Y, "sin", (X,)), lambda: clmath.ulp_error(Y, X),
                  lambda: clmath.ulp_error(Y[0], fractions.Fraction(1, 3)), lambda: testing.ulp_error(Y, "sin", (X,))],
    "limit": [lambda: clmath.limit("sin", "float"), lambda: LIMIT.bound((X,), X, None)],
    "assert_conforms": [lambda: testing.assert_conforms(Y, "sin", (X,)),
                        lambda: testing.assert_conforms(Y[0], "sin", (X[0],)),
                        lambda: testing.assert_conforms(K, "isnan", (X,)),
                        lambda: testing.assert_conforms(HALF, "convert_half", (np.float32([1]),))],
    "assert_correctly_rounded": [lambda: testing.assert_correctly_rounded(Y, "sin", (X,)),
                                 lambda: testing.assert_correctly_rounded(K, "isnan", (X,))],
    "assert_ulp": [lambda: testing.assert_ulp(Y, "sin", (X,), limit=1), lambda: testing.assert_ulp(Y, X, limit=1e9)],
    "Image": [lambda: clmath.Image(np.ones((2, 1), np.float32), "float", "r"), lambda: IMAGE.read(None, 1),
              lambda: IMAGE.write(1, np.ones(4, np.float32))],
    "conformance_test": [lambda: testing.conformance_test(clmath.sin, "sin"), made],
    "UlpRecorder": [lambda: UlpRecorder(print)(Y, "sin", (X,)), lambda: UlpRecorder(print)(Y, X)],
    "Conformance": [lambda: Conformance("sin", "half", print)(clmath.sin)],
    **{name: [lambda name=name, given=given: getattr(strategies, name)(*given)] for name, given in MAKES.items()},
    "Bits": [lambda: __import__("clmath.testing.strategies.mixtures").testing.strategies.mixtures.Bits(b"1234")],
}
def attempt_all(flags, left):
    alter(flags)
    for name, calls in TRIED.items():
        for number, call in enumerate(calls):
            try:
                call()
            except (clmath.FlushToZeroError, clmath.ProcessorRoundingError):
                continue
            except BaseException as error:
                left.append([name, number, flags, repr(error)])
            else:
                left.append([name, number, flags, "was computed"])

left = []
for flags in (0x8000, 0x0040, 0x8040, 0x2000, 0x4000, 0x6000):  # FTZ, DAZ, both, downward, upward, toward zero
    thread = threading.Thread(target=attempt_all, args=(flags, left))
    thread.start()
    thread.join()
print(json.dumps([list(TRIED), left]))
"""
NEITHER = {
    "flush_to_zero": "names formats",
    "fp_contract": "names a state",
    "rounding_mode": "tells a name",
    "select_rounding_mode": "names a mode",
    "stats": "counts components",
    "rounding_modes": "samples names",
    "strategies": "a module, whose names are all here",
    **dict.fromkeys(("Copy", "Read"), "a tuple that a strategy makes"),
    **dict.fromkeys(SIGNATURES, "a type for signatures"),
    "Sampler": "names modes",
    **dict.fromkeys(constants.__all__, "a number that was made when the module was loaded"),
    **{name: "a class of errors" for name in errors.__all__ if isinstance(getattr(errors, name), type)},
}

LOADING = "from clmath.spec.builtins import EXACT, builtins\n"
ALTERING = """
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

"""
CHILD = """
from clmath.functions import operators
GROUPS, SCANS = ("work_group", "sub_group"), ("reduce", "scan_inclusive", "scan_exclusive")
UNARY = {"bitwise_not", "logical_not", "negative", "positive"}
OPERATORS = {*operators.__all__} - {"conditional"} - UNARY
MADE = {
    "convert": [(np.ones(4), "float"), (np.ones(4, np.float32), "half"), (1.5, "int"), (np.arange(4), "uchar")],
    "fp16": [(1.0,), (np.ones(3),)],
    **{f"{g}_{f}": [(np.ones(3, np.int32),)] for g in GROUPS for f in ("all", "any")},
    **{f"{g}_broadcast": [(np.ones(3), 1)] for g in GROUPS},
    **{f"{g}_{f}": [(np.ones(3), "add"), (np.ones(3, np.int32), "min")] for g in GROUPS for f in SCANS},
    "group_sum_range": [(np.ones(3),)],
    **{name: [(7, 2), (np.ones(3, np.int8), 2)] for name in OPERATORS},
    "conditional": [(True, 1.5, 2)],
    "math_constants": [("float",)],
    "numeric_limits": [("float",)],
    "sprintf": [("%g", 1.5)],
    "vload_half": [(0, np.ones(4, np.float16))],
    "vloada_half": [(0, np.ones(4, np.float16), 2)],
    "vstore_half": [(1.5, 0, np.ones(4, np.float16)), (np.ones(2), [0, 1], np.ones(4, np.float16))],
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

def bits(found):
    "Those of every result."
    return [np.asarray(one).tobytes() for one in (found if isinstance(found, tuple) else (found,))]

def attempt(name, flags, made, wanted, refused):
    alter(flags)
    for args, want in zip(made, wanted):
        try:
            found = getattr(clmath, name)(*args)
        except (clmath.FlushToZeroError, clmath.ProcessorRoundingError) as error:
            refused.append(str(error))
        else:
            if bits(found) == want:
                refused.append(name + ": the bits of a thread in order")

report = {}
for name in json.loads(sys.argv[1]):
    made, refused = calls(name), []
    wanted = [bits(getattr(clmath, name)(*args)) for args in made]
    for flags in (0x8000, 0x0040, 0x4000):  # FTZ, DAZ, round upward
        thread = threading.Thread(target=attempt, args=(name, flags, made, wanted, refused))
        thread.start()
        thread.join()
    named = all(line.startswith(name) or name == "fp16" for line in refused)
    report[name] = [len(made), len(refused), named]
print(json.dumps(report))
"""


def reported(program, *arguments, altering=ALTERING):
    """The result of a program that alters the arithmetic of its threads."""
    command = [sys.executable, "-c", altering + program, *arguments]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[-1])


ALTERABLE = pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"} or not ctypes.util.find_library("m") or sys.platform != "linux",
    reason="the test sets the SSE control word through glibc's fesetenv",
)


@pytest.mark.slow
@ALTERABLE
def test_every_function_refuses_an_altered_thread_or_is_right_there():
    report = reported(CHILD, json.dumps(NAMES))
    assert list(report) == NAMES
    assert all(tried for tried, _, _ in report.values()), report
    assert {name: seen for name, seen in report.items() if seen[1] != 3 * seen[0] or not seen[2]} == {}


@pytest.mark.slow
@ALTERABLE
def test_every_name_that_compares_or_measures_refuses_one_and_none_is_forgotten():
    pytest.importorskip("hypothesis")
    tried, computed = reported(MEASURES)
    assert computed == []
    known = {*tried, *NAMES, *MOVES_BITS, *NEITHER}
    assert {*clmath.__all__, *testing.__all__, *strategies.__all__} - known == {"__version__"}


ASKS = """
made = dir(clmath) if sys.argv[1] == "loaded" else []
found = {}
def ask(flags):
    alter(flags)
    found[flags] = {}
    for name in ("convert_half", "vload4", "sin", "FLT_MAX", "nonsense", "_repr_html_", "__wrapped__"):
        try:
            found[flags][name] = hasattr(clmath, name)
        except ArithmeticError as error:
            found[flags][name] = type(error).__name__
    try:
        found[flags]["dir"] = len(dir(clmath)) > 1000
    except ArithmeticError as error:
        found[flags]["dir"] = type(error).__name__

for flags in (0x8000, 0x0040, 0x4000):
    thread = threading.Thread(target=ask, args=(flags,))
    thread.start()
    thread.join()
print(json.dumps([*found.values()]))
"""
NAMED = dict.fromkeys(("convert_half", "vload4", "sin", "FLT_MAX", "dir"), True)
UNNAMED = dict.fromkeys(("nonsense", "_repr_html_", "__wrapped__"), False)


@ALTERABLE
def test_names_are_known_in_such_a_thread_once_modules_are_loaded():
    """Looking up an alias, whose modules hold no number, was refused; ``dir`` loads all modules."""
    assert reported(ASKS, "loaded") == [NAMED | UNNAMED] * 3


@ALTERABLE
def test_modules_are_not_loaded_in_altered_threads():
    """Their numbers would be misread, and kept so; ``dir`` loaded them."""
    refusals = reported(ASKS, "not loaded", altering=ALTERING.replace(LOADING, ""))
    errors_ = ("FlushToZeroError", "FlushToZeroError", "ProcessorRoundingError")
    for found, error in zip(refusals, errors_, strict=True):
        assert found == dict.fromkeys((*NAMED, "nonsense"), error) | {"_repr_html_": False, "__wrapped__": False}


@ALTERABLE
def test_modules_are_not_imported_there():
    program = """
import importlib
told = []
alter(0x8000)
for module in ("clmath.testing", "clmath.numbers.rounding", "clmath.public"):
    try:
        importlib.import_module(module)
    except ArithmeticError as error:
        told.append(str(error).partition(" numbers")[0])
print(json.dumps(told))
"""
    found = reported(program, altering=ALTERING.replace(LOADING, ""))
    assert found == ["import clmath: results must keep subnormal"] * 3


def test_the_modules_of_aliases_hold_no_number_that_could_be_misread():
    for module in (aliases, alias_grammar):
        tree = ast.parse(inspect.getsource(module))
        assert not [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, (float, complex))]
