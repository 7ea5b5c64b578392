"""The testing kit as authors of tests see it: a failure shows its input, the due result, and a replay line."""

from __future__ import annotations

import functools
import inspect
import math
import re
import sys
from typing import get_args

import numpy as np
import pytest
from hypothesis import Phase, given, settings

import clmath
from clmath.functions import image, memory
from clmath.numbers.datatypes import CLASHING, SCALARS, WIDTHS
from clmath.spec import editions
from clmath.spec.aliases import aliases
from clmath.spec.builtins import EXACT, builtins
from clmath.spec.families import exact_builtins
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test, strategies
from clmath.testing.cells import cells
from clmath.testing.terms import Terms
from clmath.testing.trials import Trial
from tests.cases import for_each, some

pytest_plugins = ["pytester"]

QUICK = settings(max_examples=5, deadline=None, database=None, phases=[Phase.generate])
UNASKED = [n for n in builtins() if n.startswith(("native_", "lgamma"))]
PER_CHANNEL = [n for n in image.__all__ if n in exact_builtins()]
MEASURED = [n for n in builtins() if n not in UNASKED]
NAMES = [*dict.fromkeys([*MEASURED, *builtins(*EXACT), *memory.__all__, *PER_CHANNEL])]
SPELLED = sorted(aliases())[::40]
FLOAT_ONLY = ("mad", "mix", "smoothstep")  # for half, the text requires nothing


def types_of(name):
    return ["float", "double"] if name in FLOAT_ONLY else None


def failure(function, name, **options):
    with pytest.raises(AssertionError) as caught:
        conformance_test(function, name, settings=QUICK, **options)()
    return str(caught.value)


def lines_of(text):
    """Return the failed call and the replay line."""
    first, *_, last = text.splitlines()
    assert last.startswith("replay: ")
    return first, last.removeprefix("replay: ")


@pytest.mark.exhaustive
@for_each("name", [*NAMES, *SPELLED])
def test_correct_functions_pass_in_all_of_their_types(name):
    conformance_test(getattr(clmath, name), name, types=types_of(name), settings=QUICK)()


ELEMENTWISE = [n for n in NAMES if (builtins().get(n) or exact_builtins().get(n, builtins()["sin"])).vectors]
ELEMENTWISE = [n for n in ELEMENTWISE if n in builtins() or n in builtins(*EXACT)]


def on_vectors(name):
    function = getattr(clmath, name)
    takes = "vector" in inspect.signature(function).parameters
    return functools.partial(function, vector=True) if takes else function


@pytest.mark.exhaustive
@for_each("name", ELEMENTWISE)
def test_vectors_pass_and_one_wrong_component_fails(name):
    width = (2, 3, 4, 8, 16)[ELEMENTWISE.index(name) % 5]
    scalar = (types_of(name) or [cells("", name, None, ["rte"])[0].type])[0]
    right = on_vectors(name)
    conformance_test(right, name, types=[(scalar, width)], settings=QUICK)()

    def wrong(*args):
        results = right(*args)
        several = [np.array(r) for r in (results if isinstance(results, tuple) else (results,))]
        last = several[0][..., width - 1]
        several[0][..., width - 1] = np.where(last == 1, 2, 1)
        return tuple(several) if isinstance(results, tuple) else several[0]

    first, line = lines_of(failure(wrong, name, types=[(scalar, width)]))
    assert f"[{width - 1}] [" in first
    with pytest.raises(AssertionError):
        exec(line, {"wrong": wrong})  # noqa: S102


def changed(value):
    """Return a result that the text forbids."""
    with np.errstate(all="ignore"):
        return np.where(value == 1, value.dtype.type(3), value.dtype.type(1))


def with_results(change, *, of_all=True):
    """Return a fault that changes every result of a function, or only the first one."""

    def fault(right):
        def wrong(*args):
            results = right(*args)
            if not isinstance(results, tuple):
                return change(np.asarray(results))
            return tuple(map(change, map(np.asarray, results))) if of_all else (changed(results[0]), *results[1:])

        return wrong

    return fault


def raising(right):
    def broken(*args):
        right(*args)
        raise OSError("no disk")

    return broken


