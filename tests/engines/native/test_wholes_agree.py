"""Compiled built-ins return the bits of NumPy's engine, and of MPFR, in every format, mode and processor level."""

import zlib

import numpy as np
import pytest

import clmath
from clmath import call as front
from clmath import phases, pragmas, reference
from clmath.call import exact
from clmath.direct import integers as direct_integers
from clmath.engines import choice
from clmath.engines.native import Native
from clmath.kernels.whole import IN_STEPS, arithmetic, label, wholes
from clmath.kernels.whole.elementwise import elementwise
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, format_named
from clmath.numbers.rounding import MODES, canonical, round_enclosure
from clmath.spec.builtins import builtin, builtins
from tests.cases import for_each

pytestmark = pytest.mark.slow

FORMS = (HALF, FLOAT, DOUBLE)
COUNT, BLOCK = 1 << 10, 512
REACH = [-40.0, -39.0, -20.0, -1.0, 0.0, 39.0]  # exponents
FEW = 100  # elements for the reference
FORMULAS = {"mix", "smoothstep", "cross"}  # of rounded operations: the reference knows the exact value


def number_of(name, elements):
    """The number of arguments in a chunk."""
    return sum(elements for _ in builtin(name).inputs)


COMPILED = [
    (name, form, elements)
    for name in builtins("math", "common", "geometric")
    if phases.is_whole(name) and not name.startswith("fast_")
    for form in FORMS
    for elements in (builtin(name).widths or (1,))
    if any(key.startswith((f"{name}_", f"{name}{number_of(name, elements)}_")) for key in wholes())
]


