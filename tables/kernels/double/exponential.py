"""Generates exponential.toml: the tables and polynomials of exp in double-double."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

STEPS = 256


def exp_tail(r: mpf) -> mpf:
    """(e^r - 1 - r) / r^2."""
    with mp.workprec(2 * mp.prec):  # the numerator cancels
        return (mp.expm1(r) - r) / r**2 if r else mpf(1) / 2


def main() -> None:
    """Write the table."""
    table = Table("double/exponential")
    powers = [pieces(mpf(2) ** (mpf(j) / STEPS), 26) for j in range(STEPS)]
    table.numbers("exp2_hi", [p[0] for p in powers], "2^(j/256) in 26 bits")
    table.numbers("exp2_lo", [p[1] for p in powers], "2^(j/256) minus exp2_hi")
    table.numbers("ln2", pieces(mp.log(2) / STEPS, 34, 34), "ln(2)/256 in 34 bits, 34 bits and the rest")
    table.numbers("steps", [float(STEPS / mp.log(2))], "256/ln(2)")
    table.polynomial("exp_tail", exp_tail, -0.00136, 0.00136, 4)
    table.write()


if __name__ == "__main__":
    main()
