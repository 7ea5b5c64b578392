"""Every name of the specification is a public name of clmath."""

from __future__ import annotations

import builtins as python

import clmath
from clmath.spec import files
from clmath.spec.builtins import EXACT, JUDGED, builtins


def test_every_instruction_of_opencl_std_is_a_public_function():
    offered = set(files.load("opencl_std.toml")["offered"].values())
    assert offered - set(clmath.__all__) == set()
    assert [name for name in offered if not callable(getattr(clmath, name))] == []


def test_every_declared_built_in_is_public():
    assert {*builtins(*JUDGED), *builtins(*EXACT)} - set(clmath.__all__) == set()


def test_public_names_exist_and_are_listed_once():
    assert len(clmath.__all__) == len(set(clmath.__all__))
    assert [name for name in clmath.__all__ if not hasattr(clmath, name)] == []
    assert set(clmath.__all__) <= set(dir(clmath))


def test_names_shared_with_python_are_own_functions():
    for name in ("abs", "all", "any", "max", "min", "pow", "round"):
        assert getattr(clmath, name) is not getattr(python, name)


def test_every_public_name_is_documented():
    named = set(clmath.__all__) - set(clmath.typing.__all__)  # types have no docstrings
    undocumented = [n for n in named if callable(getattr(clmath, n)) and not getattr(clmath, n).__doc__]
    assert undocumented == []
