"""Arguments and states of calls that once gave wrong results, or errors of NumPy instead of clmath's own."""

import numpy as np
import pytest

import clmath
from clmath.engines.native import Native
from clmath.errors import DTypeError, RangeError, RoundingError, ShapeError
from clmath.functions import image
from tests.cases import for_each

LONG = 10**5000  # Python converts at most 4300 digits to text
X = np.float32([1.0, 2.0])
RAGGED = [[1.0], [1.0, 2.0]]


@for_each("sign", [1, -1])
@for_each(
    "asked",
    [
        lambda n: clmath.ldexp(X, n),
        lambda n: clmath.ldexp(2.0, n),
        lambda n: clmath.pown(X, n),
        lambda n: clmath.rootn(X, n),
        lambda n: clmath.pow(X, n),
        clmath.nan,
        clmath.clz,
        lambda n: clmath.add_sat(np.int8(1), n),
        lambda n: clmath.select(X, X, n),
        clmath.as_float,
        lambda n: clmath.as_type(X, n),
        lambda n: clmath.as_type(X, [n]),
        lambda n: clmath.convert(X, n),
        lambda n: clmath.convert(X, "int", sat=n),
        lambda n: clmath.convert(X, "int", rounding=n),
        lambda n: clmath.sin(X, engine=n),
        lambda n: clmath.sin(X, threads=-abs(n)),
        lambda n: clmath.isnan(X, dtype=n),
        lambda n: clmath.isnan(X, dtype=[n]),
        lambda n: clmath.vload(n, 0, X),
        lambda n: clmath.vload(0, X, n),
        clmath.read_unorm_int8,
        clmath.select_rounding_mode,
        clmath.fp_contract,
        lambda n: clmath.limit(n, "float"),
        lambda n: clmath.limit("sin", n),
    ],
)
def test_long_int_is_refused_with_a_short_message(asked, sign):
    with pytest.raises(clmath.ClmathError, match=r"\(\)[:,] ") as caught:
        asked(sign * LONG)
    assert len(str(caught.value)) < 500


def test_message_shows_the_bits_of_a_long_int():
    with pytest.raises(clmath.DTypeError, match=r"^pown\(\): y is a Python int of 16610 bits; an int lies in"):
        clmath.pown(X, LONG)
    with pytest.raises(clmath.DTypeError, match=r"^pown\(\): y holds 2147483648; an int lies in"):
        clmath.pown(X, 2**31)


@for_each("args", [X, np.zeros(4, np.uint8), [1.0]])
def test_ulp_error_with_exact_values_refuses_args(args):
    with pytest.raises(clmath.DTypeError, match=r"^ulp_error\(\): args go with the name"):
        clmath.ulp_error(X, X, args)


def test_array_as_fp_contract_state_is_refused():
    with pytest.raises(clmath.UnknownNameError, match=r"^fp_contract\(\): state=array"):
        clmath.fp_contract(X)


@for_each(
    "call",
    [
        lambda: clmath.convert(RAGGED, "float"),
        lambda: clmath.as_type(RAGGED, "ulong"),
        lambda: clmath.isnan(RAGGED),
        lambda: clmath.clz([[1], [1, 2]]),
        lambda: clmath.vload([[0], [0, 1]], np.arange(8), 2),
        lambda: clmath.shuffle(np.arange(4), [[0, 1], [1]]),
        lambda: image.read_float(RAGGED),
        lambda: image.write_unorm_int8(RAGGED),
    ],
)
def test_ragged_list_is_refused(call):
    with pytest.raises(ShapeError, match=r"^\w+\(\): \w+ is a ragged list"):
        call()


@for_each("mode", [np.arange(2), np.array("rte"), np.zeros(0), [], {}, 1])
def test_rounding_mode_that_is_not_text_is_refused(mode):
    for call in (lambda: clmath.sin(1.0, rounding=mode), lambda: clmath.convert(1.0, "half", rounding=mode)):
        with pytest.raises(RoundingError):
            call()


def test_list_of_ints_without_a_common_type_is_refused():
    with pytest.raises(DTypeError, match="no integer type holds together"):
        clmath.convert([2**63 + 2**39 + 1, -1], "float")  # through double the first one would be rounded twice
    with pytest.raises(DTypeError, match="no integer type holds together"):
        clmath.add_sat([[2**63, -1]], 1)
    assert clmath.convert([2.0**63, -1.0], "double").tolist() == [2.0**63, -1.0]


