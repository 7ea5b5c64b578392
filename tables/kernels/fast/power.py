"""Generates power.toml: cube roots at 3 x 128 places, the polynomial of the cube root, constants."""

from kernels.fast import logarithm
from kernels.fitting import Table, mp, pieces
from mpmath import mpf


def cbrt_tail(s: mpf) -> mpf:
    """((1 + s)^(1/3) - 1) / s."""
    with mp.workprec(3 * mp.prec):
        return (mp.cbrt(1 + s) - 1) / s if s else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("fast/power")
    roots = [
        pieces(mp.cbrt(mpf(2) ** e / logarithm.reciprocal(j)), 53) for e in range(3) for j in range(logarithm.PLACES)
    ]
    table.numbers("cbrt_hi", [r[0] for r in roots], "cube roots of 2^e/c, c the reciprocals of logarithm.toml")
    table.numbers("cbrt_lo", [r[1] for r in roots], "the rest")
    table.numbers("log2_of_e", pieces(1 / mp.log(2), 53), "log2(e) truncated to double, and the rest")
    table.polynomial("cbrt_tail", cbrt_tail, -0.0079, 0.0079, 6)
    table.write()


if __name__ == "__main__":
    main()
