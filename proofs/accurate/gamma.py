"""tgamma and lgamma, by the functions that they call: each lemma assumes exactly the values that the kernels pass on.

tgamma is e to the power of log gamma over a sine, over x or over 1; lgamma is log gamma, less a logarithm.
"""

from __future__ import annotations

from clmath.kernels.accurate import gamma as accurate
from clmath.kernels.accurate.exponential import GROWTH, LEAST
from clmath.kernels.accurate.log_gamma import log_gamma_piece, stirling
from clmath.kernels.accurate.log_gamma import sine as sine_over_pi
from clmath.kernels.accurate.logarithm import log_pair
from clmath.kernels.accurate.pairs import over_pair
from clmath.kernels.accurate.sines import BOUND, sinpi_pair
from proofs.accurate import exponential, logarithm
from proofs.accurate import log_gamma as functions
from proofs.accurate.log_gamma import LOG_OFF, QUOTIENT_OFF, ROUNDED, SECOND, SERIES, SINE_CLOSER, SINE_OFF
from proofs.lemmas import *

X = VARIABLE
SERIES_OFF, SERIES_OFF_FROM_28 = 2.0**-69.86, 2.0**-72.2  # errors of Stirling's series where 1/a is rounded once
REACH, REACH_LO, REDUCED_OFF = 0.00136, 2.0**-60, 2.0**-92  # sizes of r and r_lo, and their error
LAST_SUM = 2.0**-104
NEAR = 0.00135  # n = 0 up to there
POWERS = -200, 200
SOME = 77  # an exponent


# tgamma, or a second function, whose log gamma is a polynomial; ``ordinary``: conditions without the sign of x


def lemma_of(f: Traced, name: str, over: Iterable[Subinterval], **more: Any) -> Stated:
    """Return a lemma that several functions share: its name has the first word of a second function's name."""
    return lemma(f"{name}, {f.second.partition('_')[0]}" if f.second else name, f, over, **more)


def without_ends(low: float, high: float) -> Subinterval:
    """Return a subinterval of arguments, without an end at which a code path ends: that is a separate subinterval."""

    def inner(x: float, other: float) -> float:
        is_half = (2.0 * x).is_integer() and (x < 1.0 or abs(x) in {SERIES, accurate.TOP})
        return math.nextafter(x, other) if abs(x) == accurate.SMALL or is_half else x

    return at(inner(low, high), inner(high, low), side="below" if high <= 0.0 else "above")


def arguments() -> Iterator[Subinterval]:
    """Yield arguments: above 0 binade by binade, below 0 half-integer by half-integer."""
    for s in binades(accurate.SMALL, accurate.TOP):
        yield without_ends(s.low, s.high)
    for s in binades(accurate.SMALL, 0.5):
        yield without_ends(-s.high, -s.low)
    for i in range(1, int(-2.0 * accurate.BOTTOM)):
        yield without_ends(-(i + 1) / 2.0, -i / 2.0)
        if i % 2:
            yield at(-i / 2.0, -i / 2.0, side="below")
    for point in (0.5, SERIES, accurate.TOP):
        yield at(point, point, side="above")


