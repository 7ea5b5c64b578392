"""Generates hyperbolic.toml: the polynomial of sinh."""

from kernels.fitting import Table, mp
from mpmath import mpf


def sinh_tail(z: mpf) -> mpf:
    """(sinh t - t) / t^3 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return (mp.sinh(t) - t) / t**3 if z else mpf(1) / 6


def main() -> None:
    """Write the table."""
    table = Table("fast/hyperbolic")
    table.polynomial("sinh_tail", sinh_tail, 0.0, 1.0, 7)
    table.write()


if __name__ == "__main__":
    main()
