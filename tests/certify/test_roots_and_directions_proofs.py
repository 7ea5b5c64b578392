"""Proofs of cbrt, hypot, atan2 and atan2pi: seen again by the second checker, attacked, and with faults planted."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import PROOFS, directions, roots
from clmath.engines.device.program import Value
from clmath.kernels.quick import inverse_trigonometric as angles
from clmath.kernels.quick import power
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify import second_checker_of_enclosures as second
from tests.certify.few_bits import Few
from tests.certify.second_checker import ONE, Double, Form, Undecided, exact
from tests.certify.second_checker import double as exactly

KERNELS = (*roots.NAMES, *directions.NAMES)
LEAST_SEEN = 2.0**-99  # slopes that the second checker's unit reaches
EXACTLY = gmpy2.context(precision=200)


def parts_of(kernel):
    return {part.name: part for part in PROOFS["quick", kernel](kernel)}


def stated(kernel):
    """The part that is statements."""
    return parts_of(kernel)["angles" if kernel.startswith("atan2") else "root"]


def seen(part):
    """Its pieces that the second checker can look at."""
    return [piece for piece in part.pieces() if not 0.0 < min(abs(piece[1]), abs(piece[2])) < LEAST_SEEN]


# the second checker


@pytest.mark.parametrize("kernel", KERNELS)
def test_enclosures_are_verified_again(kernel, draw):
    part = stated(kernel)
    pieces = seen(part)
    for which, low, high in draw.sample(pieces, min(10, len(pieces))):
        answer = second.encloses(part.traced, part.statement(which), low, high, Fraction(99, 100))
        assert answer.holds, (which, low, high, float(answer.share))


def entries_are_right(part, which, ideal):
    """Whether the sum of two entries is as near to ``ideal`` as is said, by the second checker."""
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(part.listed[which]), {})
    total = run(Value(part.parts[0])).form + run(Value(part.parts[1])).form
    return (total - ideal).size() <= Fraction(part.off) * ONE


def ideal_entry(kernel, which):
    if kernel != "cbrt":
        return second.angle_of(Fraction(which, 64))
    rest, place = which
    return second.power_of_number(2**rest / Fraction(float(power.RECIPROCAL[place])), Fraction(1, 3))


@pytest.mark.parametrize("kernel", ["cbrt", "atan2", "atan2pi"])
def test_entries_are_verified_again(kernel):
    part = parts_of(kernel)["entries"]
    for which in part.listed:
        assert entries_are_right(part, which, ideal_entry(kernel, which))


def cell_of(low, high, grid):
    """Multiples of 2^grid, 24 bits each."""
    return Double(Form(exact((low + high) / 2).p + exact((high - low) / 2).p), grid, 24)


def short(x):
    """A float that is known."""
    return dataclasses.replace(exactly(x), bits=24)


def squares_are_right(part, larger, smaller):
    """Whether the sum of squares is as near as is said: for a cell of the larger number, and one smaller number."""
    numbers = {0: cell_of(*larger, -23), 1: short(smaller)}
    run = second.Enclosure(part.traced.program, part.traced.tables, numbers, {})
    run.known |= dict(zip(part.order, (True, False), strict=True))
    ideal = sum((x.form * x.form for x in (numbers[0], numbers[1])), Form([0]))
    return (run(Value(part.total)).form - ideal).size() <= Fraction(2) ** -52 * ideal.least()


def some_floats(draw, low, high, count):
    return [float(np.float32(draw.uniform(low, high))) for _ in range(count)]


def test_squares_are_verified_again(draw):
    part = parts_of("hypot")["squares"]
    for smaller in some_floats(draw, 2.0**-14, 1.0, 20):
        low = 1.0 + draw.randrange(512) / 512
        assert squares_are_right(part, (Fraction(low), Fraction(low) + Fraction(1, 512)), smaller)


def quotients_are_right(part, place, larger, smaller):
    """Whether a - c b and b + c a are exact: for a cell of b, and one a."""
    numbers = {1: cell_of(*larger, -23), 0: short(smaller)}
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(numbers), {})
    run.known |= dict(zip(part.order, (False, True), strict=True))
    run.known |= {part.place[0]: exactly(place), part.place[1]: place}
    c = exact(Fraction(place, 64))
    less = numbers[0].form - c * numbers[1].form
    more = numbers[1].form + c * numbers[0].form
    units = 100  # that the products here round to
    found = [run(Value(number)).form - ideal for number, ideal in zip(part.parts, (less, more), strict=True)]
    return all(form.size() <= units for form in found)


def place_and_lengths(draw):
    place, low = draw.randrange(1, 65), 1 + Fraction(draw.randrange(1024), 1024)
    cell = low, low + Fraction(1, 2**13)
    smaller = float(np.float32(float(low) * (place - draw.uniform(0.0, 0.4)) / 64))
    return place, cell, smaller


def test_quotients_are_verified_again(draw):
    part = parts_of("atan2")["quotients"]
    for _ in range(20):
        assert quotients_are_right(part, *place_and_lengths(draw))


# what parts are given is what arguments reach


def floats(draw, count):
    """Floats of all sizes and both signs."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    x = numbers.integers(0, 0x7F800000, count, np.int32).view(np.float32).astype(np.float64)
    return np.where(numbers.integers(0, 2, count), x, -x)


