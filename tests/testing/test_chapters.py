"""Groups, single calls, loads and stores, operators: correct functions pass, faults are found."""

from __future__ import annotations

import functools
import re

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import clmath
from clmath.spec.families import families
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test
from clmath.testing import strategies as cl
from clmath.testing.single_calls import known_reads
from tests.cases import for_each

QUICK = settings(max_examples=10, deadline=None, database=None, phases=[Phase.generate])
GROUPS = [row.name for row in families().values() if row.chapter == "groups" and len(row.inputs) == 1]
P = np.arange(12, dtype=np.float16)


def read(image, sampler, coordinates, type=None, *, rounding="rte"):
    return image.read(sampler, coordinates, type, rounding=rounding)


def on_vectors(name):
    return lambda *args: getattr(clmath, name)(*args, vector=True)


def one_after_the_other(x):
    return np.add.accumulate(x, axis=-1)[..., -1]


RIGHT = [
    (name, function or getattr(clmath, name), types)
    for name, function, types in [
        ("sub_group_reduce_min", None, ["half"]),
        ("work_group_all", None, ["int"]),
        ("work_group_reduce_add", one_after_the_other, ["half"]),  # in any order
        ("sprintf", None, ["double", "int"]),
        ("async_work_group_copy", None, ["half"]),
        ("async_work_group_strided_copy", None, ["uint"]),
        ("work_group_broadcast", None, ["half", "long"]),
        ("sub_group_broadcast", None, ["float"]),
        ("Image.read", read, ["int"]),
        ("vload", None, ["double"]),
        ("vload3", None, ["int"]),
        ("vstore16", None, ["uchar"]),
        ("vload_half", None, None),
        ("vstore_half", None, ["float"]),
        ("vloada_half", None, None),
        ("vstorea_half4_rtp", None, ["double"]),
        ("shuffle", None, ["char"]),
        ("shuffle2", None, ["double"]),
        ("add", None, ["int", "uint", "uchar"]),
        ("div", None, ["int", "ulong", "char"]),
        ("rem", None, ["long"]),
        ("left_shift", None, ["ushort"]),
        ("left_shift", on_vectors("left_shift"), ["int4"]),
        ("bitwise_not", None, ["short"]),
        ("negative", None, ["int", "half"]),
        ("less_equal", None, ["float", "ulong"]),
        ("less_equal", on_vectors("less_equal"), ["double2"]),
        ("logical_or", None, ["half"]),
        ("logical_or", on_vectors("logical_or"), ["uint3"]),
    ]
]


@for_each("name, function, types", RIGHT[::3])
def test_correct_functions_pass(name, function, types):
    conformance_test(function, name, types=types, settings=QUICK)()


@pytest.mark.slow
@for_each("name, function, types", [one for one in RIGHT if one not in RIGHT[::3]])
def test_other_correct_functions_pass(name, function, types):
    conformance_test(function, name, types=types, settings=QUICK)()


def test_correct_sums_of_groups_pass():
    conformance_test(
        clmath.work_group_scan_inclusive_add, "work_group_scan_inclusive_add", types=["half"], settings=QUICK
    )()


def test_known_reads_of_one_texel_have_coordinates():
    """Filtered reads without an addressing mode would need a texel beyond the border and are left out."""
    assert all(call.args[2].size for name in ("1x1", "1x258") for call in known_reads(f"sample_size_{name}", "float"))


@pytest.mark.exhaustive
def test_reads_of_floats_pass():
    """The slow tier runs the guide's example, which reads floats."""
    conformance_test(read, "Image.read", types=["float"], settings=QUICK)()


@pytest.mark.slow
def test_modes_are_passed_to_the_function():
    conformance_test(clmath.sprintf, "sprintf", types=["float"], modes=["rtz", "rtp"], settings=QUICK)()
    conformance_test(clmath.vstore_half, "vstore_half", types=["double"], modes=["rtz", "rtn"], settings=QUICK)()

    def nearest(form, value, *, rounding):  # noqa: ARG001 - the fault
        return clmath.sprintf(form, value)

    with pytest.raises(AssertionError, match="rounding='rtz'"):
        conformance_test(nearest, "sprintf", types=["float"], modes=["rtz"], settings=QUICK)()


