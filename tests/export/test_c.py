"""Exported C: no compiler warns, and results, intervals and undecided elements agree with the reference."""

import ctypes
import platform
import re
import shutil
from pathlib import Path

import numpy as np
import pytest

from clmath.audit.inputs.hard import hard
from clmath.audit.plan.rows import item_of
from clmath.export.infix import in_decimal, in_infix
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.export import bench

FUNCTIONS = {function.name: function for function in bench.functions()}
WITH_ENDS = {name: function for name, function in FUNCTIONS.items() if function.has_ends}
C_TYPES = {"float": ctypes.c_float, "double": ctypes.c_double, "clmath_half": ctypes.c_uint16, "int": ctypes.c_int}
STANDARDS = {"c": ("-x", "c", "-std=c11"), "c++": ("-x", "c++", "-std=c++11")}


@for_each(
    "constant", ["0x1.0000000000000p+0", "0x1.921fb54442d18p-1", "0x1p63", "0x0.0000000000001p-1022", "0x1.8p+1023"]
)
def test_decimal_constants_are_equal_doubles(constant):
    found = in_decimal(f"f(-{constant}, 0x7ffLL)")
    assert "p" not in found
    assert found.startswith("f(-")
    assert found.endswith(", 0x7ffLL)")
    assert float(found[3:-10]) == float.fromhex(constant)


TRACED = """FUNCTION void f(const double v0, TABLE, double *r0, double *r1) {
    const double v1 = double_add(v0, -1.5);
    const double v2 = double_mul(v1, v0);
    const Long v3 = bits(v2);
    const Long v4 = long_add(v3, LONG(0x1));
    const double v5 = from_bits(v4);
    const bool v6 = double_lt(double_of, v5);
    *r0 = v2;
    *r1 = v5;
}
"""
INFIX = """FUNCTION void f(const double v0, TABLE, double *r0, double *r1) {
    const double v2 = (v0 + -1.5) * v0, v5 = from_bits(long_add(bits(v2), LONG(0x1)));
    const bool v6 = double_of < v5;
    *r0 = v2;
    *r1 = v5;
}
"""


def test_expression_used_once_is_nested():
    assert in_infix(TRACED) == INFIX


TRANSCENDENTAL = [
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "erf", "erfc", "exp"),
    *("lgamma", "log", "pow", "sin", "sincos", "sinh", "tan", "tanh", "tgamma"),
]


@pytest.mark.slow
def test_sources_share_tables(exported):
    """With tables in each file and a line for each operation the sources would be four million bytes."""
    folder = exported("c", ",".join(TRANSCENDENTAL))
    assert sum(path.stat().st_size for path in folder.glob("*.[ch]")) <= 2_000_000
    text = (folder / "clmath_tables.h").read_text()
    tables = re.findall(r"^#define CLMATH_TABLE_\d+ .*(?:\\\n.*)+", text, re.MULTILINE)
    bodies = [table.partition("\n")[2] for table in tables]
    assert len(bodies) == len(set(bodies)) > 20


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="options of x86")
@for_each("name, type", [("exp", "float"), ("ldexp", "double")])
def test_gcc_vectorizes_every_loop(exported, name, type, tmp_path):
    """The loops of enclosures, roundings and results are vectorized with only -O2 and the processor's flag."""
    gcc = shutil.which("gcc") or pytest.skip("gcc is not installed")
    folder = exported("c", name, type)
    words = ["-std=c11", "-O2", "-march=x86-64-v3", "-fopt-info-vec-optimized", "-c", f"clmath_{name}.c"]
    done = bench.run(gcc, *words, "-o", tmp_path / "made.o", cwd=folder)
    assert done.returncode == 0, done.stderr
    found = {int(line) for line in re.findall(rf"clmath_{name}\.c:(\d+):\d+: optimized: loop vec", done.stderr)}
    lines = (folder / f"clmath_{name}.c").read_text().splitlines()
    loops = {number for number, line in enumerate(lines, 1) if line.strip() == "ALONE"}
    assert loops
    assert not {number for number in loops if not found & {number, number + 1}}


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="options of x86")
def test_source_compiles_for_a_processor_with_half_arithmetic(exponential, cc):
    """In GNU's dialect FLT_EVAL_METHOD is 16 there, which does not concern double."""
    options = ("-x", "c", "-std=gnu17", "-march=sapphirerapids", "-fsyntax-only")
    if bench.run(*cc, *options, "/dev/null", cwd=exponential).returncode:
        pytest.skip("the compiler does not know the processor")
    done = bench.run(*cc, *options, "clmath_exp.c", cwd=exponential)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def exponential(exported):
    """Library of one built-in, which compiles in a second."""
    return exported("c", "exp")


