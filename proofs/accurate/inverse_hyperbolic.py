"""asinh, acosh, atanh: f(x) = log w(x), or half of that, w a sum or a quotient; polynomials near zero.

y + rest is w(x), nearly, for every x; y = 2^k m and l + l_lo is the logarithm of 2^k (m + m_lo) for every m at each
place, every k and every m_lo that is small enough; the kernel's value is f(x) for every pair l + l_lo that is so near
to log w(x). Where x is large, l + l_lo is log(2 x).
"""

from __future__ import annotations

from clmath.kernels.accurate import inverse_hyperbolic as accurate
from proofs.accurate.logarithm import LAYOUT
from proofs.fast.logarithm import places
from proofs.lemmas import *

X = VARIABLE
LEFT = 2.0**-51  # size of m_lo
REST = 2.0**-51.6  # size of rest, relative to y; no m is larger than 1.4036
LEAST = 1.0019  # of y: f is above SMALL
LOGS = 60  # k is smaller, where x is not large
NEAR, NEAR_OFF = 1.01, 0.75 * 2.0**-69  # up to this y the error of the logarithm, relative to the logarithm
OFF = 2.0**-78  # error of the logarithm elsewhere
LOWER = 2.0**-26  # size of the second part of the logarithm
BESIDE = 0.3  # of a last place: a number as near to a double as that rounds like a number nearer to the double
SECOND, ROUNDED = 2.0**-52.4, 2.0**-52.41  # size of s_lo and error of s, relative to the root
EXACT = 2.0**-104  # error of y + rest as the sum, relative to y


@dataclass(frozen=True)
class Reach:
    """The arguments ``start`` + d, or less d where ``below``, d from ``low`` to ``high``; ``off``: the error of w."""

    low: float
    high: float
    off: float = 0.0
    start: float = 0.0
    below: bool = False

    def ends(self, first: float, last: float) -> tuple[float, float]:
        """Return the arguments for d from ``first`` to ``last``."""
        return (self.start - last, self.start - first) if self.below else (self.start + first, self.start + last)

    def binades(self) -> Iterator[tuple[float, float]]:
        """Yield the ends of arguments in binades of d."""
        yield from (self.ends(s.low, s.high) for s in binades(self.low, self.high))

    def quarters(self) -> Iterator[tuple[float, float]]:
        """Yield the ends of arguments in quarters of binades of d, without the next power of two."""
        for s in binades(self.low, self.high):
            inner = (s.low + (s.high - s.low) * i / 4 for i in range(1, 4))
            yield from (self.ends(*ends) for ends in pairwise((s.low, *inner, math.nextafter(s.high, 0.0))))
        yield self.ends(self.high, self.high)


@dataclass(frozen=True)
class Kernel:
    """A function: ``grown`` is w, ``near`` the greatest x whose w is below NEAR; ``either``: x that may be small.

    ``special``: conditions of ordinary arguments. ``sums`` and ``small``: the other x, and the x near zero.
    """

    grown: Callable[[Term], Term]
    near: float
    special: Mapping[str, bool]
    sums: tuple[Reach, ...]
    small: tuple[Reach, ...]
    either: tuple[float, float] = (0.0, 0.0)
    factor: float = 1.0
    is_odd: bool = True

    def exact(self, x: Term) -> Term:
        """Return f(x)."""
        return log(self.grown(x)) * self.factor

    def off(self, s: Subinterval) -> float:
        """Return the error of w relative to w, or of a small root relative to the root."""
        return 2.0**-100 if s.of == "small" else self.sums[s.of].off

    def ordinary(self, *, small: bool) -> Properties:
        """Return the argument, and whether it is small."""
        return {**self.special, "x": doubles(snapped=True), "small": small}

    def encloses(self) -> Claims:
        """Return the claims of the kernel's result, for negative arguments, too."""
        claims: list[Claim] = [encloses(self.exact(X)), Is("exponent", 0)]
        return [*claims, OfNegative(encloses(-self.exact(X)))] if self.is_odd else claims

    def over(self) -> tuple[Subinterval, ...]:
        """Return the arguments that are neither small nor large."""
        return tuple(at(*ends, of=i) for i, reach in enumerate(self.sums) for ends in reach.quarters())

    def roots(self) -> tuple[Subinterval, ...]:
        """Return the arguments whose root is used."""
        small = () if self.is_odd else self.small
        return *self.over(), *(at(*ends, of="small") for reach in small for ends in reach.quarters())