def copied(dst, src, num_gentypes, *, width=1):
    dst[: num_gentypes * width] = src[: num_gentypes * width]  # vectors of three elements are copied without padding


def strided(dst, src, num_gentypes, *, src_stride=1, dst_stride=1):
    dst[: num_gentypes * dst_stride : dst_stride] = src[: num_gentypes * src_stride : src_stride]


def destructive(dst, src, num_gentypes):
    dst[:num_gentypes] = src[:num_gentypes]
    src[:num_gentypes] = 0


def clamped_to_edge(image, sampler, coordinates, type=None):
    if sampler is not None and sampler.addressing == "clamp":
        sampler = clmath.Sampler("clamp_to_edge", sampler.filter, normalized=sampler.normalized)
    return image.read(sampler, coordinates, type)


def not_repeated(image, sampler, coordinates, type=None):
    if sampler is not None and sampler.addressing == "repeat":
        coordinates = np.abs(coordinates)
    return image.read(sampler, coordinates, type)


def of_five_bits(image, sampler, coordinates, type=None):
    if sampler is not None and sampler.filter == "linear" and not sampler.normalized and not image.array:
        coordinates = np.rint(coordinates * 32) / np.float32(32)
    return image.read(sampler, coordinates, type)


def swapped(image, sampler, coordinates, type=None):
    found = image.read(sampler, coordinates, type)
    return found[..., [2, 1, 0, 3]] if image.order == "bgra" else found


def truncating(data, offset, p, n=1):
    clmath.vstore_half(data, offset, p, n, rounding="rtz")


def packed(offset, p):
    return clmath.vload_half3(offset, p)  # aligned vectors of three elements begin at p[4 * offset]


def fills_the_fourth_place(data, offset, p):
    clmath.vstorea_half3(data, offset, p)
    p[np.asarray(offset) * 4 + 3] = 0


def modulo_three(x, mask):
    return clmath.shuffle(x, mask % mask.dtype.type(x.shape[-1]))


def exchanged(x, y, mask):
    return clmath.shuffle2(y, x, mask)


def flushing(offset, p, n):
    components = clmath.vload(offset, p, n)
    return np.where(np.abs(components) < np.finfo(p.dtype).tiny, p.dtype.type(0), components)


