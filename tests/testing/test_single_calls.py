"""Functions that are called once for each case: what is drawn, what conforms, and planted faults that are caught."""

import re

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import clmath
from clmath.testing import conformance_test, single_tests
from clmath.testing import strategies as cl
from tests.cases import for_each

FEW = settings(max_examples=10, deadline=None, database=None, phases=[Phase.generate])


def read(image, sampler, coordinates, type=None, *, rounding="rte"):
    return image.read(sampler, coordinates, type, rounding=rounding)


RIGHT = {
    "sprintf": (clmath.sprintf, ["double", "int"]),
    "async_work_group_copy": (clmath.async_work_group_copy, ["half"]),
    "async_work_group_strided_copy": (clmath.async_work_group_strided_copy, ["uint"]),
    "work_group_broadcast": (clmath.work_group_broadcast, ["half", "long"]),
    "sub_group_broadcast": (clmath.sub_group_broadcast, ["float"]),
    "Image.read": (read, ["int"]),
}


@for_each("name", RIGHT)
def test_clmath_conforms(name):
    function, types = RIGHT[name]
    conformance_test(function, name, types=types, settings=FEW)()
    conformance_test(function, name, types=types[:1], correctly_rounded=True, settings=FEW)()


def test_a_mode_is_told():
    conformance_test(clmath.sprintf, "sprintf", types=["float"], modes=["rtz", "rtp"], settings=FEW)()

    def nearest(form, value, *, rounding):  # noqa: ARG001 - what is planted
        return clmath.sprintf(form, value)

    with pytest.raises(AssertionError, match="rounding='rtz'"):
        conformance_test(nearest, "sprintf", types=["float"], modes=["rtz"], settings=FEW)()


def python_prints(form, value):
    """By Python's own operator, which has no vectors, no half and no %a."""
    if "v" in form or form[-1] in "aA":
        return clmath.sprintf(form, value)
    return re.sub(r"hh|h|l", "", form) % (value if isinstance(value, str) else value.item())


def copied(dst, src, num_gentypes, *, width=1):
    dst[: num_gentypes * width] = src[: num_gentypes * width]  # three lanes are copied as three


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


FAULTS = {
    "digits are cut": ("sprintf", ["double"], lambda f, v: clmath.sprintf(f, v, rounding="rtz")),
    "halfs are printed as they print": ("sprintf", ["float"], lambda f, v: f % float(np.atleast_1d(v)[0])),
    "the sign of zero is lost": ("sprintf", ["float"], lambda f, v: clmath.sprintf(f, v + v.dtype.type(0))),
    "lanes come backward": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v[::-1] if np.ndim(v) else v)),
    "a character 0 ends the text": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v).rstrip("\0")),
    "no text": ("sprintf", ["int"], lambda f, v: clmath.sprintf(f, v).encode()),
    "three lanes are three": ("async_work_group_copy", ["uchar"], copied),
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
    "the wrong axis": ("work_group_broadcast", ["float"], lambda a, i: a[i % len(a)]),
    "the border is the edge": ("Image.read", ["float"], clamped_to_edge),
    "of integers, too": ("Image.read", ["int"], clamped_to_edge),
    "negative coordinates are not repeated": ("Image.read", ["float"], not_repeated),
    "weights of five bits": ("Image.read", ["float"], of_five_bits),
    "the order is swapped": ("Image.read", ["float"], swapped),
    "halfs are read as floats": ("Image.read", ["half"], lambda i, s, c, **_: i.read(s, c)),
}


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_planted_faults_are_caught(fault, request, monkeypatch):
    """A run that draws rows tries no further calls once one has failed."""
    if not False:
        monkeypatch.setattr(single_tests, "KEPT", 1)
    name, types, wrong = FAULTS[fault]
    with np.errstate(all="ignore"), pytest.raises(AssertionError, match=rf"{re.escape(name)}\(.*\nreplay: "):
        conformance_test(wrong, name, types=types, settings=FEW)()


def test_what_conforms_and_is_not_the_text_of_clmath_passes():
    """The text leaves open whether an infinity is inf or infinity; a test that wants clmath's own text may say so."""

    def other(form, value):
        return (
            clmath.sprintf(form, value).replace("inf", "infinity")
            if form in ("%f", "%e", "%g")
            else clmath.sprintf(form, value)
        )

    conformance_test(other, "sprintf", types=["double"], settings=FEW)()
    with pytest.raises(AssertionError, match=r"gives '-?infinity', want '-?inf'"):
        conformance_test(other, "sprintf", types=["double"], correctly_rounded=True, settings=FEW)()


def test_a_replay_is_python_that_gives_the_same():
    with pytest.raises(AssertionError) as failed:
        conformance_test(lambda a, _: a[..., 0], "work_group_broadcast", types=["half"], settings=FEW)()
    line = str(failed.value).split("replay: ")[1].splitlines()[0]
    names = {"f": clmath.work_group_broadcast}
    exec(line.replace("<lambda>", "f"), names)  # noqa: S102 - what the message says


@for_each(
    ("call", "words"),
    [
        (lambda: conformance_test(copied, "async_work_group_copy", types=["bool"]), "types='bool' is not one of"),
        (lambda: conformance_test(copied, "async_work_group_copy", limit=1), "leave limit out"),
        (lambda: conformance_test(copied, "async_work_group_copy", flushes=True), "leave flushes out"),
        (lambda: conformance_test(copied, "async_work_group_copy", modes=["rte"]), "does not take"),
        (lambda: cl.copies(["bool"]), "types='bool' is not one of"),
        (lambda: cl.copies([]), "types is empty"),
        (lambda: cl.arguments("sprintf", "int"), "strategies.printed"),
        (lambda: cl.arguments("async_work_group_strided_copy", "int"), "strategies.copies"),
        (lambda: cl.arguments("sample_rgba", "float"), "strategies.reads"),
        (lambda: cl.arguments("work_group_broadcast", "char"), "type='char' is not one of"),
    ],
)
def test_bad_input_is_refused_by_name(call, words):
    with pytest.raises(clmath.ClmathError, match=re.escape(words)):
        call()


@FEW
@given(cl.copies(strided=True))
def test_copies_are_defined(copy):
    dst = copy.dst.copy()
    clmath.async_work_group_strided_copy(dst, copy.src, copy.num_gentypes, **copy.keywords)
    assert len({"src_stride", "dst_stride"} & {*copy.keywords}) == 1


@FEW
@given(cl.arguments("work_group_broadcast", "double", shape=3))
def test_arguments_of_broadcasts_are_taken(args):
    a, local_id = args
    assert clmath.work_group_broadcast(a, local_id).tobytes() == a[:, int(local_id)].tobytes()