SMALL = Reach(accurate.TINY, accurate.DECIDED), Reach(accurate.DECIDED, accurate.SMALL)
# x - 1 where the root is about SMALL
ABOUT_SMALL = 2.0**-19 * (1.0 - 2.0**-19), 2.0**-19
KERNELS = {
    "asinh": Kernel(
        lambda x: x + sqrt(x * x + 1),
        math.sinh(math.log(NEAR)) * (1.0 - 2.0**-30),
        {"tiny": False, "inside": True},
        (Reach(accurate.SMALL, accurate.LARGE, 2.0**-78.3),),
        SMALL,
    ),
    "acosh": Kernel(
        lambda x: x + sqrt((x - 1) * (x + 1)),
        1.0 + (math.cosh(math.log(NEAR)) - 1.0) * (1.0 - 2.0**-20),
        {"inside": True},
        (
            Reach(ABOUT_SMALL[0], 2.0**-10, 2.0**-90, 1.0),
            Reach(2.0**-10, 1.0, 2.0**-78.3, 1.0),
            Reach(2.0, accurate.LARGE, 2.0**-78.3),
        ),
        (Reach(2.0**-52, ABOUT_SMALL[0], 0.0, 1.0), Reach(*ABOUT_SMALL, 0.0, 1.0)),
        (1.0 + ABOUT_SMALL[0], 1.0 + ABOUT_SMALL[1]),
        is_odd=False,
    ),
    "atanh": Kernel(
        lambda x: (1 + x) * inverse(1 - x),
        math.tanh(math.log(NEAR) / 2.0) * (1.0 - 2.0**-30),
        {"tiny": False, "inside": True},
        (Reach(accurate.SMALL, 0.5, 2.0**-99), Reach(2.0**-53, 0.5, 2.0**-99, 1.0, below=True)),
        SMALL,
        factor=0.5,
    ),
}


def placed(f: Traced) -> Lemma:
    """Return the lemma that y is 2^k m with m at its place, by its encoding; and that the unit is 2^-k."""
    units = lemma("units", f, (at(kind="k", k=k) for k in range(LOGS + 1)))
    return joined(
        "places", places(f, LAYOUT, "k"), units(lambda s: {"k": s.k}, lambda s: equals(unit=power_of_2(-s.k)))
    )


def root(name: str, x: Term) -> Term:
    """Return the root in w."""
    return sqrt(x * x + 1 if name == "asinh" else (x - 1) * (x + 1))


def is_ordered(name: str, s: Subinterval) -> bool:
    """Whether the two numbers of the sum may be nearly equal."""
    return s.low >= (1.0 if name == "asinh" else 2.0)


def roots(f: Traced, name: str, of: Kernel) -> Lemma:
    """Return the lemma that s is near the root; and where s may be next to b = x, that s and b are in order.

    The root of z is nearer to the right side of b, a double, than to the next double on the wrong side.
    """

    def claim(s: Subinterval) -> Claims:
        exact = root(name, X)
        claims: list[Claim] = [near(v.s, exact, least(exact) * ROUNDED)]
        if is_ordered(name, s):
            difference = sqrt(v.z) - v.b if name == "asinh" else v.b - sqrt(v.z)
            half = math.ldexp(0.5, last_place(s.low))  # below a power of two doubles are nearer
            claims.append(near(difference, 0.5, 0.5 + half * (0.25 if s.low == s.high else 0.75)))
        is_either = of.either[0] <= s.low and s.high <= of.either[1]
        return claims if name == "asinh" or is_either else [*claims, Is("small", expected=s.of == "small")]

    powers = (at(s.low, s.low, of=s.of) for s in of.roots() if math.frexp(s.low)[0] == 0.5)
    beyond = (at(math.nextafter(s.low, s.high), s.high, of=s.of) for s in of.roots() if s.low < s.high)
    return lemma("roots", f, (*powers, *beyond))({**of.special, "x": doubles(snapped=True)}, claim)


