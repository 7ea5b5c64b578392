"""The plugin prints its seed, and the seed brings the numbers back."""

from __future__ import annotations

import re

import pytest

pytest_plugins = ["pytester"]

TESTS = """
def test_one(clmath_rng):
    print("one", clmath_rng.integers(0, 2**32))

def test_two(clmath_rng):
    print("two", clmath_rng.integers(0, 2**32))
"""


@pytest.fixture
def numbers(pytester):
    """Runs two tests and gives the seed and the numbers that were drawn."""
    pytester.makepyfile(TESTS)

    def run(*options):
        ignored = "-Wignore::pytest.PytestAssertRewriteWarning"  # this process has imported the plugin already
        result = pytester.runpytest_inprocess("-p", "clmath.testing.plugin", ignored, "-s", *options)
        result.assert_outcomes(passed=1 if "-k" in options else 2, deselected=1 if "-k" in options else 0)
        text = result.stdout.str()
        return re.search(r"--clmath-seed=\d+", text)[0], dict(re.findall(r"(one|two) (\d+)", text))

    return run


def test_the_seed_that_is_printed_brings_the_numbers_back(numbers):
    seed, first = numbers()
    assert first["one"] != first["two"]
    assert numbers(seed) == (seed, first)


def test_other_runs_draw_other_numbers(numbers):
    assert numbers()[1] != numbers()[1]


def test_a_test_alone_draws_what_it_draws_among_others(numbers):
    seed, both = numbers("--clmath-seed=5")
    assert seed == "--clmath-seed=5"
    _, alone = numbers("--clmath-seed=5", "-k", "two")
    assert alone == {"two": both["two"]}