def links(f: Traced, ordinary: Properties) -> Lemma:
    """Return the lemma of the arguments of the functions, and that their results are used without a change.

    From 1/2 on log gamma is taken of x, below 1/2 of 1 + |x|; the divisor is 1, x, or the sine of a number s with
    x = (-1)^m s - m, m an integer.
    """

    def assume(s: Subinterval) -> Properties:
        names = "piece", "power", "sine", "quotient", *(() if f.second else ("series",))
        any_number = Number(1.25 + unknown(2.0**-20), -60)
        given: dict[str, Property] = {f"{name}{part}": any_number for name in names for part in ("", "_lo")}
        far = not f.second and (s.low >= SERIES or s.high <= 1.0 - SERIES)
        if far:  # the series is taken of the rounded sum, which is at least 16
            given |= {"is_piece": False, "far": Times("a", 0)}
        given |= {"x": doubles(snapped=True), "n": 256 * SOME + 255}
        return {**given, "negative": s.side == "below", **ordinary}

    def claim(s: Subinterval) -> Claims:
        sign, middle = -1 if s.side == "below" else 1, (s.low + s.high) / 2
        ahead, size = (0 if middle >= 0.5 else 1), X * sign

        def used(name: str) -> list[Claim]:
            return equals(log=v[name] * sign, log_lo=v[f"{name}_lo"] * sign)

        piece = *used("piece"), *equals(piece_ahead=ahead, piece_x=size)
        divisor, rest = (term(1) if ahead == 0 else X), term(0)
        found: list[Claim] = list(piece)
        if not f.second:
            over = inverse(v.far)
            stirling = (
                *used("series"),
                near(v.far + v.far_lo, size + ahead, 0),
                bounded(v.far_lo, half_ulp(s.closest + ahead) * ROUNDED),
                near(v.far_inverse, over, least_size(over) * (2.0**-53 * ROUNDED)),
            )
            found = [When("is_piece", piece, stirling)]
        if s.side == "below":
            m, divisor, rest = -round(middle), v.sine, v.sine_lo
            found.append(near(v.of_sine, (X + m) * (-1 if m & 1 else 1), 0))
        passed = tuple(equals(dividend=v.power, dividend_lo=v.power_lo))
        over_d = tuple(equals(divisor=divisor, divisor_lo=rest))
        return [*found, *passed, *over_d, Is("exponent", SOME)]

    over = arguments()
    if f.second:
        over = (s for s in over if s.low >= 1.0 - SERIES and s.high <= SERIES and s.low < SERIES)
    return lemma_of(f, "links", over)(assume, claim)


def reduction(f: Traced) -> Lemma:
    """Return the lemma that log gamma with its sign, a pair, is n ln(2)/256 + r + r_lo, nearly."""
    over = at(of=0), *mirrored((*binades(2.0**-60, NEAR, of=0), *binades(NEAR, 800.0, of=0)))
    claim: Claims = [
        near(v.log + v.log_lo, v.n * log(2) / 256 + v.r + v.r_lo, REDUCED_OFF),
        *bounds(r=REACH, r_lo=REACH_LO, n=300000),
    ]
    given = {"log": doubles(snapped=True), "log_lo": Number(unknown(most(X) * SECOND), -1074)}
    return lemma_of(f, "reduction", over)(given, claim)


def sizes() -> Iterator[tuple[float, float]]:
    """Yield sizes of x: the ends of code paths, half a unit on both sides, and the others."""
    last = accurate.SMALL
    for parting in (accurate.PIECES_BELOW, accurate.GROWING_FROM):
        before, after = math.nextafter(parting, 0.0), math.nextafter(parting, math.inf)
        yield from ((before - 0.5, before), (parting, parting), (after, after + 0.5), (last, parting - 0.5))
        last = parting + 0.5
    yield last, accurate.TOP


def off_of_log(f: Traced, s: Subinterval) -> Term:
    """Return the error of log gamma of x or of 1 - x, whichever is more."""
    least_x = s.closest
    if f.second or least_x < accurate.PIECES_BELOW:
        return term(functions.PIECE_FAR_ERROR)
    if least_x < accurate.GROWING_FROM:
        return term(max(SERIES_OFF, SERIES_OFF_FROM_28 + (accurate.GROWING_FROM + 1.0) * LOG_OFF))
    return term(SERIES_OFF_FROM_28) + ((X if s.low > 0.0 else -X) + 1) * LOG_OFF


def values(f: Traced, ordinary: Properties) -> Lemma:
    """Return the lemma that the bound holds all errors before it, for every x, every r and every quotient."""
    both = [ends for low, high in sizes() for ends in ((low, high), (-high, -low))]
    whole = [(accurate.SMALL, SERIES), (1.0 - SERIES, -accurate.SMALL)]
    ends = whole if f.second else [(accurate.BOTTOM, -accurate.TOP), *both]
    special_values = pairwise(REACH * i / 8 for i in range(-8, 9))
    over = (at(*piece, sign=sign, r=r) for r in special_values for sign in (1, -1) for piece in ends)

    def assume(s: Subinterval) -> Properties:
        (low, high) = s.r
        return {
            "x": doubles(snapped=True),
            "r": between(low, high, -1074, paired=True),
            "quotient": Number(1.5 * s.sign + unknown(0.5), -52, power=1, paired=True),
            "quotient_lo": Number(unknown(2.0**-53), -400, power=1),
            "negative": s.high < 0.0,
            **ordinary,
        }

    def claim(s: Subinterval) -> Claims:
        off = LEAST + SINE_OFF + QUOTIENT_OFF + REDUCED_OFF + LAST_SUM + off_of_log(f, s)
        counted = v.quotient * s.sign * (v.r * v.r * GROWTH + off) * (1.0 + 2.0**-50)
        return [
            near((v.err - counted) * inverse(off), 1, 1, power=1),  # err is at least ``counted``
            bounded(v.hi + v.lo - v.quotient - v.quotient_lo, LAST_SUM, power=1),
        ]

    return lemma_of(f, "values", over, powers=POWERS)(assume, claim)


