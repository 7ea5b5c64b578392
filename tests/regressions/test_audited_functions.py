"""Audits of functions: faults at few inputs are found with any seed, and correct functions pass."""

from __future__ import annotations

import hypothesis as hy
import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.inputs import channels
from clmath.audit.inputs.operands import structured as structured_columns
from clmath.audit.inputs.spaced import domain_of, spaced
from clmath.audit.inputs.structured import structured
from clmath.audit.isolation.choosing import target_named
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_for, item_named
from clmath.audit.reports import terminal
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath
from clmath.audit.targets.function import Function
from clmath.direct.channels import linear
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, format_named
from clmath.numbers.rounding import round_enclosure
from clmath.spec.builtins import builtin
from clmath.spec.families import exact_builtins
from clmath.spec.special_values import special_values
from clmath.testing import conformance_test, strategies
from tests.cases import for_each

NAN, INF = np.nan, np.inf
SIGNALING = 0x7F800001
PLACES = 33  # more than any limit allows
WIDER = {HALF: np.float32, FLOAT: np.float64}


def verdicts(function, names, types, **options):
    """Return the verdicts on a Python function, which is called with a built-in's name and the arguments."""
    target = function if hasattr(function, "evaluate") else Function(function, "target")
    names = names if isinstance(names, list) else [names]
    return list(audit(Plan.of(names, types, **{"jobs": 1, "local_search": False, **options}), target))


def verdict(function, name, type, **options):
    (found,) = verdicts(function, name, [type], **options)
    return found


def right(name, *args):
    return getattr(clmath, name)(*args)


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each(
    "call",
    [
        *[("log10", x) for x in (1e3, 0.1, 1e15, 1e22)],
        *[("exp2", -119.0), ("exp2", 113.0), ("exp10", -29.0)],
        *[("sqrt", x) for x in (1e20, 1e36, 529.0)],
        *[("rsqrt", 961.0), ("cbrt", 343.0), ("cbrt", 1e3), ("cbrt", -1e-9)],
        *[("exp", np.log(2.0) / 2), ("expm1", -3 * np.log(2.0) / 2), ("sinh", np.log(2.0))],
        *[("cos", np.pi / 4), ("sin", 3 * np.pi / 4), ("tan", 5 * np.pi / 4)],
        *[("log", np.sqrt(2.0)), ("log1p", np.sqrt(2.0) - 1.0)],
        *[("hypot", 5.0, 12.0), ("hypot", -21.0, 20.0)],
        *[("pow", 10.0, 10.0), ("pow", -3.0, 13.0), ("powr", 7.0, 8.0), ("pown", 11.0, -5)],
    ],
)
def test_function_wrong_at_an_exact_case_or_a_boundary_of_argument_reduction_fails(call, form):
    name, *point = call

    def wrong(_, *args):
        result = getattr(clmath, name)(*args)
        met = np.logical_and.reduce([a == a.dtype.type(p) for a, p in zip(args, point, strict=True)])
        bits = result.view(f"i{result.dtype.itemsize}")
        return np.where(met, bits + PLACES, bits).view(result.dtype)

    found = verdict(wrong, name, form, inputs=0)
    assert found.status == "fail"
    worst = zip(found.tally.worst.args, found.item.columns, strict=True)
    values = [float(form.from_bits(a)) if kind == "gentype" else a for a, kind in worst]
    assert values == [float(form.dtype.type(p)) for p in point]


@pytest.mark.slow
@for_each("form, factor", [(FLOAT, 1.0 + 2.0**-16), (DOUBLE, 1.0 + 2.0**-40)])
@for_each("distance", [2.0**-6, 2.0**-12, 2.0**-18])
@for_each(
    ("name", "point"),
    [("log", 1.0), ("log1p", -1.0), ("acos", 1.0), ("atanh", -1.0), ("sin", np.pi), ("tgamma", -1.0), ("cbrt", 1.0)],
)
def test_function_wrong_near_a_special_point_fails(name, point, distance, form, factor):
    def wrong(_, x):
        result = getattr(clmath, name)(x)
        off = np.abs(x.astype(np.float64) - point)
        return np.where((off > distance / 8) & (off < distance), result * factor, result).astype(x.dtype)

    assert verdict(wrong, name, form, inputs=0).status == "fail"