READS = {  # slow, because all kinds of images are tried
    "the border is the edge": ("Image.read", ["float"], clamped_to_edge),
    "weights of five bits": ("Image.read", ["float"], of_five_bits),
    "halfs are read as floats": ("Image.read", ["half"], lambda i, s, c, **_: i.read(s, c)),
}
OTHER_READS = {
    "of integers, too": ("Image.read", ["int"], clamped_to_edge),
    "negative coordinates are not repeated": ("Image.read", ["float"], not_repeated),
    "the order is swapped": ("Image.read", ["float"], swapped),
}
FAULTS = {
    **READS,
    "digits are cut": ("sprintf", ["double"], lambda f, v: clmath.sprintf(f, v, rounding="rtz")),
    "halfs are printed as they print": ("sprintf", ["float"], lambda f, v: f % float(np.atleast_1d(v)[0])),
    "the sign of zero is lost": ("sprintf", ["float"], lambda f, v: clmath.sprintf(f, v + v.dtype.type(0))),
    "elements come backward": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v[::-1] if np.ndim(v) else v)),
    "a character 0 ends the text": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v).rstrip("\0")),
    "no text": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v).encode()),
    "vectors of three are three": ("async_work_group_copy", ["uchar"], copied),
    "one element less": ("async_work_group_copy", ["float"], lambda d, s, n: copied(d, s, max(n - 1, 0))),
    "it writes into src": ("async_work_group_copy", ["int"], destructive),
    "through a float": (
        "async_work_group_copy",
        ["int"],
        lambda d, s, n: copied(d, s.astype(np.float32).astype(s.dtype), n),
    ),
    "the strides are exchanged": (
        "async_work_group_strided_copy",
        ["long"],
        lambda d, s, n, *, src_stride=1, dst_stride=1: strided(d, s, n, src_stride=dst_stride, dst_stride=src_stride),
    ),
    "the first one": ("work_group_broadcast", ["uint"], lambda a, _: a[..., 0]),
    "NaN is another one": ("sub_group_broadcast", ["half"], lambda a, i: a[..., i] * np.float16(1)),
    "a list of Python's doubles": ("work_group_broadcast", ["double"], lambda a, i: a[..., i].tolist()),
    "the wrong axis": ("work_group_broadcast", ["float"], lambda a, i: a[i % len(a)]),
    "the last one is dropped": ("work_group_reduce_add", ["float"], lambda x: one_after_the_other(x[..., :-1])),
    "integers are dropped": ("sub_group_reduce_add", ["ulong"], lambda x: x[..., 1:].sum(axis=-1, dtype=x.dtype)),
    "the first one alone": ("work_group_any", ["int"], lambda x: x[..., 0] != 0),
    "an exclusive scan is inclusive": (
        "sub_group_scan_exclusive_max",
        ["long"],
        lambda x: np.maximum.accumulate(x, axis=-1),
    ),
    "the greatest is signed": ("work_group_reduce_max", ["uint"], lambda x: x.view("i4").max(axis=-1).view("u4")),
    "the mode is toward zero": ("vstore_half", ["float"], truncating),
    "aligned vectors of three are packed": ("vloada_half3", None, packed),
    "the fourth place is filled": ("vstorea_half3", ["float"], fills_the_fourth_place),
    "the mask is modulo three": ("shuffle", ["float"], modulo_three),
    "the vectors are exchanged": ("shuffle2", ["char"], exchanged),
    "subnormal numbers are flushed": ("vload", ["double"], flushing),
    "shifts by all bits": (
        "left_shift",
        ["int"],
        lambda x, y: np.where((y < 0) | (y > 31), 0, clmath.left_shift(x, y)),
    ),
    "does not promote": ("mul", ["uchar"], lambda x, y: (x * y).astype(np.int32)),
    "rounds down": ("div", ["int"], lambda x, y: x // y),
    "takes the divisor's sign": ("rem", ["short"], lambda x, y: np.remainder(x.astype(np.int32), y)),
    "compares as signed": ("greater", ["uint"], lambda x, y: (x.view("i4") > y.view("i4")).astype(np.int32)),
    "1 in elements of vectors": ("equal", ["float4"], lambda x, y: (x == y).astype(np.int32)),
}


@pytest.mark.slow
@for_each("fault", [*FAULTS][::2])
def test_faults_are_found_and_replayed(fault):
    found_and_shown_again(*FAULTS[fault])


@pytest.mark.exhaustive
@for_each("fault", [*FAULTS][1::2])
def test_other_faults_are_found(fault):
    found_and_shown_again(*FAULTS[fault])


@pytest.mark.exhaustive
@for_each("fault", OTHER_READS)
def test_other_faults_of_reads_are_found(fault):
    found_and_shown_again(*OTHER_READS[fault])


def found_and_shown_again(name, types, wrong):
    with np.errstate(all="ignore"):
        with pytest.raises(AssertionError, match=rf"(?s)^{re.escape(name)}\(.*\nreplay: ") as caught:
            conformance_test(wrong, name, types=types, settings=QUICK)()
        first, *_, last = str(caught.value).splitlines()
        if name.startswith(("vload", "vstore", "shuffle")):
            assert len(first) < 2000  # not the complete memory
            names = {wrong.__name__: wrong, "np": np, "assert_conforms": assert_conforms}
            with pytest.raises(AssertionError) as again:
                exec(last.removeprefix("replay: "), names)  # noqa: S102
            assert str(again.value).split(" [")[0] == first.split(" [")[0]


