"""Fake pyopencl: platforms listed by FAKE_OPENCL with a device each, which works or fails in a known way."""

import enum
import os
import re
import signal
import tempfile
import time
import weakref
from pathlib import Path


class Error(Exception):
    pass


class device_type(enum.IntFlag):  # noqa: N801 - pyopencl's names
    CPU = 2
    GPU = 4


class device_fp_config(enum.IntFlag):  # noqa: N801 - pyopencl's names
    DENORM = 1
    INF_NAN = 2
    ROUND_TO_NEAREST = 4
    ROUND_TO_ZERO = 8
    ROUND_TO_INF = 16
    FMA = 32
    SOFT_FLOAT = 64
    CORRECTLY_ROUNDED_DIVIDE_SQRT = 128


class mem_flags(enum.IntFlag):  # noqa: N801
    READ_ONLY = 1
    READ_WRITE = 4


class program_build_info(enum.IntEnum):  # noqa: N801
    LOG = 1


class Platform:
    version = "OpenCL 3.0 fake"

    def __init__(self, kind, number):
        self.kind, self.number = kind, number
        self.name = "Portable Computing Language" if kind == "pocl" else f"Fake {kind}"

    def get_devices(self):
        if self.kind == "crashes when asked":
            os.kill(os.getpid(), signal.SIGSEGV)
        return [] if self.kind == "has no device" else [Device(self)]

    def __eq__(self, other):
        return self.number == other.number

    def __hash__(self):
        return self.number


class Device:
    version = "OpenCL 3.0 fake"
    opencl_c_version = "OpenCL C 3.0"
    driver_version = os.environ.get("POCL_CACHE_DIR", "1.0")  # shows the cache folder to tests
    profile = "FULL_PROFILE"
    image_support = False
    extensions = "cl_khr_fp64"
    max_work_group_size = 64
    type = device_type.GPU
    single_fp_config = double_fp_config = (
        device_fp_config.DENORM | device_fp_config.INF_NAN | device_fp_config.ROUND_TO_NEAREST
    )

    def __init__(self, platform):
        self.platform = platform
        self.name = f"the device \x1b[31m{platform.kind}"

    def __eq__(self, other):
        return self.platform == other.platform

    __hash__ = None


def hang():
    """Hang, after telling a test by a file that it need not wait longer."""
    if folder := os.environ.get("FAKE_HANGS"):
        Path(folder, str(os.getpid())).touch()
    time.sleep(600)


def get_platforms():
    kinds = [kind for kind in os.environ["FAKE_OPENCL"].split(",") if kind]
    if kinds == ["of the folder"]:
        kinds = [file.read_text().strip() for file in sorted(Path(os.environ["OCL_ICD_VENDORS"]).glob("*.icd"))]
    if "hangs when loaded" in kinds:
        hang()
    if "crashes when loaded" in kinds:
        os.abort()
    if "cannot be imported" in kinds:
        raise ImportError("libOpenCL.so.1: cannot open shared object file")
    return [Platform(kind, number) for number, kind in enumerate(kinds)]


class Context:
    def __init__(self, devices):
        self.kind = devices[0].platform.kind
        if self.kind == "cannot be opened":
            raise Error("clCreateContext failed: OUT_OF_RESOURCES")


class CommandQueue:
    def __init__(self, context):
        self.kind = context.kind


class Program:
    def __init__(self, context, source):
        self.kind, self.source = context.kind, source

    def build(self, _options):
        if self.kind == "cannot compile" or (self.kind == "cannot compile double" and "double" in self.source):
            raise Error(
                "clBuildProgram failed: BUILD_PROGRAM_FAILURE\n\nBuild on <device>:\n\nwarning: old\n"
                "error: unknown target CPU 'generic'\n\x1b[31merror: and more"
            )
        if self.kind == "crashes":
            os.write(2, b"some words\nLLVM ERROR: \x1b[31mno such subtarget\n\n")
            os.abort()
        if self.kind == "writes a file and crashes":
            tempfile.mkdtemp(prefix="fake-")
            os.abort()
        if self.kind == "exits":
            os._exit(0)
        if self.kind == "hangs":
            hang()

    def get_build_info(self, _device, _what):
        return "warning: old\n"


class Kernel:
    """Kernel that evaluates the function in ``o0 = NAME(i0)`` with NumPy."""

    def __init__(self, program, entry):
        self.kind, text = program.kind, program.source.partition(f"void {entry}(")[2]
        self.name = re.search(r"o0 = (\w+)\(", text)[1]
        self.dtype = "float64" if "__global double *out0" in text.partition("{")[0] else "float32"
        self.owner = weakref.ref(program)

    @property
    def program(self):  # fails like a driver that drops a program with its last handle
        raise Error("clRetainProgram failed: INVALID_PROGRAM")

    def set_args(self, count, *buffers):
        self.source, self.result = (buffer.bytes.view(self.dtype)[:count] for buffer in buffers)

    def run(self):
        if self.owner() is None:
            raise Error("clEnqueueNDRangeKernel failed: INVALID_PROGRAM_EXECUTABLE")
        import numpy as np  # imported here, since processes that only list devices do not need it

        wrong = self.kind == "computes nonsense"
        self.result[...] = self.source if wrong else getattr(np, self.name)(self.source)


class Buffer:
    def __init__(self, _context, _flags, size):
        import numpy as np

        self.bytes, self.size = np.zeros(size, np.uint8), size


def enqueue_nd_range_kernel(_queue, kernel, _global_size, _local_size):
    print("a driver that prints")  # unwanted output, as from a real driver
    kernel.run()
    return Event()


class Event:
    def wait(self):
        pass


def enqueue_copy(_queue, target, source, src_offset=0):
    if isinstance(target, Buffer):
        target.bytes[: source.nbytes] = source.view("uint8")
    else:
        target.view("uint8")[...] = source.bytes[src_offset : src_offset + target.nbytes]