def as_nothing(right):  # noqa: ARG001
    def wrong(*args):  # noqa: ARG001
        return None

    return wrong


FAULTS = [
    with_results(changed, of_all=False),
    with_results(lambda r: r.astype(np.complex128)),
    with_results(lambda r: r[np.newaxis]),
    with_results(lambda r: r.tolist()),
    with_results(lambda r: np.ravel(r)[0].item()),
    raising,
    as_nothing,
]
STORES = [n for n in (*memory.__all__, *SPELLED) if n.startswith("vstore")]
SAMPLE = [n for n in (*NAMES, *SPELLED) if n not in STORES]


@pytest.mark.slow
@for_each("fault", FAULTS)
@for_each("name", some(SAMPLE, 6))
def test_fault_of_any_kind_shows_bits_and_is_replayed(fault, name):
    function = fault(getattr(clmath, name))
    text = failure(function, name, types=types_of(name))
    first, line = lines_of(text)
    assert re.match(rf"{name}\(.*\).* \[.*\](: got .*, want |: \w+ (raises|gives|result is|\w+ is) .*want )", first)
    assert "at index" not in text
    assert "Cell(" not in text
    with pytest.raises((AssertionError, OSError)):
        exec(line, {function.__name__: function})  # noqa: S102


@pytest.mark.slow
@for_each("name", STORES)
def test_store_that_raises_or_stores_nothing_fails(name):
    def idle(data, offset, p, *n):
        pass

    def broken(*args):  # noqa: ARG001
        raise OSError("no disk")

    for function, error in ((idle, AssertionError), (broken, OSError)):
        first, line = lines_of(failure(function, name))
        assert re.match(rf"{name}\(.* \[", first)
        assert "want " in first
        with pytest.raises(error):
            exec(line, {"idle": idle, "broken": broken})  # noqa: S102


class TestSingleNumbers:
    """Functions of single numbers, and functions without a mode."""

    def test_message_suggests_np_vectorize_which_then_passes(self):
        first, line = lines_of(text := failure(math.fabs, "fabs", types=["double"]))
        assert first.startswith("fabs(")
        assert "test np.vectorize(math.fabs, otypes=['float64'])" in text
        assert "assert_conforms(math.fabs(*args)" in line
        lifted = re.search(r"np\.vectorize\(.*\)", text)[0]
        conformance_test(eval(lifted), "fabs", types=["double"], settings=QUICK)()  # noqa: S307

    @pytest.mark.slow
    def test_branch_on_an_array_is_detected(self):
        def by_branches(x):
            return -x if np.signbit(x) else x

        assert "test np.vectorize(by_branches, otypes=['float32'])" in failure(by_branches, "fabs", types=["float"])

    def test_np_vectorize_is_not_suggested_for_functions_of_arrays(self):
        assert "np.vectorize" not in failure(raising(clmath.fabs), "fabs", types=["float"])

    def test_modes_need_the_keyword_rounding(self):
        def my_sqrt(x):
            return np.sqrt(x)

        with pytest.raises(
            clmath.DTypeError, match=r"\['rtz'\] are passed to the function as rounding=, which it does not"
        ):
            conformance_test(my_sqrt, "sqrt", types=["float"], modes=["rtz"])

    def test_unknown_signature_fails_at_the_call(self, monkeypatch):
        def untold(function):
            if function is np.sqrt:
                raise ValueError(function)
            return inspect.signature(function)

        monkeypatch.setattr("clmath.testing.callers.signature", untold)
        first, _ = lines_of(failure(np.sqrt, "sqrt", types=["float"], modes=["rte", "rtz"]))
        assert re.match(r"sqrt\(.*\) \[.*raises TypeError: .*'rounding'.*want ", first)


