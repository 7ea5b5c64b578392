"""Messages: they name the function's own parameters, and their remedies work when they are followed."""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import subprocess
import sys

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.functions import integer, relational
from clmath.spec.builtins import EXACT, builtins
from clmath.spec.synonyms import synonyms
from clmath.testing import assert_conforms
from tests.cases import for_each

WORDS = {  # what a word of a declaration stands for in a call on the least type that it may have
    "gentype": "",
    "ugentype": "u",
    "intn": "i4",
    "nancode": "u4",
    "condition": "i",
    "truths": "i4",
    "byte4": "i1",
    "word": "i4",
    "uint": "u4",
    "int": "i4",
}
LEAST = {"char": "i1", "uchar": "u1", "int": "i4", "uint": "u4", "half": "f2"}
WRONG = {
    "bool": np.array([True] * 4),
    "int64": np.array([1, 2, 3, 4]),
    "uint64": np.array([1, 2, 3, 4], np.uint64),
    "float": np.ones(4, np.float32),
    "double": np.ones(4),
    "longdouble": np.ones(4, np.longdouble),
    "complex": np.ones(4, np.complex64),
    "timedelta": np.array([1, 2, 3, 4], "m8[s]"),
    "objects": np.array([1, 2.5, 3, 4], object),
    "text": np.array(["1"] * 4),
    "bytes": np.array([b"1"] * 4),
    "structure": np.zeros(4, [("a", np.float32)]),
}
CALLS = [(getattr(clmath, name), row) for name, row in builtins().items()]
CALLS += [(getattr(integer, name, None) or getattr(relational, name), row) for name, row in builtins(*EXACT).items()]


def arguments(row):
    """Arguments that the built-in takes."""
    base = np.dtype(LEAST[row.types[0]] if row.types else "f4")
    for parameter in row.inputs:
        word = WORDS[parameter.type]
        dtype = base if not word else np.dtype(word if word[-1].isdigit() else f"{word}{base.itemsize}")
        yield np.ones(max(row.widths, default=3) % 13, dtype)


def parameters(function):
    return [*inspect.signature(function).parameters]


def checked(function, message, unknown):
    """The message says which parameter is meant, by the name that the signature has."""
    fact = message.partition(": ")[2]
    if fact.startswith("all gentype"):
        fact = fact.partition("; ")[2]
    first = re.match(r"(?:the last axis of )?(\w+)", fact)[1]
    if first not in parameters(function):
        unknown.append(message)


@for_each("function, row", CALLS)
def test_a_wrong_type_is_refused_by_the_parameters_name_and_the_remedy_works(function, row, followed):
    good, unknown, helpless = list(arguments(row)), [], set()
    function(*good)
    for place, (kind, wrong) in itertools.product(range(len(good)), WRONG.items()):
        args = [*good]
        args[place] = wrong[: good[place].size]
        for _ in range(5):  # the remedy of one error may lead to another, but not round in circles
            try:
                function(*args)
                break
            except errors.ClmathError as error:
                checked(function, str(error), unknown)
                names = followed(dict(zip(parameters(function), args, strict=False)), str(error))
                if names is None:
                    helpless.add(kind)
                    break
                args = list(names.values())
        else:
            pytest.fail(f"{row.name}: the remedies for {kind} do not end")
    assert unknown == []
    assert helpless <= {"text", "bytes", "structure"}


def test_dot_names_the_parameters_of_its_signature():
    with pytest.raises(clmath.DTypeError, match=r"^dot\(\): p0 has dtype int64; half, float or double is needed"):
        clmath.dot(np.array([1, 2, 3]), np.array([4, 5, 6]))
    with pytest.raises(clmath.ShapeError, match=r"^dot\(\): the last axis of p1 has 3 lanes"):
        clmath.dot(np.ones(4, np.int8), np.ones(3, np.int8))


STORE = np.zeros(8, np.float32)


@for_each(
    "call, names",
    [
        (clmath.vstore, dict(data=np.ones(2), offset=0, p=STORE)),
        (clmath.vload, dict(offset=np.float32(1), p=STORE, n=2)),
        (clmath.vload_half, dict(offset=0, p=np.ones(4, np.float32))),
        (clmath.shuffle2, dict(x=np.ones(2), y=np.ones(2, np.float32), mask=np.uint64([1, 0]))),
        (clmath.shuffle, dict(x=np.array([True, False]), mask=np.uint8([1, 0]))),
        (clmath.shuffle, dict(x=np.ones(2), mask=np.uint8([1, 0]))),
        (clmath.vstore_half, dict(data=np.int32(1), offset=0, p=np.zeros(2, np.float16))),
        (clmath.write_unorm_int8, dict(color=np.ones(3))),
        (clmath.read_unorm_int8, dict(x=np.array([1, 2]))),
        (clmath.fp16, dict(r=np.int32(1))),
        (functools.partial(clmath.convert, type="float"), dict(x=np.ones(2, np.longdouble))),
        (functools.partial(clmath.convert, type="float"), dict(x=np.ones(2, np.complex64))),
    ],
)
def test_remedies_beside_the_built_ins(call, names, followed):
    with pytest.raises(clmath.DTypeError) as caught:
        call(*names.values())
    call(*followed(names, str(caught.value)).values())


def test_synonyms_lead_to_built_ins_and_are_none():
    offered = set(clmath.__all__)
    for name, meant in synonyms().items():
        assert name not in offered, name
        assert set(meant) <= offered, name
        with pytest.raises(AttributeError, match=f"did you mean '{meant[0]}'"):
            getattr(clmath, name)


@pytest.mark.parametrize("name, meant", [("power", "'pow'"), ("maximum", "'fmax'"), ("sinf", "'sin'")])
def test_synonyms_where_a_built_in_is_named(name, meant):
    with pytest.raises(clmath.UnknownNameError, match=f"{name}' is not a known built-in; did you mean {meant}"):
        assert_conforms(1.0, name, (1.0,))


MODULES = "import clmath; print(clmath.testing.__name__, clmath.constants.__name__, hasattr(clmath, '__wrapped__'))"


def test_modules_are_there_without_being_imported():
    done = subprocess.run([sys.executable, "-c", MODULES], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["clmath.testing", "clmath.constants", "False"]


@for_each(
    "mode, meant",
    [
        ("RTZ", "did you mean 'rtz'?"),
        ("Rtn", "did you mean 'rtn'?"),
        ("toward zero", "round toward zero is 'rtz'"),
        ("FE_UPWARD", "round toward +infinity is 'rtp'"),
        ("ROUND_HALF_EVEN", "round to nearest even is 'rte'"),
        (7, "'rtn'"),
    ],
)
def test_modes(mode, meant):
    with pytest.raises(clmath.RoundingError) as caught:
        clmath.sin(1.0, rounding=mode)
    assert str(caught.value).endswith(meant)


def test_short_lists_bring_a_guess():
    with pytest.raises(clmath.UnknownNameError, match=r"state='off' is not one of .*; did you mean 'OFF'\?$"):
        clmath.fp_contract("off")
    with pytest.raises(clmath.UnknownNameError, match=r"type='flaot' is not one of .*; did you mean 'float'\?$"):
        clmath.read_unorm_int8(np.uint8(1), "flaot")