def couples(draw, count):
    """Of any sizes, and of nearly the same size."""
    x, y = floats(draw, count), floats(draw, count)
    numbers = np.random.default_rng(draw.getrandbits(32))
    with np.errstate(over="ignore"):
        near = (x * np.exp2(numbers.uniform(-15.0, 15.0, count))).astype(np.float32).astype(np.float64)
    y = np.where(np.arange(count) & 1, near, y)
    kept = np.isfinite(x) & np.isfinite(y) & (x != 0.0) & (y != 0.0)
    return x[kept], y[kept]


def test_every_argument_of_cbrt_is_in_a_piece(draw):
    parts = parts_of("cbrt")
    whole, thirds = parts["root"], parts["exponents"]
    x = np.concatenate([floats(draw, 500), 2.0 ** np.arange(-149, 128), np.array([1.0, 2.0, 4.0]) * (1.0 - 2.0**-24)])
    found = concrete.values(whole.traced, x[x != 0.0])
    exponents = found[thirds.exponent].tolist()
    assert {which for which, *_ in thirds.pieces()} >= set(exponents)
    for i, n in enumerate(found[thirds.thirds].tolist()):
        ways = {which: said for which, (said, _) in whole.claimed.items() if is_given(said, found, i)}
        ((which, said),) = ways.items()
        m = found[said.argument][i]
        assert any(low <= m <= high for low, high in whole.claimed[which][1])
        assert said.exponent == thirds.thirds
        assert said.powers[0] <= n <= said.powers[1]


def is_given(said, found, i):
    return all(found[number][i] == known for number, known in (*said.integers, *said.conditions))


@pytest.mark.parametrize("kernel", directions.NAMES)
def test_every_direction_is_in_a_piece(kernel, draw):
    parts = parts_of(kernel)
    whole, quotients = parts["angles"], parts["quotients"]
    y, x = couples(draw, 300)
    found = concrete.values(whole.traced, y, x)
    special = [number for number, known in next(iter(whole.claimed.values()))[0].conditions if not known]
    special = [n for n in special if n not in {quotients.order[0], quotients.backward}]
    ordinary = ~np.any([found[number] for number in special], axis=0)
    assert ordinary.mean() > 0.25
    for i in np.flatnonzero(ordinary):
        ((which, said),) = [(w, s) for w, (s, _) in whole.claimed.items() if is_given(s, found, i)]
        a, b = sorted(map(abs, (Fraction(y[i]), Fraction(x[i]))))
        c = Fraction(which[-1], 64)
        exact_slope = (a - c * b) / (b + c * a)
        assert any(low <= exact_slope <= high for low, high in whole.claimed[which][1])
        assert abs(Fraction(found[said.argument][i]) - exact_slope) <= Fraction(said.off) * abs(exact_slope)
        assert abs(a / b - c) <= Fraction(directions.REACH)