KINDS = {
    "NaN": np.isnan,
    "infinity": lambda x: x == INF,
    "negative zero": lambda x: (x == 0) & np.signbit(x),
    "smallest subnormal": lambda x: x == np.float32(FLOAT.smallest_subnormal),
}


@pytest.mark.slow
@for_each("kind", KINDS)
@for_each("place", [3, 9])
@for_each("name, seed", [("exp2", 0), ("cbrt", 0), ("exp2", 2)])
def test_simd_function_wrong_at_a_special_value_in_one_of_16_positions_fails(name, place, kind, seed):
    def wrong(_, x):
        met = KINDS[kind](x) & (np.arange(len(x)) % 16 == place)
        return np.where(met, np.float32(7.0), getattr(clmath, name)(x))

    assert verdict(wrong, name, FLOAT, seed=seed).status == "fail"


@pytest.mark.slow
@for_each("form", FORMATS)
@for_each("name", ["exp", "sinh"])
def test_function_that_saturates_at_the_largest_number_fails(name, form):
    """The largest finite number is not within 3 ulp of an exact value far beyond it."""

    def saturating(name, x):
        result = getattr(clmath, name)(x)
        largest = np.copysign(np.finfo(result.dtype).max, result)
        return np.where(np.isinf(result) & np.isfinite(x), largest, result)

    found = verdict(saturating, name, form, inputs=200)
    assert (found.status, found.reason) == ("fail", "a finite number where an infinity is due")


def through_wider(_, a, b, c):
    wider = WIDER[next(f for f in WIDER if f.dtype == a.dtype)]
    with np.errstate(all="ignore"):
        return (a.astype(wider) * b.astype(wider) + c.astype(wider)).astype(a.dtype)


def in_two_steps(_, x, n):
    """Evaluate ldexp by two factors of about the same size; the first product may be subnormal already."""
    half = n // 2
    return clmath.ldexp(clmath.ldexp(x, np.int32(half)), np.int32(n - half))


def by_factors(_, x, n):
    """Evaluate ldexp with a last factor of at least 2^-8, after a product that may be subnormal already."""
    last = np.clip(n, -8, 8).astype(np.int32)
    return clmath.ldexp(clmath.ldexp(x, n - last), last)


def real_root(_, x, y):
    """Evaluate pow, but return real roots of negative numbers for y = 1/3, like cbrt."""
    result = clmath.pow(x, y)
    third = np.abs(y - y.dtype.type(1.0) / y.dtype.type(3.0)) < 1e-3
    with np.errstate(all="ignore"):
        return np.where(third & (x < 0) & np.isfinite(x), -clmath.pow(-x, y), result)


@pytest.mark.slow
@for_each(
    "function, name, form",
    [
        *[(through_wider, "fma", form) for form in WIDER],
        *[(function, "ldexp", form) for function in (in_two_steps, by_factors) for form in FORMATS],
        *[(real_root, "pow", form) for form in FORMATS],
    ],
)
def test_function_that_rounds_twice_or_takes_a_root_of_a_negative_number_fails(function, name, form):
    for seed in (2, 3, 4, 5) if name == "fma" else (0,):
        found = verdict(function, name, form, inputs=0, seed=seed)
        assert found.status == "fail"
        assert name != "pow" or found.reason.startswith("pow(x, y) = NaN for finite x < 0 and non-integer y")


@pytest.mark.slow
@for_each("form", FORMATS)
@for_each("name", ["fma", "mad", "ldexp", "pow", "sqrt", "mul", "div", "add", "fdim"])
def test_correct_function_passes(name, form):
    found = verdict(right, name, form, inputs=0)
    assert found.status == ("not judged" if found.is_unspecified else "pass")
    assert found.is_unspecified == (name == "mad" and form is HALF)  # implementation-defined


