"""Generates hyperbolic.toml: sinh and cosh of the rest that a reduction leaves."""

from kernels.accurate.exponential import REACH
from kernels.fitting import Table, mp
from mpmath import mpf


def sinh_tail(z: mpf) -> mpf:
    """(sinh r - r) / r^3 of z = r^2."""
    with mp.workprec(3 * mp.prec):
        r = mp.sqrt(z)
        return (mp.sinh(r) - r) / r**3 if r else mpf(1) / 6


def cosh_tail(z: mpf) -> mpf:
    """(cosh r - 1) / r^2 of z = r^2."""
    with mp.workprec(3 * mp.prec):
        return (mp.cosh(mp.sqrt(z)) - 1) / z if z else mpf(1) / 2


def main() -> None:
    """Write the table."""
    table = Table("accurate/hyperbolic")
    table.polynomial("sinh_tail", sinh_tail, 0.0, REACH**2, 2)
    table.polynomial("cosh_tail", cosh_tail, 0.0, REACH**2, 2)
    table.write()


if __name__ == "__main__":
    main()
