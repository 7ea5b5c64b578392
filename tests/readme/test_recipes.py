"""The recipes, followed as they are printed, each where the package that it is about is installed."""

from __future__ import annotations

import re

import pytest

from tests.readme.printed import PAGES, Follower, blocks

_SECTION = re.compile(r"^## .*?\{ #([\w-]+) \}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
SECTIONS = dict(_SECTION.findall(PAGES["docs/guide/recipes.md"]))
FOLLOWED = [anchor for anchor, text in SECTIONS.items() if blocks(text)]


@pytest.mark.slow
@pytest.mark.parametrize("recipe", FOLLOWED)
def test_a_recipe(recipe, tmp_path, request):
    text = SECTIONS[recipe]
    for package in re.findall(r"^import (torch|cupy|pandas|dask|pyopencl)", text, re.MULTILINE):
        pytest.importorskip(package)
    if "pyopencl" in text:
        request.getfixturevalue("opencl_device")
    Follower(tmp_path).follow(text)


def test_every_recipe_has_an_address():
    assert len(SECTIONS) == PAGES["docs/guide/recipes.md"].count("\n## ")
    assert {"kernel", "exp2", "rtz", "intervals", "pandas", "dask"} <= set(FOLLOWED)
