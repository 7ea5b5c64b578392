"""Generates gamma.toml: log gamma in pieces and about its zeros, Stirling's series, sin(pi r)/(pi r), constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernels.fitting import Table, chebyshev, mp, pieces
from mpmath import mpf

if TYPE_CHECKING:
    from collections.abc import Callable

DEGREE = 12
PAIRS = 4  # how many leading coefficients are pairs
SINC_DEGREE, SINC_PAIRS = 10, 5
STEPS = 16  # pieces to a binade
LAST_ZEROS = 16  # those next to -17, -18 ... are closer to these poles than the doubles there
FARTHEST = mpf(2) ** -7  # from a zero, and a quarter of its distance from the pole
LOG_GAMMA = [mpf(2) ** e * (1 + mpf(j) / STEPS) for e in range(-1, 4) for j in range(STEPS)] + [mpf(16)]


def reach(centre: mpf) -> mpf:
    """Half the width of the piece about ``centre``."""
    return mpf(2) ** mp.floor(mp.log(centre, 2)) / (2 * STEPS)


def fit_through_zero(function: Callable[[mpf], mpf], reach: mpf) -> list[mpf]:
    """Coefficients of ``function``, which is 0 at 0, on -+``reach``: the first is 0, the error relative to t."""
    # an even number of nodes: none of them is 0
    return [mpf(0), *chebyshev(lambda t: function(t) / t, -reach, reach, DEGREE - 1)]


def piece(centre: mpf) -> list[mpf]:
    """Coefficients of log gamma in t = x - centre; the first is exactly 0 where the centre is a zero."""
    if not mp.loggamma(centre):
        return fit_through_zero(lambda t: mp.loggamma(centre + t), reach(centre))
    return chebyshev(lambda t: mp.loggamma(centre + t), -reach(centre), reach(centre), DEGREE)


def log_of_gamma(x: mpf) -> mpf:
    """The logarithm of |gamma(x)|."""
    return mp.log(abs(mp.gamma(x)))


class Zero:
    """A zero of log|gamma| below -2, by the double next to it and the pole at -n next to that.

    ``off``: how far the double lies from the pole; ``side``: on which side, -1 or 1.
    """

    def __init__(self, n: int, side: int) -> None:
        # in the logarithm of the distance from the pole it is next to a straight line
        found = mp.findroot(lambda u: log_of_gamma(side * mp.exp(u) - n), -mp.loggamma(n + 1))
        self.double = mpf(float(side * mp.exp(found) - n))
        self.off = self.double + n
        self.value = log_of_gamma(self.double)
        self.reach = mpf(float(min(FARTHEST, abs(self.off) / 4)))

    def smooth(self, t: mpf) -> mpf:
        """What log|gamma| at t from the double is but for its value there and -log(1 + t/off), the pole's part."""
        return log_of_gamma(self.double + t) - self.value + mp.log(1 + t / self.off)

    def fit(self) -> list[mpf]:
        """Coefficients of ``smooth``."""
        return fit_through_zero(self.smooth, self.reach)


def zeros() -> list[Zero]:
    """From -2 downwards: there is none between -2 and the extremum at -1.5."""
    return [Zero(n, side) for n in range(2, LAST_ZEROS + 1) for side in (1, -1) if (n, side) != (2, 1)]


def misfit(function: Callable[[mpf], mpf], fit: list[mpf], reach: mpf) -> mpf:
    """The largest error of ``fit`` found, relative to t where the first coefficient is 0."""
    steps = [reach * k / DEGREE for k in range(-DEGREE, DEGREE + 1) if k]
    errors = [(t, abs(mp.polyval(fit[::-1], t) - function(t))) for t in steps]
    return max(error if fit[0] else error / abs(t) for t, error in errors)


def may_be_added_fast(fit: list[mpf], most: mpf) -> bool:
    """Whether each of the leading coefficients is 0 or larger than what Horner's rule adds to it, |t| <= ``most``."""
    added = [sum(abs(c) * most**k for k, c in enumerate(fit[i:])) - abs(fit[i]) for i in range(PAIRS)]
    return all(not c or abs(c) > rest for c, rest in zip(fit[:PAIRS], added, strict=True))


def exponent(value: mpf) -> int:
    """That of a power of two above twice ``value``."""
    return int(mp.ceil(mp.log(value, 2))) + 1


