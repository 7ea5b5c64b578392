"""``conformance_test`` and the strategies find injected faults, show one simple call, and pass correct functions."""

from __future__ import annotations

import ctypes
import functools
import itertools
import re
import sys
import warnings

import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings

import clmath
from clmath.testing import conformance_test
from clmath.testing import strategies as cl
from clmath.testing.cells import cells
from tests.cases import for_each
from tests.testing.faults import COMMON, FAULTS

QUICK = settings(max_examples=20, deadline=None, database=None, phases=[Phase.generate])
WHOLE = settings(deadline=None, database=None)
GENERATED = settings(QUICK, max_examples=500, report_multiple_bugs=False)


def failure(fault, chosen):
    """Return the message of ``conformance_test`` about a fault."""
    test = seed(0)(conformance_test(fault.computed, fault.name, settings=chosen, **fault.arguments_of_test))
    with pytest.raises(AssertionError) as caught:
        test()
    return str(caught.value)


@pytest.mark.slow
@for_each("known", [*FAULTS][::2])
def test_conformance_test_finds_faults(known):
    is_refused(known)


@pytest.mark.exhaustive
@for_each("known", [*FAULTS][1::2])
def test_conformance_test_finds_the_other_faults(known):
    is_refused(known)


def is_refused(known):
    fault = FAULTS[known]
    text = failure(fault, WHOLE if known in COMMON else QUICK)
    assert re.match(rf"{fault.name}\([^:]*\][^:]*: got ", text)
    assert "at index" not in text


class _FoundError(Exception):
    pass


def is_found(fault, number):
    """Whether some of 500 arguments generated with the seed ``number`` show the fault; all health checks are on."""

    @seed(number)
    @GENERATED
    @given(fault.inputs(cl))
    def trial(args):
        if fault.is_wrong(args):
            raise _FoundError

    try:
        trial()
    except _FoundError:
        return True
    return False


@pytest.mark.slow
@for_each("known", COMMON)
def test_generated_arguments_show_common_faults(known):
    """Nine seeds in ten do, and at least two of these four."""
    found = (number for number in (0, 6, 13, 19) if is_found(FAULTS[known], number))
    assert len(list(itertools.islice(found, 2))) == 2


@for_each(
    "function, name, options",
    [
        (clmath.exp, "exp", {"types": ["double"], "correctly_rounded": True}),
        (clmath.exp2, "exp2", {"types": [("half", 2), "float32"]}),
        (clmath.work_group_broadcast, "work_group_broadcast", {"types": [np.float16, "float32", np.dtype(np.int32)]}),
        (clmath.add, "add", {"types": ["float"], "modes": ["rte", "rtz"]}),
        (clmath.sinpi, "sinpi", {"types": ["float"]}),
        (clmath.convert_half, "convert_half", {"types": ["double"]}),
        (clmath.mad_sat, "mad_sat", {"types": ["int"]}),
        (clmath.rint, "rint", {"types": ["float"]}),
        (np.exp2, "exp2", {"types": ["double"]}),  # raises a warning
    ],
)
def test_correct_functions_pass(function, name, options):
    seed(0)(conformance_test(function, name, settings=QUICK, **options))()


@for_each(
    "fault, shown",
    [
        ("no NaN", "sinpi(inf)"),
        ("overflows early", "exp2(0x1.fcp+6 = 127.0)"),
        ("loses minus zero", "trunc(-0x1p-1 = -0.5)"),
        ("the smallest normal", "ilogb(0x1p-1022 = 2.2250738585072014e-308)"),
        ("ties up", "rint(0x1p-1 = 0.5)"),
        ("the edge itself", "step(0x1p+0 = 1.0, 0x1p+0 = 1.0)"),
    ],
)
def test_simplest_failing_call_is_shown(fault, shown):
    assert failure(FAULTS[fault], WHOLE).startswith(shown)


def test_irrelevant_digits_are_dropped():
    def wrong_above_100(x):
        return np.where(x > 100, x, clmath.sqrt(x))

    with pytest.raises(AssertionError) as caught:
        conformance_test(wrong_above_100, "sqrt", types=["float"], settings=WHOLE)()
    x = float.fromhex(str(caught.value).partition("(")[2].partition(" = ")[0])
    assert x.as_integer_ratio()[0].bit_count() <= 2