def test_python_int_is_rounded_once():
    above_a_midpoint = 2**62 + 2**38 + 1
    assert clmath.select(np.float32(0), above_a_midpoint, 1) == 2.0**62 + 2.0**39
    assert clmath.isequal(np.float32(2.0**62 + 2.0**39), above_a_midpoint)
    with pytest.raises(RangeError, match=r"^isinf\(\): t is a Python int of 1329 bits; the largest double is 1.797"):
        clmath.isinf(10**400)


@for_each("number", [-1, 256, 2**70])
def test_channel_refuses_int_out_of_range(number):
    with pytest.raises(RangeError, match=r"uint8 lies in 0 \.\. 255"):
        image.read_unorm_int8(number)


@for_each("number", [1.9, float("nan")])
def test_integer_channel_refuses_float(number):
    for read in (image.read_unorm_int8, image.read_srgb, image.write_unsigned_int8, image.write_signed_int16):
        with pytest.raises(DTypeError):
            read(number)


def test_colour_beyond_float_saturates_without_a_warning():
    assert image.write_unorm_int8(1e300) == 255
    assert image.write_half_float(-1e300) == -np.inf
    with pytest.raises(
        RangeError, match=r"^read_half_float\(\): x is a Python int of 71 bits; the largest half is 65504"
    ):
        image.read_half_float(2**70)


@for_each("n", [2.0, True, "2", np.array([2])])
def test_width_that_is_not_an_integer_is_refused(n):
    with pytest.raises(ShapeError):
        clmath.vload_half(0, np.zeros(8, np.float16), n)


@pytest.fixture
def without_library(monkeypatch, no_plans):  # noqa: ARG001
    monkeypatch.setattr(Native, "library", None)


@pytest.mark.usefixtures("without_library")
@for_each("name", ["fmod", "remainder", "remquo"])
def test_operands_are_not_written(name):
    x, y = np.zeros((2, 1)), np.array([[1.0, 1e-300], [2.0, 1e300]])
    spread, read_only = np.broadcast_to(0.0, (2, 2)), np.zeros((2, 2))
    read_only.flags.writeable = False
    for first in (x, spread, read_only):
        found = getattr(clmath, name)(first, y)
        assert all(not part.any() and part.shape == (2, 2) for part in (found if name == "remquo" else (found,)))
    kept = np.array([[-0.0, 5.0], [0.0, 0.0]])
    getattr(clmath, name)(kept, y)
    assert kept.tobytes() == np.array([[-0.0, 5.0], [0.0, 0.0]]).tobytes()


def test_read_only_out_is_refused_even_if_empty():
    out = np.empty(0, np.float32)
    out.flags.writeable = False
    with pytest.raises(clmath.ShapeError, match="out is read-only"):
        clmath.exp(np.empty(0, np.float32), out=out)


@for_each(("dtype", "literal"), [("f4", 2**24 + 1), ("f2", 2049), ("f8", 2**53 + 1)])
@for_each("name", ["add", "sub", "mul", "div", "equal", "less"])
def test_operand_int_that_is_inexact_in_the_element_type_of_vectors_is_refused(name, dtype, literal):
    """2.3: the operation is ill-formed unless the value is representable in the element type."""
    vectors, call = np.ones(2, dtype), getattr(clmath, name)
    for args in ((vectors, literal), (literal, vectors)):
        with pytest.raises(clmath.DTypeError, match=r"ill-formed \(2\.3\)"):
            call(*args, vector=True)
    found = call(vectors, literal - 1, vector=True)
    assert found.tobytes() == call(vectors, np.full(2, literal - 1, dtype), vector=True).tobytes()


def test_nan_of_a_narrower_format_and_vectors_give_nan():
    assert np.isnan(clmath.add(np.float32([1, 2]), np.float16(np.nan), vector=True)).all()


@for_each("stride", [1, 2, 2**62, 2**63, 2**64 - 1])
@for_each("name", ["src_stride", "dst_stride"])
@for_each("count", [0, 1])
def test_copy_of_at_most_one_element_accepts_any_stride(name, stride, count):
    dst = np.zeros(4, np.int32)
    clmath.async_work_group_strided_copy(dst, np.int32([5, 6, 7]), count, **{name: stride})
    assert dst.tolist() == [5 * count, 0, 0, 0]