@for_each(
    "name, type, wrong",
    [
        ("async_work_group_copy", "int", lambda d, s, n: copied(d, s, max(n - 1, 0))),
        ("work_group_broadcast", "uint", lambda a, _: a[..., 0]),
        ("sub_group_broadcast", "half", lambda a, i: a[..., i].astype(np.float32)),
    ],
)
def test_single_calls_are_compared_with_rounded_results(name, type, wrong):
    test = functools.partial(conformance_test, name=name, types=[type], correctly_rounded=True, settings=QUICK)
    test(getattr(clmath, name))()
    with pytest.raises(AssertionError, match=rf"(?s)^{name}\(.* gives .*, want .*\nreplay: "):
        test(wrong)()


@for_each("name", GROUPS)
def test_generated_groups_are_accepted(name):
    @QUICK
    @given(cl.arguments(name, families()[name].types[-1], shape=(2,)))
    def check(args):
        (x,) = args
        assert x.shape[:-1] == (2,)
        assert x.shape[-1] >= 1
        assert_conforms(getattr(clmath, name)(x), name, args)
        assert_correctly_rounded(getattr(clmath, name)(x), name, args)

    check()


def test_sums_in_any_order_conform_without_being_correctly_rounded():
    x = np.float32([1.0, 2.0**-24, 2.0**-24])
    assert_conforms(one_after_the_other(x), "work_group_reduce_add", (x,))
    with pytest.raises(AssertionError, match=r"want 0x1\.000002p"):
        assert_correctly_rounded(one_after_the_other(x), "work_group_reduce_add", (x,))


def test_result_of_another_shape_is_refused():
    x = np.int32([[1, 2], [3, 4]])
    with pytest.raises(AssertionError, match=r"expected shape \(2,\), got \(2, 2\)"):
        assert_conforms(x, "work_group_reduce_add", (x,))
    with pytest.raises(AssertionError, match=r"expected shape \(2, 2\), got \(2,\)"):
        assert_conforms(x[0], "work_group_scan_inclusive_add", (x,))


def test_loads_are_judged_by_the_memory():
    assert_conforms(P[4:8], "vload", (1, P, 4))
    assert_conforms(P.reshape(3, 4).astype(np.float32), "vload_half4", (np.arange(3), P))
    with pytest.raises(AssertionError, match=r"^vload2\(4, \(.*\)\)\[1\] \[4, .*\] at index 1: got 0x1p\+0 = 1\.0 "):
        assert_conforms(np.float16([[2, 3], [8, 1]]), "vload2", (np.array([1, 4]), P))


def test_stores_are_judged_by_the_memory_after_them():
    after = P.copy()
    clmath.vstore_half2(np.float32([[0.1, 0.2], [0.3, 0.4]]), [3, 0], after)
    given = (np.float32([[0.1, 0.2], [0.3, 0.4]]), [3, 0], P)
    assert_correctly_rounded(after, "vstore_half2", given)
    assert P[0] == 0
    after[11] = 0
    with pytest.raises(
        AssertionError, match=r"^vstore_half2\(.*\)\[11\] .*: got 0x0p\+0 = 0\.0 .*, want 0x1.6p\+3 = 11\.0 "
    ):
        assert_correctly_rounded(after, "vstore_half2", given)
    with pytest.raises(clmath.RangeError, match="offset 0 stands twice in args; which vector vstore_half2 keeps"):
        assert_conforms(after, "vstore_half2", (given[0], [0, 0], P))


def test_text_that_differs_from_clmath_may_conform():
    """An infinity may be printed as inf or infinity; a test may require clmath's own text."""

    def other(form, value):
        return (
            clmath.sprintf(form, value).replace("inf", "infinity")
            if form in ("%f", "%e", "%g")
            else clmath.sprintf(form, value)
        )

    conformance_test(other, "sprintf", types=["double"], settings=QUICK)()
    with pytest.raises(AssertionError, match=r"gives '-?infinity', want '-?inf'"):
        conformance_test(other, "sprintf", types=["double"], correctly_rounded=True, settings=QUICK)()


