"""Generates exponential.toml: the tables and polynomials of exp, exp2, exp10 and expm1."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

STEPS = 128


def exp_tail(r: mpf) -> mpf:
    """(e^r - 1 - r) / r^2."""
    with mp.workprec(2 * mp.prec):  # the numerator cancels
        return (mp.expm1(r) - r) / r**2 if r else mpf(1) / 2


def exp_slope(r: mpf) -> mpf:
    """(e^r - 1) / r."""
    return mp.expm1(r) / r if r else mpf(1)


def main() -> None:
    """Write the table."""
    table = Table("fast/exponential")
    powers = [pieces(mpf(2) ** (mpf(j) / STEPS), 53) for j in range(STEPS)]
    table.numbers("exp2_hi", [p[0] for p in powers], "2^(j/128), truncated to double")
    table.numbers("exp2_lo", [p[1] for p in powers], "2^(j/128) minus exp2_hi")
    table.numbers("ln2", pieces(mp.log(2) / STEPS, 34), "ln(2)/128 in 34 bits and the rest")
    table.numbers("log2_10", pieces(mp.log(10, 2), 29), "log2(10) in 29 bits and the rest")
    table.numbers("steps", [float(STEPS / mp.log(2))], "128/ln(2)")
    table.polynomial("exp_slope", exp_slope, -0.3467, 0.3467, 10)
    table.polynomial("exp_tail", exp_tail, -0.0028, 0.0028, 4)
    table.polynomial("expm1_tail", exp_tail, -0.26, 0.26, 10)
    table.write()


if __name__ == "__main__":
    main()
