"""Exported OpenCL C: results on a device equal the reference, its compiler does not warn, the generated test passes."""

import functools
import re
import shutil
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

import clmath
from clmath.audit.opencl import devices
from clmath.numbers.rounding import MODES
from tests.cases import for_each
from tests.export import bench
from tests.with_loader import command

NAMES = "sin,rootn,tanpi,fma,fract,copysign,convert_half,convert_float"
TYPES = "float,double"
FUNCTIONS = {function.name: function for function in bench.functions(NAMES, TYPES)}
HALVES = {function.name: function for function in bench.functions("ilogb", "half")}
pytestmark = pytest.mark.slow


class Queue(NamedTuple):
    """Command queue and its context, whose handle must be kept, since some drivers drop it otherwise."""

    context: Any
    commands: Any


@pytest.fixture(scope="module")
def queue(opencl_device):
    """Command queue of the OpenCL device."""
    import pyopencl

    device = devices.find(opencl_device.removeprefix("opencl:"))
    if "cl_khr_fp64" not in device.extensions.split():
        pytest.skip(f"{device.name} has no double")
    context = pyopencl.Context([device])
    return Queue(context, pyopencl.CommandQueue(context))


def compiled(queue, text, folder, *options):
    """Compile a program with warnings as errors; other output of the compiler is ignored."""
    import pyopencl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pyopencl.Program(queue.context, text).build(["-I", str(folder), "-Werror", *options])


@pytest.fixture(scope="module")
def built(exported, queue):
    """Function that returns the program of a built-in, which is a library of its own."""

    @functools.cache
    def program(name):
        folder = exported("opencl", name, "half" if name == "ilogb" else TYPES)
        return compiled(queue, f'#include "clmath_{name}.cl"\n', folder)

    return program


def on_device(queue, program, function, mode, columns):
    """Run a kernel; return the results as encodings, and the undecided elements that it lists."""
    import pyopencl

    flags, count = pyopencl.mem_flags, columns[0].size
    outputs, elements, counted = bench.results(function, count), np.zeros(count, np.uint64), np.zeros(1, np.uint32)
    arrays = [*columns, *outputs, counted, elements]
    buffers = [pyopencl.Buffer(queue.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=a) for a in arrays]
    given = buffers[: len(columns) + len(outputs)]
    kernel = pyopencl.Kernel(program, f"{function.name}_array")
    kernel(
        queue.commands,
        (count + 7,),
        None,
        np.uint64(count),
        *given,
        np.int32(MODES.index(mode)),
        *buffers[-2:],
        np.uint32(count),
    )
    for array, buffer in zip([*outputs, counted, elements], [*given[len(columns) :], *buffers[-2:]], strict=True):
        pyopencl.enqueue_copy(queue.commands, array, buffer)
    return bench.encoded(function, outputs), elements[: counted[0]].astype(np.int64)


@for_each("name", FUNCTIONS | HALVES)
def test_bits_equal_the_reference(queue, built, name):
    function = (FUNCTIONS | HALVES)[name]
    columns = bench.arguments(function)
    for mode in MODES:
        found, undecided = on_device(queue, built(function.row.name), function, mode, columns)
        assert undecided.size < columns[0].size / 10
        assert not undecided.size or not function.is_complete
        for value, expected in zip(found, bench.truth(function, mode, columns), strict=True):
            assert not np.setdiff1d(np.flatnonzero(value != expected), undecided).size, mode


GLOBAL = "\nvoid is_global(TABLE_SPACE const ulong *x) { global const ulong *y = x; (void)y; }\n"


@pytest.mark.parametrize("options", [(), ("-DCLMATH_GLOBAL_TABLES",)])
def test_tables_are_in_global_memory_if_the_device_supports_it(options, exported, queue):
    """The tables of lgamma and tgamma exceed 64 KiB, which is all the constant memory of some devices.

    The compiler announces support by a macro; compilers that do not define it need the option.
    """
    import pyopencl

    if "OpenCL 3" not in queue.commands.device.version:
        pytest.skip(f"{queue.commands.device.version} has no OpenCL C 3.0")
    function, folder = FUNCTIONS["clmath_sinf"], exported("opencl", NAMES, TYPES)
    probe = "#ifndef __opencl_c_program_scope_global_variables\n#error none\n#endif\nkernel void f(void) {}\n"
    try:
        compiled(queue, probe, folder, "-cl-std=CL3.0")
    except pyopencl.RuntimeError:
        pytest.skip("programs have no variables in global memory there")
    hidden = "#undef __opencl_c_program_scope_global_variables\n" if options else ""
    program = compiled(queue, f'{hidden}#include "clmath_sin.cl"\n{GLOBAL}', folder, "-cl-std=CL3.0", *options)
    columns = bench.arguments(function)
    (found,), undecided = on_device(queue, program, function, "rtp", columns)
    (expected,) = bench.truth(function, "rtp", columns)
    assert not undecided.size
    assert np.array_equal(found, expected)


def test_generated_test_passes_and_reports_a_wrong_result(exported, cc, opencl_numbers, tmp_path):
    """The test is compiled as a library and run with pyopencl's OpenCL library, as none may be installed."""
    folder = shutil.copytree(exported("opencl", "ilogb", "half"), tmp_path / "library")
    words = ("-std=c11", "-O1", *bench.WARNINGS, "-shared", "-fPIC", "-o", "test.so", "tests/test.c")
    done = bench.run(*cc, *words, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    done = bench.run(*command(folder / "test.so", *opencl_numbers), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"^1 functions, \d+ results, 0 wrong$", done.stdout, re.MULTILINE)
    path = folder / "tests" / "cases_ilogb.h"
    row = next(line for line in path.read_text().splitlines() if line.startswith("    {"))
    path.write_text(path.read_text().replace(row, row[: row.rindex(",", 0, -3)] + ", 0x7777},"))
    done = bench.run(*command(folder / "test.so", *opencl_numbers), cwd=folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"clmath_ilogb_h, row 0, result 0, rtn: 0x[0-9a-f]+, not 0x7777", done.stdout)


def test_generated_test_fails_without_the_platform(exported, cc, tmp_path):
    folder = shutil.copytree(exported("opencl", "ilogb", "half"), tmp_path / "library")
    words = ("-std=c11", "-shared", "-fPIC", "-o", "test.so", "tests/test.c")
    assert bench.run(*cc, *words, cwd=folder).returncode == 0
    pytest.importorskip("pyopencl")
    done = bench.run(*command(folder / "test.so", "15"), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "there is no such platform, status 0\n")


def test_several_files_can_be_included_in_one_program(exported, queue):
    import pyopencl

    folder = exported("opencl", "cbrt,floor", "double")
    text = '#include "clmath_cbrt.cl"\n#include "clmath_floor.cl"\n#include "clmath.h"\n'
    text += "kernel void both(global double *x) { *x = clmath_cbrt(*x, CLMATH_RTP) + clmath_floor(*x, CLMATH_RTE); }"
    program = compiled(queue, text, folder)
    value = np.array([7.5])
    buffer = pyopencl.Buffer(queue.context, pyopencl.mem_flags.COPY_HOST_PTR, hostbuf=value)
    pyopencl.Kernel(program, "both")(queue.commands, (1,), None, buffer)
    pyopencl.enqueue_copy(queue.commands, value, buffer)
    assert value[0] == float(clmath.cbrt(7.5, rounding="rtp")) + 7.0