def ignores_strides(x):
    memory = ctypes.cast(x.ctypes.data, ctypes.POINTER(ctypes.c_float))
    return np.sqrt([memory[k] for k in range(x.size)]).astype(np.float32).reshape(x.shape)


def reads_in_the_order_of_memory(x):
    return np.sqrt(np.ravel(x, order="K")).reshape(np.shape(x))


def gives_zero_for_single_numbers(x):
    return np.sqrt(x) if np.ndim(x) else np.float32(0.0)


def gives_one_result_for_no_number(x):
    return np.sqrt(x) if np.size(x) else np.zeros(1, x.dtype)


def has_a_wrong_last_block(x):
    return np.where(np.arange(np.size(x)).reshape(np.shape(x)) < 99_999, np.sqrt(x), x)


@for_each(
    "function, layout",
    [
        (ignores_strides, "every other element of an array"),
        (reads_in_the_order_of_memory, "the transpose of a matrix"),
        (gives_zero_for_single_numbers, "an array without dimensions"),
        (gives_one_result_for_no_number, "an empty array"),
        (has_a_wrong_last_block, "an array of 100001 elements"),
    ],
)
def test_functions_that_depend_on_the_layout_fail(function, layout):
    with pytest.raises(AssertionError, match=f"depends on the layout .* they were {layout}"):
        conformance_test(function, "sqrt", types=["float"], settings=WHOLE)()


@for_each(
    "function",
    [
        lambda x: np.array([np.sqrt(v) for v in x], x.dtype),  # only arrays of one dimension
        lambda x: np.sqrt(x) if np.ndim(x) else float(np.sqrt(x)),
        lambda x: np.sqrt(x, out=np.empty_like(x)),
    ],
)
def test_functions_that_accept_few_layouts_pass(function):
    seed(0)(conformance_test(function, "sqrt", types=["float"], settings=QUICK))()


class TestFunctions:
    """Every fault of a function is a failure of that function."""

    def failure(self, function):
        with pytest.raises(Exception) as caught:  # noqa: PT011
            conformance_test(function, "sqrt", types=["float"], settings=WHOLE)()
        return caught.value

    def test_exception_is_a_failure(self):
        def raising(x):
            if np.any(x == 4):
                raise ValueError("four")
            return clmath.sqrt(x)

        error = self.failure(raising)
        first, *_, last = str(error).splitlines()
        assert first.startswith(
            "sqrt(0x1p+2 = 4.0) [0x40800000]: raising raises ValueError: four, want 0x1p+1 = 2.0 [0x40000000]"
        )
        assert last.startswith("replay: ")
        assert str(error.__cause__) == "four"

    def test_message_has_the_share_of_failing_inputs(self):
        def negative(x):
            return np.where(x == 4, -clmath.sqrt(x), clmath.sqrt(x))

        args = cells("", "sqrt", ["float"], ["rte"])[0].arguments()
        count = int((args[0] == 4).sum())
        assert re.search(rf"\nsqrt float rte: {count} of {len(args[0])} inputs? fails?\n", str(self.failure(negative)))
        with pytest.raises(AssertionError, match=r"\nsprintf: (\d+) of \1 calls fail\nreplay: "):
            conformance_test(lambda form, value: form, "sprintf", types=["half"], settings=QUICK)()  # noqa: ARG005

    def test_result_of_another_type_is_a_failure(self):
        assert "expected dtype float32, got float64" in str(self.failure(lambda x: clmath.sqrt(x).astype(np.float64)))

    @pytest.mark.slow
    def test_fault_that_only_neighbours_show_is_found(self):
        def unlike(x):
            right = clmath.sqrt(x)
            return right * x.dtype.type(2) if len(x) > 1 and x[0] != x[-1] else right

        assert str(self.failure(unlike)).startswith("sqrt(")

    def test_replay_line_has_the_name_of_the_function(self):
        def my_sqrt(x):
            return clmath.sqrt(x) * x.dtype.type(2)

        assert "; assert_conforms(my_sqrt(*args), 'sqrt', args)" in str(self.failure(my_sqrt))
        nameless = self.failure(functools.partial(my_sqrt))
        assert "; assert_conforms(f(*args), 'sqrt', args)" in str(nameless)


