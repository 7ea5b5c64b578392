"""OpenCL C: the bits of the reference on a device, without a word of its compiler, and the test program."""

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
    """A context, which some drivers drop with the last handle on it, and a queue there."""

    context: Any
    commands: Any


@pytest.fixture(scope="module")
def queue(opencl_device):
    """One of the device that tests use."""
    import pyopencl

    device = devices.find(opencl_device.removeprefix("opencl:"))
    if "cl_khr_fp64" not in device.extensions.split():
        pytest.skip(f"{device.name} has no double")
    context = pyopencl.Context([device])
    return Queue(context, pyopencl.CommandQueue(context))


def compiled(queue, text, folder, *options):
    """A program, of which the compiler has not warned; what else it says of its work is ignored."""
    import pyopencl

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pyopencl.Program(queue.context, text).build(["-I", str(folder), "-Werror", *options])


@pytest.fixture(scope="module")
def built(exported, queue):
    """A function that gives the program of a built-in, which is a library of its own."""

    @functools.cache
    def program(name):
        folder = exported("opencl", name, "half" if name == "ilogb" else TYPES)
        return compiled(queue, f'#include "clmath_{name}.cl"\n', folder)

    return program


def on_device(queue, program, function, mode, columns):
    """The results as encodings, and the lanes that the kernel has listed."""
    import pyopencl

    flags, count = pyopencl.mem_flags, columns[0].size
    outputs, lanes, counted = bench.results(function, count), np.zeros(count, np.uint64), np.zeros(1, np.uint32)
    arrays = [*columns, *outputs, counted, lanes]
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
    for array, buffer in zip([*outputs, counted, lanes], [*given[len(columns) :], *buffers[-2:]], strict=True):
        pyopencl.enqueue_copy(queue.commands, array, buffer)
    return bench.encoded(function, outputs), lanes[: counted[0]].astype(np.int64)


@for_each("name", FUNCTIONS | HALVES)
def test_bits_are_those_of_the_reference(queue, built, name):
    function = (FUNCTIONS | HALVES)[name]
    columns = bench.arguments(function)
    for mode in MODES:
        found, undecided = on_device(queue, built(function.row.name), function, mode, columns)
        assert undecided.size < columns[0].size / 10
        assert not undecided.size or not function.is_complete
        for value, expected in zip(found, bench.truth(function, mode, columns), strict=True):
            assert not np.setdiff1d(np.flatnonzero(value != expected), undecided).size, mode


GLOBAL = "\nvoid is_global(TABLE_SPACE const ulong *x) { global const ulong *y = x; (void)y; }\n"


@pytest.mark.parametrize("said", [(), ("-DCLMATH_GLOBAL_TABLES",)])
def test_tables_lie_in_global_memory_where_programs_may_have_variables_there(said, exported, queue):
    """The tables of lgamma and tgamma are more than the 64 KiB of constant memory that some devices have.

    Where the compiler says so, and where it is told to put them there, as those that do not say so have to be.
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
    hidden = "#undef __opencl_c_program_scope_global_variables\n" if said else ""
    program = compiled(queue, f'{hidden}#include "clmath_sin.cl"\n{GLOBAL}', folder, "-cl-std=CL3.0", *said)
    columns = bench.arguments(function)
    (found,), undecided = on_device(queue, program, function, "rtp", columns)
    (expected,) = bench.truth(function, "rtp", columns)
    assert not undecided.size
    assert np.array_equal(found, expected)


def test_test_program(exported, cc, opencl_numbers, tmp_path):
    """Compiled as a library, since pyopencl brings the one of OpenCL, which need not be installed."""
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


def test_a_platform_that_is_not_there(exported, cc, tmp_path):
    folder = shutil.copytree(exported("opencl", "ilogb", "half"), tmp_path / "library")
    words = ("-std=c11", "-shared", "-fPIC", "-o", "test.so", "tests/test.c")
    assert bench.run(*cc, *words, cwd=folder).returncode == 0
    pytest.importorskip("pyopencl")
    done = bench.run(*command(folder / "test.so", "15"), cwd=folder)
    assert (done.returncode, done.stdout) == (2, "there is no such platform, status 0\n")


def test_several_files_go_into_one_program(exported, queue):
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