def small(f: Traced, ordinary: Properties) -> Lemma:
    """Return the lemma of 1/x - 0.58 + 0.99 x, by 1/x, which is nearly the quotient."""
    over = mirrored(binades(1.0 / accurate.SMALL, 1.0 / accurate.VANISHING, of=0))
    passed = tuple(equals(dividend=1, dividend_lo=0, divisor=v.x, divisor_lo=0))
    claim: Claims = [encloses(X + gamma_less_pole(v.x)), Is("exponent", 0), *passed]

    def assume(s: Subinterval) -> Properties:
        first, last = 1.0 / s.high, 1.0 / s.low
        return {
            "rest": within(half_unit(most(X))),
            "x": between(first, last, -1074),
            **pair("quotient", Number(X - v.rest + unknown(most(X) * QUOTIENT_OFF), -52), Number(v.rest, -1074)),
            **dict(small=True, vanishing=False, touching=False),
            **ordinary,
        }

    return lemma_of(f, "small", over)(assume, claim)


def quotients() -> Lemma:
    """Return the lemma of the quotient of two pairs, the first from 0.99 to 2.01, the second of any exponent."""
    exact = (v.hi + v.lo) * inverse(v.b_hi + v.b_lo)
    claim = near(v.value + v.err, exact, least_size(exact) * QUOTIENT_OFF, power=-1)
    pairs = {
        "hi": Number(1.5 + unknown(0.51), -53, paired=True),
        "lo": within(2.0**-53, -400),
        "b_hi": Number(X, -52, power=1),
        "b_lo": Number(unknown(2.0**-53), -400, power=1, paired=True),
    }
    over = mirrored(cut([at(1.0, 2.0, of=0)], 128))
    return lemma("quotients", kernel(over_pair, 2), over, powers=POWERS)(pairs, claim)


FACTORIALS = 23  # x of (x - 1)!: 23! has 56 bits
LARGEST = 2.01 * (accurate.GAMMA_LEAST + GROWTH * REACH**2)  # err of numbers up to 2.01, x up to 28


def factorials() -> Iterator[Subinterval]:
    """Yield x from 1 to 23 with the power of two that leaves 1 to 2 of (x - 1)!, and 1/2 to 1 of powers of two."""
    for x in range(1, FACTORIALS + 1):
        exact = math.factorial(x - 1)
        exponent = exact.bit_length() - 1
        is_power = exact == 2**exponent
        found = [(exponent, grid) for grid in ((-53, -52) if is_power else (-52,))]
        for e, grid in (*found, *((exponent - 1, grid + 1) for _, grid in found if is_power)):
            assert exact % 2 ** max(e + grid, 0) == 0, "hi, if less than a unit away from (x - 1)!, is (x - 1)!"
            yield at(n=x, e=e, grid=grid)


