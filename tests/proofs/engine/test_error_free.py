"""Lemmas on rounding errors, checked by the SIMD functions on every pair of numbers of 4 to 8 bits in a range of
exponents.

Sources: Dekker, A floating-point technique for extending the available precision (Numer. Math. 18, 1971); Sterbenz,
Floating-Point Computation (1974); Knuth, The Art of Computer Programming 2, 4.2.2; Boldo, Graillat and Muller, On the
robustness of the 2Sum and Fast2Sum algorithms (TOMS 44(1), 2017); Jeannerod and Rump, On relative errors of
floating-point operations (Math. Comp. 87, 2018). Each holds from 2 bits on, and does not depend on how many there are.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from tests.cases import for_each
from tests.proofs.engine.few_bits import Few, exact_sum

PRECISIONS = [4, 5, 6, 7, 8]
FORMS = [Few(precision) for precision in PRECISIONS]
WITH_SUBNORMALS = [Few(precision, least=-4 - precision) for precision in (4, 6)]
EVERY = FORMS + WITH_SUBNORMALS
of_every, without_ends = for_each("form", EVERY), for_each("form", FORMS)


def couples(form, apart=None):
    """All a from 1 to 2, or where exponents have an end all that are less than 16, and b of exponents up to so far."""
    if form.least > -100:
        every = np.unique(form.rounded(form.numbers(range(form.least - 1, 4))))
        a, b = np.meshgrid(every, every)
        return form.elements(a.ravel()), form.elements(b.ravel())
    apart = form.precision + 3 if apart is None else apart
    a, b = np.meshgrid(np.append(form.significands(), 0.0), form.numbers(range(-apart, apart + 1)))
    return form.elements(a.ravel()), form.elements(b.ravel())


def last_place(form, values):
    """The unit in the last place of numbers."""
    return np.ldexp(1.0, np.maximum(np.frexp(values)[1] - form.precision, form.least))


def is_multiple(values, unit):
    return np.rint(values / unit) * unit == values


@pytest.mark.slow
@pytest.mark.parametrize("precision", [2, 3])
def test_the_model_rounds_to_nearest_even(precision):
    """Every operation on all pairs, with and without subnormals, against the definition in fractions."""
    for form in (Few(precision), Few(precision, least=-5)):
        values = np.unique(form.rounded(form.numbers(range(-6, 3))))
        a, b = (form.elements(grid.ravel()) for grid in np.meshgrid(values, values[values != 0.0]))
        every = np.unique(form.rounded(form.numbers(range(-14, 12))))
        exact = [Fraction(x) for x in every.tolist()]
        for name in ("__add__", "__sub__", "__mul__", "__truediv__"):
            found = getattr(a, name)(b).values.tolist()
            for x, y, got in zip(a.values.tolist(), b.values.tolist(), found, strict=True):
                wanted = getattr(Fraction(x), name)(Fraction(y))
                place = np.searchsorted(every, float(wanted))
                near = range(max(place - 2, 0), min(place + 3, len(every)))
                away = min(abs(exact[i] - wanted) for i in near)
                best = [i for i in near if abs(exact[i] - wanted) == away]
                even = [i for i in best if is_multiple(every[i], 2 * last_place(form, every[i]))]
                assert got == every[(even if len(best) > 1 else best)[0]], (name, x, y)


@of_every
def test_sterbenz(form):
    """A difference a - b is exact where b / 2 <= a <= 2 b (Sterbenz, 4.3)."""
    a, b = couples(form)
    near = (b.values / 2 <= a.values) & (a.values <= 2 * b.values)
    assert near.sum() > len(form.significands()) ** 2
    assert np.array_equal((a - b).values[near], (a.values - b.values)[near])


@of_every
def test_two_sum(form):
    """Knuth: of any two numbers, subnormal ones too."""
    a, b = couples(form)
    s, e = form.functions()["two_sum"](a, b)
    assert np.array_equal(s.values, (a + b).values)
    assert np.array_equal(exact_sum(s.values, e.values), exact_sum(a.values, b.values))


@of_every
def test_fast_two_sum(form):
    """Dekker: where |a| >= |b| or a = 0; also where a is a multiple of b's last place, so of exponents as large.

    The tail is at most half a last place of the head.
    """
    a, b = couples(form)
    s, e = form.functions()["fast_two_sum"](a, b)
    holds = (np.abs(a.values) >= np.abs(b.values)) | (a.values == 0.0)
    wider = is_multiple(a.values, last_place(form, b.values))
    assert not (holds & ~wider & (b.values != 0.0)).any()
    assert (np.abs(e.values) <= last_place(form, s.values) / 2)[wider].all()
    exact = s.values + e.values == exact_sum(a.values, b.values)
    assert exact[holds | wider].all()
    assert not exact[~holds].all()
    assert (wider & ~holds).any()


@of_every
def test_differences_from_a_sum(form):
    """The sum s = a + b less b's part is a number where |a| >= |b|, and so is the error of any sum (Dekker)."""
    a, b = couples(form)
    s, larger = (a + b).values, np.abs(a.values) >= np.abs(b.values)
    assert np.array_equal(form.rounded(s - a.values)[larger], (s - a.values)[larger])
    error = exact_sum(exact_sum(a.values, b.values), -s)
    assert np.array_equal(form.rounded(error), error)