def residuals(f: Traced, name: str, of: Kernel) -> Lemma:
    """Return the lemma that s + s_lo is the root, for every s that is near the root."""

    def assume(s: Subinterval) -> Properties:
        exact = root(name, X)
        lowest = math.hypot(s.low, 1.0) if name == "asinh" else math.sqrt((s.low - 1.0) * (s.low + 1.0))
        grid = last_place(lowest * (1.0 - 2.0**-40))
        first = Number(exact * (1 + unknown(ROUNDED)), grid, paired=True)
        return {**of.special, "x": doubles(snapped=True), "s": first}

    def claim(s: Subinterval) -> Claims:
        exact = root(name, X)
        size = exact if s.of == "small" else of.grown(X)
        return [near(v.s + v.s_lo, exact, least(size) * of.off(s)), bounded(v.s_lo * inverse(exact), SECOND)]

    return lemma("residuals", f, of.roots())(assume, claim)


def in_range() -> list[Claim]:
    """Return the claims that ``rest`` is small, and y in the range of the lemma of the logarithm."""
    return [bounded(v.rest, least(v.y) * REST), near(inverse(v.y), 0.499, 1.0 / LEAST - 0.499), bounded(v.y, 2.0**LOGS)]


def sums(f: Traced, name: str, of: Kernel) -> Lemma:
    """Return the lemma that y + rest is b + s + s_lo, for all s + s_lo near enough to the root in w."""

    def assume(s: Subinterval) -> Properties:
        sign = 1 if name == "asinh" else -1
        exact = root(name, X)
        first, size = Number(exact + unknown(most(exact) * ROUNDED), -1074 if s.low > 1.0 else -52), most(exact)
        if is_ordered(name, s):  # s is next to b, at most 1 away, and at least the power of two below b
            first, size = Number(X + sign * 0.5 + unknown(0.5), last_place(s.low)), most(X + max(sign, 0))
        return {"b": doubles(snapped=True), "s": first, "s_lo": within(size * SECOND)}

    claim: Claims = [near(v.y + v.rest, v.b + v.s + v.s_lo, least(v.y) * EXACT), *in_range()]
    return lemma("sums", f, of.over())(assume, claim)