@pytest.mark.slow
@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("command", bench.compilers(), ids=lambda command: command[0].rpartition("/")[2])
def test_no_compiler_warns(exported, command, standard, tmp_path):
    folder = exported("c", "sin", "half,float,double")
    sources = ["tests/test.c", *(path.name for path in folder.glob("clmath_*.c"))]
    for source in sources:
        words = [*command, *STANDARDS[standard], "-O1", *bench.WARNINGS, "-c", source, "-o", tmp_path / "made.o"]
        done = bench.run(*words, cwd=folder)
        assert (done.returncode, done.stderr) == (0, "")


@for_each("name", ["clmath_expf", "clmath_exp", "clmath_fmaf"])
def test_bits_of_some_functions_equal_the_reference(in_c, name):
    check_bits(in_c, FUNCTIONS[name])


@pytest.mark.slow
@pytest.mark.timeout(600)
@for_each("name", FUNCTIONS)
def test_bits_equal_the_reference(in_c, name):
    check_bits(in_c, FUNCTIONS[name], step=3)


@pytest.mark.exhaustive
@for_each("name", FUNCTIONS)
def test_bits_of_more_arguments_equal_the_reference(in_c, name):
    check_bits(in_c, FUNCTIONS[name])


def check_bits(library, function, step=1):
    columns = [column[::step].copy() for column in bench.arguments(function)]
    for mode in MODES:
        found, undecided, count = bench.on_arrays(library, function, mode, columns)
        assert count == undecided.size
        assert not count or not function.is_complete
        assert count < columns[0].size / 10
        for value, expected in zip(found, bench.truth(function, mode, columns), strict=True):
            wrong = np.flatnonzero(value != expected)
            assert not np.setdiff1d(wrong, undecided).size, (function.name, mode)


@pytest.mark.slow
@for_each("name", FUNCTIONS)
def test_function_of_numbers_agrees_with_function_of_arrays(in_c, name):
    function = FUNCTIONS[name]
    columns = [quiet(column[::8], function) for column in bench.arguments(function)]
    call = getattr(in_c, name)
    call.restype = C_TYPES[function.outputs[0][0]]
    for number, mode in enumerate(MODES):
        found, _, _ = bench.on_arrays(in_c, function, mode, columns)
        for i in range(columns[0].size):
            values = [given(type, column[i]) for (type, _), column in zip(function.inputs, columns, strict=True)]
            others = [C_TYPES[type]() for type, _ in function.outputs[1:]]
            results = [call(*values, *map(ctypes.byref, others), number), *(other.value for other in others)]
            for (type, _), result, expected in zip(function.outputs, results, found, strict=True):
                assert code_of(type, result) == expected[i]


def quiet(column, function):
    """Replace NaNs by quiet ones, since ctypes passes floats through double, which quiets NaNs."""
    return np.where(np.isnan(column), function.form.nan, column).astype(column.dtype)


def given(type, value):
    """Return an argument for ctypes; a half is passed as its encoding."""
    return C_TYPES[type](value.view(np.uint16) if type == "clmath_half" else value)


def code_of(type, result):
    """Return the encoding of a result."""
    if type in {"int", "clmath_half"}:
        return result
    wide, narrow = (np.float64, np.uint64) if type == "double" else (np.float32, np.uint32)
    return wide(result).view(narrow)


@pytest.mark.slow
@for_each("name", WITH_ENDS)
def test_interval_has_the_results_rounded_down_and_up(in_c, name):
    function = WITH_ENDS[name]
    columns = [quiet(column, function) for column in bench.arguments(function)]
    undecided = {int(i) for mode in ("rtn", "rtp") for i in bench.on_arrays(in_c, function, mode, columns)[1]}
    below, above = (bench.truth(function, mode, columns)[0] for mode in ("rtn", "rtp"))
    call, type = getattr(in_c, f"{name}_interval"), C_TYPES[function.outputs[0][0]]
    call.restype = None
    for i in range(columns[0].size):
        lo, hi = type(), type()
        values = [given(type, column[i]) for (type, _), column in zip(function.inputs, columns, strict=True)]
        call(*values, ctypes.byref(lo), ctypes.byref(hi))
        ends = [code_of(function.outputs[0][0], end.value) for end in (lo, hi)]
        if i not in undecided:
            assert ends == [below[i], above[i]]
            assert places_apart(*ends, function.form) in (0, 1)
        else:
            numbers = function.form.from_bits(
                np.array([ends[0], below[i], above[i], ends[1]], function.form.bits_dtype)
            )
            assert np.all(np.diff(numbers) >= 0)
            assert ends[0] != ends[1]


def places_apart(low, high, form):
    """Return the distance of two encodings in numbers of a format."""
    sign = 1 << (form.width - 1)
    low, high = (sign - int(code) if int(code) & sign else int(code) for code in (low, high))
    return high - low


