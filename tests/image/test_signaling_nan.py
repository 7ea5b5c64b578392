"""Signaling NaN in writes of channels: 0, however many there are, on processors that keep them and on those that don't.

What few colours are written by kept them on a processor with AVX-512, and stored 255.
"""

from __future__ import annotations

import numpy as np

import clmath
from clmath.numbers.rounding import MODES
from tests.cases import for_each

SIGNALING = {np.float16: (np.uint16, 0x7C01), np.float32: (np.uint32, 0x7F800001)}
WRITES = [name for name in clmath.__all__ if name.startswith(("write_unorm", "write_snorm", "write_srgb"))]


@for_each("dtype", SIGNALING)
@for_each("name", WRITES)
def test_a_signaling_nan_is_written_as_zero(name, dtype):
    bits, code = SIGNALING[dtype]
    sign = 1 << 8 * np.dtype(dtype).itemsize - 1
    lanes = 4 if name == "write_srgba" else 3 if name.endswith(("565", "555", "101010")) else 1
    for pattern in (code, code | sign, code + 1):
        for count in (1, 2, 9, 100, 5000):
            values = np.full((count, lanes), pattern, bits).view(dtype)
            values = values if lanes > 1 else values[:, 0]
            for mode in MODES:
                for given in (values, values[0]):
                    written = np.asarray(getattr(clmath, name)(given, rounding=mode))
                    assert not written.any()