def quotients(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma that y + rest is the quotient."""

    def claim(s: Subinterval) -> Claims:
        exact = of.grown(X)
        return [near(v.y + v.rest, exact, least(exact) * of.off(s)), *in_range()]

    return lemma("sums", f, of.over())({**of.special, "x": doubles(snapped=True)}, claim)


def logarithm(f: Traced) -> Lemma:
    """Return the lemma that l + l_lo is log(2^k (m + m_lo)): every place with k = 0 from LEAST on, and other k."""
    over = []
    for j in range(LAYOUT.places):
        low, high = LAYOUT.ends(j, 53)
        over.append(at(low, high, k=(1, 1025), j=j))
        ends = [end for end in (low, LEAST, NEAR, high) if max(low, LEAST) <= end <= high]
        over += [at(*piece, k=(0, 0), j=j) for piece in pairwise(ends)]

    def claim(s: Subinterval) -> Claims:
        exact = v.k * log(2) + log(v.m + v.m_lo)
        is_near = s.k == (0, 0) and s.high <= NEAR
        off = lesser(OFF, least_size(exact) * NEAR_OFF) if is_near else OFF
        return [near(v.l + v.l_lo, exact, off), bounded(v.l_lo, LOWER)]

    given = {"m": doubles(snapped=True), "m_lo": within(LEFT, -400, paired=True), "k": Exponent(number=True)}
    return lemma("logarithm", f, over, powers=lambda s: s.k)(lambda s: {**given, "j": s.j}, claim)


def values(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma of the kernel's result for every logarithm that is near enough."""
    over = [
        at(first, last, of=i)
        for i, reach in enumerate(of.sums)
        for ends in reach.quarters()
        for first, last in (((ends[0], of.near), (of.near, ends[1])) if ends[0] < of.near < ends[1] else (ends,))
    ]
    if of.factor == 1.0:
        over += [at(s.low, s.high, of="large") for s in binades(accurate.LARGE, GREATEST)]

    def assume(s: Subinterval) -> Properties:
        exact = log(X * 2 if s.of == "large" else of.grown(X))
        is_near = s.of != "large" and s.high <= of.near
        off = lesser(OFF, most(exact) * (NEAR_OFF * 1.001)) if is_near else term(OFF)
        of_sum = 0.0 if s.of == "large" else of.sums[s.of].off
        first, second = exact + unknown(off + 1.01 * of_sum) - v.lower, v.lower
        if of.factor < 1.0:  # halves are exact, but of subnormal numbers
            first, second = (one / 2 + unknown(2.0**-1074) for one in (first, second))
        logarithm = pair("l" if of.factor == 1.0 else "half", Number(first, -1074), Number(second, -1074))
        return {"lower": within(LOWER), **of.ordinary(small=False), **logarithm}

    def claim(s: Subinterval) -> Claims:
        is_near = s.of != "large" and s.high <= of.near
        return [*of.encloses(), *([bounded(of.grown(X), NEAR * (1.0 - 2.0**-40))] if is_near else [])]

    return lemma("values", f, over)(assume, claim)


def decided(of: Kernel, s: Subinterval) -> Claims:
    """Return the claims that hi + lo and f(x) lie on the same side of x, both nearer to x than ``BESIDE``.

    Both differ from x by about -x^3/6, or x^3/3.
    """
    cubic, unit = (-1 / 6 if of.factor == 1.0 else 1 / 3), math.ldexp(1.0, last_place(s.low))

    def beside(difference: Term, sign: int) -> Sequence[Bounded]:
        exactly = precise(difference, 400)
        share = near(exactly * inverse(X) * inverse(X) * inverse(X), sign * cubic, 2.0**-10)
        return [share, bounded(exactly, BESIDE * unit)]

    of_negative = (OfNegative(claim) for claim in beside(v.hi + v.lo + X, -1))
    both = *beside(v.hi + v.lo - X, 1), *beside(of.exact(X) - X, 1)
    return [*both, *of_negative, bounded(v.err, 0), Is("exponent", 0)]


def near_zero(f: Traced, name: str, of: Kernel) -> Lemma:
    """Return the lemma of the kernel's result where that is a polynomial, of s where the root of w is small."""
    over = (
        at(*ends, of="decided" if reach.high == accurate.DECIDED else "small")
        for reach in of.small
        for ends in reach.binades()
    )

    def assume(s: Subinterval) -> Properties:
        if of.is_odd:
            return {**of.ordinary(small=True), "decided": s.of == "decided"}
        exact = root(name, X)
        first = Number(exact * (1 + unknown(2.0**-100) - v.second), -1074)
        found = pair("s", first, Number(exact * v.second, -1074))
        return {"second": within(SECOND), **of.ordinary(small=True), **found}

    def claim(s: Subinterval) -> Claims:
        if not of.is_odd:
            return of.encloses()
        size = "double.abs", "x"
        below = {"small": accurate.SMALL, "decided": accurate.DECIDED}
        formulas = [Formula(condition, ("double.lt", size, end)) for condition, end in below.items()]
        return [*(decided(of, s) if s.of == "decided" else of.encloses()), *formulas]

    return lemma("near zero", f, over)(assume, claim)


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel."""
    f, of = kernel(getattr(accurate, name)), KERNELS[name]
    summed = (quotients(f, of),) if name == "atanh" else (roots(f, name, of), residuals(f, name, of), sums(f, name, of))
    return placed(f), *summed, logarithm(f), values(f, of), near_zero(f, name, of)


LEMMAS = dict.fromkeys(KERNELS, lemmas)