class TestTruth:
    """Editions differ in the components that are true; the kit agrees with audits."""

    def test_any_and_all_in_each_edition(self):
        for name in ("any", "all"):
            function = getattr(clmath, name)
            by_sign = functools.partial(function, vector=True)
            for one in (function, by_sign):
                conformance_test(one, name, types=["char", "long4"], settings=QUICK)()
            conformance_test(by_sign, name, types=["short", "int3"], edition="opencl-c-3.1.1", settings=QUICK)()
            text = failure(function, name, types=["int4"], edition="opencl-c-3.1.1")
            assert "true is sign bit (opencl-c-3.1.1)" in text
            assert "edition='opencl-c-3.1.1'" in text

    def test_function_that_ignores_a_component_fails_in_every_edition(self):
        def without_the_last(t):
            return clmath.any(t[..., :2])

        for edition in ("opencl-c++-1.0", "opencl-c-3.1.1"):
            assert "any((" in failure(without_the_last, "any", types=["char4"], edition=edition)

    def test_select_of_vectors_in_each_edition(self):
        def by_number(a, b, c):
            return np.where(c != 0, b, a)

        def by_sign(a, b, c):
            return clmath.select(a, b, c, vector=True)

        for edition in ("opencl-c++-1.0", "opencl-c-3.1.1"):
            conformance_test(by_sign, "select", types=["float4", "uchar2"], edition=edition, settings=QUICK)()
            failure(by_number, "select", types=["int3"], edition=edition)
        conformance_test(by_number, "select", types=["int"], settings=QUICK)()
        failure(by_sign, "select", types=["int"])  # for scalars, every number except 0 is true

    def test_comparisons_of_vectors_must_set_all_bits(self):
        conformance_test(lambda x, y: x < y, "isless", types=["float4"], settings=QUICK)()  # bool is accepted as well
        text = failure(clmath.isless, "isless", types=["double2"])
        assert "expected " in text

    def test_assertions_follow_the_edition(self):
        t = np.int32([1, 0, 0, 0])
        assert_conforms(np.int32(1), "any", (t,))
        assert_conforms(np.int32(0), "any", (t,))
        assert_conforms(False, "any", (t,))
        with pytest.raises(AssertionError):
            assert_conforms(np.int32(1), "any", (t,), edition="opencl-c-3.1.1")
        with pytest.raises(AssertionError):
            assert_conforms(np.int32(0), "any", (-t,))
        with pytest.raises(clmath.ShapeError, match="the last axis has 5 components"):
            assert_conforms(np.ones(5, np.float32), "fabs", (np.ones(5, np.float32),), vector=True)


class TestWhatIsNotAsked:
    """A test that cannot fail is refused."""

    @pytest.mark.slow
    @for_each("name", UNASKED)
    def test_unlimited_built_in_is_refused_and_the_remedy_works(self, name):
        with pytest.raises(clmath.RangeError, match=rf"sets no limit to errors of {name} \w+: .*say limit=4"):
            conformance_test(getattr(clmath, name), name, types=["float"])
        if name in ("native_sin", "native_divide", "lgamma_r"):
            conformance_test(getattr(clmath, name), name, types=["float"], limit=4, settings=QUICK)()
            conformance_test(getattr(clmath, name), name, types=["float"], correctly_rounded=True, settings=QUICK)()

    def test_assertions_follow_the_edition(self):
        x = np.float32([1.5, 2.5])
        with pytest.raises(clmath.RangeError, match="sets no limit to errors of native_sin float"):
            assert_conforms(np.float32([42, 42]), "native_sin", (x,))
        with pytest.raises(clmath.RangeError, match="sets no limit to errors of lgamma float"):
            assert_conforms(clmath.lgamma(x) * np.float32(1.01) + np.float32(1), "lgamma", (x,))
        with pytest.raises(clmath.RangeError, match="of lgamma_r float"):
            assert_conforms((np.float32([7, 7]), np.int32([1, 1])), "lgamma_r", (x,))
        with pytest.raises(AssertionError, match="limit: 4 ulp"):
            assert_conforms(np.float32([42, 42]), "native_sin", (x,), limit=4)

    def test_prescribed_results_of_unlimited_built_ins_are_judged(self):
        ends = np.float32([np.inf, 1.0])
        assert_conforms(clmath.lgamma(ends), "lgamma", (ends,))
        with pytest.raises(AssertionError):
            assert_conforms(np.float32([0, 0]), "lgamma", (ends,))
        conformance_test(clmath.lgamma, "lgamma", types=["float"], limit=math.inf, settings=QUICK)()
        text = failure(lambda x: np.abs(clmath.lgamma(x)) + np.float32(1), "lgamma", types=["float"], limit=math.inf)
        with pytest.raises(AssertionError):
            exec(lines_of(text)[1], {"f": lambda x: np.abs(clmath.lgamma(x)) + np.float32(1)})  # noqa: S102

    def test_fixture_skips_unlimited_built_ins(self, pytester):
        pytester.makepyfile(
            "import clmath\ndef test_it(conformance):\n    conformance(getattr(clmath, conformance.name))"
        )
        result = pytester.runpytest_inprocess("--clmath-functions=native_sin,sign", "--clmath-types=float", "-rs")
        result.assert_outcomes(passed=1, skipped=1)
        assert "sets no limit to errors of native_sin float" in result.stdout.str()


