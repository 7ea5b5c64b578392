"""Exported CUDA C: compiled by NVRTC, if it is installed, without a GPU, and compiled as C++ and run on the host.

On the host ``on_host.h`` defines the intrinsics; only a GPU can test its own.
"""

import ctypes
import importlib.util
import re
from pathlib import Path

import pytest

from tests.export import bench

NAMES = "exp,pown,modf,tanpi,fma,ldexp,mix,fabs,convert_half"  # tanpi: a table has an infinity
HOST = Path(__file__).with_name("on_host.h")
MAIN = """
#undef __CUDACC_RTC__
#define cudaMalloc(place, size) (*(place) = (Double *)malloc(size))
#define cudaMemcpy(to, from, size, kind) memcpy(to, from, size)
#define cudaFree(place) free(place)
enum cudaError_t { NONE };
static inline cudaError_t cudaGetLastError() { return NONE; }
static inline const char *cudaGetErrorString(cudaError_t) { return ""; }
"""
LAUNCH = re.compile(r"kernel<<<1, 1>>>")


@pytest.fixture(scope="module")
def folder(exported):
    return exported("cuda", NAMES)


def as_cpp(text):
    """Return the test program as C++, with calls instead of launches."""
    return f'#include "{HOST}"\n{LAUNCH.sub("kernel", text)}'.replace("#ifndef __CUDACC_RTC__", MAIN + "#if 1")


@pytest.mark.slow
def test_generated_test_passes_on_the_host(folder, cc, tmp_path):
    path = tmp_path / "test.cpp"
    path.write_text(as_cpp((folder / "tests" / "test.cu").read_text()))
    options = ("-x", "c++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wno-unused", "-Wno-unknown-pragmas", "-Werror")
    places = ("-I", folder / "tests")
    done = bench.run(*cc, *options, *places, path, "-o", tmp_path / "test", "-lm", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    done = bench.run(tmp_path / "test", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert re.search(r"^26 functions, \d{4,} results, 0 wrong$", done.stdout, re.MULTILINE)


def nvrtc():
    """Return the library of NVIDIA's package on PyPI, or None if it is not installed."""
    found = importlib.util.find_spec("nvidia")
    places = [Path(place) / "cuda_nvrtc" / "lib" for place in (found.submodule_search_locations or [])] if found else []
    return next((path for place in places for path in place.glob("libnvrtc.so.*")), None)


@pytest.mark.slow
@pytest.mark.skipif(nvrtc() is None, reason="NVRTC is not installed: pip install nvidia-cuda-nvrtc-cu12")
@pytest.mark.parametrize("file", ["clmath_tanpi.cu", "tests/test.cu"])
def test_nvrtc_compiles_without_a_warning(folder, file):
    library, program = ctypes.CDLL(str(nvrtc())), ctypes.c_void_p()
    text = (folder / file).read_bytes()
    library.nvrtcCreateProgram(ctypes.byref(program), text, file.encode(), 0, None, None)
    options = ["--gpu-architecture=compute_75", "-std=c++17", f"-I{folder}", f"-I{folder / 'tests'}"]
    words = (ctypes.c_char_p * len(options))(*map(str.encode, options))
    status = library.nvrtcCompileProgram(program, len(options), words)
    size = ctypes.c_size_t()
    library.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    library.nvrtcGetProgramLog(program, log)
    assert (status, log.value) == (0, b"")
