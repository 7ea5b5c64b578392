"""Generates gamma.toml: log gamma and log(sin(pi r)/(pi r)) piece by piece, Stirling's series, constants."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

if TYPE_CHECKING:
    from collections.abc import Callable

DEGREE = 12
PAIRS = 4  # how many leading coefficients are pairs
STEPS = 16  # pieces to a binade
LOG_GAMMA = [mpf(2) ** e * (1 + mpf(j) / STEPS) for e in range(-1, 4) for j in range(STEPS)] + [mpf(16)]
SINE = [mpf(j) / 32 for j in range(17)]


def log_sinc(r: mpf) -> mpf:
    """log(sin(pi r) / (pi r))."""
    with mp.workprec(2 * mp.prec):
        return mp.log(mp.sinpi(r) / (mp.pi * r)) if r else mpf(0)


def piece(function: Callable[[mpf], mpf], centre: mpf, reach: mpf) -> list[mpf]:
    """Coefficients of ``function`` in t = x - centre, |t| <= reach; the first is exactly 0 where the centre is a zero.

    There the polynomial is accurate relative to t.
    """
    if function(centre):
        return mp.chebyfit(lambda t: function(centre + t), [-reach, reach], DEGREE + 1)[::-1]
    # an even number of nodes: none of them is the centre
    return [mpf(0), *mp.chebyfit(lambda t: function(centre + t) / t, [-reach, reach], DEGREE)[::-1]]


def misfit(function: Callable[[mpf], mpf], centre: mpf, reach: mpf, fit: list[mpf]) -> mpf:
    """The largest error of ``fit`` found, relative to t where the centre is a zero."""
    steps = [reach * k / DEGREE for k in range(-DEGREE, DEGREE + 1) if k]
    errors = [(t, abs(mp.polyval(fit[::-1], t) - function(centre + t))) for t in steps]
    return max(error if fit[0] else error / abs(t) for t, error in errors)


def record(table: Table, places: list[tuple[Callable[[mpf], mpf], mpf, mpf]]) -> None:
    """Record the polynomials at ``places``, functions, centres and reaches: pairs, then the higher powers."""
    fits = [piece(*place) for place in places]
    worst = max(misfit(*place, fit) for place, fit in zip(places, fits, strict=True))
    parts = [[pieces(fit[i], 53) for fit in fits] for i in range(PAIRS)]
    comment = f"{len(places)} polynomials to 2^{int(mp.ceil(mp.log(worst, 2))) + 1}, coefficients of"
    table.numbers("head", [p[0] for row in parts for p in row], f"{comment} 1, t, t^2, t^3 in 53 bits")
    table.numbers("rest", [p[1] for row in parts for p in row], f"{comment} 1, t, t^2, t^3: the rest")
    high = [float(fit[i]) for i in range(PAIRS, DEGREE + 1) for fit in fits]
    table.numbers("tail", high, f"{comment} t^4 to t^{DEGREE}")


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
    table = Table("double/gamma")
    log_gamma = [(mp.loggamma, c, mpf(2) ** mp.floor(mp.log(c, 2)) / (2 * STEPS)) for c in LOG_GAMMA]
    record(table, log_gamma + [(log_sinc, c, mpf(1) / 64) for c in SINE])
    table.polynomial("stirling_tail", stirling_tail, 0.0, 1 / 256, 6)
    table.numbers("stirling_constant", pieces((mp.log(2 * mp.pi) - 1) / 2, 53), "(log(2 pi) - 1)/2, and the rest")
    table.numbers("twelfth", pieces(mpf(1) / 12, 53), "1/12, and the rest")
    at_zero = (-mp.euler, mp.euler**2 / 2 + mp.pi**2 / 12)
    table.numbers("at_zero", map(float, at_zero), "gamma(x) - 1/x at 0, and its slope")
    table.write()


if __name__ == "__main__":
    main()