def test_replay_is_python_with_the_same_result():
    with pytest.raises(AssertionError) as failed:
        conformance_test(lambda a, _: a[..., 0], "work_group_broadcast", types=["half"], settings=QUICK)()
    line = str(failed.value).split("replay: ")[1].splitlines()[0]
    names = {"f": clmath.work_group_broadcast}
    exec(line.replace("<lambda>", "f"), names)  # noqa: S102 - the message contains the line


@for_each(
    ("call", "words"),
    [
        (lambda: conformance_test(copied, "async_work_group_copy", types=["bool"]), "types='bool' is not one of"),
        (lambda: conformance_test(copied, "async_work_group_copy", limit=1), "leave limit out"),
        (lambda: conformance_test(copied, "async_work_group_copy", flushes=True), "leave flushes out"),
        (lambda: conformance_test(copied, "async_work_group_copy", modes=["rte"]), "does not take"),
        (lambda: cl.copies(["bool"]), "types='bool' is not one of"),
        (lambda: cl.copies([]), "types is empty"),
        (lambda: cl.copies("int"), "copies(): types='int' is not a list; give one, such as types=['int']"),
        (lambda: cl.reads("unorm_int8"), "types='unorm_int8' is not a list; give one, such as types=['unorm_int8']"),
        (lambda: cl.reads(orders="rgba"), "orders='rgba' is not a list"),
        (lambda: cl.near_boundary("popcount", "int"), "results of popcount are exact in every mode; use arguments()"),
        (lambda: cl.hard("popcount", "int"), "has no hard inputs of type int; use arguments()"),
        (lambda: conformance_test(np.sqrt, "FLT_MAX"), "is a macro without arguments; compare with clmath.FLT_MAX"),
        (lambda: conformance_test(np.sqrt, "work_group_reduce"), "the operation in the name: work_group_reduce_add"),
        (lambda: assert_conforms(1.0, "FLT_MAX", ()), "is a macro without arguments; compare with clmath.FLT_MAX"),
        (lambda: assert_conforms("1", "sprintf", ("%d", 1)), "compare with what clmath.sprintf gives"),
        (lambda: assert_conforms(1.0, "printf_f", ()), "run: clmath audit --functions printf_f"),
        (lambda: cl.arguments("sprintf", "int"), "strategies.printed"),
        (lambda: cl.arguments("async_work_group_strided_copy", "int"), "strategies.copies"),
        (lambda: cl.arguments("sample_rgba", "float"), "strategies.reads"),
        (lambda: cl.arguments("work_group_broadcast", "char"), "type='char' is not one of"),
    ],
)
def test_invalid_input_is_refused_by_name(call, words):
    with pytest.raises(clmath.ClmathError, match=re.escape(words)):
        call()


@QUICK
@given(cl.copies(strided=True))
def test_generated_copies_are_defined(copy):
    dst = copy.dst.copy()
    clmath.async_work_group_strided_copy(dst, copy.src, copy.num_gentypes, **copy.keywords)
    assert len({"src_stride", "dst_stride"} & {*copy.keywords}) == 1


@QUICK
@given(cl.arguments("work_group_broadcast", "double", shape=3))
def test_generated_broadcasts_are_accepted(args):
    a, local_id = args
    assert clmath.work_group_broadcast(a, local_id).tobytes() == a[:, int(local_id)].tobytes()


def test_unspecified_results_pass():
    x, y = np.int32([2**31 - 1, 5]), np.int32([1, 0])
    assert_conforms(np.int32([7, 5]), "add", (x, y))
    assert_conforms(np.int32([2**31 - 1, 99]), "div", (x, y))
    with pytest.raises(AssertionError):
        assert_conforms(np.int32([7, 6]), "add", (x, y))


@given(cl.arguments("div", "int"), cl.arguments("rem", "char", shape=5))
@QUICK
def test_generated_divisors_are_not_zero(scalars, arrays):
    assert int(scalars[1]) != 0
    assert arrays[1].all()