@pytest.mark.slow
@for_each("form", FORMATS)
@for_each("name", ["fmax", "pow", "hypot"])
def test_nan_as_result_of_a_signalling_nan_passes(name, form):
    """4.2: support of signalling NaNs is optional; fmax(x, sNaN) is NaN in IEEE 754-2008 and x in C99."""

    def signalling(x):
        bits = x.view(f"u{x.dtype.itemsize}")
        return np.isnan(x) & ((bits & bits.dtype.type(1 << np.finfo(x.dtype).nmant - 1)) == 0)

    def of_2008(_, x, y):
        return np.where(signalling(x) | signalling(y), x.dtype.type(NAN), getattr(clmath, name)(x, y))

    def any_nan(_, x, y):
        return np.where(np.isnan(x) | np.isnan(y), x.dtype.type(NAN), getattr(clmath, name)(x, y))

    assert verdict(of_2008, name, form, inputs=0).status == "pass"
    assert verdict(any_nan, name, form, inputs=0).status == "fail"


@pytest.mark.slow
def test_cross_of_clmath_passes_an_audit():
    """Intermediate products of half neither overflow nor underflow, and keep the digits that cancellation leaves."""
    assert [v.status for v in verdicts(target_named("clmath"), "cross", ["half"], inputs=3000)] == ["pass", "pass"]
    for p0, p1, place, wanted in (
        ([341.0, -453.5, 2928.0], [335.75, -453.0, 2954.0], 0, -453.5 * 2954.0 + 2928.0 * 453.0),
        ([-(2.0**-13), 0.0, 2.0**-12], [2.0**-12, 0.0, 2.0**-13], 1, 2.0**-24 + 2.0**-26),
        ([-(2.0**-13), 0.0, 1.5 * 2.0**-13], [1.5 * 2.0**-13, 0.0, 2.0**-13], 1, 3.25 * 2.0**-26),
    ):
        assert clmath.cross(np.float16(p0), np.float16(p1))[place] == np.float16(wanted) != 0.0


@pytest.mark.slow
@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
def test_built_in_without_limit_is_not_judged_instead_of_passing(form):
    """If a specification should add a limit for one of these built-ins, use another one without a limit."""
    criteria = Criteria("full", "rte", flushes=False)
    known = [n for n in ("mad", "mix", "smoothstep", "native_sin", "native_powr") if form in builtin(n).formats]
    names = [n for n in known if criteria.limit(Item(builtin(n), form)).gives_no_number and not special_values(n)]
    assert names
    found = verdicts(lambda _, *args: np.full(args[0].shape, NAN, form.dtype), names, [form], inputs=32)
    for one in found:
        assert (one.status, one.is_unspecified, one.tally.judged) == ("not judged", True, 0)
        assert "the specification gives no number" in one.reason
    assert terminal.exit_code(found) == terminal.UNJUDGED
    assert "conforms" not in terminal.summary(found)


@pytest.mark.slow
def test_built_ins_that_are_not_judged_leave_the_exit_status_to_others():
    found = verdicts(target_named("clmath"), ["native_sin", "sin", "mad"], [HALF, FLOAT], inputs=32)
    assert {str(v.item): v.status for v in found} == {
        "sin half": "pass",
        "mad half": "not judged",
        "native_sin float": "not judged",
        "sin float": "pass",
        "mad float": "pass",
    }
    assert terminal.exit_code(found) == terminal.CONFORMS


@pytest.mark.slow
def test_build_options_declared_by_the_target_are_applied():
    class Fast(Function):
        def build_options(self):
            return ("-cl-fast-relaxed-math",)

    def loses_nans(_, x, y):
        return np.maximum(x, y)

    assert verdict(loses_nans, "fmax", FLOAT, inputs=32).status == "fail"
    assert verdict(Fast(loses_nans, "fast"), "fmax", FLOAT, inputs=32).status == "pass"
    sine = verdict(Fast(right, "fast"), "sin", FLOAT, inputs=32)
    assert (sine.profile, sine.limit) == ("relaxed", "absolute 2^-11 for x in [-π, π]")