@without_ends
def test_split(form):
    """Veltkamp: p bits are h + l, h of p - s and l of s - 1 bits, s half of p rounded up."""
    a = form.elements(form.numbers([0]))
    h, low = form.functions()["split"](a)
    half = (form.precision + 1) // 2
    assert np.array_equal(h.values + low.values, a.values)
    assert np.array_equal(Few(form.precision - half).rounded(h.values), h.values)
    assert np.array_equal(Few(half - 1).rounded(low.values), low.values)
    assert (np.abs(low.values) <= 2.0**half * last_place(form, a.values) / 2).all()


@for_each(("precision", "shift"), [(p, s) for p in (5, 6, 7, 8) for s in range(2, p - 1)])
def test_heads_of_splittings_are_multiples(precision, shift):
    """Heads are multiples of 2^(e + s - p + 1) for all numbers of a format from 2^e to 2^(e + 1)."""
    form = Few(precision)
    a = form.elements(form.significands())
    t = form.elements(np.array(2.0**shift + 1.0)) * a
    head = (t - (t - a)).values
    unit = 2.0 ** (shift - precision + 1)
    assert np.array_equal(head / unit, np.rint(head / unit))
    assert np.all(np.abs(a.values - head) <= unit / 2)


@of_every
def test_two_product(form):
    """Dekker's product by splitting and the fused one are exact if the product of last places is at least the least
    number.
    """
    a, b = couples(form, 2)
    unit = last_place(form, a.values) * last_place(form, b.values)
    inside = (unit >= 2.0**form.least) | (a.values * b.values == 0.0)
    p, e = form.functions()["two_product"](a, b)
    fused = form.fma(a, b, -(a * b))
    assert np.array_equal(p.values, (a * b).values)
    for tail in (e, fused):
        assert np.array_equal((p.values + tail.values)[inside], (a.values * b.values)[inside])
        assert inside.all() or not np.array_equal(p.values + tail.values, a.values * b.values)
        off = np.abs(p.values + tail.values - a.values * b.values)[~inside]
        assert (off <= 3.0 * 2.0**form.least).all()  # the prover allows for 2^44 times the least double


@of_every
def test_nearest(form):
    """By the magic constant 1.5 x 2^(p-1): the nearest integer of |x| < 2^(p-2), ties to even, as number and int."""
    bound = 2.0 ** (form.precision - 2)
    every = np.unique(form.rounded(form.numbers(range(-6, form.precision - 2))))
    x = form.elements(every[np.abs(every) < bound])
    whole, count = form.functions()["nearest"](x)
    assert np.array_equal(whole.values, np.rint(x.values))
    assert np.array_equal(count, np.rint(x.values))


@without_ends
def test_remainder_of_a_quotient(form):
    """The rest a - q b of the nearest quotient q is a number of the format (Dekker; Boldo and Daumas, 2003)."""
    a, b = couples(form, 2)
    a, b = (form.elements(x.values[b.values != 0.0]) for x in (a, b))
    q = a / b
    rest = a.values - q.values * b.values
    assert np.array_equal(form.rounded(rest), rest)
    assert np.array_equal(form.fma(-q, b, a).values, rest)


@without_ends
def test_remainder_of_a_square_root(form):
    """The rest a - s^2 of the nearest root s is a number of the format, and so is found by halves as a kernel does."""
    every = form.numbers([-1, 0], zero=False)
    a = form.elements(every[every > 0.0])
    functions = form.functions()
    s = functions["sqrt"](a)
    rest = a.values - s.values * s.values
    assert np.array_equal(form.rounded(rest), rest)
    first, second = functions["split"](s)
    assert np.array_equal((((a - first * first) - (first + first) * second) - second * second).values, rest)


@without_ends
def test_the_error_of_one_rounding(form):
    """At most u / (1 + u) of the exact value, and u of the rounded one, u = 2^-p; sums reach the first."""
    a, b = couples(form, form.precision + 1)
    unit = 2.0**-form.precision
    for exact, found in ((a.values + b.values, a + b), (a.values * b.values, a * b)):
        error = np.abs(found.values - exact)
        assert (error * (1 + unit) <= unit * np.abs(exact)).all()
        assert (error <= unit * np.abs(found.values)).all()
    error, exact = np.abs((a + b).values - (a.values + b.values)), np.abs(a.values + b.values)
    assert (error * (1 + unit) == unit * exact)[exact > 0.0].any()
    a, b = (form.elements(x.values[b.values != 0.0]) for x in (a, b))
    q = (a / b).values  # q = (a / b)(1 + d): |q b - a| = |d| |a|
    assert (np.abs(q * b.values - a.values) * (1 + unit) <= unit * np.abs(a.values)).all()


@for_each("form", FORMS)
def test_roots_of_powers_of_four(form):
    """RN(sqrt(4^k x)) = 2^k RN(sqrt(x)): every number of a format without ends."""
    x = form.numbers(range(2), zero=False)
    x = x[x > 0.0]
    root = form.functions()["sqrt"](form.elements(x)).values
    for k in range(-20, 21):
        other = form.functions()["sqrt"](form.elements(np.ldexp(x, 2 * k))).values
        assert np.array_equal(other, np.ldexp(root, k))
