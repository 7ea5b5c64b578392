"""The kernels of other machines, emulated: aarch64 by qemu, Windows by Wine, where these and Zig's compiler are."""

import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from clmath.engines.native import build, text
from clmath.engines.native.library import LEVELS
from clmath.kernels import ACCURATE, FAST
from clmath.numbers.formats import DOUBLE as DOUBLE_FORMAT
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES
from tests.cases import for_each, some
from tests.engines import compared
from tests.engines.native.driven import CALLS, FORMS, Driven, sample

ROOT = Path(__file__).resolve().parents[3]
QEMU = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
WINE = shutil.which("wine64", path=f"{os.environ.get('PATH', '')}:/usr/lib/wine") or shutil.which("wine")
ZIG = next((one for one in build.compilers() if one.is_zig), None)
KERNELS = some(text.native_kernels(), 12)  # all take minutes to compile
EVERY = [(kernel, form) for kernel in KERNELS for form in FORMS[kernel.phase]]
SINGLE = [*FAST.single, *ACCURATE.single]
FEW = [(FAST.kernels["sincos"], HALF), (FAST.kernels["pown"], FLOAT), (ACCURATE.kernels["pow"], DOUBLE_FORMAT)]
LANES = 1 << 9
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ZIG, reason="ziglang is not installed"),
    pytest.mark.usefixtures("narrowing_however_few"),
]


@pytest.fixture(scope="module")
def on_aarch64(tmp_path_factory):
    """The running program with the requested kernels."""
    folder = tmp_path_factory.mktemp("aarch64")
    using = replace(ZIG, platform=build.PLATFORMS["linux-aarch64"])
    found = build.compiled(using, "v8", text.texts(KERNELS) | {"calls.c": CALLS}, folder)
    program = folder / "program"
    build._output([*using.command, *using.target, "-nostdlib", "-static", *found, "-o", str(program)], folder)
    with Driven([QEMU, program], KERNELS) as running:
        yield running


@pytest.mark.skipif(not QEMU, reason="qemu-aarch64 is not installed")
@for_each("kernel, form", EVERY)
def test_the_bits_are_the_same_on_aarch64(on_aarch64, kernel, form):
    args = compared.arguments(kernel, form, LANES)
    for elements in compared.by_ways(kernel, args):
        taken = sample(args, elements)
        for mode in MODES:
            on_aarch64.check(kernel, form, mode, taken)
        if kernel in SINGLE:
            compared.check_enclosures(on_aarch64, kernel, taken)


@pytest.fixture(scope="module", params=LEVELS["x86_64"])
def on_windows(request, natives, tmp_path_factory):
    """A program that has loaded the library of a level, running."""
    if request.param not in {engine.library.level for engine in natives}:
        pytest.skip("this processor is older")
    folder = tmp_path_factory.mktemp("windows")
    using = replace(ZIG, platform=build.PLATFORMS["windows-x86_64"])
    kernels = list(dict.fromkeys(kernel for kernel, _ in FEW))
    made = build.library(using, request.param, text.texts(kernels), folder, folder / "objects")
    made.rename(folder / "library.dll")
    (folder / "calls.c").write_text(CALLS)
    linking = ["-O1", "-nostdlib", "-rtlib=compiler-rt", "-Wl,--entry=_start", "-lkernel32", "-o", "program.exe"]
    build._output([*using.command, *using.target, "calls.c", *linking], folder)
    environment = os.environ | {"WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all"}
    with Driven([WINE, "program.exe"], kernels, cwd=folder, env=environment) as running:
        yield running


@pytest.mark.skipif(not WINE, reason="wine is not installed")
@for_each("kernel, form", FEW)
def test_the_bits_are_the_same_on_windows(on_windows, kernel, form):
    args = compared.arguments(kernel, form, LANES)
    for elements in compared.by_ways(kernel, args):
        taken = sample(args, elements)
        for mode in MODES:
            on_windows.check(kernel, form, mode, taken)
        if kernel in SINGLE:
            compared.check_enclosures(on_windows, kernel, taken)
