"""The kernels of another architecture, emulated: aarch64 under qemu, where that and Zig's compiler are installed."""

import shutil
import struct
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clmath.engines import choice
from clmath.engines.native import build, text
from clmath.kernels import DOUBLE as DOUBLE_RUNG
from clmath.kernels import QUICK
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES

QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
ZIG = next((one for one in build.compilers() if one.is_zig), None)
pytestmark = [
    pytest.mark.skipif(not (QEMU and ZIG), reason="needs qemu-aarch64 and ziglang"),
    pytest.mark.usefixtures("narrowing_however_few"),
]
CASES = [
    *((QUICK.kernels[name], form) for name in ("sincos", "pown", "lgamma") for form in (FLOAT, HALF)),
    *((DOUBLE_RUNG.kernels[name], DOUBLE) for name in ("exp", "sin", "pow", "rootn", "tgamma", "hypot")),
]
KERNELS = list(dict.fromkeys(kernel for kernel, _ in CASES))
LANES = 1 << 9


@pytest.fixture(scope="module")
def emulated(tmp_path_factory):
    """The program that holds the kernels, running."""
    folder = tmp_path_factory.mktemp("aarch64")
    using = replace(ZIG, machine="aarch64")
    main = Path(__file__).with_name("on_qemu.c").read_text(encoding="utf-8")
    found = build.compiled(using, "v8", text.texts(KERNELS) | {"on_qemu.c": main}, folder)
    program = folder / "program"
    build._output([*using.command, *using.target, "-nostdlib", "-static", *found, "-o", str(program)], folder)
    with subprocess.Popen([QEMU, program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        yield process
        process.stdin.write(struct.pack("<9q", *[-1] * 9))
        process.stdin.close()


def rounded(process, kernel, form, mode, args):
    """Results and undecided lanes."""
    widened = [a.astype(np.float32) if a.dtype == np.float16 else a for a in args]
    lanes, sizes = args[0].size, [a.dtype.itemsize for a in widened] + [0]
    asked = KERNELS.index(kernel), FORMATS.index(form), MODES.index(mode), lanes, len(args), *sizes[:2]
    process.stdin.write(struct.pack("<9q", *asked, form.dtype.itemsize, kernel.results))
    process.stdin.write(b"".join(a.tobytes() for a in widened))
    process.stdin.flush()
    size = lanes * form.dtype.itemsize
    found = [np.frombuffer(process.stdout.read(size), form.dtype) for _ in range(kernel.results)]
    (left,) = struct.unpack("<q", process.stdout.read(8))
    return found, np.frombuffer(process.stdout.read(8 * left), np.int64)


@pytest.mark.parametrize("kernel, form", CASES, ids=lambda given: getattr(given, "name", str(given)))
def test_the_bits_are_the_same(emulated, kernel, form, arguments_of, lanes_by_way):
    args = arguments_of(kernel, form, LANES)
    for lanes in lanes_by_way(kernel, args):
        some = [np.ascontiguousarray(a[lanes][-30_000:]) for a in args]
        for mode in MODES:
            wanted = [np.empty(some[0].size, form.dtype) for _ in range(kernel.results)]
            with np.errstate(all="ignore"):
                undecided = choice.PLAIN.rounded(kernel, form, mode, some, wanted)
            found, left = rounded(emulated, kernel, form, mode, some)
            for got, want in zip(found, wanted, strict=True):
                differ = np.flatnonzero(form.bits(got) != form.bits(want))[:5]
                assert not differ.size, (
                    f"{kernel.name} {mode}: {[a[differ] for a in some]}: {got[differ]} {want[differ]}"
                )
            assert np.array_equal(left, undecided)