def numbers(form, rng, count, kind):
    """Numbers of a kind: bit patterns, near 1, few digits, special, or close to both ends of the format.

    ``reach``: numbers within a few last places of the ends of the range of a shorter code path for floats.
    """
    if kind == "patterns":
        return form.from_bits(rng.integers(0, 1 << form.width, count, dtype=np.uint64).astype(form.bits_dtype))
    if kind == "moderate":
        return (rng.normal(size=count) * 2.0 ** rng.integers(-3, 4, count)).astype(form.dtype)
    if kind == "digits":
        return (rng.integers(-16, 17, count) * 2.0 ** rng.integers(-4, 5, count)).astype(form.dtype)
    if kind == "reach":
        places = rng.integers(0, 4, count) * 2.0 ** (1 - form.precision)
        with np.errstate(over="ignore", under="ignore"):
            return (rng.choice([-1.0, 1.0], count) * (1 + places) * 2.0 ** rng.choice(REACH, count)).astype(form.dtype)
    if kind == "edges":
        exponent = rng.choice([form.quantum, form.emin, form.emax - 1, form.emin // 2, form.emax // 2, 0], count)
        with np.errstate(over="ignore", under="ignore"):
            return np.ldexp(rng.normal(size=count), exponent + rng.integers(-3, 4, count)).astype(form.dtype)
    unit = 1 << (form.precision - 1)
    top, one = int(form.bits(np.inf)), int(form.bits(1.0))
    codes = [near + place for near in (unit, one, top) for place in (-1, 0, 1)]
    codes += [0, 1, 2, one + unit // 2, top - unit]
    special = form.from_bits(np.array(codes).astype(form.bits_dtype))
    return rng.choice(np.concatenate([special, -special]), count)


KINDS = ("patterns", "moderate", "digits", "edges", "special", "reach")


def arguments(name, form, elements, count, kind):
    """One-dimensional arguments, vectors as one array per component; some components are close to each other."""
    rng = np.random.default_rng(zlib.crc32(f"{name}{form}{kind}".encode()))
    found = []
    for parameter in builtin(name).inputs:
        for _ in range(elements):
            if parameter.type == "intn":
                near = rng.integers(2 * form.quantum, 2 * form.emax, count)
                found.append(np.where(rng.random(count) < 0.9, near, rng.integers(-(2**31), 2**31, count)).astype("i4"))
                continue
            given = numbers(form, rng, count, kind)
            found.append(given.view(form.bits_dtype) if parameter.type == "nancode" else given)
            if len(found) > 1 and found[0].dtype == form.dtype:
                same = rng.random(count) < 0.1
                found[-1][same] = found[0][same]
    return found


def results(name, form, elements, size):
    """Arrays full of numbers that no built-in returns."""
    dtypes = []
    for parameter in builtin(name).outputs:
        vector = parameter.type == "gentype" and builtin(name).widths
        dtypes += [np.dtype("i4") if parameter.type == "intn" else form.dtype] * (elements if vector else 1)
    return [np.full(size, 77, dtype) for dtype in dtypes]


def by_numpy(name, form, mode, args, elements):
    found = results(name, form, elements, args[0].size)
    with np.errstate(all="ignore"):
        phases.step(name, form, mode, choice.PLAIN)(args, found)
    return found


def natively(engine, name, form, mode, args, elements, *, contracted=True):  # noqa: PLR0917
    """The results of the library, and the elements that it leaves."""
    found = results(name, form, elements, args[0].size)
    key = label(name, form.name, mode, contracted=contracted, arguments=len(args))
    assert key in engine.library.wholes
    return found, engine.whole(key, args, found)


def same(found, wanted, left, args, reported):
    """Assert equal bits in all elements except the undecided ones."""
    decided = np.ones(args[0].size, bool)
    decided[left] = False
    for got, want in zip(found, wanted, strict=True):
        width = f"u{got.itemsize}"
        differ = np.flatnonzero((got.view(width) != want.view(width)) & decided)[:5]
        assert not differ.size, f"{reported}: {[a[differ] for a in args]}: {got[differ]} for {want[differ]}"


def of_every_kind(name, form, elements, count):
    """Arguments of one kind after the other, so that blocks are of one kind."""
    kinds = [arguments(name, form, elements, count, kind) for kind in KINDS]
    return [np.concatenate(columns) for columns in zip(*kinds, strict=True)]


@for_each("name, form, elements", COMPILED)
def test_the_bits_of_numpy(natives, name, form, elements):
    args = of_every_kind(name, form, elements, BLOCK)
    for contracted in (True, False) if name in (*IN_STEPS, "dot", "cross") else (True,):
        with pragmas.fp_contract("ON" if contracted else "OFF"):
            for mode in MODES:
                wanted = by_numpy(name, form, mode, args, elements)
                for engine in natives:
                    found, left = natively(engine, name, form, mode, args, elements, contracted=contracted)
                    same(found, wanted, left, args, (name, mode, contracted, engine.library.level))


@for_each("name, form, elements", [case for case in COMPILED if case[0] not in FORMULAS])
def test_the_bits_of_the_reference(natives, name, form, elements):
    args = of_every_kind(name, form, elements, FEW)
    exact = reference.enclose(name, args, form)
    for mode in MODES:
        found, left = natively(natives[0], name, form, mode, args, elements)
        if builtin(name).moves_bits:  # exact values do not distinguish NaNs
            for value in found:
                canonical(value, form)
        wanted = [np.array(v) if isinstance(v, np.ndarray) else round_enclosure(v, form, mode)[0] for v in exact]
        for want in wanted:
            if want.dtype == form.dtype:
                canonical(want, form)
        same(found, wanted, left, args, (name, mode))


def close_to_boundaries(name, elements, count):
    """Doubles whose products, and roots of sums of squares, are next to a double or a midpoint, at every distance."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    places = np.array([0, -1, -26, -27, -52, -53, -54, -79, -80, -81, -105, -106, -107, -108, -120, -160])
    found = []
    for i in range(number_of(name, elements)):
        exponent = rng.choice(places[: 1 if i % elements == 0 else None], count)
        digits = rng.choice([1.0, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 3.0, 4.0, 5.0, 2.0**27 + 1.0, 0.0], count)
        digits[: count // 2][rng.random(count // 2) < 0.7] = 1.0
        found.append(rng.choice([-1.0, 1.0], count) * digits * 2.0**exponent)
        if name == "dot" and i >= elements:  # for half of the elements, a sum of powers of two
            found[-1][: count // 2] = 1.0
    return found


MODERATE = sorted(
    {
        (key.rpartition(f"_{one.inputs[0]}_")[0], one.inputs[0], one.ways[0].holds_known["reach"])
        for key, one in wholes().items()
        if one.ways[0].holds is arithmetic.are_moderate
    }
)


def at_the_reach(form, reach, count, elements):
    """Numbers of all moderate sizes, many at both ends; zeros; some equal, and some sums that cancel."""
    rng = np.random.default_rng(reach)
    found = []
    for i in range(elements):
        ends = rng.choice([-reach, 1 - reach, reach, reach - 1], count)
        exponent = np.where(rng.random(count) < 0.3, ends, rng.integers(-reach, reach, count))
        if i:  # near the first in size
            exponent = np.where(rng.random(count) < 0.5, np.log2(np.abs(found[0]) + 2.0**-reach) // 1, exponent)
        few = rng.choice([1.0, 1.0 + form.eps, 1.5, 2.0 - form.eps, 1.0 + 2.0 ** -(form.precision // 2)], count)
        digits = np.where(rng.random(count) < 0.5, few, rng.uniform(1.0, 2.0, count))
        x = np.ldexp(digits, np.clip(exponent, -reach, reach).astype(int)).astype(form.dtype)
        found.append(np.clip(x, 2.0**-reach, 2.0**reach) * rng.choice([-1.0, 1.0], count).astype(form.dtype))
        found[-1][rng.random(count) < 0.05] = rng.choice([0.0, -0.0])
        same_as = rng.random(count) < 0.1
        found[-1][same_as] = found[0][same_as]
    if elements == 3:  # a sum that cancels fully, or except for one place
        opposite = -found[0] * found[1] * rng.choice([1.0 - form.eps, 1.0, 1.0 + form.eps], count).astype(form.dtype)
        fits = (np.abs(opposite) >= 2.0**-reach) & (np.abs(opposite) <= 2.0**reach) & (rng.random(count) < 0.5)
        found[2] = np.where(fits, opposite, found[2])
    ends = np.array([2.0**-reach, 2.0**reach, 1.0], form.dtype)
    ends = np.concatenate([ends, np.nextafter(ends, form.dtype.type(1.5))])
    every = np.meshgrid(*[np.concatenate([ends, -ends, 0.0 * ends[:1]])] * elements)
    return [np.concatenate([x, y.ravel()]) for x, y in zip(found, every, strict=True)]


def test_moderate_numbers_have_a_code_path():
    assert {(name, form) for name, form, _ in MODERATE} >= {("fma", "double"), ("smoothstep", "float")}


@for_each("stem, form, reach", MODERATE)
def test_moderate_numbers_take_a_shorter_code_path(natives, stem, form, reach):
    """Numbers in the entire moderate range give the bits of NumPy's engine, and of MPFR if it has the function."""
    form, name = format_named(form), stem.removesuffix("_in_steps")
    args = at_the_reach(form, reach, COUNT, len(wholes()[f"{stem}_{form}_rte"].inputs))
    assert arithmetic.are_moderate(*(a.astype(np.float64) for a in args), reach=reach).all()
    for beyond in (2.0**reach * (1.0 + form.eps), -(2.0**-reach) * (1.0 - form.eps / 2.0), np.inf, np.nan):
        assert not arithmetic.are_moderate(np.array([beyond]), reach=reach).any()
    known = reference.enclose("fma", [a[:FEW] for a in args], form)[0] if stem == "fma" else None
    with pragmas.fp_contract("ON" if stem == name else "OFF"):
        for mode in MODES:
            wanted = by_numpy(name, form, mode, args, 1)
            for engine in natives:
                found = results(name, form, 1, args[0].size)
                assert not engine.whole(f"{stem}_{form}_{mode}", args, found).size
                same(found, wanted, [], args, (stem, mode, engine.library.level))
            if known is not None:
                assert round_enclosure(known, form, mode)[0].tobytes() == wanted[0][:FEW].tobytes(), mode


def test_every_format_and_mode_is_compiled(natives):
    for engine in natives:
        assert set(engine.library.wholes) == set(wholes())


@pytest.mark.parametrize("name", ["fma", "fract", "ldexp"])
def test_strides_do_not_matter(natives, name):
    args = arguments(name, FLOAT, 1, 3000, "moderate")
    wanted = by_numpy(name, FLOAT, "rtp", args, 1)
    for engine in natives:
        scattered = [np.repeat(a, 3)[::3] for a in args]
        backwards = [a[::-1].copy()[::-1] for a in args]
        for some in (scattered, backwards):
            found = [np.full((t.size, 2), 77, t.dtype)[:, 1] for t in wanted]
            left = engine.whole(label(name, "float", "rtp", contracted=True, arguments=len(args)), some, found)
            assert not left.size
            for got, want in zip(found, wanted, strict=True):
                assert got.tobytes() == want.tobytes()
                assert (got.base.reshape(-1)[::2] == 77).all()


def beside_a_square(form, elements, count):
    """Points for which the first difference's rounding error and the sum of the other squares nearly cancel."""
    rng, found = np.random.default_rng(elements), np.empty((2, elements, count))
    exponent = rng.integers(form.emin // 3, form.emax // 3, count)
    down = rng.integers(form.precision + 6, 40 + form.emax // 3, count)
    top, low = (np.ldexp(rng.uniform(1.0, 2.0, count).astype(form.dtype), e) for e in (exponent, exponent - down))
    beside = np.sqrt(2.0 * top * low.astype(np.float64) / (elements - 1))
    about = [1.0, 1.0 + form.eps, 1.0 - form.eps, 0.5, 2.0, 0.0]
    for i in range(elements):
        found[0, i] = top if i == 0 else beside * rng.choice(about, count)
        found[1, i] = low if i == 0 else 0.0
    found *= rng.choice([-1.0, 1.0], count)
    return list(found[:, rng.permutation(elements)].reshape(2 * elements, count).astype(form.dtype))


def beside_midpoints(form, elements, count):
    """Points whose greatest difference is next to a number, a midpoint or neither; the others decide the side."""
    rng, found = np.random.default_rng(elements), np.zeros((2, elements, count))
    exponent = rng.integers(form.emin // 4, form.emax // 4, count)
    below = rng.integers(form.precision - 2, form.precision + 5, count)
    found[0, 0] = np.ldexp(1.0 + rng.integers(0, 1 << 20, count) * 2.0**-20, exponent)
    found[1, 0] = np.ldexp(rng.choice([1.0, 1.5, 1.75, 1.0 + 2.0**-22, -1.0, -1.5], count), exponent - below)
    for i in range(1, elements):
        found[0, i] = np.ldexp(rng.choice([0.0, 1.0, 1.25], count), exponent - rng.integers(26, 60, count))
    return list(found[:, rng.permutation(elements)].reshape(2 * elements, count).astype(form.dtype))


def with_one_that_dominates(form, elements, count):
    """Vectors of one number, some of them a power of two, and of others that are 2^-20 to 2^-60 of it, or zero."""
    rng = np.random.default_rng(elements)
    exponent = rng.integers(form.emin // 2, form.emax // 2, count)
    digits = np.where(rng.random(count) < 0.5, rng.choice([1.0, 1.5], count), rng.uniform(1.0, 2.0, count))
    found = [np.ldexp(digits, exponent)]
    for _ in range(1, elements):
        some = rng.uniform(1.0, 2.0, count) * rng.choice([0.0, 1.0, -1.0], count)
        found.append(np.ldexp(some, exponent - rng.integers(20, 61, count)))
    return [found[i].astype(form.dtype) for i in rng.permutation(elements)]


MADE = [(name, DOUBLE, close_to_boundaries) for name in ("dot", "cross", "length", "distance", "normalize")]
MADE += [("distance", form, made) for form in (FLOAT, DOUBLE) for made in (beside_a_square, beside_midpoints)]
MADE += [(name, DOUBLE, with_one_that_dominates) for name in ("length", "normalize")]


@for_each("elements", [2, 3, 4])
@for_each("name, form, made", MADE)
def test_sums_and_roots_next_to_boundaries(natives, name, form, made, elements):
    """On either side of boundaries, results have the bits of NumPy's engine and, except for the formula cross, of the
    reference.
    """
    if elements not in builtin(name).widths:
        return
    args = made(name if made is close_to_boundaries else form, elements, COUNT)
    exact = () if name in FORMULAS else reference.enclose(name, [a[:FEW] for a in args], form)
    for mode in MODES:
        wanted = by_numpy(name, form, mode, args, elements)
        for value, result in zip(exact, wanted, strict=bool(exact)):
            known = round_enclosure(value, form, mode)[0]
            canonical(known, form)
            assert known.tobytes() == result[:FEW].tobytes(), (name, mode)
        for engine in natives:
            reported = name, made, mode, engine.library.level
            found, left = natively(engine, name, form, mode, args, elements)
            assert left.size < 2 * COUNT // 3  # undecided: three squares within 2^-40 of a boundary
            same(found, wanted, left, args, reported)
            for i in range(100):  # alone: one element that a fast path leaves sends its block to the slow path
                one = [a[i : i + 1] for a in args]
                found, left = natively(engine, name, form, mode, one, elements)
                same(found, [w[i : i + 1] for w in wanted], left, one, reported)


@for_each("name, form, elements", COMPILED)
def test_ordinary_numbers_and_vectors_of_any_are_not_left_to_numpy(natives, name, form, elements):
    for kind in ("moderate", "digits", *(["patterns"] if builtin(name).widths else [])):
        args = arguments(name, form, elements, 2 * COUNT, kind)
        for mode in ("rtp",) if kind != "patterns" else ("rte", "rtz"):
            _, left = natively(natives[0], name, form, mode, args, elements)
            assert left.size <= 2 * COUNT // 100


@pytest.mark.usefixtures("natives")
@for_each("form", FORMS)
@for_each("name", IN_STEPS)
def test_contraction_is_looked_up_in_each_call(name, form):
    elements = 3 if builtin(name).widths else 1
    args, found = arguments(name, form, elements, COUNT, "moderate"), {}
    for state in ("ON", "OFF"):
        with pragmas.fp_contract(state), np.errstate(all="ignore"):
            found[state] = results(name, form, elements, COUNT)
            phases.step(name, form, "rte", choice.NATIVE)(args, found[state])
            wanted = by_numpy(name, form, "rte", args, elements)
        assert [g.tobytes() for g in found[state]] == [w.tobytes() for w in wanted], state
    assert found["ON"][0].tobytes() != found["OFF"][0].tobytes()


def test_elements_that_are_left_are_filled_in():
    """Test products beyond the range of exact products in one call with ordinary elements."""
    x = np.array([5.5, 1e300, -1e300, 7.0, 1e-310])
    y = np.array([2.0, 3e-300, 1e-308, 1e308, 3e-320])
    assert phases.step("dot", DOUBLE, "rte", choice.NATIVE) is not phases.step("dot", DOUBLE, "rte", choice.PLAIN)
    for name, args in (("dot", [x, y, y, x]), ("normalize", [x, y]), ("distance", [x, y, y, x])):
        for mode in MODES:
            wanted, found = (results(name, DOUBLE, 2, x.size) for _ in range(2))
            with np.errstate(all="ignore"):
                phases.step(name, DOUBLE, mode, choice.PLAIN)(args, wanted)
                phases.step(name, DOUBLE, mode, choice.NATIVE)(args, found)
            for got, want in zip(found, wanted, strict=True):
                assert got.tobytes() == want.tobytes(), (name, mode)


@for_each("dtype", [np.int64, np.uint64])
@for_each("name", ["mul_hi", "mad_hi", "mad_sat"])
def test_products_of_64_bits_equal_products_of_python_integers(natives, name, dtype):
    rng = np.random.default_rng(3)
    ends = [0, 1, 2, 1 << 31, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, (1 << 64) - 1]
    special = rng.choice(np.array(ends, np.uint64), (3, 2000))
    some = rng.integers(0, 1 << 64, (3, 2000), dtype=np.uint64) >> rng.integers(0, 64, (3, 2000), dtype=np.uint64)
    args = [a.view(dtype) for a in np.concatenate([special, some], axis=1)][: 2 if name == "mul_hi" else 3]
    least, most = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    exact = {
        "mul_hi": lambda a, b: (a * b) >> 64,
        "mad_hi": lambda a, b, c: (((a * b) >> 64) + c - least) % (1 << 64) + least,
        "mad_sat": lambda a, b, c: min(max(a * b + c, least), most),
    }[name]
    wanted = [exact(*element) for element in zip(*(a.tolist() for a in args), strict=True)]
    assert getattr(direct_integers, name)(*args).tolist() == wanted
    for engine in natives:
        found = np.full(args[0].size, 77, dtype)
        assert not engine.whole(f"{name}_{type_name(found.dtype)}", args, [found]).size
        assert found.tolist() == wanted, engine.library.level


def numbers_of(dtype, rng, count):
    """Bit patterns and ends of a type: zeros of both signs, subnormals, infinities, NaNs with payloads, shifts."""
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(bool)
    codes = np.dtype(f"u{dtype.itemsize}")
    generated = rng.integers(0, 1 << 8 * dtype.itemsize, count, codes).view(dtype)
    if dtype.kind == "f":
        form = next(form for form in FORMS if form.dtype == dtype)
        unit, top, quiet = 1 << form.precision - 1, int(form.bits(np.inf)), int(form.bits(form.nan))
        magnitudes = [0, 1, unit - 1, unit, unit + 1, int(form.bits(1.0)), top - 1, top, top | 1, quiet, quiet | 5]
        ends = np.array([code | sign for code in magnitudes for sign in (0, 1 << form.width - 1)], codes).view(dtype)
    else:
        info = np.iinfo(dtype)
        some = (0, 1, 2, 3, 7, 8, 31, 32, 63, 64, -1, -2, info.min, info.min + 1, info.max - 1, info.max)
        ends = np.array([n for n in some if info.min <= n <= info.max], dtype)
    return np.where(rng.random(count) < 0.6, rng.choice(ends, count), generated)


def arguments_of(key, one):
    """Arguments of an elementwise function, a fifth of them equal; fields lie within their words."""
    rng = np.random.default_rng(zlib.crc32(key.encode()))
    args = [numbers_of(dtype, rng, COUNT + 1) for dtype in one.inputs]
    same = rng.random(COUNT + 1) < 0.2
    args = [np.where(same, args[0], a) if a.dtype == args[0].dtype else a for a in args]
    if key.startswith("bitfield_"):
        width = 8 * args[0].itemsize
        offset = args[-2] % (width + 1)
        args[-2:] = [offset.astype(np.uint32), np.minimum(args[-1] % (width + 1), width - offset).astype(np.uint32)]
    return args


def test_elementwise_loops_have_the_bits_of_their_functions(natives):
    for key, one in elementwise():
        args = arguments_of(key, one)
        with np.errstate(all="ignore"):
            wanted = np.asarray(one.function(*args)).astype(one.output)
        for engine in natives:
            found = np.empty(COUNT + 1, one.output)
            assert not engine.whole(key, args, [found]).size, key
            places = np.flatnonzero(found.view(f"u{found.itemsize}") != wanted.view(f"u{found.itemsize}"))
            assert not places.size, (key, engine.library.level, [(a[places[0]], found[places[0]]) for a in args])


@pytest.mark.usefixtures("natives", "no_plans")
def test_integers_are_native_where_they_are_compiled(monkeypatch):
    """The public function takes strided arrays in chunks, calls the library and returns its results."""
    asked, loop = [], Native.whole_ufunc_loop
    monkeypatch.setattr(exact, "_MADE", {})
    monkeypatch.setattr(
        Native, "whole_ufunc_loop", lambda self, name, *given: asked.append(name) or loop(self, name, *given)
    )
    x = np.arange(-3000, 3000, dtype=np.int64)[::2] * ((1 << 50) + 1)
    assert clmath.mul_hi(x, x[::-1]).tolist() == [
        (a * b) >> 64 for a, b in zip(x.tolist(), x.tolist()[::-1], strict=True)
    ]
    assert asked == ["mul_hi_long"]


@pytest.mark.usefixtures("natives")
@pytest.mark.parametrize("form", FORMS, ids=str)
def test_vectors_and_strided_arrays_through_the_public_functions(form):
    """Vectors' components, every other element, reversed, broadcast and in-place arrays give the results of NumPy's
    engine.
    """
    rng = np.random.default_rng(11)
    p, q = (numbers(form, rng, 4 * 1500, "moderate").reshape(-1, 4) for _ in range(2))
    x, y = p.reshape(-1)[::2], q.reshape(-1)[::-2]
    column = np.zeros((1500, 3), form.dtype)[:, 1]
    calls = [
        ("dot", (p, q), "rte", None),
        ("cross", (p[:, :3], q[:, :3]), "rtp", None),
        ("normalize", (p[::3, 1:],), "rtz", None),
        ("distance", (p[0], q), "rte", None),
        ("mix", (x, y, x), "rtn", None),
        ("add", (x, y), "rte", None),
        ("fmod", (x.reshape(-1, 60), y.reshape(-1, 60)[:, :1]), "rte", None),
        ("fma", (p[:, 1], q[:, 2], p[:, 3]), "rtp", column),
    ]
    for name, args, mode, out in calls:
        found = [front.floats(name, args, mode, out, engine=engine).tobytes() for engine in ("native", "numpy")]
        assert found[0] == found[1], name
    in_place = x.copy()
    front.floats("fma", (in_place, y, in_place[::-1]), "rte", in_place, engine="native")
    assert in_place.tobytes() == front.floats("fma", (x, y, x[::-1]), "rte", engine="numpy").tobytes()