def by_modes(name, **modes):
    """Return the built-in, rounded to nearest even, or in the mode that ``modes`` has for ``rounding``."""

    def reported(*args, rounding):
        return getattr(clmath, name)(*args, rounding=modes.get(rounding, "rte"))

    return reported


def half_follows(x, rounding):
    return clmath.sin(x, rounding=rounding), clmath.cos(x)


@for_each(
    "function, name, types, modes",
    [
        (by_modes("div"), "div", ["float"], ["rte", "rtz"]),
        (by_modes("exp"), "exp", ["double"], ["rtz", "rte"]),
        (by_modes("sin", rtp="rtn", rtn="rtp"), "sin", ["float"], ["rtp", "rtn"]),
        (by_modes("sin", rtz="rtz", rtn="rtz"), "sin", ["float"], ["rtz", "rtn"]),
        (by_modes("length"), "length", ["float4"], ["rte", "rtp"]),
        (half_follows, "sincos", ["float"], ["rte", "rtz"]),
    ],
)
def test_results_must_follow_the_mode_where_one_limit_holds_in_all_modes(function, name, types, modes):
    with pytest.raises(AssertionError, match=r"gives the same for rounding=.* and for rounding=") as caught:
        conformance_test(function, name, types=types, modes=modes, settings=QUICK)()
    replay = str(caught.value).rpartition("replay: ")[2]
    with pytest.raises(AssertionError):
        exec(replay, {function.__name__: function})  # noqa: S102
    exec(replay, {function.__name__: getattr(clmath, name)})  # noqa: S102
    conformance_test(getattr(clmath, name), name, types=types, modes=modes, settings=QUICK)()


@pytest.mark.slow
def test_reads_must_follow_the_mode():
    def read(image, sampler, coordinates, rounding, type="float"):  # noqa: ARG001
        return image.read(sampler, coordinates, type)

    with pytest.raises(AssertionError, match="gives the same for rounding='rte' and for rounding='rtz'"):
        conformance_test(read, "Image.read", types=["half"], modes=["rte", "rtz"], settings=QUICK)()


def test_one_mode_with_a_limit_for_all_modes_warns():
    def made(name, **options):
        with warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always")
            conformance_test(getattr(clmath, name), name, modes=["rtz"], **options)
        return [str(w.message) for w in warned]

    (said,) = made("div", types=["float", "double"])
    assert "div float rtz: the limit holds for the results of every mode" in said
    assert made("div", types=["double"]) == made("div", types=["float"], correctly_rounded=True) == made("fma") == []


def cached(function, *keys):
    """Return the function with a cache; keys are the shapes and ``keys`` of its arrays."""
    known = {}

    def called(*args):
        arrays = [a for a in args if isinstance(a, np.ndarray) and a.size]
        key = (*map(repr, args[len(arrays) :]), *((a.shape, *(k(a).item() for k in keys)) for a in arrays))
        if key not in known:
            known[key] = function(*args)
        return known[key].copy()

    return called


def first(a):
    return a.reshape(-1)[0]


def last(a):
    return a.reshape(-1)[-1]


@for_each(
    "name, types",
    [
        ("sqrt", ["float"]),
        ("acosh", ["half"]),
        ("hypot", ["double"]),
        ("pown", ["float"]),
        ("popcount", ["int"]),
        ("convert_half", ["float"]),
        ("length", ["float4"]),
        ("work_group_broadcast", ["int"]),
    ],
)
def test_results_cached_by_a_part_of_the_arrays_fail(name, types):
    """With fewer keys, more calls get the results of others."""
    function = cached(getattr(clmath, name), first, last, np.sum, np.max, np.min)
    with pytest.raises(AssertionError):
        conformance_test(function, name, types=types, settings=QUICK)()


CHAPTERS = (
    ("length", ["float"]),
    ("frexp", ["half"]),
    ("pown", ["half"]),
    ("step", ["half"]),
    ("nan", ["float"]),
    ("clamp", ["char", "float"]),
    ("isless", ["double"]),
    ("select", ["ushort", "double"]),
    ("any", ["short"]),
    ("upsample", ["uchar"]),
    ("bitfield_insert", ["int"]),
    ("dot", ["uchar"]),
    ("dot_acc_sat", ["char"]),
    ("convert_uchar4_sat_rtz", ["float"]),
    ("as_int", None),
    ("convert_float", ["long", "double"]),
    ("convert_int_sat", ["ulong"]),
)