def record_log_gamma(table: Table) -> None:
    """Record the pieces of log gamma and those about its zeros: pairs, then the higher powers."""
    found = zeros()
    functions = [lambda t, c=c: mp.loggamma(c + t) for c in LOG_GAMMA] + [zero.smooth for zero in found]
    reaches = [reach(centre) for centre in LOG_GAMMA] + [zero.reach for zero in found]
    fits = [piece(centre) for centre in LOG_GAMMA] + [zero.fit() for zero in found]
    assert all(map(may_be_added_fast, fits, reaches))
    worst = max(map(misfit, functions, fits, reaches))
    parts = [[pieces(fit[i], 53) for fit in fits] for i in range(PAIRS)]
    comment = f"{len(LOG_GAMMA)} polynomials and {len(found)} about zeros to 2^{exponent(worst)}, coefficients of"
    table.numbers("head", [p[0] for row in parts for p in row], f"{comment} 1, t, t^2, t^3 in 53 bits")
    table.numbers("rest", [p[1] for row in parts for p in row], f"{comment} 1, t, t^2, t^3: the rest")
    high = [float(fit[i]) for i in range(PAIRS, DEGREE + 1) for fit in fits]
    table.numbers("tail", high, f"{comment} t^4 to t^{DEGREE}")
    record_zeros(table, found)


def record_zeros(table: Table, found: list[Zero]) -> None:
    """Record where the zeros are, and log|gamma| at the doubles next to them."""
    comment = "the doubles next to zeros of log|gamma| from -2 downwards"
    table.numbers("zero", [float(zero.double) for zero in found], comment)
    table.numbers("zero_off", [float(zero.off) for zero in found], f"{comment}: how far they lie from poles")
    table.numbers("zero_reach", [float(zero.reach) for zero in found], f"{comment}: up to where polynomials hold")
    values = [pieces(zero.value, 53) for zero in found]
    table.numbers("zero_value", [v[0] for v in values], f"{comment}: log|gamma| there, in 53 bits")
    table.numbers("zero_value_lo", [v[1] for v in values], f"{comment}: the rest of it")


def sinc(z: mpf) -> mpf:
    """sin(pi r)/(pi r) for r^2 = z."""
    r = mp.sqrt(z)
    return mp.sinpi(r) / (mp.pi * r)


def record_sinc(table: Table) -> None:
    """Record a polynomial of ``sinc`` in z - 1/8."""
    fit = chebyshev(lambda y: sinc(mpf(1) / 8 + y), -mpf(1) / 8, mpf(1) / 8, SINC_DEGREE)
    assert may_be_added_fast(fit, mpf(1) / 8)
    steps = [mpf(k) / 160 for k in range(-19, 21)]
    worst = max(abs(mp.polyval(fit[::-1], y) / sinc(mpf(1) / 8 + y) - 1) for y in steps)
    comment = f"sin(pi r)/(pi r) in y = r^2 - 1/8 to 2^{exponent(worst)}, relatively: coefficients of"
    for i in range(SINC_PAIRS):
        table.numbers(f"sinc_{i}", pieces(fit[i], 53), f"{comment} y^{i}")
    high = map(float, fit[SINC_PAIRS:])
    table.numbers("sinc_tail", high, f"{comment} y^{SINC_PAIRS} to y^{SINC_DEGREE}")


def stirling_tail(z: mpf) -> mpf:
    """((log gamma(x) - (x - 1/2) log x + x - log(2 pi)/2) x - 1/12) / z for z = 1/x^2."""
    if not z:
        return -mpf(1) / 360
    with mp.workprec(3 * mp.prec):
        x = 1 / mp.sqrt(z)
        rest = mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2
        return (rest * x - mpf(1) / 12) / z


def main() -> None:
    """Write the table."""
    table = Table("accurate/gamma")
    record_log_gamma(table)
    record_sinc(table)
    table.polynomial("stirling_tail", stirling_tail, 0.0, 1 / 256, 6)
    table.numbers("stirling_constant", pieces((mp.log(2 * mp.pi) - 1) / 2, 53), "(log(2 pi) - 1)/2, and the rest")
    table.numbers("log_of_pi", pieces(mp.log(mp.pi), 53), "log pi, and the rest")
    table.numbers("twelfth", pieces(mpf(1) / 12, 53), "1/12, and the rest")
    at_zero = (-mp.euler, mp.euler**2 / 2 + mp.pi**2 / 12)
    table.numbers("at_zero", map(float, at_zero), "gamma(x) - 1/x at 0, and its slope")
    table.write()


if __name__ == "__main__":
    main()
