"""Integer built-ins, conversions and image channels: compiled functions are called; the tracer of integers."""

import itertools
import struct
import subprocess

import numpy as np
import pytest

import clmath
from clmath import phases
from clmath.call import exact
from clmath.direct import channels, expressions
from clmath.engines import choice
from clmath.engines.native import Native, build, text, typed
from clmath.functions import image, operators
from clmath.ir.trace import TraceError
from clmath.kernels.whole import wholes
from clmath.kernels.whole.elementwise import elementwise
from clmath.numbers.datatypes import INTEGERS, SCALARS, declared
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins
from tests.cases import for_each

INT, UINT, SHORT = (np.dtype(t) for t in ("i4", "u4", "i2"))


@pytest.fixture
def asked(natives, monkeypatch, no_plans):  # noqa: ARG001
    """The labels that calls ask the library for and get."""
    found = set()

    def noting(method):
        def noted(self, name, *given):
            answer = method(self, name, *given)
            if answer is not None:
                found.add(name)
            return answer

        return noted

    monkeypatch.setattr(exact, "_MADE", {})
    exact.converting.cache_clear()
    image.channelwise.cache_clear()
    monkeypatch.setattr(Native, "whole", noting(Native.whole))
    monkeypatch.setattr(Native, "whole_ufunc_loop", noting(Native.whole_ufunc_loop))
    assert natives
    return found


def of_elements():
    """The labels of elementwise functions except conversions."""
    return {key for key, _ in elementwise() if not key.startswith("convert_")}


def ones(*dtypes):
    return [np.ones(100, dtype) for dtype in dtypes]


def test_every_compiled_elementwise_function_is_used(asked):
    """Built-ins of integers, tests, choices and operators, as public functions in all their types."""
    for row in builtins("integer").values():
        for type in row.types if not row.widths else ():
            getattr(clmath, row.name)(*ones(*(declared(p.type, INTEGERS[type]) for p in row.inputs)))
    for dtype in SCALARS.values():
        for name in ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal"):
            operate(name, dtype, dtype)
        for name, count in (("logical_and", 2), ("logical_or", 2), ("logical_not", 1)):
            operate(name, *[dtype] * count)
        for c in SCALARS.values():
            operators.conditional(*ones(c, dtype, dtype))
    ask_tests()
    for dtype, other in itertools.product(INTEGERS.values(), INTEGERS.values()):
        for name in ("left_shift", "right_shift"):
            getattr(operators, name)(*ones(dtype, other), vector=True)
        clmath.div(*ones(dtype, dtype), vector=True)
        operators.rem(*ones(dtype, dtype), vector=True)
    for dtype in SCALARS.values():
        if dtype.kind != "b":
            choose(dtype)
    assert asked == of_elements()
    assert len(asked) > 400


def ask_tests():
    for row in builtins("relational").values():
        for type in row.types if row.name.startswith("is") or row.name == "signbit" else ():
            for options in ({}, {"vector": True}, {"dtype": bool}):
                getattr(clmath, row.name)(*ones(*[SCALARS[type]] * len(row.inputs)), **options)


def operate(name, *dtypes):
    """An operator of numbers, of vectors, and one whose results are bool."""
    function = getattr(operators, name)
    function(*ones(*dtypes))
    function(*ones(*dtypes), dtype=bool)
    if dtypes[0].kind != "b":
        function(*ones(*dtypes), vector=True)


def choose(dtype):
    clmath.bitselect(*ones(dtype, dtype, dtype))
    clmath.select(*ones(dtype, dtype, f"i{dtype.itemsize}"))
    clmath.select(*ones(dtype, dtype, f"i{dtype.itemsize}"), vector=True)
    clmath.select(*ones(dtype, dtype, bool))


