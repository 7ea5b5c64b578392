"""Functions that the test kit once judged wrongly: with state, writing into arguments, and of colours."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import Phase, settings

import clmath
from clmath.testing import assert_conforms, conformance_test
from tests.cases import for_each

QUICK = settings(database=None, deadline=None, derandomize=True, max_examples=20, phases=[Phase.generate, Phase.shrink])


def message(function, name, type, **options):
    with pytest.raises(AssertionError) as caught:
        conformance_test(function, name, types=[type], settings=QUICK, **options)()
    return str(caught.value)


def replayed(text, **names):
    """Run the replay line of a failure message."""
    exec(text.partition("replay: ")[2], names)  # noqa: S102


class TestArguments:
    @pytest.mark.parametrize(
        "name, type, place",
        [("trunc", "double", 0), ("popcount", "uint", 0), ("vload4", "float", 1), ("fmax", "half", 1)],
    )
    def test_function_that_writes_into_an_argument_fails(self, name, type, place):
        def clearing(*args):
            result = np.array(getattr(clmath, name)(*args))
            args[place][...] = 0
            return result

        text = message(clearing, name, type)
        assert f"clearing writes into its argument {place + 1}" in text.splitlines()[0]
        with pytest.raises(AssertionError):
            replayed(text, clearing=clearing)
        replayed(text, clearing=getattr(clmath, name))

    def test_store_that_writes_into_its_data_fails(self):
        def clearing(data, offset, p):
            clmath.vstore2(data, offset, p)
            data[...] = 0

        assert "writes into its argument 1" in message(clearing, "vstore2", "float")


class TestLengthOfCalls:
    @pytest.mark.slow
    @for_each("elements", [2, 4, 8, 16, 64, 256])
    def test_wrong_last_element_of_an_incomplete_simd_block_fails(self, elements):
        def without_tail(x):
            result = np.array(clmath.exp(x))
            if len(x) % elements == elements - 1:
                result[-1] = -1
            return result

        assert message(without_tail, "exp", "float").startswith("exp(")

    def test_other_rounding_by_length_within_the_limit_passes(self):
        def unlike(x):
            result = np.array(clmath.exp(x))
            near = np.isfinite(result) & (np.abs(x) > 1) & (np.abs(x) < 80)
            return np.where(near, np.nextafter(result, np.float32(1)), result) if len(x) % 8 else result

        conformance_test(unlike, "exp", types=["float"], settings=QUICK)()


class TestState:
    @pytest.mark.slow
    def test_function_wrong_in_its_first_call_fails(self):
        calls = []

        def warming_up(x):
            calls.append(len(x))
            return clmath.tanh(x) * np.float32(1 + (len(calls) == 1))

        text = message(warming_up, "tanh", "float")
        assert "not deterministic: for the same arguments warming_up gave what conforms, too" in text
        assert "replay:" not in text

    @pytest.mark.slow
    @pytest.mark.parametrize("period", [2, 7, 31])
    def test_function_wrong_in_every_nth_call_fails(self, period):
        calls = []

        def at_times(x):
            calls.append(len(x))
            return clmath.sqrt(x) * np.float64(1 + (len(calls) % period == 0))

        assert "sqrt(" in message(at_times, "sqrt", "double")

    def test_cache_with_incomplete_keys_fails(self):
        kept = {}

        def cached(x):
            return kept.setdefault((len(x), x[0].tobytes()), clmath.log2(x))

        assert message(cached, "log2", "float").startswith("log2(")

    def test_function_that_reuses_its_result_buffer_fails(self):
        buffers = {}

        def into_a_buffer(x):
            return np.abs(x, out=buffers.setdefault(len(x), np.empty_like(x)))

        text = message(into_a_buffer, "fabs", "float")
        assert "into_a_buffer changes the array that it returned when it is called again" in text

    def test_cache_with_complete_keys_passes(self):
        kept = {}

        def cached(x):
            return kept.setdefault(x.tobytes(), clmath.log2(x))

        conformance_test(cached, "log2", types=["float"], settings=QUICK)()


def test_remedy_for_a_wrong_dtype_is_not_vectorize():
    text = message(lambda x: clmath.sin(x).astype(np.float32), "sin", "half")
    assert "expected dtype float16, got float32: give it as float16" in text
    assert "np.vectorize" not in text


class Implementation:
    def sin(self, x):
        return np.sin(x) * np.float32(1.01)


implementation = Implementation()


def test_replay_line_calls_a_method_on_its_object():
    text = message(implementation.sin, "sin", "float")
    assert "assert_conforms(implementation.sin(*args), 'sin', args)" in text
    with pytest.raises(AssertionError):
        replayed(text, implementation=implementation)


class TestInAClass:
    """Tests made in a class body, which once raised TypeError as they got the object as an argument."""

    test_of_numpy = conformance_test(np.sqrt, "sqrt", types=["half"], settings=QUICK)
    test_that_is_static = staticmethod(conformance_test(np.sqrt, "sqrt", types=["half"], settings=QUICK))


COLOURS = ["read_srgba", "write_srgba"]


@for_each("name", COLOURS)
def test_correct_function_of_colours_passes(name):
    conformance_test(getattr(clmath, name), name, settings=QUICK)()


@pytest.mark.slow
@for_each("name", COLOURS)
@for_each("order", [[1, 0, 2, 3], [0, 1, 3, 2]])
def test_swapped_channels_fail(name, order):
    def swapped(x):
        return getattr(clmath, name)(x)[..., order].copy()

    with pytest.raises(AssertionError) as caught:
        conformance_test(swapped, name, types=["float"], settings=QUICK)()
    first, *_, last = str(caught.value).splitlines()
    assert first.startswith(f"{name}((")
    assert last.startswith("replay: ")


def test_assertion_accepts_one_colour_or_many():
    colours = np.arange(24, dtype=np.uint8).reshape(2, 3, 4)
    for x in (colours, colours[0, 0]):
        found = clmath.read_srgba(x)
        assert_conforms(found, "read_srgba", (x,))
        with pytest.raises(AssertionError, match=r"read_srgba\(\(0, 1, 2, 3\)\)\[2\]"):
            assert_conforms(np.where(x == 2, np.float32(0.5), found), "read_srgba", (x,))