def refined_tgamma() -> tuple[Lemma, ...]:
    """Return the lemmas of the refinement: (x - 1)! is exact at 1 .. 23, and results elsewhere stay the same.

    There hi + lo is within err of (x - 1)!, and lo at most half a unit of hi.
    """
    top = float(FACTORIALS)
    below = [*opposite(binades(2.0**-1074, GREATEST, side="below"))]
    below += [at(0.0, 0.5, side="below"), at(0.5, math.nextafter(1.0, 0.0), side="below")]
    above = (at(s.low, s.high, side="above") for s in binades(math.nextafter(top, math.inf), GREATEST))
    refined = refinement(accurate.refined_tgamma)

    def exact(s: Subinterval) -> Term:
        return term(Fraction(math.factorial(s.n - 1)) / 2**s.e)

    def given(s: Subinterval) -> Properties:
        hi = exact(s) + unknown(2.0 ** (s.grid - 1)) + unknown(LARGEST)
        return {"x": constant(float(s.n)), "hi": Number(hi, s.grid), "exponent": s.e}

    return (
        refined.unchanged(("factorial",)),
        refined.lemma("integers", (at(float(n), n + 1.0, of="x") for n in range(1, FACTORIALS)))(
            {"x": multiples(-1074)}, [OnGrid("whole", 0), Formula("integer", ("double.eq", "whole", "x"))]
        ),
        refined.lemma("others", (*below, *above))(
            {"x": multiples(-1074)}, [Is(condition, expected=False) for condition in ("in_range", "factorial")]
        ),
        refined.lemma("factorials", factorials())(
            given,
            lambda s: [
                near(v.new_hi, exact(s), 0.99 * 2.0**s.grid),
                *bounds(new_lo=0, new_err=0),
                OnGrid("new_hi", s.grid),
                Is("new_exponent", s.e),
            ],
        ),
    )


SPECIAL = {"pole": False, "vanished": False}  # results that are undefined, or vanish
PLAIN = {"plain": True, "small": False, "vanishing": False, "touching": False, **SPECIAL}


def off_of_series(s: Subinterval, _: Term) -> Term:
    """Return the bound of Stirling's series where 1/a is rounded once: from 28 on mostly the logarithm's bound."""
    return term(SERIES_OFF) if s.low < accurate.GROWING_FROM else term(SERIES_OFF_FROM_28) + least(X) * LOG_OFF


def tgamma() -> tuple[Lemma, ...]:
    """Return the lemmas of tgamma, and of the functions for arguments of one kind."""
    f = kernel(accurate.tgamma)
    ordinary, far = second(accurate.ordinary_tgamma), second(accurate.far_tgamma)
    of_log_gamma = functions.pieces(), *logarithm.logarithm("log"), functions.series(187.0, off_of_series, ROUNDED)
    of_parts = *of_log_gamma, functions.sines(SINE_OFF), exponential.power("exp")[1], quotients()
    of_whole = links(f, PLAIN), reduction(f), values(f, PLAIN), small(f, {"plain": False, **SPECIAL})
    of_far = small(far, {"above": False, **SPECIAL})
    of_kinds = links(ordinary, {}), reduction(ordinary), values(ordinary, {}), of_far
    return *of_parts, *of_whole, *of_kinds, *refined_tgamma()


# lgamma

LOG_OF_PI_OFF, LAST_OF_SINE = 2.0**-102, 2.0**-102  # of the sum with log pi, and of that with the ratio
STIRLING_OFF = 2.0**-74.1  # error of Stirling's series, relative
CUT = functions.PIECE_NEAR_ERROR / functions.PIECE_NEAR  # from this log gamma on the error of polynomials is absolute
# of x; "inside" and "mirrored": log gamma is taken of 1 + |x|
REGIONS = {"near": (0.5, 4.0), "far": (4.0, accurate.HUGE), "inside": (0.0, 0.5), "mirrored": (-(2.0**52), 0.0)}
ENDS = {0.5, 4.0, SERIES, 1.0 - SERIES, accurate.LEAST, -accurate.LEAST, accurate.HUGE, -(2.0**52)}
ZERO = term(0)


@dataclass(frozen=True)
class LogGamma:
    """lgamma, or a second function: for positive arguments, or closer for negative ones.

    ``ways``: conditions that regions of arguments decide; ``ordinary``: others. ``bases``: the pairs that are log
    gamma; ``log_of_1``: whether the logarithm is log 1 where none is needed. Below 0 the value is ``mirror`` less log
    gamma and less a logarithm; ``off``: the error of both the sine in that logarithm and the sum.
    """

    traced: Traced
    ways: tuple[str, ...]
    ordinary: Properties
    bases: tuple[str, ...] = ("base",)
    log_of_1: bool = False
    mirror: Term = ZERO
    off: float = 0.0

    def conditions(self, region: str) -> Properties:
        """Return the conditions of arguments of a region."""
        is_behind = region in {"inside", "mirrored"}
        ways = {"negative": region == "mirrored", "inside": is_behind, "near": region != "far"}
        return {**{way: ways[way] for way in self.ways}, **self.ordinary}


