"""A process that calls kernels, of another architecture or another system, or watched: ``calls.c`` compiled."""

import contextlib
import ctypes
import struct
import subprocess
from pathlib import Path

import numpy as np

from clmath.engines import choice
from clmath.engines.native import text
from clmath.kernels import ACCURATE, FAST, whole
from clmath.kernels.whole import wholes
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES, Enclosure

CALLS, WHOLE_CALLS, LOOP_CALLS = (
    Path(__file__).with_name(name).read_text(encoding="utf-8") for name in ("calls.c", "whole_calls.c", "loop_calls.c")
)
EXPORTED = {f"clmath_{name}" for name in ("enclosed", "enclosures", "fits", "kernels", "loop", "rounded")}
# of a library with built-ins that are compiled whole
WHOLE = {f"clmath_whole{name}" for name in ("", "s", "_loop", "_vectors")}
FEW = [FAST.kernels["exp"], ACCURATE.kernels["sin"], ACCURATE.kernels["pown"]]  # of libraries that tests build
FORMS = {"fast": (FLOAT, HALF), "accurate": (DOUBLE,)}


def build_few(patch):
    """Build libraries only of the kernels ``FEW`` and of a few whole built-ins: all of them take minutes."""
    few = {label: one for label, one in wholes().items() if label.startswith(("fmod_", "mul_hi_", "fma_float_"))}
    patch.setattr(text, "native_kernels", lambda: FEW)
    patch.setattr(whole, "wholes", lambda: few)


class Driven:
    """The running test program, whose library has ``kernels``; when it ends, it reports undefined behaviour."""

    def __init__(self, command, kernels, **options):
        self._kernels = kernels
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.write(struct.pack("<9q", *[-1] * 9))
        self.stop()
        assert self._process.returncode == 0

    def stop(self):
        """Close the program's input, and wait for its end."""
        with contextlib.suppress(BrokenPipeError), self._process:
            pass
        self._process.wait()

    def rounded(self, kernel, form, mode, args):
        """Results and the numbers of undecided elements."""
        found = self._asked(kernel, FORMATS.index(form), MODES.index(mode), args, [form.dtype] * kernel.results)
        (left,) = struct.unpack("<q", self._read(8))
        return found, np.frombuffer(self._read(8 * left), np.int64)

    def enclosure(self, kernel, args):
        """The enclosures of a kernel of one result, exact results found."""
        found = self._asked(kernel, -1, 0, args, ["i8" if part == "exponent" else "f8" for part in kernel.parts])
        assert self._read(8) == bytes(8)
        return Enclosure.of(**kernel.named_parts(found))

    def _asked(self, kernel, form, mode, args, dtypes):
        """The arrays of ``dtypes`` that are answered."""
        widened = [a.astype(np.float32) if a.dtype == np.float16 else a for a in args]
        sizes = [*(a.itemsize for a in widened), 0][:2]
        asked = self._kernels.index(kernel), form, mode, args[0].size, len(args), *sizes, np.dtype(dtypes[0]).itemsize
        self._process.stdin.write(struct.pack("<9q", *asked, len(dtypes)))
        self._process.stdin.write(b"".join(a.tobytes() for a in widened))
        self._process.stdin.flush()
        return [np.frombuffer(self._read(args[0].size * np.dtype(dtype).itemsize), dtype) for dtype in dtypes]

    def _read(self, size):
        found = self._process.stdout.read(size)
        assert len(found) == size, f"the program ended: {self._process.wait()}"
        return found

    def check(self, kernel, form, mode, args):
        """Assert that the program returns the bits of NumPy's engine and leaves the same elements undecided."""
        wanted = [np.empty(args[0].size, form.dtype) for _ in range(kernel.results)]
        with np.errstate(all="ignore"):
            undecided = choice.PLAIN.rounded(kernel, form, mode, args, wanted)
        found, left = self.rounded(kernel, form, mode, args)
        for got, want in zip(found, wanted, strict=True):
            differ = np.flatnonzero(form.bits(got) != form.bits(want))[:5]
            assert not differ.size, f"{kernel.name} {mode}: {[a[differ] for a in args]}: {got[differ]} {want[differ]}"
        assert np.array_equal(left, undecided)


class WholeCalls(Driven):
    """The running program that calls whole built-ins, by label: ``whole_calls.c`` compiled."""

    def whole(self, label, args, dtypes):
        """The results, of ``dtypes``, and the numbers of undecided elements."""
        sizes = [a.itemsize for a in args] + [dtype.itemsize for dtype in dtypes]
        head = self._kernels.index(label), args[0].size, len(args), len(dtypes), *sizes
        self._process.stdin.write(struct.pack(f"<{len(head)}q", *head) + b"".join(a.tobytes() for a in args))
        self._process.stdin.flush()
        found = [np.frombuffer(self._read(args[0].size * dtype.itemsize), dtype) for dtype in dtypes]
        (left,) = struct.unpack("<q", self._read(8))
        return found, np.frombuffer(self._read(8 * left), np.int64)


class LoopCalls(Driven):
    """The running program that runs loops of ufuncs: ``loop_calls.c`` compiled."""

    ENTRIES = ("loop", "whole_loop", "vectors")

    def __init__(self, command):
        super().__init__(command, ())

    def __exit__(self, *_):
        self._process.stdin.write(struct.pack("<10q", *[-1] * 10))
        self.stop()
        assert self._process.returncode == 0

    def called(self, entry, numbers, args, results, *, halves=0):
        """The number of undecided elements, and the results in arrays with the layout of ``results``.

        ``numbers``: the built-in's number, and the numbers of its format and mode. ``halves``: a bit for each argument
        of halves that is read as floats. A last axis of two-dimensional arrays holds the vectors' components.
        """
        arrays = [*args, *results]
        vectors = sum(1 << i for i, array in enumerate(arrays) if array.ndim == 2)
        width = args[0].shape[1] if vectors else 0
        head = self.ENTRIES.index(entry), *numbers, halves, vectors, len(args), len(results), len(args[0]), width
        reported = b"".join(self._described(array) for array in arrays)
        memory = [self._bytes(array) for array in arrays]
        self._process.stdin.write(struct.pack(f"<{len(head)}q", *head) + reported + b"".join(memory))
        self._process.stdin.flush()
        (undecided,) = struct.unpack("<q", self._read(8))
        return undecided, [self._as(array, self._read(len(self._bytes(array)))) for array in results]

    @staticmethod
    def _extent(array):
        """Where the first byte lies that the array reaches, and how many there are."""
        reach = [(n - 1) * step for n, step in zip(array.shape, array.strides, strict=True)]
        low = sum(r for r in reach if r < 0)
        return low, (sum(map(abs, reach)) + array.itemsize) * bool(array.size)

    def _bytes(self, array):
        low, size = self._extent(array)
        return ctypes.string_at(array.ctypes.data + low, size)

    def _described(self, array):
        low, size = self._extent(array)
        return struct.pack("<5q", size, -low * bool(size), array.itemsize, *[*array.strides, 0][:2])

    def _as(self, array, memory):
        return np.ndarray(array.shape, array.dtype, memory, -self._extent(array)[0] * bool(memory), array.strides)


def sample(args, elements):
    """The special ones of ``elements`` of ``args``, which come last, and some of the others."""
    chosen = np.concatenate([elements[:-5000:8], elements[-5000:]])[-30_000:]
    return [np.ascontiguousarray(a[chosen]) for a in args]