@pytest.mark.slow
def test_signaling_nan_as_result_of_nan_fails():
    def signals(name, code):
        result = getattr(clmath, name)(code)
        form = format_named({2: "half", 4: "float", 8: "double"}[result.itemsize])
        quiet = form.bits_dtype.type(1 << (form.precision - 2))
        return form.from_bits((form.bits(result) & ~quiet) | form.bits_dtype.type(1))

    found = verdicts(signals, "nan", FORMATS, inputs=32)
    assert [v.reason for v in found] == ["nan(any) = quiet NaN (OpenCL C++ 1.0, 3.19.6)"] * 3
    assert all(v.tally.failed == v.tally.tried for v in found)
    assert {v.status for v in verdicts(target_named("clmath"), "nan", FORMATS, inputs=32)} == {"pass"}


@pytest.mark.slow
def test_failure_of_a_vector_shows_a_wrong_component():
    class LosesTheLastSign(Clmath):
        """clmath whose normalize loses the sign of a zero in the last component."""

        def evaluate(self, row, form, args):  # noqa: ARG002 - parameters of the protocol
            columns = [args[0][..., i].ravel() for i in range(args[0].shape[-1])]
            found = [round_enclosure(e, FLOAT, "rte")[0] for e in reference.enclose("normalize", columns, FLOAT)]
            found[-1] = found[-1] + np.float32(0.0)
            return (np.stack(found, axis=-1).reshape(args[0].shape),)

    plan = Plan.of(["normalize"], ["float"], inputs=64, jobs=1)
    (found,) = audit(plan, LosesTheLastSign(), done=[item for item in plan.items() if item.width != 2])
    assert found.status == "fail"
    for example in found.tally.failures:
        assert (example.output, example.got, example.expected) == (1, 0, 0x80000000)


@pytest.mark.slow
class TestImages:
    """Image writes that round wrongly between two codes, at one code of 8 bits or a few codes of 16."""

    @staticmethod
    def statuses(wrong, name, type="float", **options):
        return {v.status for v in verdicts(wrong, name, [type], inputs=4096, local_search=True, **options)}

    @staticmethod
    def written(name, low, high, code):
        """Return a function that stores ``code`` for colours between ``low`` and ``high``, and is otherwise correct."""

        def wrong(_, color):
            found = getattr(clmath, name)(color)
            return np.where((color > low) & (color < high), found.dtype.type(code), found)

        return wrong

    @for_each("code", [0, 77, 254])
    @for_each("name, most", [("write_unorm_int8", 255), ("write_snorm_int8", 127)])
    def test_code_of_8_bits_rounded_up_too_early_fails(self, name, most, code):
        code %= most
        wrong = self.written(name, code / most, (code + 0.39) / most, code + 1)
        assert self.statuses(wrong, name, seed=code) == {"fail"}
        fine = self.written(name, (code + 0.41) / most, (code + 0.5) / most, code + 1)  # 5.3.1: within 0.6
        assert self.statuses(fine, name, seed=code) == {"pass"}

    @for_each("code", [-128, -64, -1])
    def test_negative_code_rounded_wrongly_fails(self, code):
        wrong = self.written("write_snorm_int8", (code + 0.61) / 127, (code + 1) / 127, code)
        assert self.statuses(wrong, "write_snorm_int8") == {"fail"}

    @for_each("type", ["half", "float"])
    @for_each("code", [1, 60, 200])
    def test_code_of_srgb_rounded_wrongly_fails(self, code, type):
        low, high = (float(linear((code + part) / 255)) for part in (0.05, 0.38))
        assert self.statuses(self.written("write_srgb", low, high, code + 1), "write_srgb", type) == {"fail"}

    def test_alpha_of_srgb_rounded_wrongly_fails(self):
        def wrong(_, color):
            found, alpha = clmath.write_srgba(color), color[:, 3]
            found[:, 3] = np.where((alpha > 77 / 255) & (alpha < 77.39 / 255), 78, found[:, 3])
            return found

        found = {
            v.item.components: v for v in verdicts(wrong, "write_srgba", ["float"], inputs=4096, local_search=True)
        }
        assert found[4].status == "fail"

    @for_each("first", [3, 20_000, 65_000])
    def test_few_codes_of_16_bits_rounded_wrongly_fail(self, first):
        """A quarter of a percent of the codes are rounded up too early."""

        def wrong(_, color):
            found, product = clmath.write_unorm_int16(color), color.astype(np.float64) * 65535
            early = (product > first) & (product < first + 160) & (product % 1 > 0.2) & (product % 1 < 0.38)
            return np.where(early, np.ceil(np.where(early, product, 0)), found).astype(np.uint16)

        assert self.statuses(wrong, "write_unorm_int16") == {"fail"}

    def test_inputs_have_colours_on_both_sides_of_every_rounding_boundary_of_8_bits(self):
        product = channels.structured(item_named("write_unorm_int8", "float", 1)).astype(np.float64) * 255
        for code in range(255):
            inside = np.sort(product[(product > code) & (product < code + 1)] - code)
            for turn in channels.TURNS:
                near = inside[np.abs(inside - turn) < 1e-4]
                assert (near < turn).any()
                assert (near > turn).any()
            assert len(inside) >= 18

    @for_each("name", ["read_unorm_int16", "read_snorm_int8", "read_srgba"])
    def test_inputs_of_vectors_have_every_code(self, name):
        tried = np.concatenate(list(structured_columns(item_named(name, "float", 4))))
        assert len(np.unique(tried)) == 1 << 8 * tried.itemsize


