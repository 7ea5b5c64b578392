"""Error messages name the function's parameters, and their remedies work."""

from __future__ import annotations

import inspect
import itertools
import math
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath import errors
from clmath.spec.builtins import EXACT, builtin, builtins
from clmath.spec.synonyms import differences, strangers, synonyms
from clmath.testing import assert_conforms, conformance_test
from tests.cases import for_each
from tests.names.conftest import Tensor

WORDS = {  # kind of dtype for each type name of a declaration, for calls on the smallest type
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
    "fractions": np.array([Fraction(1), Fraction(5, 2), 3, Decimal(4)], object),
    "None among objects": np.array([1, None, 3, 4], object),
    "records gradients": Tensor(np.ones(4, np.float32), ["detach"]),
    "bfloat16": Tensor(np.ones(4, np.float32), ["float", "detach"]),
    "sparse": Tensor(np.ones(4, np.float32), ["to_dense"]),
    "quantized": Tensor(np.ones(4, np.float32), ["dequantize"]),
    "negated": Tensor(np.ones(4, np.float32), ["resolve_neg"]),
    "meta": Tensor(np.ones(4, np.float32), ["values"]),
    "text": np.array(["1"] * 4),
    "bytes": np.array([b"1"] * 4),
    "structure": np.zeros(4, [("a", np.float32)]),
}
CALLS = [(getattr(clmath, name), row) for name, row in builtins().items()]
CALLS += [(getattr(clmath, name), row) for name, row in builtins(*EXACT).items()]


def arguments(row):
    """Generate arguments that the built-in accepts."""
    base = np.dtype(LEAST[row.types[0]] if row.types else "f4")
    for parameter in row.inputs:
        word = WORDS[parameter.type]
        dtype = base if not word else np.dtype(word if word[-1].isdigit() else f"{word}{base.itemsize}")
        yield np.ones(max(row.widths, default=3) % 13, dtype)


def parameters(function):
    return [*inspect.signature(function).parameters]


def checked(function, message, unknown):
    """Append the message to ``unknown`` unless it names a parameter of the function."""
    fact = message.partition(": ")[2]
    if fact.startswith("all gentype"):
        fact = fact.partition("; ")[2]
    first = re.match(r"(?:the last axis of )?(\w+)", fact)[1]
    if first not in parameters(function):
        unknown.append(message)


@pytest.mark.slow
@for_each("function, row", CALLS)
def test_error_for_a_wrong_type_names_the_parameter_and_a_working_remedy(function, row, followed):
    good, unknown, helpless = list(arguments(row)), [], set()
    function(*good)
    for place, (kind, wrong) in itertools.product(range(len(good)), WRONG.items()):
        args = [*good]
        args[place] = wrong[: good[place].size]
        for _ in range(5):  # a remedy may lead to another error, but not endlessly
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
    assert helpless <= {"text", "bytes", "structure", "meta"}


@for_each("function, row", CALLS)
def test_error_for_none_offers_no_conversion_to_nan(function, row, remedies):
    """The remedy for sin(None) was once np.asarray(x, 'float64')."""
    good = [*arguments(row)]
    for place, parameter in enumerate(parameters(function)[: len(good)]):
        with pytest.raises(clmath.DTypeError, match=rf"{parameter} is None; .*: give") as caught:
            function(*good[:place], None, *good[place + 1 :])
        assert not remedies(str(caught.value), {parameter: None})


@for_each("count", [np.int64([33, -1, 2**40 + 3]), np.uint8([33, 255, 3]), 2**33 + 5, -(2**31) - 1])
@for_each("kind", ["i1", "u2", "i4", "u8"])
def test_remedy_for_a_count_of_another_type_keeps_the_width_of_rotate(kind, count, followed):
    """The remedy for rotate(int, long) once converted the number, which then rotated in 64 bits."""
    v = np.array([1, 2, 3], kind)
    bits, names = 8 * v.itemsize, {"v": v, "i": count}
    turns = [int(n) % bits for n in np.broadcast_to(np.array(count, object), 3)]
    want = [((x << n) | (x >> (bits - n))) % 2**bits for x, n in zip(v.tolist(), turns, strict=True)]
    try:
        found = clmath.rotate(v, count)
    except clmath.DTypeError as error:
        found = clmath.rotate(*followed(names, str(error)).values())
    assert found.dtype == v.dtype
    assert found.view(f"u{v.itemsize}").tolist() == want


def message_of(name):
    with pytest.raises(AttributeError) as caught:
        getattr(clmath, name)
    return str(caught.value).partition("; ")[2]