def test_every_sum_of_squares_is_in_a_piece(draw):
    whole = parts_of("hypot")["root"]
    said, pieces = whole.claimed["sum"]
    x, y = couples(draw, 2000)
    found = concrete.values(whole.traced, x, y)
    ordinary = ~np.any([found[number] for number, _ in said.conditions], axis=0)
    for i in np.flatnonzero(ordinary)[:300]:
        a, b = sorted(map(abs, (Fraction(x[i]), Fraction(y[i]))), reverse=True)
        k = int(np.frexp(float(a))[1]) - 1
        z = (a * a + b * b) / Fraction(4) ** k
        assert said.powers[0] <= k <= said.powers[1]
        assert any(low <= z <= high for low, high in pieces)
        assert Fraction(2) ** -14 * a <= b
        assert abs(Fraction(found[said.argument][i]) / Fraction(4) ** k - z) <= Fraction(said.off) * z


# real errors


def exact_of(kernel, *arguments):
    x = [gmpy2.mpfr(float(a)) for a in arguments]
    with EXACTLY:
        if kernel == "cbrt":
            return gmpy2.cbrt(x[0])
        if kernel == "hypot":
            return gmpy2.hypot(*x)
        angle = gmpy2.atan2(*x)
        return angle / gmpy2.const_pi() if kernel == "atan2pi" else angle


@pytest.mark.parametrize("kernel", KERNELS)
def test_no_error_is_larger_than_what_is_proven(kernel, draw):
    """As a share of the bound, less the rounding of ends."""
    part = stated(kernel)
    (proven,) = [one["worst"] for one in certificate("quick", kernel)["parts"] if one["name"] == part.name]
    arguments = (floats(draw, 3000),) if kernel == "cbrt" else couples(draw, 3000)
    function = getattr(power if kernel in roots.NAMES else angles, kernel)
    with np.errstate(all="ignore"):
        value, err = function(*arguments)
    met = 0.0
    for i in np.flatnonzero((err > 0.0) & np.isfinite(value) & (value != 0.0)):
        error = abs(gmpy2.mpfr(float(value[i])) - exact_of(kernel, *(a[i] for a in arguments)))
        bound = err[i] - np.spacing(abs(value[i]) + err[i]) / 2
        met = max(met, float(error / gmpy2.mpfr(float(bound))))
    assert 0.1 < met <= proven


# faults


def without_operation(name, count):
    """What the statement number ``count`` of an operation gives counts as 0."""

    def change(traced):
        numbers = [i for i, s in enumerate(traced.program.statements) if s.operation == name]
        return planted.without(len(traced.program.inputs) + numbers[count])(traced)

    return change


def part_of_bound(bound, share):
    return planted.constant(bound, bound * share)


SHOWN = {
    "cbrt": [(1, 0, 0), (1, 1, 64), (-1, 2, 127)],
    "hypot": ["sum"],
    "atan2": [(1, False, False, 0), (1, True, False, 1), (-1, False, True, 32), (1, True, True, 64)],
    "atan2pi": [(1, False, False, 0), (1, True, False, 1), (-1, False, True, 32), (1, True, True, 64)],
}
# cbrt's last coefficient is smaller than what bounds leave
ENCLOSURES = {
    **{
        f"cbrt: coefficient {i}": ("cbrt", planted.raised(c, n))
        for i, (c, n) in enumerate(zip(power.CBRT_TAIL, (40, 31, 23, 16, 9, 1), strict=False))
    },
    "cbrt: bound halved": ("cbrt", part_of_bound(power.CBRT_BOUND, 0.5)),
    "cbrt: bias of the power": ("cbrt", planted.integer(1023, 1024)),
    "cbrt: rows": ("cbrt", planted.integer(128, 127)),
    "hypot: bound halved": ("hypot", part_of_bound(power.BOUND, 0.5)),
    **{
        f"atan2: coefficient {i}": ("atan2", planted.raised(c, n))
        for i, (c, n) in enumerate(zip(angles.ATAN_TAIL, (32, 18, 4), strict=False))
    },
    "atan2: bound halved": ("atan2", part_of_bound(angles.ATAN2_BOUND, 0.5)),
    "atan2: tail left out": ("atan2", planted.without(62)),
    "atan2: half a turn": ("atan2", planted.raised(angles.HALF_PI_HI, 48)),
    "atan2pi: bound halved": ("atan2pi", part_of_bound(angles.ATAN2_BOUND, 0.5)),
    "atan2pi: 1/pi": ("atan2pi", planted.raised(angles.ONE_OVER_PI_HI, 48)),
    "atan2pi: rest of the product left out": ("atan2pi", planted.constant(angles.ONE_OVER_PI, 0.0)),
}