class Faulty(Clmath):
    """clmath with the results of one built-in and type changed by ``wrong``."""

    def __init__(self, item, wrong):
        self._item, self._wrong = item, wrong

    def evaluate(self, row, form, args):
        results = super().evaluate(row, form, args)
        if item_for(row, form, args) != self._item:
            return results
        return (self._wrong(results[0], *args).astype(results[0].dtype), *results[1:])


def fails(item, wrong):
    """Whether an audit of one built-in and type finds the fault."""
    plan = Plan.of([item.builtin], [item.form], jobs=1, local_search=False)
    found = audit(plan, Faulty(item, wrong), done=[other for other in plan.items() if other != item])
    return [v.status for v in found] == ["fail"]


def bits_at(x, code):
    return np.ascontiguousarray(x).view(f"u{x.itemsize}") == code


def other(result, where):
    """Return wrong results where ``where`` is true."""
    if result.dtype.kind == "f":
        return np.where(where, np.where((result == 0) | np.isnan(result), 1, result * 0.5), result)
    return np.where(where, result ^ 1, result)


def turned(result, where):
    """Return 0 for 1, and 1 for 0, where ``where`` is true."""
    return np.where(where, 1 - result, result)


HARDLY_WRONG = {
    "mul24 of -2^23": ("mul24", "int", lambda r, x, y: other(r, (x == -(2**23)) & (y == -(2**23)))),
    "mul24 of 2^23 - 1": ("mul24", "int", lambda r, x, y: other(r, (x == 2**23 - 1) & (y == x))),
    "mul24 of 2^23 - 1, second": ("mul24", "int", lambda r, x, y: other(r, (y == 2**23 - 1) & (x == -1))),
    "mad24 of 2^23 - 1": ("mad24", "int", lambda r, x, y, _: other(r, (x == 2**23 - 1) & (y != 0))),
    "mad24 of -2^23": ("mad24", "int", lambda r, _x, y, _z: other(r, y == -(2**23))),
    "isnan of a signaling NaN": ("isnan", "float", lambda r, x: turned(r, bits_at(x, SIGNALING))),
    "conversion of a signaling NaN": ("convert_double", "float", lambda r, x: other(r, bits_at(x, SIGNALING))),
    "the tie below the smallest half": ("convert_half", "float", lambda r, x: other(r, x == 2.0**-25)),
    "the tie above minus it": ("convert_half", "double", lambda r, x: other(r, x == -(2.0**-25))),
    "the tie below the smallest float": ("convert_float", "double", lambda r, x: other(r, x == 2.0**-150)),
    "tgamma below its end": ("tgamma", "double", lambda r, x: other(r, (x > 171.6243) & (x < 171.62437))),
    "tgamma next to its end": ("tgamma", "double", lambda r, x: other(r, (x > 171.624376956) & (x < 171.6243769562))),
    "exp below its end": ("exp", "float", lambda r, x: other(r, (x > 88.7228) & (x < 88.72283))),
    "erfc where it underflows": ("erfc", "double", lambda r, x: other(r, (x > 26.5432) & (x < 26.54325))),
    "erfc of float where it underflows": ("erfc", "float", lambda r, x: other(r, (x > 9.19453) & (x < 9.19454))),
    "a NaN with all bits set": ("islessequal", "half", lambda r, x, _: turned(r, bits_at(x, 0xFFFF))),
    "sinpi in a region": ("sinpi", "float", lambda r, x: np.where((x >= 300.2) & (x <= 300.8), 0.5, r)),
    "cos in a region": ("cos", "double", lambda r, x: other(r, (x >= 1.5e200) & (x <= 1.51e200))),
    "the number before the largest": ("cbrt", "double", lambda r, x: other(r, bits_at(x, 0x7FEFFFFFFFFFFFFE))),
}


