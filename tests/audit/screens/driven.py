"""A process that screens results: ``screen_calls.c`` compiled."""

import struct
from pathlib import Path

import numpy as np

from clmath.audit.screens.loop import own_kernels
from clmath.numbers.formats import FLOAT
from tests.audit.screens.screened import BINS
from tests.engines.native.driven import Driven

SCREEN_CALLS = Path(__file__).with_name("screen_calls.c").read_text(encoding="utf-8")
EXPORTED = {f"clmath_{name}" for name in ("enclosed_here", "fits", "kernels_here", "screened")}


class ScreenCalls(Driven):
    """The running program that screens results: ``screen_calls.c`` compiled, with a library of ``kernels``."""

    def screened(self, kernels, x, results, asked):
        """Call the program like ``Screens.screened``; return what ``reported`` does."""
        head = len(kernels), x.size, len(results), BINS, asked.shown, asked.left_out, asked.floor, 0, 0
        given = [*asked[:3], asked.screen()._worst, x, *results]
        self._process.stdin.write(struct.pack("<6qd2q", *head) + b"".join(map(self._described, kernels)))
        self._process.stdin.write(b"".join(array.tobytes() for array in given))
        self._process.stdin.flush()
        counts = np.frombuffer(self._read(8 * BINS), np.int64).tolist()
        floor, left, marked, failed, out = struct.unpack("<d4q", self._read(40))
        others, wrong = (np.frombuffer(self._read(8 * count), np.int64) for count in (left, marked))
        bounds, best = (np.frombuffer(self._read(8 * count)) for count in (marked, asked.known.size))
        stretches = FLOAT.bits(x[wrong]) >> FLOAT.precision - 1
        return counts, others.tolist(), wrong[bounds >= best[stretches]].tolist(), failed, out, floor

    def _described(self, kernel):
        """Return the bytes that describe a kernel to the program."""
        is_own = kernel in own_kernels()
        number = (own_kernels() if is_own else self._kernels).index(kernel)
        return struct.pack("<5qd", is_own, number, kernel.results, kernel.is_exact, kernel.is_integer, kernel.reach)