@for_each("type", INTEGERS)
def test_divisions_by_everything(natives, type):
    """As integers of Python divide, toward zero; by 0 and by -1 too, at every level, and by NumPy's engine."""
    dtype, info = INTEGERS[type], np.iinfo(INTEGERS[type])
    rng, ends = np.random.default_rng(12), [info.min, info.min + 1, -2, -1, 0, 1, 2, 3, info.max - 1, info.max]
    some = np.array([v for v in ends if info.min <= v <= info.max], dtype)
    x = np.concatenate([np.repeat(some, some.size), rng.integers(info.min, info.max, 5000, dtype, endpoint=True)])
    near = rng.integers(0, 9, 5000).astype(dtype) - dtype.type(4 * (info.min < 0))
    y = np.concatenate([np.tile(some, some.size), np.where(rng.random(5000) < 0.5, near, x[-5000:][::-1])])
    wanted = [divided(a, b, info) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    for name, one in (("quotient", 0), ("remainder", 1)):
        want = [both[one] for both in wanted]
        for engine in natives:
            found = np.empty(x.size, dtype)
            assert not engine.whole(f"{name}_{type}", [x, y], [found]).size
            assert found.tolist() == want
        with np.errstate(all="ignore"):
            assert getattr(expressions, name)(x, y).tolist() == want
        operator = (clmath.div, clmath.rem)[one]
        assert operator(x, y, vector=True).tolist() == want
        assert operator(x, y, vector=True, threads=2, out=np.empty_like(x)).tolist() == want


def divided(x, y, info):
    """The quotient and the remainder of integers of a type."""
    if y == 0:
        return (-1 if info.min else info.max), x
    quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return (quotient, x - quotient * y) if quotient <= info.max else (info.min, 0)


@pytest.mark.parametrize(("source", "target"), [("half", "float"), ("half", "double"), ("float", "double")])
def test_formats_become_wider_ones_exactly(natives, source, target):
    """All halfs, and floats of all sizes, as Python's ``struct`` reads them; of NaN the canonical one."""
    narrow, wide = SCALARS[source], SCALARS[target]
    if source == "half":
        x = np.arange(1 << 16).astype(np.uint16).view(narrow)
        known = struct.unpack(f"<{x.size}e", x.astype("<f2").tobytes())
    else:
        x = np.random.default_rng(13).integers(0, 1 << 32, 1 << 16, dtype=np.uint32).view(narrow)
        known = struct.unpack(f"<{x.size}f", x.astype("<f4").tobytes())
    want = np.array([wide.type(v) if v == v else wide.type(np.nan) for v in known])
    assert np.signbit(want[np.isnan(want)]).sum() == 0
    for engine in natives:
        found = np.empty(x.size, wide)
        assert not engine.whole(f"convert_{source}_{target}_rte", [x], [found]).size
        assert found.tobytes() == want.tobytes()
    for mode in MODES:
        assert clmath.convert(x, target, rounding=mode).tobytes() == want.tobytes()


def test_every_compiled_conversion_is_used(asked):
    for (source, target), mode in itertools.product(itertools.permutations(SCALARS, 2), MODES):
        clmath.convert(np.ones(100, SCALARS[source]), target, rounding=mode)
    for source, target in itertools.permutations(SCALARS, 2):
        if target in INTEGERS:
            clmath.convert(np.ones(100, SCALARS[source]), target, sat=True)
    known = {key for key in wholes() if key.startswith("convert_")}
    assert asked == known
    pairs = {key.rpartition("_")[0] for key in known}
    assert pairs >= {f"convert_{f}_{i}" for f in ("half", "float", "double") for i in (*INTEGERS, "bool")}
    assert pairs >= {f"convert_{i}_{f}" for f in ("half", "float", "double") for i in (*INTEGERS, "bool")}
    assert {f"convert_long_{f}_{m}" for f in ("float", "double") for m in MODES} <= known
    assert {f"convert_{s}_half_{m}" for s in ("float", "double", "int", "ulong") for m in MODES} <= known


def test_every_compiled_channel_is_used(asked):
    known = {key for key in wholes() if key.startswith(("read_", "write_"))}
    for channel, form, mode in itertools.product(channels.CHANNELS, (HALF, FLOAT), MODES):
        shape = 99 if channel is not channels.UNORM_INT10 else (33, 3)
        name = channel.name.replace("10", "_101010")
        colors = np.ones(shape, form.dtype)
        stored = np.ones(99, channel.dtype if channel is not channels.UNORM_INT10 else np.uint32)
        getattr(clmath, f"write_{name}")(colors, rounding=mode)
        getattr(clmath, f"read_{name}")(stored, form.name, rounding=mode)
    assert asked == known
    assert len(known) == 2 * 2 * len(MODES) * len(channels.CHANNELS)


@pytest.mark.parametrize("name", ["fast_length", "fast_distance", "fast_normalize"])
def test_fast_functions_equal_the_exact_functions(asked, name):
    rng = np.random.default_rng(4)
    args = [rng.normal(size=300).astype(np.float32) for _ in range(8 if name == "fast_distance" else 4)]
    found, wanted = ([np.empty(300, np.float32) for _ in range(4 if name == "fast_normalize" else 1)] for _ in range(2))
    phases.step(name, FLOAT, "rtp", choice.NATIVE)(args, found)
    phases.step(name.removeprefix("fast_"), FLOAT, "rtp", choice.PLAIN)(args, wanted)
    assert [f.tobytes() for f in found] == [w.tobytes() for w in wanted]
    assert asked == {f"{name.removeprefix('fast_')}{len(args)}_float_rtp"}


def test_strides_and_byte_order_of_converted_arrays(natives, layout):
    """In buffers, and of one byte: the same bits as of contiguous arrays."""
    assert natives
    x = np.random.default_rng(5).normal(scale=100, size=5000).astype(np.float32)
    for target, mode in itertools.product(("char", "ulong", "half"), MODES):
        wanted = clmath.convert(x, target, rounding=mode)
        assert clmath.convert(layout(x), target, rounding=mode).tobytes() == wanted.tobytes()
    codes = np.arange(-128, 128, dtype=np.int8)
    assert clmath.read_snorm_int8(layout(codes)).tobytes() == clmath.read_snorm_int8(codes).tobytes()
    assert clmath.add_sat(layout(codes), codes[::-1]).tolist() == [-1] * 256


def test_of_integers_in_place(natives):
    assert natives
    x = np.random.default_rng(6).integers(-(2**63), 2**63, 40000)
    wanted = clmath.bit_reverse(x)
    y = x.copy()
    clmath.bit_reverse(y[::-1], out=y)
    assert y.tobytes() == wanted[::-1].tobytes()


@for_each(
    "function, reported",
    [
        (lambda x: x if x > 0 else -x, "branches"),
        (lambda x: x.view(np.int16), "views int32 as"),
        (np.bitwise_count, "counts the bits of int32"),
        (np.sqrt, "calls sqrt"),
        (np.add.reduce, "calls add"),
        (lambda x: x + np.float32(1), "float"),
        (lambda x: np.divmod(x, 3)[0], "calls divmod"),
        (lambda x: x.astype(np.int16), "not int32"),
        (lambda x: x.astype(np.float32) + x.astype(np.float32), "computes in float32"),
        (lambda x: x.astype(np.float64).astype(np.int32), "converts float64 to int32"),
        (lambda x: 7, "not int32"),  # noqa: ARG005
    ],
)
def test_functions_that_cannot_be_compiled_are_refused(function, reported):
    with pytest.raises(TraceError, match=reported):
        typed.printed("f", function, [INT], INT)


def test_numbers_that_the_type_does_not_hold_are_refused():
    with pytest.raises((TraceError, OverflowError)):
        typed.printed("f", lambda x: x & 0xFF, [np.dtype("i1")], np.dtype("i1"))


@pytest.mark.slow
def test_quotients_are_rounded_as_numpy_rounds_them(tmp_path):
    """For all signs ``//`` rounds down and ``fmod`` toward zero."""
    using = next(reversed(build.compilers()), None)  # Zig, which comes first, would compile C's library, too
    if using is None:
        pytest.skip("no compiler")
    x, y = (a.ravel() for a in np.meshgrid(np.arange(-128, 128, dtype=np.int8), np.int8([-128, -7, -3, 2, 5, 127])))
    char = np.dtype(np.int8)
    texts = [
        typed.printed("down", lambda a, b: a // b, [char, char], char),
        typed.printed("rest", np.fmod, [char, char], char),
    ]
    rows = "".join(
        f"{{{a}, {b}, {a // b}, {int(np.fmod(a, b))}}},\n" for a, b in zip(x.tolist(), y.tolist(), strict=True)
    )
    main = f"""{text.header()}
{"".join(texts)}
static const int rows[][4] = {{{rows}}};
int main(void) {{
    for (int i = 0; i < {x.size}; i++) {{
        int8_t down_of, rest_of;
        down((int8_t)rows[i][0], (int8_t)rows[i][1], 0, &down_of);
        rest((int8_t)rows[i][0], (int8_t)rows[i][1], 0, &rest_of);
        if (down_of != rows[i][2] || rest_of != rows[i][3]) return 1;
    }}
    return 0;
}}
"""
    (tmp_path / "main.c").write_text(main)
    build._output([*using.command, "-O1", "main.c", "-lm", "-o", "main"], tmp_path)
    assert subprocess.run([tmp_path / "main"], check=False).returncode == 0


def test_types_follow_numpy():
    """The type of two operands holds both; a plain number takes the other operand's type; conditions are bool."""
    rng = np.random.default_rng(7)
    seen = []

    def function(x, y):
        seen.extend(v.dtype for v in (x + y, x * 3, 2 - x, x < y, (x < y) * y, ~(x == y), -(x != y).view(np.int8)))
        return (x + y).astype(np.int16)

    typed.printed("f", function, [SHORT, UINT], SHORT)
    traced = seen.copy()
    seen.clear()
    function(rng.integers(0, 9, 5, np.int16), rng.integers(0, 9, 5, np.uint32))
    assert traced == seen