class TestLimits:
    """Limits chosen by the user, in addition to prescribed results."""

    def test_half_an_ulp_requires_the_nearest_number(self):
        conformance_test(clmath.exp, "exp", types=["half", "float"], limit=0.5, settings=QUICK)()

        def next_door(x):
            right = clmath.exp(x)
            return np.where(x == 1, np.nextafter(right, x.dtype.type(9)), right)

        conformance_test(next_door, "exp", types=["float"], settings=QUICK)()
        text = failure(next_door, "exp", types=["float"], limit=0.5)
        assert "limit: 0.5 ulp (as asked, beside prescribed results)" in text
        with pytest.raises(AssertionError, match=r"limit: 0\.5 ulp"):
            exec(lines_of(text)[1], {"next_door": next_door})  # noqa: S102

    def test_user_limit_keeps_prescribed_and_exact_results(self):
        failure(lambda x: np.abs(clmath.sin(x)), "sin", types=["float"], limit=1e9)
        failure(lambda x: clmath.sin(x) + x.dtype.type(0), "sin", types=["float"], limit=1e9)  # wrong for -0
        failure(lambda x: np.floor(x + x.dtype.type(1)), "floor", types=["float"], limit=1e9)

    @pytest.mark.parametrize(
        "name, options, message",
        [
            ("popcount", {"limit": 1}, "every bit of popcount counts"),
            ("exp", {"limit": -1}, "limit=-1 is not a number of ulp"),
            ("exp", {"limit": "1"}, "limit='1' is not a number of ulp"),
            ("exp", {"limit": 1, "correctly_rounded": True}, "leave one out"),
        ],
    )
    def test_meaningless_limits_are_refused(self, name, options, message):
        with pytest.raises(clmath.RangeError, match=rf"conformance_test\(\): .*{message}"):
            conformance_test(getattr(clmath, name), name, **options)

    def test_assertion_for_integers_refuses_a_limit(self):
        with pytest.raises(clmath.RangeError, match="every bit of popcount counts"):
            assert_conforms(np.int32(1), "popcount", (np.int32(1),), limit=1)


def test_few_results_are_judged_without_a_tally(monkeypatch):
    monkeypatch.setattr(Trial, "tally", None)
    x = np.float32(1.0)
    for name in ("sin", "sqrt", "frexp", "fma", "length", "mix"):
        args = (x,) * len(builtins()[name].inputs)
        assert_conforms(getattr(clmath, name)(*args), name, args)
    assert_conforms(np.nextafter(clmath.sin(x), np.float32(1)), "sin", (x,))  # within the limit


@pytest.mark.exhaustive
@for_each("name", MEASURED)
def test_quick_judgement_agrees_with_the_tally(name):
    """On correct results, and on results a few numbers away."""
    cell = next(c for c in cells("", name, types_of(name), ["rte"]) if c.type in ("float", "double"))
    args = tuple(a[::291] for a in cell.arguments())
    with np.errstate(all="ignore"):
        right = getattr(clmath, name)(*args)
        several = right if isinstance(right, tuple) else (right,)
        near = [np.nextafter(r, r.dtype.type(np.inf)) if r.dtype.kind == "f" else r + 1 for r in several]
    for results in (several, tuple(near)):
        for criteria in (
            Terms().criteria,
            Terms(profile="embedded").criteria,
            Terms(edition="opencl-c-3.1.1").criteria,
        ):
            for k in range(0, len(args[0]), 40):
                part = tuple(r[k : k + 40] for r in results)
                actual = part if len(part) > 1 else part[0]
                trial = Trial.of("", name, tuple(a[k : k + 40] for a in args), actual)
                assert trial.conforms(criteria) == (trial.tally(criteria).failed == 0)