def inside(end: float, other: float) -> float:
    """Return an end of arguments, or the next argument where the end is not part of them."""
    return math.nextafter(end, other) if end in ENDS else end


def regions() -> Iterator[Subinterval]:
    """Yield the arguments of lgamma; ends of code paths are separate subintervals."""
    sizes = [(s.low, s.high) for s in binades(accurate.LEAST, 8.0)] + [(8.0, SERIES - 1.0)]
    sizes += [(2.0**k - 1.0, min(2.0 ** (k + 1) - 1.0, 2.0**52)) for k in range(4, 53)]
    pieces = [(s.low, s.high) for s in binades(accurate.LEAST, accurate.HUGE)] + [(-high, -low) for low, high in sizes]
    inner = [(inside(low, high), inside(high, low)) for low, high in pieces]
    for low, high in (*inner, (0.5, 0.5), (4.0, 4.0), (SERIES, SERIES), (1.0 - SERIES, 1.0 - SERIES)):
        region = "mirrored" if high < 0.0 else "inside" if high < 0.5 else "near" if high < 4.0 else "far"
        yield at(low, high, region=region)


SERIES_CALLED = functions.calls("series series_lo", stirling, "far far_lo far_inverse far_log far_log_lo")
FAR_LOG_CALLED = functions.calls("far_log far_log_lo", log_pair, "far")
LOG_CALLED = functions.calls("log log_lo", log_pair, "of_log")
PIECE_CALLED = functions.calls("piece piece_lo", log_gamma_piece, "piece_ahead piece_x")


def links_of_log(of: LogGamma) -> Lemma:
    """Return the lemma of the arguments of lgamma's functions, and of the function that gives log gamma.

    From 1/2 on log gamma is taken of x, below 1/2 of 1 + |x|; the sine is taken of the distance from an integer.
    """
    of_sine: Claim = Formula("turns", ("double.select", "negative", ("double.abs", "r"), 0.5))
    if of.traced.refines:
        sine, of_sine = functions.calls("sine sine_lo", sine_over_pi, "of_sine"), Same("of_sine", "r")
    else:
        sine = functions.calls("d d_lo", sinpi_pair, "turns")

    def assume(s: Subinterval) -> Properties:
        rest, number = within(2.0**-53, -300), within(1.0, -300)
        found: dict[str, Property] = {
            "x": doubles(snapped=True),
            **dict(piece=number, piece_lo=rest, series=number, series_lo=rest),
            **({} if of.traced.refines else {"d": Number(0.75 + unknown(0.25), -300), "d_lo": rest}),
            **of.conditions(s.region),
        }
        if s.low >= SERIES or s.high <= 1.0 - SERIES:  # the series is taken of the rounded sum, which is at least 16
            found |= {"is_piece": False, "far": Times("a", 0)}
        return found

    def claim(s: Subinterval) -> Claims:
        ahead, size = (1 if s.region in {"inside", "mirrored"} else 0), (-X if s.region == "mirrored" else X)
        piece = tuple(equals(base=v.piece, base_lo=v.piece_lo))
        given = tuple(equals(piece_ahead=ahead, piece_x=size))
        stirling = (
            *equals(base=v.series, base_lo=v.series_lo),
            near(v.far + v.far_lo, size + ahead, 0),
            bounded(v.far_lo, half_ulp(s.closest + ahead) * ROUNDED),
        )
        called = PIECE_CALLED, SERIES_CALLED, FAR_LOG_CALLED, LOG_CALLED
        found: list[Claim] = [When("is_piece", (*piece, *given), stirling), *called]
        if of.traced.refines:
            found.append(Formula("of_log", ("double.abs", "sine")))
        else:
            found.append(near(v.of_log, {"inside": X, "mirrored": v.d}.get(s.region, term(1)), 0))
        distance = near(v.r, X - v.whole, 0), bounded(v.r, 0.5 * ROUNDED), OnGrid("whole", 0)
        return [*found, of_sine, sine, *distance] if s.region == "mirrored" else found

    return lemma_of(of.traced, "links", (s for s in regions() if s.region == "mirrored" or not of.traced.refines))(
        assume, claim
    )


