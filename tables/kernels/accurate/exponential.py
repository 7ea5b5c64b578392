"""Generates exponential.toml: the tables and polynomials of the exponentials in double-double."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

STEPS = 256
REACH = 0.00136


def exp_tail(r: mpf) -> mpf:
    """(e^r - 1 - r) / r^2."""
    with mp.workprec(2 * mp.prec):  # the numerator cancels
        return (mp.expm1(r) - r) / r**2 if r else mpf(1) / 2


def expm1_tail(r: mpf) -> mpf:
    """(e^r - 1 - r - r^2/2) / r^3."""
    with mp.workprec(3 * mp.prec):
        return (mp.expm1(r) - r - r**2 / 2) / r**3 if r else mpf(1) / 6


def main() -> None:
    """Write the table."""
    table = Table("accurate/exponential")
    powers = [pieces(mpf(2) ** (mpf(j) / STEPS), 32) for j in range(STEPS)]
    table.numbers("exp2_hi", [p[0] for p in powers], "2^(j/256) in 32 bits")
    table.numbers("exp2_lo", [p[1] for p in powers], "2^(j/256) minus exp2_hi")
    table.numbers("ln2_step", pieces(mp.log(2) / STEPS, 34, 34), "ln(2)/256 in 34 bits, 34 bits and the rest")
    table.numbers("log10_step", pieces(mp.log10(2) / STEPS, 34, 34), "log10(2)/256 in 34 bits, 34 bits and the rest")
    table.numbers("steps", [float(STEPS / mp.log(2)), float(STEPS / mp.log10(2))], "256/ln(2), 256/log10(2)")
    table.numbers("ln2", pieces(mp.log(2), 27), "ln(2) in 27 bits and the rest")
    table.numbers("ln10", pieces(mp.log(10), 27), "ln(10) in 27 bits and the rest")
    tens = [mpf(10) ** j for j in range(24)]
    table.numbers("tens", [float(t) for t in tens], "10^j; 10^23 is a midpoint")
    table.numbers("tens_lo", [float(t - mpf(float(t))) for t in tens], "10^j minus these")
    table.polynomial("exp_tail", exp_tail, -REACH, REACH, 4)
    table.polynomial("expm1_tail", expm1_tail, -REACH, REACH, 4)
    table.write()


if __name__ == "__main__":
    main()
