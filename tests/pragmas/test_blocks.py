"""Scope of the pragmas: nested blocks, exceptions, decorators, threads and async tasks."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.numbers.rounding import MODES
from clmath.pragmas import contracts, fp_contract, rounding_mode, select_rounding_mode

ONE, THIRD = np.float32(1.0), np.float32(3.0)
THIRDS = {  # 1/3 = 0x1.555555555...p-2
    "rte": "0x1.5555560000000p-2",
    "rtz": "0x1.5555540000000p-2",
    "rtp": "0x1.5555560000000p-2",
    "rtn": "0x1.5555540000000p-2",
}


def test_mode_is_in_force_only_inside_the_block():
    for mode in MODES:
        with select_rounding_mode(mode):
            assert rounding_mode() == mode
            assert float(clmath.div(ONE, THIRD)).hex() == THIRDS[mode]
            assert float(clmath.div(ONE, THIRD, rounding="rtp")).hex() == THIRDS["rtp"]  # takes precedence
        assert (rounding_mode(), contracts()) == ("rte", True)


def test_blocks_nest():
    with select_rounding_mode("rtp"), fp_contract("OFF"):
        with select_rounding_mode("rtn"), fp_contract("ON"):
            assert (rounding_mode(), contracts()) == ("rtn", True)
            with fp_contract("OFF"):
                assert (rounding_mode(), contracts()) == ("rtn", False)
            assert (rounding_mode(), contracts()) == ("rtn", True)
        assert (rounding_mode(), contracts()) == ("rtp", False)
    assert (rounding_mode(), contracts()) == ("rte", True)


def test_exception_ends_the_block():
    def fail():
        with select_rounding_mode("rtz"), fp_contract("OFF"):
            raise KeyError

    with select_rounding_mode("rtn"):
        with pytest.raises(KeyError):
            fail()
        assert (rounding_mode(), contracts()) == ("rtn", True)
    assert rounding_mode() == "rte"


@pytest.mark.parametrize(("state", "allowed"), [("ON", True), ("DEFAULT", True), ("OFF", False)])
def test_contraction_follows_the_state(state, allowed):
    with fp_contract("OFF" if allowed else "ON"), fp_contract(state):
        assert contracts() is allowed
    assert contracts()


# (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; a rounded product loses the last term
FACTOR, REST = np.float32(1 + 2.0**-23), np.float32(-1 - 2.0**-22)


CONTRACTED = {
    "mad": (FACTOR, FACTOR, REST),
    "mix": (REST, REST + FACTOR, FACTOR),
    "dot": (np.float32([FACTOR, 1.0]), np.float32([FACTOR, REST])),
    "cross": (np.float32([0.0, FACTOR, 1.0]), np.float32([0.0, -REST, FACTOR])),
}


def test_contraction_changes_results_except_of_fma():
    def values():
        return [np.ravel(getattr(clmath, name)(*args))[0] for name, args in CONTRACTED.items()]

    assert values() == [2.0**-46] * 4
    with fp_contract("OFF"):
        assert values() == [0.0] * 4
        assert clmath.fma(FACTOR, FACTOR, REST) == 2.0**-46
    assert values() == [2.0**-46] * 4


def test_decorated_function_has_its_own_mode():
    @select_rounding_mode("rtp")
    def mode_inside():
        return rounding_mode()

    with select_rounding_mode("rtn"):
        assert [mode_inside(), mode_inside()] == ["rtp", "rtp"]
        assert rounding_mode() == "rtn"


def test_wrong_name_is_refused_at_the_call():
    with pytest.raises(errors.RoundingError, match=r"select_rounding_mode\(\): .*'nearest'.* is 'rte'"):
        select_rounding_mode("nearest")
    with pytest.raises(errors.UnknownNameError, match=r"fp_contract\(\): state='on' is not one of 'ON', 'OFF'"):
        fp_contract("on")
    assert (rounding_mode(), contracts()) == ("rte", True)


def test_threads_do_not_disturb_each_other():
    barrier = threading.Barrier(len(MODES))

    def work(mode):
        seen = []
        for _ in range(20):
            with select_rounding_mode(mode), fp_contract("OFF" if mode == "rtz" else "ON"):
                barrier.wait(timeout=10)  # now every thread is inside its block
                seen.append((rounding_mode(), contracts(), float(clmath.div(ONE, THIRD)).hex()))
                barrier.wait(timeout=10)
        return seen

    with select_rounding_mode("rtn"), ThreadPoolExecutor(len(MODES)) as pool:
        for mode, seen in zip(MODES, pool.map(work, MODES), strict=True):
            assert set(seen) == {(mode, mode != "rtz", THIRDS[mode])}
        assert rounding_mode() == "rtn"


def test_tasks_do_not_disturb_each_other():
    async def work(mode):
        seen = []
        for _ in range(20):
            with select_rounding_mode(mode), fp_contract("OFF" if mode == "rtz" else "ON"):
                await asyncio.sleep(0)  # other tasks open their blocks meanwhile
                seen.append((rounding_mode(), contracts(), float(clmath.div(ONE, THIRD)).hex()))
            seen.append((rounding_mode(), contracts(), float(clmath.div(ONE, THIRD)).hex()))
        return seen

    async def everything():
        with select_rounding_mode("rtp"):
            results = await asyncio.gather(*map(work, MODES))
            assert rounding_mode() == "rtp"
        return results

    for mode, seen in zip(MODES, asyncio.run(everything()), strict=True):
        assert set(seen[::2]) == {(mode, mode != "rtz", THIRDS[mode])}
        assert set(seen[1::2]) == {("rtp", True, THIRDS["rtp"])}  # the mode in which the task was started