def altered(part, change):
    return dataclasses.replace(part, traced=change(part.traced))


def shown(part, kernel):
    return [piece for piece in seen(part) if piece[0] in SHOWN[kernel]]


def is_verified(part, pieces):
    try:
        return all(
            second.encloses(part.traced, part.statement(which), low, high, deepest=3).holds
            for which, low, high in pieces
        )
    except (AssertionError, Undecided):
        return False


@pytest.mark.slow
@for_each("fault", ENCLOSURES)
def test_faults_of_enclosures_are_found_by_both(fault):
    kernel, change = ENCLOSURES[fault]
    right = stated(kernel)
    part = altered(right, change)
    pieces = shown(part, kernel)
    assert planted.is_refused(part, right, pieces)
    assert not is_verified(part, pieces)


@pytest.mark.parametrize("kernel", KERNELS)
def test_both_find_nothing_there_without_faults(kernel):
    part = stated(kernel)
    pieces = shown(part, kernel)
    assert not prove(part, pieces=pieces).failed
    assert is_verified(part, pieces[:: len(pieces) // 8 + 1])


TABLES = {"cbrt": ("CBRT_HI", "CBRT_LO", "RECIPROCAL"), "atan2": ("ATAN_HI",), "atan2pi": ("ATAN_HI",)}
ENTRIES = [(kernel, table, ulps) for kernel, tables in TABLES.items() for table in tables for ulps in (1, -1)]


@pytest.mark.slow
@for_each(("kernel", "table", "ulps"), ENTRIES)
def test_entries_one_place_off_are_found_by_both(kernel, table, ulps):
    module = power if kernel == "cbrt" else angles
    right = parts_of(kernel)["entries"]
    ulps = ulps * 8 if table.endswith("LO") else ulps  # of an entry that is a rounding error's itself
    part = altered(right, planted.entry(getattr(module, table), 37, ulps))
    which = (0, 37) if kernel == "cbrt" else 37
    assert not prove(right, pieces=[(which, 0.0, 0.0)]).failed
    assert prove(part, pieces=[(which, 0.0, 0.0)], enough=1).failed
    if table != "RECIPROCAL":  # that is told to the second checker as it should be
        assert not entries_are_right(part, which, ideal_entry(kernel, which))


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1])
def test_a_square_left_out_is_found_by_both(count, draw):
    right = parts_of("hypot")["squares"]
    part = altered(right, without_operation("double.mul", count))
    assert planted.is_refused(part, right, draw.sample(list(part.pieces()), 3))
    assert not squares_are_right(part, (Fraction(3, 2), Fraction(2)), 1.25)