@pytest.mark.slow
@for_each("case", HARDLY_WRONG)
def test_audit_finds_function_wrong_at_few_inputs(case):
    name, type, wrong = HARDLY_WRONG[case]
    assert fails(item_named(name, type), wrong)


@pytest.mark.slow
@for_each("case", [*HARDLY_WRONG][::3])
def test_kit_finds_some_functions_wrong_at_few_inputs(case):
    check_found_by_the_kit(case)


@pytest.mark.exhaustive
@for_each("case", HARDLY_WRONG)
def test_kit_finds_all_functions_wrong_at_few_inputs(case):
    check_found_by_the_kit(case)


def check_found_by_the_kit(case):
    name, type, wrong = HARDLY_WRONG[case]

    def function(*args):
        result = np.asarray(getattr(clmath, name)(*args))
        with np.errstate(all="ignore"):
            return wrong(result, *args).astype(result.dtype)

    with pytest.raises(AssertionError):
        conformance_test(function, name, types=[type])()


@pytest.mark.slow
def test_kit_tests_select_with_unsigned_conditions():
    def select(a, b, c):
        result = clmath.select(a, b, c)
        return np.where((c > np.iinfo(c.dtype).max // 2) & (c.dtype.kind == "u"), a, result).astype(result.dtype)

    with pytest.raises(AssertionError):
        conformance_test(select, "select", types=["int"])()


@pytest.mark.slow
@for_each("width", [2, 3, 4, 8, 16])
@for_each(("name", "base", "apart"), [("any", 0, -1), ("all", -1, 0)])
def test_inputs_of_any_and_all_have_each_component_differing_alone(name, base, apart, width):
    item = item_named(name, "int", width)
    for place in (0, width - 1) if width > 4 else range(width):

        def wrong(result, t, place=place):
            alone = np.full(t.shape[1], base)
            alone[place] = apart
            return turned(result, (t == alone).all(axis=1))

        assert fails(item, wrong), place


@pytest.mark.slow
@for_each("place", range(16))
def test_inputs_have_special_values_in_every_component(place):
    code = (SIGNALING, 0x80000000, 0x7F7FFFFE, 0xFF800000, 0x00000001)[place % 5]
    item = item_named("vstore_half", "float", 16)
    assert fails(item, lambda r, x: other(r, bits_at(x[:, [place]], code))), hex(code)


@pytest.mark.slow
@for_each(("name", "form"), [("log", FLOAT), ("cbrt", DOUBLE), ("sinpi", FLOAT), ("tan", DOUBLE)])
@for_each("seed", [0, 5])
def test_spaced_inputs_leave_no_gap_of_a_hundredth_of_a_binade(name, form, seed):
    item = item_named(name, str(form))
    found = domain_of(item)
    (x,) = spaced(item, seed, 1 << 15)
    inside = (x >= found.least) & (x <= found.greatest)
    assert np.mean(~inside) < 0.08  # few are of the rest of the format, and they leave out no part of it
    everywhere = np.sort(np.log2(np.abs(x[np.abs(x) >= form.smallest_normal].astype(np.float64))))
    assert np.diff(everywhere).max() < 0.5
    assert everywhere[-1] > form.emax + 0.5
    x = x[inside]
    for sign in {1.0, -1.0 if found.least < 0 else 1.0}:
        size = np.sort((x * form.dtype.type(sign)).astype(np.float64)[np.sign(x) == sign])
        size = size[size >= max(2.0**found.lowest, form.smallest_normal)]
        fraction, exponent = np.frexp(size)
        places = np.sort(2.0 * fraction + exponent)
        assert np.diff(places).max() < 0.01
        moderate = places[(size >= 0.0625) & (size < 1024.0)]
        assert np.diff(moderate).max() < 1.0 / 400
        assert places[-1] - places[0] > np.log2(size[-1]) - np.log2(size[0]) - 2.0


@pytest.mark.slow
@for_each("form", [FLOAT, DOUBLE])
@for_each("name", ["lgamma", "lgamma_r"])
def test_inputs_of_lgamma_approach_its_overflow(name, form):
    (x,) = structured(item_named(name, str(form)))
    end = x[np.isfinite(clmath.lgamma(x)) & np.isfinite(x)].max()
    apart = (end.astype(np.float64) - x[(x <= end) & (x > end / 4)].astype(np.float64)) / float(end)
    for k in range(1, form.precision - 1):
        assert ((apart <= 2.0**-k) & (apart >= 2.0 ** -(k + 1))).any(), k


@pytest.mark.slow
def test_spaced_inputs_depend_on_seed_and_count():
    item = item_named("exp", "double")
    one, again, other_seed = (spaced(item, seed, 1 << 15)[0] for seed in (1, 1, 2))
    assert one.tobytes() == again.tobytes()
    normal = np.abs(one) >= np.finfo(np.float64).tiny  # there are few subnormal numbers in a binade
    assert not np.isin(one[normal], other_seed).any()
    assert [len(spaced(item_named("cbrt", "double"), 0, count)[0]) for count in (10, 0)] == [160, 0]


# the least value from which on each conversion overflows, or the largest that it rounds to zero (2^-25)
OVERFLOWS = [
    ("double", "float", 2.0**128 - 2.0**103),
    ("float", "half", 65520.0),
    ("ulong", "half", 65520),
    ("double", "uchar", 255.5),
    ("int", "short", 2**15),
    ("double", "int", 2.0**31 - 0.5),
    ("ulong", "int", 2**31),
    ("double", "half", 2.0**-25),
]


@pytest.mark.slow
@for_each("shape", [None, 300])
@for_each(("source", "target", "end"), OVERFLOWS[::3])
def test_strategies_generate_operands_near_overflow_of_some_conversions(source, target, end, shape):
    check_operands_near_overflow(source, target, end, shape)


@pytest.mark.exhaustive
@for_each("shape", [None, 300])
@for_each(("source", "target", "end"), OVERFLOWS)
def test_strategies_generate_operands_near_overflow_of_all_conversions(source, target, end, shape):
    check_operands_near_overflow(source, target, end, shape)


def check_operands_near_overflow(source, target, end, shape):
    """Assert that at least five operands in a thousand lie at the end of the range or next to it."""
    generated = []

    @hy.seed(3)
    @hy.settings(max_examples=20 if shape else 500, database=None, suppress_health_check=[*hy.HealthCheck])
    @hy.given(strategies.conversions(source, target, shape=shape))
    def generate(x):
        generated.append(np.ravel(x))

    generate()
    found = np.concatenate(generated)
    if found.dtype.kind == "f":
        near = np.abs(found[np.isfinite(found)].astype(np.float64))
        step = float(np.spacing(np.asarray(end, found.dtype)))
        assert np.sum(np.abs(near - end) <= 2 * step) > 0.005 * len(found)
    else:
        assert np.isin(found, [end - 1, end, end + 1]).mean() > 0.005


@pytest.mark.slow
def test_inputs_of_many_arguments_fit_in_memory():
    """Two vectors and a mask of 16 components are 48 columns, whose special values would give 2^47 combinations."""
    rows = [exact_builtins()[name] for name in ("shuffle2", "any")]
    for item in Plan.of(rows, inputs=0, jobs=1).items():
        assert 100 < len(structured(item)[0]) < 1 << 18
