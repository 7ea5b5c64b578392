"""``help(clmath.testing)``: its tests pass under pytest unchanged, and it has every name and fixture."""

from __future__ import annotations

import doctest
import importlib.metadata
import re

import pytest

import clmath.pytest_plugin
import clmath.testing
from clmath.testing import strategies

pytest_plugins = ["pytester"]

PAGE = clmath.testing.__doc__
HEAD = "import numpy as np\nimport clmath\n"
WITHOUT_DEADLINE = """
from hypothesis import settings
settings.register_profile("slow machine", deadline=None, max_examples=5)
settings.load_profile("slow machine")
"""


@pytest.mark.slow
def test_every_example_is_a_test_that_passes(pytester):
    examples = doctest.DocTestParser().get_examples(PAGE)
    code = [e.source for e in examples if not e.want and not re.match(r"test_\w+\(\)|conformance_test\(cut", e.source)]
    pytester.makepyfile(HEAD + "".join(code))
    pytester.makeconftest(WITHOUT_DEADLINE)
    installed = any(e.value == "clmath.pytest_plugin" for e in importlib.metadata.entry_points(group="pytest11"))
    named = [] if installed else ["-p", "clmath.pytest_plugin"]
    options = ["--clmath-functions=sqrt,fabs", "--clmath-types=float"]
    result = pytester.runpytest_subprocess(*named, *options)  # pyopencl can be imported only once in a process
    counts = result.parseoutcomes()
    assert set(counts) <= {"passed", "skipped"}, result.stdout.str()
    assert (
        counts["passed"] + counts.get("skipped", 0)
        == len(re.findall(r"def test_|^>>> test_\w+ =", PAGE, re.MULTILINE)) + 1
    )
    assert re.search(r"exp +double +\S+ ulp +3 ulp +test_every_example", result.stdout.str())


def test_page_has_every_assertion_and_fixture():
    fixtures = {n for n, v in vars(clmath.pytest_plugin).items() if type(v).__name__ == "FixtureFunctionDefinition"}
    assert {"ulp", "conformance", "opencl_device", "clmath_rng"} == fixtures
    assert [n for n in fixtures if not re.search(rf"def test_\w+\({n}\)", PAGE)] == []
    assert [n for n in clmath.testing.__all__ if f"{n}(" not in PAGE and f"import {n} as" not in PAGE] == []


def test_page_has_every_strategy_with_an_example():
    names = strategies.__all__
    assert [n for n in names if not re.search(rf"\b{n}\b", PAGE)] == []
    assert [n for n in names if ">>> " not in getattr(strategies, n).__doc__] == []