def test_coordinates_outside_of_an_image_are_refused_with_a_remedy():
    image = clmath.Image(np.zeros((3, 4, 1), np.uint8), "unorm_int8", "r")
    layers = clmath.Image(np.zeros((2, 3, 4, 1), np.uint8), "unorm_int8", "r", array=True)
    with pytest.raises(clmath.RangeError, match=r"outside of 2 layers.*: give coordinates inside"):
        layers.read(None, [[0, 0, 3]])
    with pytest.raises(clmath.RangeError, match=r"outside of 4 texels.*: give coordinates inside"):
        image.write([[9, 0]], np.ones((1, 4), np.float32))
    with pytest.raises(clmath.RangeError, match=r"outside of 4 texels.*: give a Sampler of another addressing"):
        image.read(clmath.Sampler("none"), [[9, 0]])
    with pytest.raises(clmath.RangeError, match="coordinates include inf as float,"):
        image.read(clmath.Sampler("clamp"), [1.0, 1e39])


@for_each("library", ["dask", "xarray"])
def test_remedy_for_a_lazy_mask_works(library):
    import dask.array  # imported here, since they take half a second to load
    import xarray

    mask = dask.array.from_array(np.array([True, False]))
    where = xarray.DataArray(mask) if library == "xarray" else mask
    with pytest.raises(clmath.DTypeError, match=r"^sin\(\): where is a .*: np\.asarray\(where\) computes it$"):
        clmath.sin(X, where=where)
    assert clmath.sin(X, where=np.asarray(where)).tolist() == [clmath.sin(X[0]), 0.0]


N = 1 << 18
ABOVE, BELOW = 1 + 2.0**-30, 1 - 2.0**-30  # the product is not 1, but rounds to it
FULL = {value: np.full(N, value) for value in (ABOVE, BELOW, -1.0)}
CALLS = {
    "dot": lambda **how: clmath.dot(np.tile([ABOVE, -1.0], (N, 1)), np.tile([BELOW, 1.0], (N, 1)), **how),
    "cross": lambda **how: clmath.cross(np.tile([ABOVE, 1.0, 1.0], (N, 1)), np.tile([1.0, BELOW, 1.0], (N, 1)), **how),
    "mad": lambda **how: clmath.mad(FULL[ABOVE], FULL[BELOW], FULL[-1.0], **how),
    "mad swapped": lambda **how: clmath.mad(FULL[ABOVE], FULL[BELOW], FULL[-1.0], out=np.empty(N, ">f8"), **how),
    "mix": lambda **how: clmath.mix(FULL[ABOVE], FULL[BELOW], FULL[ABOVE] / 3, **how),
}


@for_each("state", ["ON", "OFF"])
@for_each("name", CALLS)
def test_threads_use_the_contraction_state_of_their_caller(name, state):
    with clmath.fp_contract(state):
        wanted = CALLS[name](threads=1)
        for _ in range(3):
            assert CALLS[name](threads=3).tobytes() == wanted.tobytes()
    if name.startswith(("dot", "mad")):
        assert (wanted == 0).all() == (state == "OFF")


@for_each(
    "asked, message",
    [
        (lambda: clmath.flush_to_zero(X), r"flush_to_zero\(\): format=array"),
        (lambda: clmath.all(1j, vector=True), r"all\(\): t has dtype complex128; .*take its parts one by one"),
        (lambda: clmath.all("unorm", vector=True), r"all\(\): t has dtype <U5; .*give numbers, not text"),
        (lambda: clmath.not_equal([1, [2]], np.ma.array([1.0, 2.0])), r"not_equal\(\): x is a ragged list"),
        (lambda: clmath.dot([1, [2]], np.int32([0, 1])), r"dot\(\): p0 is a ragged list"),
        (lambda: clmath.bitwise_or(np.ma.array([1, 2]), np.float32), r"bitwise_or\(\): y holds objects of type type"),
        (lambda: clmath.sin(1.0, rounding=np.arange(100)), r"sin\(\): rounding=a ndarray is not one of 'rte'"),
        (
            lambda: clmath.read_half_float(1, np.arange(100)),
            r"read_half_float\(\): type=a ndarray is not one of 'half'",
        ),
    ],
)
def test_argument_of_wrong_kind_is_refused_in_one_line(asked, message):
    with pytest.raises(clmath.ClmathError, match=message) as caught:
        asked()
    assert "\n" not in str(caught.value)
