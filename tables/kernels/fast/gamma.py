"""Generates gamma.toml: gamma(x) and log gamma(x)/((x - 1)(x - 2)) piece by piece, Stirling's series, constants."""

from kernels.fitting import Table, mp
from mpmath import mpf


def log_gamma_factor(x: mpf) -> mpf:
    """Log gamma(x) / ((x - 1)(x - 2))."""
    for zero, sign in ((1, -1), (2, 1)):
        if abs(x - zero) < mpf(2) ** -150:
            return sign * mp.psi(0, zero)
    with mp.workprec(3 * mp.prec):
        return mp.loggamma(x) / ((x - 1) * (x - 2))


def stirling_tail(z: mpf) -> mpf:
    """(log gamma(x) - (x - 1/2) log x + x - log(2 pi)/2) x for z = 1/x^2."""
    if not z:
        return mpf(1) / 12
    with mp.workprec(3 * mp.prec):
        x = 1 / mp.sqrt(z)
        return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x


def main() -> None:
    """Write the table."""
    table = Table("fast/gamma")
    table.piecewise("gamma", mp.gamma, [1 + j / 8 for j in range(345)], 1 / 16, 12)
    table.piecewise("log_gamma", log_gamma_factor, [1 + j / 32 for j in range(257)], 1 / 64, 7)
    table.polynomial("stirling_tail", stirling_tail, 0.0, 1 / 64, 8)
    constants = (mp.log(2 * mp.pi) / 2 - mpf(1) / 2, mp.log(mp.pi), mp.pi)
    table.numbers("constants", map(float, constants), "(log(2 pi) - 1)/2, log(pi), pi")
    table.write()


if __name__ == "__main__":
    main()