@pytest.fixture
def logarithm_of_halves(exported, tmp_path):
    """Copy of a library for injecting faults, which compiles in half a second."""
    return shutil.copytree(exported("c", "log", "half"), tmp_path / "library")


@pytest.fixture(scope="module")
def hard_exponentials():
    """Doubles whose exponentials are closest to numbers and to midpoints."""
    function = FUNCTIONS["clmath_exp"]
    return [hard(item_of(function.row, function.form, 0, 1))[0].copy()]


@pytest.mark.slow
@for_each("mode", MODES)
def test_undecided_elements_are_listed_with_results_wrong_by_at_most_one_ulp(in_c, hard_exponentials, mode):
    function = FUNCTIONS["clmath_exp"]
    (found,), undecided, count = bench.on_arrays(in_c, function, mode, hard_exponentials)
    (expected,) = bench.truth(function, mode, hard_exponentials)
    assert set(np.flatnonzero(found != expected)) <= set(undecided.tolist())
    assert np.all(np.abs(found.astype(np.int64) - expected.astype(np.int64)) <= 1)
    _, some, all_of_them = bench.on_arrays(in_c, function, mode, hard_exponentials, room=1)
    assert all_of_them == count
    assert some.tolist() == undecided[:1].tolist()


@pytest.mark.slow
@for_each("mode", MODES)
def test_function_of_numbers_rounds_the_middle_of_an_undecided_enclosure(in_c, exponential, hard_exponentials, mode):
    """The header says so, and the function of arrays does the same."""
    header = " ".join((exponential / "clmath.h").read_text().split())
    assert "What is left undecided, which no half or float of one argument is, rounds as the middle of its" in header
    found, undecided, _ = bench.on_arrays(in_c, FUNCTIONS["clmath_exp"], mode, hard_exponentials)
    call = in_c.clmath_exp
    call.restype = ctypes.c_double
    for i in undecided.tolist():
        assert code_of("double", call(ctypes.c_double(hard_exponentials[0][i]), MODES.index(mode))) == found[0][i]


@pytest.mark.slow
def test_hard_exponentials_include_undecided_elements(in_c, hard_exponentials):
    """Without them the tests above would be void; if a further phase decides them, use harder arguments."""
    assert any(bench.on_arrays(in_c, FUNCTIONS["clmath_exp"], mode, hard_exponentials)[2] for mode in MODES)


@pytest.mark.slow
def test_result_and_argument_may_be_one_array(in_c):
    function = FUNCTIONS["clmath_sin"]
    columns = bench.arguments(function)
    expected, _, _ = bench.on_arrays(in_c, function, "rtp", columns)
    shared = columns[0].copy()
    found, _, _ = bench.on_arrays(in_c, function, "rtp", [shared], outputs=[shared])
    assert np.array_equal(found[0], expected[0])


@pytest.mark.slow
@pytest.mark.skipif(platform.machine() != "x86_64", reason="options of x86")
@pytest.mark.parametrize("options", [("-std=gnu17", "-mavx2", "-mfma"), ("-O3", "-mfma", "-ffp-contract=fast")])
def test_options_do_not_change_bits(exponential, cc, in_c, tmp_path, options):
    command = [*cc, "-O2", *options, "-shared", "-fPIC", "clmath_exp.c", "-o", tmp_path / "exp.so", "-lm"]
    assert bench.run(*command, cwd=exponential).returncode == 0
    if "-mfma" in options and "fma" not in Path("/proc/cpuinfo").read_text(encoding="utf-8").split():
        pytest.skip("this processor has no fused products")
    library = ctypes.CDLL(str(tmp_path / "exp.so"))
    for name in ("clmath_expf", "clmath_exp"):
        columns = bench.arguments(FUNCTIONS[name])
        for mode in MODES:
            found, expected = (bench.on_arrays(one, FUNCTIONS[name], mode, columns)[0] for one in (library, in_c))
            assert np.array_equal(found, expected)


@pytest.mark.slow
def test_fast_math_is_refused(exponential, cc):
    done = bench.run(*cc, "-O2", "-ffast-math", "-fsyntax-only", "clmath_exp.c", cwd=exponential)
    assert done.returncode
    assert "compile without -ffast-math" in done.stderr


@pytest.mark.slow
@for_each(
    "loose",
    [
        "-funsafe-math-optimizations",
        "-freciprocal-math",
        "-ffinite-math-only",
        "-fassociative-math -fno-signed-zeros -fno-trapping-math",
    ],
)
@for_each("command", bench.compilers())
def test_unsafe_math_options_are_refused_or_have_no_effect(exported, command, loose, tmp_path):
    folder = exported("c", "cbrt", "float,double")
    sources = sorted(path.name for path in folder.glob("clmath_*.c"))
    done = bench.program(command, ("-O2", *loose.split()), ["tests/test.c", *sources], tmp_path / "test", cwd=folder)
    if done.returncode:
        assert "compile without -ffast-math" in done.stderr
    else:
        assert bench.run(tmp_path / "test", cwd=folder).returncode == 0