def test_error_for_a_name_of_another_library_suggests_a_built_in():
    offered, tables = set(clmath.__all__), (synonyms(), differences(), strangers())
    assert sum(map(len, tables)) == len({name for table in tables for name in table})
    assert not offered & {name for table in tables for name in table}
    for name, meant in synonyms().items():
        assert set(meant) <= offered, name
        assert message_of(name) == f"did you mean {' or '.join(map(repr, meant))}?"
    for name, text in differences().items():
        assert {*re.findall(r"'([a-z]\w+)'", text)} - {"rte"} <= offered, name
        assert message_of(name) == text
    for name, library in strangers().items():
        assert message_of(name) == f"{library} has {name}, and no built-in computes anything like it"


@for_each(
    "name, precise", [("native_sinh", "sinh"), ("half_tanh", "tanh"), ("native_cbrt", "cbrt"), ("fast_sin", "sin")]
)
def test_error_for_an_unknown_fast_form_suggests_the_precise_function(name, precise):
    assert message_of(name) == f"did you mean {precise!r}?"


def test_tables_have_every_function_of_numpy_and_of_math():
    """Otherwise a built-in with a similar name would be suggested, such as 'sub' for sum."""
    numpys = [n for n in dir(np) if isinstance(getattr(np, n), np.ufunc)]
    numpys += [n for n in np.__all__ if inspect.isfunction(getattr(np, n))]
    known = {*synonyms(), *differences(), *strangers(), *dir(clmath)}
    assert [n for n in (*numpys, *dir(math)) if not n.startswith("_") and n not in known] == []


@for_each(
    "name, other",
    [
        ("is_infinite", "isfinite"),
        ("roundEven", "round"),
        ("sincospi", "sincos"),
        ("issubnormal", "isnormal"),
        ("exp2m1", "expm1"),
        ("le", "less"),
        ("sqr", "sqrt"),
        ("float32", "MAXFLOAT"),
        ("int8", "rint"),
        ("invsqrt", "sqrt"),
        ("pos", "pow"),
        ("convert_bfloat16", "convert_float16"),
        ("convert_bfloat16_rtz", "convert_float16_rtz"),
    ],
)
def test_error_for_other_names_suggests_no_different_function(name, other):
    assert f"'{other}'" not in message_of(name)


@for_each(
    "name, args",
    [
        ("mod", (-2.0, 3.0)),
        ("heaviside", (2.0, 1.0)),
        ("maximum", (1.0, np.nan)),
        ("minimum", (np.nan, 1.0)),
        ("bitwise_count", (np.int32(-1),)),
        ("where", (np.bool_(True), np.int8(1), np.int8(2))),
        ("isposinf", (-np.inf,)),
        ("inner", (np.eye(2), np.ones((2, 2)))),
    ],
)
def test_functions_listed_as_different_differ(name, args):
    ours = getattr(clmath, re.search(r"'(\w{3,})'", differences()[name])[1])
    theirs = getattr(np, name)(*args)
    if name == "where":  # a condition needs the width of the operands
        assert theirs == ours(*args[:0:-1], np.int8(-1)) != ours(*args[1:], np.int8(-1))
    else:
        assert np.shape(theirs) != np.shape(ours(*args)) or np.any(theirs != ours(*args))


@for_each("name", [n for n in synonyms() if isinstance(getattr(np, n, None), np.ufunc)])
def test_functions_listed_as_synonyms_agree(name):
    builtin, function = getattr(clmath, synonyms()[name][0]), getattr(np, name)
    values = np.array([0.25, 0.5, 0.875, 0.125])
    args = [np.roll(values, k) + (name == "arccosh") for k in range(function.nin)]
    try:
        wanted = function(*args)
    except TypeError:  # a function of integers
        args = [(8 * a).astype(np.int32) for a in args]
        wanted = function(*args)
    np.testing.assert_allclose(builtin(*args), wanted, rtol=1e-12)


def test_functions_that_take_a_name_suggest_synonyms():
    for name, meant in (("power", "'pow'"), ("sinf", "'sin'")):
        with pytest.raises(clmath.UnknownNameError, match=f"{name}' is not a known built-in; did you mean {meant}"):
            assert_conforms(1.0, name, (1.0,))
    for name, fact in (("mod", "sign of the divisor"), ("softmax", "no built-in"), ("view", "it is clmath.as_type")):
        for asked in (lambda n: assert_conforms(1.0, n, (1.0,)), lambda n: conformance_test(np.sin, n), builtin):
            with pytest.raises(clmath.UnknownNameError, match=f"'{name}' is not a known built-in; .*{fact}"):
                asked(name)


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
def test_error_for_a_wrong_mode_suggests_the_right_one(mode, meant):
    with pytest.raises(clmath.RoundingError) as caught:
        clmath.sin(1.0, rounding=mode)
    assert str(caught.value).endswith(meant)
