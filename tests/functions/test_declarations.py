"""The public functions are the table of built-ins: names, order, parameters, documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import re
from pathlib import Path

import pytest

import clmath
from clmath import phases
from clmath.functions import common, geometric
from clmath.numbers.formats import FLOAT
from clmath.public import WHOLE
from clmath.spec.builtins import builtins
from clmath.spec.limits import limit
from tests.cases import for_each

ROWS = list(builtins().values())
NAMES = [row.name for row in ROWS]


MATH = [importlib.import_module(name) for name in WHOLE if name.startswith("clmath.functions.math.")]


@pytest.mark.parametrize("modules, chapter", [(MATH, "math"), ([common], "common"), ([geometric], "geometric")])
def test_modules_export_their_chapter_and_nothing_else(modules, chapter):
    expected = [row.name for row in ROWS if row.chapter == chapter]
    exported = [name for module in modules for name in module.__all__]
    assert sorted(exported) == sorted(expected)
    for module in modules:
        if chapter != "geometric":  # cross is first in the specification, and separate in the table
            assert module.__all__ == [name for name in expected if name in module.__all__]


def test_the_package_exports_every_built_in_once():
    assert set(NAMES) <= set(clmath.__all__)
    assert len(set(clmath.__all__)) == len(clmath.__all__)
    assert all(hasattr(clmath, name) for name in clmath.__all__)


@pytest.mark.parametrize(
    "wrong, meant", [("arcsin", "asin"), ("arctan2", "atan2"), ("tgama", "tgamma"), ("convert_uchar5", "convert_uchar")]
)
def test_an_unknown_name_suggests_a_similar_name(wrong, meant):
    with pytest.raises(
        AttributeError, match=rf"^module 'clmath' has no attribute '{wrong}'; did you mean '{meant}'\?$"
    ):
        getattr(clmath, wrong)
    assert not hasattr(clmath, wrong)


def test_names_that_nothing_resembles_and_private_ones_bring_no_guess():
    for name in ("zzz", "_sin", "__wrapped__"):
        with pytest.raises(AttributeError, match=rf"^module 'clmath' has no attribute '{name}'$"):
            getattr(clmath, name)


def test_completion_shows_the_public_names():
    shown = {name for name in dir(clmath) if not name.startswith("_")}
    assert {*clmath.__all__, "convert_uchar4_sat_rte", "vload_half4"} - shown == {"__version__"}
    assert not shown.intersection({"Any", "TYPE_CHECKING", "no_attribute", "np"})


WIDENED = ("add", "sub", "mul", "div")  # operators: a scalar may be combined with a vector


@for_each("name", NAMES)
def test_signature_is_the_declaration(name):
    parameters = inspect.signature(getattr(clmath, name)).parameters
    data = [p.name for p in parameters.values() if p.kind is p.POSITIONAL_ONLY]
    options = {p.name: p for p in parameters.values() if p.kind is p.KEYWORD_ONLY}
    assert data == [p.name for p in builtins()[name].inputs]
    assert len(data) + len(options) == len(parameters)
    common = {"out": None, "where": True}
    if not builtins()[name].exact:
        common = {"rounding": None} | ({"vector": False} if name in WIDENED else {}) | common
    common |= {"engine": "auto", "threads": 1} if phases.has_kernel(name, FLOAT) else {"threads": 1}
    assert {p.name: p.default for p in options.values()} == common
    assert list(options) == [*common]
    assert all(p.annotation is not p.empty for p in parameters.values())


@for_each("name", NAMES)
def test_a_real_function_that_editors_find(name):
    function = getattr(clmath, name)
    assert inspect.isfunction(function)
    assert function.__name__ == name
    module = Path(inspect.getfile(importlib.import_module(function.__module__))).read_text(encoding="utf-8")
    assert re.search(rf"^(def {name}\(|{name} = _(NATIVE|HALF)\.of_)", module, re.MULTILINE)


@for_each("name", NAMES)
def test_docstring_has_source_limit_and_example(name):
    text = inspect.getdoc(getattr(clmath, name))
    section = builtins()[name].section
    assert re.search(rf"^Source: OpenCL C\+\+ 1\.0, {re.escape(section)}\b", text, re.MULTILINE)
    examples = doctest.DocTestParser().get_examples(text)
    assert any(f"{name}(" in example.source for example in examples)
    assert examples[-1].want


@for_each("name", NAMES)
def test_docstring_quotes_the_limits_of_the_table(name):
    row = builtins()[name]
    words = " ".join(inspect.getdoc(getattr(clmath, name)).split())
    stated = re.search(r"; (?:limit )?((?:(?!Source).)*?)\. (?:>>>)", words[words.index("Source:") :])[1]
    by_format = {f: limit(name, f, "full").text.split("; ")[-1] for f in row.formats}
    if len(set(by_format.values())) == 1:
        assert stated == next(iter(by_format.values()))
        return
    parts = re.findall(r"(.+?) \(((?:half|float|double)(?:, (?:half|float|double))*)\)(?:, |$)", stated)
    found = {f: text for text, formats in parts for f in formats.split(", ")}
    assert found == {f.name: text for f, text in by_format.items()}