BROKEN = """
import numpy as np
from hypothesis import given
from clmath.testing import assert_conforms, assert_correctly_rounded, conformance_test, strategies

def cut(x):
    return np.trunc(x) + x.dtype.type(0)

test_cut = conformance_test(cut, "trunc", types=["float"])

def root(x):
    return np.where(x > 100, x, np.sqrt(x))[()]

@given(strategies.floats(min_value=0, allow_infinity=False))
def test_root(x):
    assert_correctly_rounded(root(x), "sqrt", (x,))

@given(strategies.floats(min_value=0, allow_infinity=False))
def test_conforming_root(x):
    assert_conforms(root(x), "sqrt", (x,))

def disk(x):
    raise OSError("no disk")

test_disk = conformance_test(disk, "trunc", types=["float"])
"""


@pytest.mark.slow
def test_pytest_shows_only_lines_of_the_test(pytester):
    """Tracebacks quote the author's lines, and explanations of Hypothesis omit clmath's."""
    pytester.makepyfile(BROKEN)
    result = pytester.runpytest_subprocess("-p", "no:cacheprovider")
    text = result.stdout.str()
    result.assert_outcomes(failed=4)
    assert '>   test_cut = conformance_test(cut, "trunc", types=["float"])' in text
    assert '>       assert_correctly_rounded(root(x), "sqrt", (x,))' in text
    assert '>       raise OSError("no disk")' in text
    assert "__tracebackhide__" not in text
    assert not re.search(r"clmath/\w+/.*\.py:\d+", text)
    assert "Cell(" not in text
    assert "call=trunc float rte: trunc(-0x1p-1 = -0.5) [0xbf000000]" in text


def test_foreign_tracers_are_left_in_place():
    seen = []

    def tracer(frame, event, arg):  # noqa: ARG001
        seen.append(frame.f_code.co_name)

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        assert_conforms(np.float32(1), "fabs", (np.float32(1),))
    finally:
        sys.settrace(before)
    assert "judged" in seen


def test_stores_of_scalars_have_aliases():
    for mode, other in (("rte", clmath.vstore_half_rtn), ("rtn", clmath.vstore_half_rtp)):
        name = f"vstore_half_{mode}"
        conformance_test(getattr(clmath, name), name, types=["float"], settings=QUICK)()
        assert failure(other, name, types=["float"]).startswith(f"{name}(")


def test_result_wrong_at_one_offset_is_replayed():
    def at_ten(offset, p, n):
        components = clmath.vload(offset, p, n)
        return np.where(np.asarray(offset)[:, np.newaxis] == 10, components + components.dtype.type(1), components)

    first, line = lines_of(failure(at_ten, "vload", types=["int2"]))
    assert first.startswith("vload(10, ")
    with pytest.raises(AssertionError):
        exec(line, {"at_ten": at_ten})  # noqa: S102


