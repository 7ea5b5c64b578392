"""Decorated functions of every kind have the state inside, and do not change it outside while suspended."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import inspect
import threading

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.pragmas import contracts, fp_contract, rounding_mode, select_rounding_mode

INSIDE = ("rtp", False)
OUTSIDE = ("rte", True)


def state():
    return rounding_mode(), contracts()


def decorated(function):
    return select_rounding_mode("rtp")(fp_contract("OFF")(function))


@decorated
def generator(count):
    """Yield the state, and return the list of sent values and thrown errors."""
    seen = []
    for _ in range(count):
        try:
            seen.append((yield state()))
        except KeyError as error:
            seen.append(error.args[0])
        seen.append(state())
    return seen


@decorated
async def coroutine(count):
    seen = []
    for _ in range(count):
        seen.append(state())
        await asyncio.sleep(0)
    return [*seen, state()]


@decorated
async def async_generator(count):
    for _ in range(count):
        await asyncio.sleep(0)
        try:
            yield state()
        except KeyError:
            yield ("caught", state())


def test_decorator_keeps_the_kind_of_function():
    assert inspect.isgeneratorfunction(generator)
    assert inspect.iscoroutinefunction(coroutine)
    assert inspect.isasyncgenfunction(async_generator)
    assert generator.__doc__.startswith("Yield the state")


def test_generator_has_the_state_only_inside():
    running = generator(3)
    assert state() == OUTSIDE
    assert next(running) == INSIDE
    assert state() == OUTSIDE
    with select_rounding_mode("rtn"):
        assert running.send("sent") == INSIDE
        assert rounding_mode() == "rtn"
    assert running.throw(KeyError("thrown")) == INSIDE
    with pytest.raises(StopIteration) as end:
        running.send(None)
    assert end.value.value == ["sent", INSIDE, "thrown", INSIDE, None, INSIDE]
    assert state() == OUTSIDE


def test_closed_generator_ends_with_the_state():
    seen = []

    @decorated
    def closes():
        try:
            yield
        finally:
            seen.append(state())

    running = closes()
    next(running)
    running.close()
    assert seen == [INSIDE]
    assert state() == OUTSIDE


def test_block_inside_a_generator_does_not_change_the_outside():
    @select_rounding_mode("rtp")
    def nested():
        with select_rounding_mode("rtz"):
            yield rounding_mode()
            yield rounding_mode()
        yield rounding_mode()

    seen = []
    for mode in nested():
        with select_rounding_mode("rtn"):
            seen.append((mode, rounding_mode()))
        assert rounding_mode() == "rte"
    assert seen == [("rtz", "rtn"), ("rtz", "rtn"), ("rtp", "rtn")]


def test_alternating_generators_keep_their_modes():
    running = [select_rounding_mode(mode)(lambda: (yield from iter(rounding_mode, None)))() for mode in ("rtp", "rtn")]
    assert [next(r) for _ in range(3) for r in running] == ["rtp", "rtn"] * 3


def test_coroutine_driven_by_send_does_not_change_the_outside():
    @decorated
    async def waits():
        await Pause()
        return state()

    running = waits()
    assert running.send(None) == "paused"
    assert state() == OUTSIDE
    with pytest.raises(StopIteration) as end:
        running.send(None)
    assert end.value.value == INSIDE


class Pause:
    def __await__(self):
        yield "paused"


def test_cancelled_coroutine_ends_with_the_state():
    seen = []

    @decorated
    async def sleeps():
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append(state())
            raise

    async def main():
        task = asyncio.create_task(sleeps())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return state()

    assert asyncio.run(main()) == OUTSIDE
    assert seen == [INSIDE]


def test_async_generator_has_the_state_only_inside():
    async def main():
        seen = []
        async for inside in async_generator(3):
            seen += [inside, state()]
        running = async_generator(2)
        first = await anext(running)
        caught = await running.athrow(KeyError("thrown"))
        await running.aclose()
        return seen, first, caught, state()

    assert asyncio.run(main()) == ([INSIDE, OUTSIDE] * 3, INSIDE, ("caught", INSIDE), OUTSIDE)


def test_abandoned_async_generator_ends_with_the_state():
    seen = []

    @decorated
    async def ends():
        try:
            yield
        finally:
            await asyncio.sleep(0)
            seen.append(state())

    async def main():
        async for _ in ends():
            break
        for _ in range(10):  # the loop closes it
            await asyncio.sleep(0)

    asyncio.run(main())
    assert seen == [INSIDE]


def test_callable_that_returns_a_coroutine_has_the_state_inside():
    class Callable:
        async def __call__(self):
            return state()

    async def main():
        return await decorated(Callable())(), await decorated(functools.partial(coroutine, 0))()

    assert asyncio.run(main()) == (INSIDE, [INSIDE])


def test_decorating_another_object_is_refused():
    for wrong, kind in ((dict, "a class"), (7, "of type int"), (classmethod(len), "of type classmethod")):
        with pytest.raises(errors.DTypeError, match=rf"select_rounding_mode\(\): what is decorated is {kind}; a func"):
            select_rounding_mode("rtp")(wrong)
        with pytest.raises(errors.DTypeError, match=r"fp_contract\(\)"):
            fp_contract("OFF")(wrong)


def test_block_object_can_be_reused_and_nested():
    block = select_rounding_mode("rtz")
    for _ in range(2):
        with block, block:
            assert rounding_mode() == "rtz"
            with select_rounding_mode("rtn"), block:
                assert rounding_mode() == "rtz"
            assert rounding_mode() == "rtz"
    assert rounding_mode() == "rte"


def test_block_object_can_be_shared_by_threads():
    block = select_rounding_mode("rtz")
    barrier, seen = threading.Barrier(2), []

    def work():
        with block:
            barrier.wait(timeout=10)
            seen.append(rounding_mode())
        seen.append(rounding_mode())

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == ["rte", "rte", "rtz", "rtz"]


def test_block_that_ends_in_another_context_is_an_error():
    import contextvars

    def yields_inside():
        with select_rounding_mode("rtp"):
            yield

    running = yields_inside()
    contextvars.Context().run(next, running)
    with pytest.raises(RuntimeError, match=r"select_rounding_mode\(\): the block ends in another context .*: decorate"):
        next(running)
    assert rounding_mode() == "rte"

    @select_rounding_mode("rtp")
    def decorated():
        yield rounding_mode()
        yield rounding_mode()

    running = decorated()
    assert [contextvars.Context().run(next, running), next(running), rounding_mode()] == ["rtp", "rtp", "rte"]


def suspended(mode, block=None):
    with block or select_rounding_mode(mode):
        while True:
            yield rounding_mode()


class TestGeneratorSuspendedInItsBlock:
    """Generators suspended in a block leak its mode into their caller: a warning says so, unless this is intended."""

    def test_use_of_its_mode_outside_warns(self):
        running = suspended("rtz")
        assert next(running) == "rtz"
        fact = r"^select_rounding_mode\(\): the state 'rtz' .* suspended\(\), .*: decorate"
        with pytest.warns(RuntimeWarning, match=fact):
            assert rounding_mode() == "rtz"
        with pytest.warns(RuntimeWarning, match="decorate the generator instead"):
            clmath.add(np.float32(1), np.float32(1))
        assert next(running) == "rtz"  # no warning inside of it
        running.close()
        assert rounding_mode() == "rte"

    def test_use_of_its_contraction_outside_warns(self):
        def without():
            with fp_contract("OFF"):
                yield

        running = without()
        next(running)
        with pytest.warns(RuntimeWarning, match=r"^fp_contract\(\): the state False"):
            assert not contracts()
        running.close()
        assert contracts()

    def test_mode_of_an_inner_block_takes_precedence(self):
        running = suspended("rtz")
        next(running)
        with select_rounding_mode("rtp"):
            assert rounding_mode() == "rtp"
        running.close()

    def test_blocks_may_end_in_any_order(self):
        """The first block to end used to remove the mode of the other one, and left its own."""
        first, second = suspended("rtz"), suspended("rtp")
        next(first), next(second)
        first.close()
        with pytest.warns(RuntimeWarning, match="'rtp'"):
            assert rounding_mode() == "rtp"
        second.close()
        assert rounding_mode() == "rte"

    def test_block_object_can_be_used_in_a_generator_and_around_it(self):
        block = select_rounding_mode("rtz")
        running = suspended("rtz", block)
        next(running)
        with block:
            running.close()
            assert rounding_mode() == "rtz"
        assert rounding_mode() == "rte"

    def test_deleted_generator_ends_its_mode(self):
        next(suspended("rtz"))
        gc.collect()
        assert rounding_mode() == "rte"

    def test_context_manager_does_not_warn(self):
        @contextlib.contextmanager
        def upward():
            with select_rounding_mode("rtp"), fp_contract("OFF"):
                yield

        @contextlib.asynccontextmanager
        async def downward():
            with select_rounding_mode("rtn"):
                yield

        async def inside():
            async with downward():
                return rounding_mode()

        with upward():
            assert (rounding_mode(), contracts()) == ("rtp", False)
        assert asyncio.run(inside()) == "rtn"
        assert (rounding_mode(), contracts()) == ("rte", True)

    @pytest.fixture
    def toward_zero(self):
        with select_rounding_mode("rtz"):
            yield

    @pytest.mark.usefixtures("toward_zero")
    def test_fixture_does_not_warn(self):
        assert rounding_mode() == "rtz"

    def test_use_of_an_async_generators_mode_outside_warns(self):
        async def numbers():
            with select_rounding_mode("rtz"):
                yield rounding_mode()
                yield rounding_mode()

        async def used():
            running = numbers()
            seen = [await anext(running)]
            with pytest.warns(RuntimeWarning, match=r"numbers\(\), which is suspended"):
                seen.append(rounding_mode())
            await running.aclose()
            return [*seen, rounding_mode()]

        assert asyncio.run(used()) == ["rtz", "rtz", "rte"]