def links_of_positive(of: LogGamma) -> Lemma:
    """Return the lemma of called functions' arguments for positive x: a polynomial below 16, the series beyond."""

    def claim(s: Subinterval) -> Claims:
        piece = tuple(equals(piece_ahead=1 if s.high < 0.5 else 0, piece_x=X))
        series = tuple(equals(far=X, far_lo=0))
        return [When("is_piece", piece, series), *(without_x if s.low == s.high else ())]

    without_x: Claims = (  # claims that hold for every x
        Formula("far_inverse", ("double.div", 1.0, "far")),
        *(Same(f"far_{name}", name) for name in ("log", "log_lo")),
        *(functions.calls("log log_lo", log_pair, "x"), PIECE_CALLED, SERIES_CALLED),
    )
    binades_of_x = binades(accurate.LEAST, accurate.HUGE)
    cuts = (part for s in binades_of_x for part in cut([s], 1 if s.high <= SERIES else 4))
    over = (*(at(inside(s.low, s.high), inside(s.high, s.low)) for s in cuts), at(0.5, 0.5), at(SERIES, SERIES))
    return lemma_of(of.traced, "links", over)({"x": doubles(snapped=True)}, claim)


def logs_of_gamma() -> Iterator[Subinterval]:
    """Yield binades of log gamma; where there is a logarithm, with the binades of the logarithm."""
    sizes = *binades(2.0**-60, CUT), *binades(CUT, 2.0)
    yield from mirrored(at(s.low, s.high, region="near", least=0.0, most=0.0) for s in sizes)
    yield from binades(1.79, 2.0**309, region="far", least=0.0, most=0.0)
    for size in (at(0.0, 0.5), *binades(0.5, 140.0)):
        least, most = -size.high, -size.low
        for low, high in ((-0.125, -CUT), (-CUT, 0.0)) if least < -0.69 else ():
            yield at(low, high, region="inside", least=least, most=min(most, -0.69))
        sums = *binades(0.125, 1.79), *binades(1.79, 2.0**58)
        for low, high in ((-0.125, 0.0), (0.0, 0.125), *((s.low, s.high) for s in sums)):
            yield at(low, high, region="mirrored", least=least, most=most)


def off_of_gamma(s: Subinterval) -> Term:
    """Return the error of log gamma: the greatest of all polynomials, where x does not say which is used."""
    size = X if s.high > 0.0 else -X
    if s.region == "far" or s.low >= 1.79:
        return size * term(functions.PIECE_FAR)
    is_small = s.region != "mirrored" and s.farthest <= CUT
    return size * term(functions.PIECE_NEAR) if is_small else term(functions.PIECE_NEAR_ERROR)


def values_of_log(of: LogGamma, regions: Sequence[str]) -> Lemma:
    """Return the lemma of the result for every log gamma and every logarithm that are near enough."""

    def assume(s: Subinterval) -> Properties:
        low, high = REGIONS[s.region]
        given: dict[str, Property] = {
            "second": within(most(X) * SECOND),
            "x": between(low, high, -1074),
            **{base: Number(X - v.second, -1074) for base in of.bases},
            **{f"{base}_lo": Number(v.second, -1074) for base in of.bases},
            **of.conditions(s.region),
        }
        if s.region in {"near", "far"}:
            return {**given, **(dict.fromkeys(("log", "log_lo"), constant(0.0)) if of.log_of_1 else {})}
        of_log: dict[str, Property] = {
            "exact": between(s.least, s.most),
            "rest": within(half_ulp(-s.least)),
            **pair("log", Number(v.exact - v.rest, -1074), Number(v.rest, -1074)),
        }
        return {**given, **of_log, **({"ratio": within(2.0**-52 * ROUNDED)} if s.region == "mirrored" else {})}

    def claim(s: Subinterval) -> Claims:
        found, off = X, off_of_gamma(s)
        if s.region == "inside":
            found, off = X - v.exact, off + LOG_OFF
        if s.region == "mirrored":
            found, off = of.mirror - X - v.exact - v.ratio, off + (LOG_OFF + of.off)
        noise = 2.0**-99 * (s.farthest - s.least + 1.2 * (s.region == "mirrored"))
        hi, lo, err, exponent = (f"new_{result}" if of.traced.refines else result for result in RESULTS[4])
        counted = (off * ROUNDED + noise) * inverse(v[err])
        return [bounded(counted, 1), near(v[hi] + v[lo], found, noise), Is(exponent, 0)]

    return lemma_of(of.traced, "values", (s for s in logs_of_gamma() if s.region in regions))(assume, claim)