@for_each("name, types", CHAPTERS[::3])
def test_correct_and_wrong_functions_of_some_chapters(name, types):
    assert_right_passes_and_wrong_fails(name, types)


@pytest.mark.slow
@for_each("name, types", [one for one in CHAPTERS if one not in CHAPTERS[::3]])
def test_correct_and_wrong_functions_of_other_chapters(name, types):
    assert_right_passes_and_wrong_fails(name, types)


def assert_right_passes_and_wrong_fails(name, types):
    right = getattr(clmath, name)
    conformance_test(right, name, types=types, settings=QUICK)()

    def wrong(*args):
        results = right(*args)
        first, *others = results if isinstance(results, tuple) else (results,)
        changed = np.where(first == first.reshape(-1)[0], first.reshape(-1)[0], first.dtype.type(7))
        return (changed, *others) if others else changed

    with pytest.raises(AssertionError):
        conformance_test(wrong, name, types=types, settings=QUICK)()


@for_each(
    "name, options, message",
    [
        ("sine", {}, "'sine' is not a known built-in; did you mean 'sin'"),
        ("sqtr", {}, "'sqtr' is not a known built-in; did you mean 'sqrt'"),
        ("FLT_MAX", {}, "'FLT_MAX' is a macro without arguments; compare with"),
        ("sin", {"types": ["int"]}, "types='int' is not one of 'half', 'float', 'double'"),
        ("sqrt", {"types": ["float16"]}, r"'float16' is a scalar.*say 'half' for the scalar, \('float', 16\) for"),
        ("work_group_broadcast", {"types": ["int8"]}, "say 'char' for the scalar"),
        ("sin", {"modes": ["up"]}, "rounding='up'"),
        ("sin", {"edition": "1"}, "edition='1' is not one of"),
        ("mix", {"correctly_rounded": True}, "is the formula"),
        ("sin", {"types": "float"}, "types='float' is not a list; give one, such as types=\\['float'\\]"),
        ("sin", {"types": np.float32}, "types=<class 'numpy.float32'> is not a list"),
        ("sin", {"types": []}, "types is empty, so that nothing would be tested"),
        ("sin", {"modes": "rtz"}, "modes='rtz' is not a list"),
        ("sin", {"modes": ()}, "modes is empty"),
        ("sin", {"settings": 3}, "settings=3 is not hypothesis.settings"),
        ("sin", {"build_options": 3}, "build_options=3 is not text"),
        (np.sin, {}, "name=<ufunc 'sin'> is not text"),
    ],
)
def test_wrong_options_are_refused(name, options, message):
    with pytest.raises(clmath.ClmathError, match=rf"conformance_test\(\): .*{message}"):
        conformance_test(clmath.sin, name, **options)


def test_function_that_is_not_callable_is_refused():
    with pytest.raises(clmath.DTypeError, match="function='sqrt' cannot be called"):
        conformance_test("sqrt", np.sqrt)


def test_error_without_hypothesis_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "hypothesis", None)
    for make in (lambda: conformance_test(np.sqrt, "sqrt"), cl.floats, cl.rounding_modes, lambda: cl.integers("int")):
        with pytest.raises(
            clmath.MissingDependencyError, match=r"hypothesis is not installed; run: pip install 'clmath\[test\]'"
        ):
            make()


@for_each("given", ["a", (1.0, 1.0), NotImplemented])
def test_np_vectorize_is_suggested_only_for_functions_of_numbers(given):
    with pytest.raises(AssertionError) as caught:
        conformance_test(lambda _: given, "sqrt", types=["float"], settings=QUICK)()
    assert "np.vectorize" not in str(caught.value)


def test_flag_must_be_true_or_false():
    with pytest.raises(clmath.DTypeError, match="correctly_rounded='no' is of type str; give True or False"):
        conformance_test(np.sqrt, "sqrt", correctly_rounded="no")