@pytest.mark.slow
def test_exported_c_has_no_calls_and_no_writable_data(exponential, cc):
    """The only library functions that are called are sqrt and memcpy."""
    assert bench.run(*cc, "-std=c11", "-O2", "-c", "clmath_exp.c", "-o", "exp.o", cwd=exponential).returncode == 0
    if not shutil.which("nm"):
        pytest.skip("nm is not installed")
    lines = bench.run("nm", "exp.o", cwd=exponential).stdout.splitlines()
    kinds = {line.split()[-1]: line.split()[-2] for line in lines}
    assert {name for name, kind in kinds.items() if kind == "U"} <= {"memcpy", "sqrt", "_GLOBAL_OFFSET_TABLE_"}
    assert not {name for name, kind in kinds.items() if kind in "bBdDC"}


def blocks(text):
    """Return the commands of a README."""
    return re.findall(r"```sh\n(.*?)```", text, re.DOTALL)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="the commands call cc")
def test_commands_of_the_readme_work(exported, tmp_path):
    folder = shutil.copytree(exported("c", "exp"), tmp_path / "library")
    build, test = blocks((folder / "README.md").read_text())
    done = bench.run("sh", "-e", "-c", build + test, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    last = r"3 functions, \d{3,} results, 0 wrong\n"
    assert re.fullmatch(rf"(clmath_\w+: \d+ results undecided\n)*{last}", done.stdout)
    header = (folder / "clmath.h").read_text()
    for name in re.findall(r"`(clmath_\w+)`", (folder / "README.md").read_text()):
        assert f"{name}(" in header


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="the commands call cc")
def test_generated_test_finds_a_wrong_table(logarithm_of_halves):
    folder = logarithm_of_halves
    path = folder / "clmath_log.c"
    text = path.read_text()
    start, end = text.index("_tables[] = {"), text.index("};", text.index("_tables[] = {"))
    altered = re.sub(r"(\b\d\.\d{4})(\d)", lambda found: f"{found[1]}{9 - int(found[2])}", text[start:end])
    assert altered != text[start:end]
    path.write_text(text[:start] + altered + text[end:])
    _, test = blocks((folder / "README.md").read_text())
    done = bench.run("sh", "-c", test, cwd=folder)
    assert done.returncode == 1
    assert re.search(r"clmath_log\w*, row \d+, result 0, \w.*: 0x[0-9a-f]+, not 0x[0-9a-f]+", done.stdout)


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("cc"), reason="the commands call cc")
def test_generated_test_reports_a_wrong_result(logarithm_of_halves):
    folder = logarithm_of_halves
    path = folder / "tests" / "cases_log.h"
    text = path.read_text()
    row = next(line for line in text.splitlines() if line.startswith("    {"))
    encoding = row.split(", ")[3]
    path.write_text(text.replace(row, row.replace(f", {encoding},", ", 0x1234,", 3), 1))
    _, test = blocks((folder / "README.md").read_text())
    done = bench.run("sh", "-c", test, cwd=folder)
    assert done.returncode == 1
    assert "clmath_log_h, row 0, result 0, rt" in done.stdout
    assert "not 0x1234" in done.stdout


@pytest.mark.slow
def test_nan_results_are_canonical(in_c):
    codes = np.array([0x7FF0000000000001, 0xFFF8000000000123], np.uint64)
    for mode in MODES:
        (found,), _, _ = bench.on_arrays(in_c, FUNCTIONS["clmath_sin"], mode, [codes.view(np.float64)])
        assert found.tolist() == [int(DOUBLE.bits(DOUBLE.nan))] * 2


def test_double_functions_without_enclosures_are_complete():
    complete = {f.row.name for f in FUNCTIONS.values() if f.form == DOUBLE and f.is_complete}
    assert complete == {
        *("ilogb", "add", "div", "sqrt", "ldexp", "fma", "fract", "fdim", "degrees", "mix", "smoothstep"),
        *("fmod", "remquo", "copysign", "fabs", "convert_half", "convert_float"),
    }


@pytest.mark.slow
def test_fabs_keeps_nan_payloads(in_c):
    codes = np.array([0xFFF0000000000001, 0x7FF8000000000123], np.uint64)
    for mode in MODES:
        (found,), _, _ = bench.on_arrays(in_c, FUNCTIONS["clmath_fabs"], mode, [codes.view(np.float64)])
        assert found.tolist() == [0x7FF0000000000001, 0x7FF8000000000123]