REDUCTIONS = {
    "cbrt: thirds": ("cbrt", "exponents", planted.integer(3, 2)),
    "cbrt: a third": ("cbrt", "exponents", planted.constant(1.0 / 3.0, 0.34)),
    "cbrt: rounding to nearest": ("cbrt", "exponents", planted.constant(1.0, 0.0)),
    "cbrt: mask of the place": ("cbrt", "places", planted.integer(127, 63)),
    "cbrt: shift of the place": ("cbrt", "places", planted.integer(45, 46)),
    "cbrt: mantissa": ("cbrt", "places", planted.integer(power.MANTISSA, power.MANTISSA >> 1)),
    "atan2: step": ("atan2", "places", planted.constant(0.015625, 0.015625 * (1 + 2.0**-52))),
    "atan2: steps": ("atan2", "places", planted.constant(64.0, 63.0)),
    "atan2pi: steps": ("atan2pi", "places", planted.constant(64.0, 65.0)),
    "atan2: c a left out": ("atan2", "quotients", lambda traced: without_product(traced, 1)),
    "atan2: c b left out": ("atan2", "quotients", lambda traced: without_product(traced, 0)),
    "atan2: c": ("atan2", "quotients", planted.constant(0.015625, 0.015625 * (1 + 2.0**-30))),
}


def without_product(traced, second_one):
    """The trace without c b or c a: the operands of the parts of the quotient."""
    part = parts_of("atan2")["quotients"]
    statement = traced.program.statements[part.parts[second_one] - len(traced.program.inputs)]
    return planted.without(statement.operands[1].number)(traced)


def with_change(part, change):
    return planted.altered(part, change) if hasattr(part, "family") else altered(part, change)


@pytest.mark.slow
@for_each("fault", REDUCTIONS)
def test_faults_of_reductions_are_found(fault):
    kernel, name, change = REDUCTIONS[fault]
    right = parts_of(kernel)[name]
    pieces = [piece for piece in right.pieces() if not isinstance(piece[0], tuple) or piece[0][3:4] in {(), (5,)}]
    assert not prove(right, pieces=pieces).failed
    assert planted.is_refused(with_change(right, change), right, pieces)


@pytest.mark.slow
@pytest.mark.parametrize("second_one", [0, 1])
def test_a_product_left_out_of_the_quotient_is_seen_by_the_second_checker(second_one, draw):
    part = altered(parts_of("atan2")["quotients"], lambda traced: without_product(traced, second_one))
    assert not quotients_are_right(part, *place_and_lengths(draw))


def test_quotients_are_of_what_is_said():
    part = parts_of("atan2")["quotients"]
    with pytest.raises(LookupError, match="no quotient"):
        dataclasses.replace(part, parts=part.parts[::-1])


CLAIMS = {
    "another angle": {"function": ("angle", 1.0, 0.0, 1.0, 33 / 64)},
    "no condition": {"conditions": ()},
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_false_claims_are_refused_by_both(claim):
    right = stated("atan2")
    which = (1, False, False, 32)
    said, pieces = right.claimed[which]
    part = dataclasses.replace(right, claimed={which: (dataclasses.replace(said, **CLAIMS[claim]), pieces)})
    assert not prove(right, pieces=[(which, *pieces[1])]).failed
    assert prove(part, enough=1).failed
    try:
        assert not is_verified(part, [(which, *pieces[1])])
    except AttributeError as refused:
        assert claim == "no condition", refused  # noqa: PT017


# the root of 4^k x


@pytest.mark.parametrize("precision", [5, 6, 7, 8])
def test_roots_of_powers_of_four(precision):
    """RN(sqrt(4^k x)) = 2^k RN(sqrt(x)), and 2 does not do: every number of a format without ends."""
    form = Few(precision)
    x = form.numbers(range(2), zero=False)
    x = x[x > 0.0]
    root = form.functions()["sqrt"](form.lanes(x)).values
    for k in range(-20, 21):
        other = form.functions()["sqrt"](form.lanes(np.ldexp(x, 2 * k))).values
        assert np.array_equal(other, np.ldexp(root, k))


def test_roots_of_odd_powers_are_unproven():
    part = stated("hypot")
    said, pieces = part.claimed["sum"]
    odd = dataclasses.replace(part, claimed={"sum": (dataclasses.replace(said, scale=1), pieces)})
    assert "an odd power" in prove(odd, pieces=list(odd.pieces())[:1]).failed[0]
