"""Generates gamma.toml: log gamma piece by piece, Stirling's series, sin(pi r)/(pi r), constants."""

from kernels.fitting import Table, chebyshev, mp, pieces
from mpmath import mpf

DEGREE = 12
PAIRS = 4  # how many leading coefficients are pairs
SINC_DEGREE, SINC_PAIRS = 10, 5
STEPS = 16  # pieces to a binade
LOG_GAMMA = [mpf(2) ** e * (1 + mpf(j) / STEPS) for e in range(-1, 4) for j in range(STEPS)] + [mpf(16)]


def reach(centre: mpf) -> mpf:
    """Half the width of the piece about ``centre``."""
    return mpf(2) ** mp.floor(mp.log(centre, 2)) / (2 * STEPS)


def piece(centre: mpf) -> list[mpf]:
    """Coefficients of log gamma in t = x - centre; the first is exactly 0 where the centre is a zero.

    There the polynomial is accurate relative to t.
    """
    low, high = -reach(centre), reach(centre)
    if mp.loggamma(centre):
        return chebyshev(lambda t: mp.loggamma(centre + t), low, high, DEGREE)
    # an even number of nodes: none of them is the centre
    return [mpf(0), *chebyshev(lambda t: mp.loggamma(centre + t) / t, low, high, DEGREE - 1)]


def misfit(centre: mpf, fit: list[mpf]) -> mpf:
    """The largest error of ``fit`` found, relative to t where the centre is a zero."""
    steps = [reach(centre) * k / DEGREE for k in range(-DEGREE, DEGREE + 1) if k]
    errors = [(t, abs(mp.polyval(fit[::-1], t) - mp.loggamma(centre + t))) for t in steps]
    return max(error if fit[0] else error / abs(t) for t, error in errors)


def may_be_added_fast(fit: list[mpf], most: mpf) -> bool:
    """Whether each of the leading coefficients is 0 or larger than what Horner's rule adds to it, |t| <= ``most``."""
    added = [sum(abs(c) * most**k for k, c in enumerate(fit[i:])) - abs(fit[i]) for i in range(PAIRS)]
    return all(not c or abs(c) > rest for c, rest in zip(fit[:PAIRS], added, strict=True))


def exponent(value: mpf) -> int:
    """That of a power of two above twice ``value``."""
    return int(mp.ceil(mp.log(value, 2))) + 1


def record_log_gamma(table: Table) -> None:
    """Record the pieces of log gamma: pairs, then the higher powers."""
    fits = [piece(centre) for centre in LOG_GAMMA]
    assert all(may_be_added_fast(fit, reach(centre)) for fit, centre in zip(fits, LOG_GAMMA, strict=True))
    worst = max(misfit(centre, fit) for centre, fit in zip(LOG_GAMMA, fits, strict=True))
    parts = [[pieces(fit[i], 53) for fit in fits] for i in range(PAIRS)]
    comment = f"{len(fits)} polynomials to 2^{exponent(worst)}, coefficients of"
    table.numbers("head", [p[0] for row in parts for p in row], f"{comment} 1, t, t^2, t^3 in 53 bits")
    table.numbers("rest", [p[1] for row in parts for p in row], f"{comment} 1, t, t^2, t^3: the rest")
    high = [float(fit[i]) for i in range(PAIRS, DEGREE + 1) for fit in fits]
    table.numbers("tail", high, f"{comment} t^4 to t^{DEGREE}")


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
    table = Table("double/gamma")
    record_log_gamma(table)
    record_sinc(table)
    table.polynomial("stirling_tail", stirling_tail, 0.0, 1 / 256, 6)
    table.numbers("stirling_constant", pieces((mp.log(2 * mp.pi) - 1) / 2, 53), "(log(2 pi) - 1)/2, and the rest")
    table.numbers("twelfth", pieces(mpf(1) / 12, 53), "1/12, and the rest")
    at_zero = (-mp.euler, mp.euler**2 / 2 + mp.pi**2 / 12)
    table.numbers("at_zero", map(float, at_zero), "gamma(x) - 1/x at 0, and its slope")
    table.write()


if __name__ == "__main__":
    main()