class TestNames:
    """Names that completion and signatures show."""

    def test_signatures_of_strategies_name_their_keywords(self):
        for name in ("halfs", "floats", "doubles", "numbers", "arrays", "vectors"):
            shown = inspect.signature(getattr(strategies, name)).parameters
            assert {"min_value", "max_value", "exclude_min", "exclude_max", "allow_nan"} <= set(shown)
            assert all(p.kind is not p.VAR_KEYWORD for p in shown.values())
        assert {"shape", "allow_nan"} <= set(inspect.signature(strategies.arguments).parameters)

    def test_dir_has_no_internals(self):
        for module in (clmath.testing, strategies):
            assert [n for n in dir(module) if not n.startswith("__")] == sorted(module.__all__)
        shown = {n for n in dir(clmath) if not n.startswith("__")}
        assert shown == {*clmath.__all__, *aliases(), "engines", "testing", "typing"} - {"__version__"}
        assert "strategies" in clmath.testing.__all__

    def test_public_types_are_exported(self):
        for name in ("Rounding", "Format", "Edition", "Profile"):
            assert getattr(clmath, name) is getattr(clmath.typing, name)

    def test_literal_types_contain_all_editions_and_types(self):
        named = {n for part in get_args(clmath.Edition) for n in get_args(part) if isinstance(n, str)}
        assert named == set(editions.known())
        vectors = {f"{scalar}{n}" for scalar in SCALARS for n in ("", *WIDTHS)}
        assert set(get_args(clmath.typing.TypeName)) == (vectors | {"bfloat16"}) - {*CLASHING}

    def test_edition_may_be_a_path(self, tmp_path):
        (tmp_path / "edition.toml").write_text('title = "mine"\nbased_on = "opencl-c-3.1.1"\n')
        assert clmath.limit("sqrt", "half", edition=tmp_path).text == "1.5 ulp"
        x = np.float16(2.0)
        below = np.nextafter(clmath.sqrt(x), np.float16(0.0))
        assert_conforms(below, "sqrt", (x,), edition=tmp_path)
        with pytest.raises(AssertionError):
            assert_conforms(np.int32(1), "any", (np.int32([1, 0]),), edition=tmp_path)


def test_vector_types_of_other_built_ins():
    conformance_test(clmath.length, "length", types=["float3"], settings=QUICK)()
    conformance_test(clmath.convert_uchar4_sat, "convert_uchar4_sat", types=["float4"], settings=QUICK)()
    conformance_test(clmath.shuffle, "shuffle", types=["uchar4"], settings=QUICK)()
    conformance_test(clmath.vload, "vload", types=["float3"], settings=QUICK)()
    for name, types in (("length", ["float8"]), ("convert_float", ["int4"]), ("dot_4x8packed_uu_uint", ["uint2"])):
        with pytest.raises(clmath.UnknownNameError, match=f"{name} has no vectors of such a type"):
            conformance_test(getattr(clmath, name), name, types=types)


@pytest.mark.slow
def test_wrong_mode_or_rounding_is_found_on_vectors():
    def ups(x, rounding):
        return clmath.sqrt(x, rounding="rtp" if rounding == "rtn" else rounding)

    text = failure(ups, "sqrt", types=["double4"], modes=["rte", "rtn"], correctly_rounded=True)
    with pytest.raises(AssertionError):
        exec(lines_of(text)[1], {"ups": ups})  # noqa: S102
    assert_correctly_rounded(np.int32([-1, 0]), "isless", (np.float32([0, 1]), np.float32([1, 0])), vector=True)


SPELLED_CALLS = [
    ("convert_uchar4_sat", "float"),
    ("convert_half", "double"),
    ("convert_float4", "bool"),
    ("convert_int", "bool"),
    ("as_int", "float"),
    ("as_float4", "uint"),
    ("vload4", "float"),
    ("vload_half3", "half"),
    ("vstore_half_rtz", "double"),
    ("vstorea_half3_rtp", "float"),
]


@for_each("name, type", SPELLED_CALLS)
@for_each("shape", [None, 3, (2, 20)])
def test_arguments_of_aliases_are_accepted(name, type, shape):
    seen = []

    @settings(max_examples=5, deadline=None, database=None)
    @given(strategies.arguments(name, type, shape=shape))
    def test(args):
        if name.startswith("vstore"):
            memory = args[2].copy()
            offsets = np.ravel(args[1])
            if len(set(offsets.tolist())) == len(offsets):
                getattr(clmath, name)(args[0], args[1], memory)
                assert_conforms(memory, name, args)
        else:
            assert_conforms(getattr(clmath, name)(*args), name, args)
        seen.append(np.asarray(args[0]).dtype)

    test()
    wanted = {"bool": np.dtype(np.bool_)}.get(type) or np.dtype(clmath.convert(0, type))
    assert set(seen) == {wanted} or name.startswith("vload")


def test_arguments_of_aliases_know_their_types():
    with pytest.raises(clmath.UnknownNameError, match="'double' is not one of 'int', 'uint', 'float'"):
        strategies.arguments("as_int", "double")
    with pytest.raises(clmath.UnknownNameError, match="'int' is not one of"):
        strategies.arguments("vstore_half_rtz", "int")