def sines_of_turns() -> Lemma:
    """Return the lemma of sin(pi x) for 0 < x <= 1/2: binades below a step, then halves of steps."""
    step = 2.0**-11
    below = [(s.low, math.nextafter(s.high, 0.0)) for s in binades(2.0**-200, step)]
    ends = step, *(i * step for i in range(2, 1025))
    exact = sin(X * PI)
    claim = near(v.value + v.err, exact, least_size(exact) * BOUND)  # both results
    over = tuple(at(*piece, of=0) for piece in (*below, *pairwise(ends)))
    return lemma("sines", kernel(sinpi_pair, 2), over, series=26)({"x": doubles(snapped=True)}, claim)


def log_as_pair(exact: Term, least_log: float) -> Properties:
    """Return the logarithm ``exact`` as a pair, nearly: sizes are at least ``least_log``."""
    grid = last_place(least_log * (1.0 - 2.0**-40))
    return {
        "rest": within(half_unit(most(exact))),
        **pair("log", Number(exact - v.rest + unknown(LOG_OFF), grid), Number(v.rest, -1074)),
    }


def far_lgamma() -> tuple[Lemma, ...]:
    """Return the lemmas of -log|x| next to 0, where the variable is that, and of x (log x - 1) for huge x.

    Both hold for every logarithm that is near enough.
    """
    f = second(accurate.far_lgamma)
    next_to_0 = binades(-math.log(accurate.LEAST) * (1.0 - 2.0**-40), 745.0)
    quarters = (
        at(*ends)
        for s in binades(accurate.HUGE, GREATEST)
        for ends in pairwise(s.low + (s.high - s.low) * (i / 4) for i in range(5))  # no overflow
    )
    size, negative = within(accurate.LEAST), -X
    return (
        lemma("far, next to 0", f, next_to_0)(
            lambda s: {"x": size, "size": size, "zero": False, **log_as_pair(negative, s.low)},
            [encloses(X + log_gamma_1p(v.x)), Is("exponent", 0), near(v.of_log, v.size, 0), LOG_CALLED],
        ),
        lemma("far, huge", f, quarters, series=26)(
            lambda s: {"x": doubles(snapped=True), "huge": True, **log_as_pair(log(X), math.log(s.low))},
            [encloses(log_gamma(X) * power_of_2(-600)), Is("exponent", 600), near(v.of_log, X, 0), LOG_CALLED],
        ),
    )


def lgamma() -> tuple[Lemma, ...]:
    """Return the lemmas of lgamma, of the functions for arguments of one kind, and of the refinement below 0."""
    series_of_any = functions.series(2.0**300, lambda _, exact: least_size(exact) * STIRLING_OFF, 3.0 * ROUNDED)
    whole = LogGamma(
        kernel(accurate.lgamma),
        ("negative", "inside", "near"),
        {"plain": True, "pole": False, "huge": False, "zero": False},
        log_of_1=True,
        mirror=log(PI),
        off=BOUND * ROUNDED + LOG_OF_PI_OFF,
    )
    positive = LogGamma(second(accurate.ordinary_lgamma), ("inside", "near"), {}, ("piece", "series"))
    refined = refinement(accurate.refined_lgamma)
    off = SINE_CLOSER * ROUNDED + LAST_OF_SINE
    closer = LogGamma(refined.traced, ("negative",), {"is_near": False, "exponent": 0}, off=off)
    of_parts = functions.pieces(), *logarithm.logarithm("log"), series_of_any, sines_of_turns()
    of_whole = links_of_log(whole), values_of_log(whole, tuple(REGIONS)), *far_lgamma()
    of_positive = links_of_positive(positive), values_of_log(positive, ("near", "far", "inside"))
    of_sums = functions.sines(SINE_CLOSER, "sines over pi"), *functions.logarithms_of_sums()
    of_refined = links_of_log(closer), functions.zeros(refined), values_of_log(closer, ("mirrored",))
    return *of_parts, *of_whole, *of_positive, *of_sums, *of_refined


LEMMAS = {"tgamma": lambda _: tgamma(), "lgamma": lambda _: lgamma()}
