"""The CUDA C of programs, compiled for the processor with its intrinsics defined: the bits of the NumPy engine."""

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from clmath import phases
from clmath.engines import choice
from clmath.engines.device import source
from clmath.engines.device.calibration import calibrate
from clmath.engines.device.engine import Device
from clmath.engines.device.machine import UnfitDeviceError
from clmath.kernels import PHASES
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each

COMPILER = shutil.which("c++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="no C++ compiler is installed")

SHIM = Path(__file__).with_name("cuda_on_host.h").read_text(encoding="utf-8")
EVERY = """
extern "C" void every_lane(Count lanes, {parameters}) {{
    for (Count lane = 0; lane < lanes; lane++) {{ blockIdx.x = lane; {entry}({names}); }}
}}
"""
KERNELS = [*(("fast", name) for name in ("sincos", "pown", "erf")), ("accurate", "log"), ("accurate", "pow")]
MORE = [*(("fast", name) for name in ("exp", "sin", "atan2", "lgamma"))]
MORE += [("accurate", name) for name in ("sin", "tgamma", "hypot", "exp2")]


class Processor:
    """A machine whose buffers are arrays of bytes."""

    name, language = "c++", "cuda"

    def __init__(self, folder, preamble=None):
        self.folder, self.preamble = folder, preamble or source.header("cuda")
        self.built = 0

    def build(self, given):
        found = re.search(r"ENTRY (\w+)\((.*?)\) \{", given.text, re.DOTALL)
        names = ", ".join(re.search(r"\w+$", p)[0] for p in re.split(r",\s*", found[2].replace("TABLE", "tables")))
        text = "\n".join(
            [SHIM, self.preamble, given.text, EVERY.format(entry=found[1], parameters=found[2], names=names)]
        )
        self.built += 1
        file = self.folder / f"program{self.built}.cc"
        file.write_text(text, encoding="utf-8")
        library = file.with_suffix(".so")
        options = ["-O1", "-ffp-contract=off", "-shared", "-fPIC", "-Wno-attributes"]
        subprocess.run([COMPILER, *options, "-o", library, file], check=True)
        return ctypes.CDLL(str(library)).every_lane

    def put(self, array):
        return np.frombuffer(array.tobytes(), np.uint8).copy()

    def room(self, size):
        return np.empty(size, np.uint8)

    def counter(self):
        return np.zeros(1, np.uint32)

    def get(self, buffer, array, first=0):
        array[...] = buffer.view(np.uint8)[first : first + array.nbytes].view(array.dtype).reshape(array.shape)

    def run(self, entry, elements, *args):
        entry(ctypes.c_uint64(elements), *[self._passed(a) for a in args])

    def _passed(self, given):
        if isinstance(given, np.ndarray):
            return ctypes.c_void_p(given.ctypes.data)
        return {"uint64": ctypes.c_uint64, "uint32": ctypes.c_uint32, "int32": ctypes.c_int32}[given.dtype.name](given)


@pytest.fixture(scope="module")
def processor(tmp_path_factory):
    return Device(Processor(tmp_path_factory.mktemp("cuda")))


def arguments(kernel, form):
    rng = np.random.default_rng(7)
    top = 1 << (form.width - 1)
    columns = []
    for _ in range(source.arguments(kernel)):
        codes = rng.integers(-top, top, 4096).astype(f"i{form.dtype.itemsize}").view(form.dtype)
        tame = (rng.standard_normal(4096) * 4.0).astype(form.dtype)
        special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 2.5], form.dtype)
        columns.append(rng.permutation(np.concatenate([codes, tame, *[special] * 32])))
    if kernel.name == "pown":
        columns[1] = rng.integers(-99, 99, columns[0].size).astype(np.int32)
    return columns


@pytest.mark.slow
@for_each("phase, name", KERNELS)
def test_kernels_have_the_same_bits(processor, phase, name):
    bits_agree(processor, phase, name)


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@for_each("phase, name", MORE)
def test_more_kernels_have_the_same_bits(processor, phase, name):
    bits_agree(processor, phase, name)


def bits_agree(processor, phase, name):
    kernel = PHASES[phase].kernels[name]
    for form in (HALF, FLOAT) if phase == "fast" else (DOUBLE,):
        args = arguments(kernel, form)
        found, want = ([np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)] for _ in range(2))
        for mode in MODES:
            with np.errstate(all="ignore"):
                left = processor.rounded(kernel, form, mode, args, found)
                undecided = choice.PLAIN.rounded(kernel, form, mode, args, want)
            decided = np.setdiff1d(np.arange(args[0].size), np.union1d(left, undecided))
            assert decided.size > 8000
            for one, other in zip(found, want, strict=True):
                assert np.array_equal(form.bits(one)[decided], form.bits(other)[decided])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sin", "atan2"])
def test_narrowed_enclosures_decide_as_the_reference(processor, name):
    """Undecided elements are too rare to sample, so the test refines all; nearly all that stay undecided have exact
    results.
    """
    kernel, form = PHASES["accurate"].kernels[name], DOUBLE
    args = [np.random.default_rng(n).uniform(-10.0, 10.0, 300) for n in range(source.arguments(kernel))]
    sources, elements = [processor.machine.put(a) for a in args], np.arange(0, 300, 3)
    for mode in MODES:
        target, found = processor.machine.put(np.zeros(300)), np.empty(300)
        left = processor.narrowed_in_place(kernel, mode, ("double",) * len(args), sources, target, elements)
        processor.machine.get(target, found)
        want = np.zeros(300)
        want[elements] = phases.by_reference(name, form, mode, *(a[elements] for a in args))[0]
        assert not left.size
        assert np.array_equal(form.bits(found), form.bits(want))


@pytest.mark.slow
def test_a_broken_header_is_refused(tmp_path):
    broken = source.header("cuda").replace("double_add(a, b) __dadd_rn(a, b)", "double_add(a, b) __dsub_rn(a, b)")
    with pytest.raises(UnfitDeviceError, match=r"c\+\+ cannot run kernels: a \+ b differs"):
        calibrate(Processor(tmp_path, broken))


def test_every_operation_is_an_intrinsic_that_nothing_contracts():
    """Products, sums, quotients and roots of doubles are never operators, which nvcc and NVRTC may contract."""
    defined = dict(
        re.findall(r"#define (double_(?:add|sub|mul|div)|root|fused)\([\w, ]*\) (.*)", source.header("cuda"))
    )
    assert {name: re.match(r"__\w+_rn", meaning)[0] for name, meaning in defined.items()} == {
        "double_add": "__dadd_rn",
        "double_sub": "__dsub_rn",
        "double_mul": "__dmul_rn",
        "double_div": "__ddiv_rn",
        "root": "__dsqrt_rn",
        "fused": "__fma_rn",
    }
