"""Threads of a call ran under FP_CONTRACT ON whatever was in force in the caller's: results depended on the thread."""

import numpy as np

import clmath
from tests.cases import for_each

N = 1 << 18
X, Y = 1 + 2.0**-30, 1 - 2.0**-30  # the product is not 1, but rounds to it
FULL = {value: np.full(N, value) for value in (X, Y, -1.0)}
CALLS = {
    "dot": lambda **how: clmath.dot(np.tile([X, -1.0], (N, 1)), np.tile([Y, 1.0], (N, 1)), **how),
    "cross": lambda **how: clmath.cross(np.tile([X, 1.0, 1.0], (N, 1)), np.tile([1.0, Y, 1.0], (N, 1)), **how),
    "mad": lambda **how: clmath.mad(FULL[X], FULL[Y], FULL[-1.0], **how),
    "mad swapped": lambda **how: clmath.mad(FULL[X], FULL[Y], FULL[-1.0], out=np.empty(N, ">f8"), **how),
    "mix": lambda **how: clmath.mix(FULL[X], FULL[Y], FULL[X] / 3, **how),
}


@for_each("state", ["ON", "OFF"])
@for_each("name", CALLS)
def test_every_thread_contracts_as_its_caller(name, state):
    with clmath.fp_contract(state):
        wanted = CALLS[name](threads=1)
        for _ in range(3):
            assert CALLS[name](threads=3).tobytes() == wanted.tobytes()
    if name.startswith(("dot", "mad")):
        assert (wanted == 0).all() == (state == "OFF")
