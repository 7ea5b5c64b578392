"""Generates inverse_hyperbolic.toml: the polynomials of asinh and atanh near zero."""

from kernels.fitting import Table, mp
from mpmath import mpf

SMALL = 2.0**-18  # the square of the largest argument


def asinh_tail(z: mpf) -> mpf:
    """(asinh x - x) / x^3 for z = x^2."""
    with mp.workprec(3 * mp.prec):
        x = mp.sqrt(z)
        return (mp.asinh(x) - x) / x**3 if z else mpf(-1) / 6


def atanh_tail(z: mpf) -> mpf:
    """(atanh x - x) / x^3 for z = x^2."""
    with mp.workprec(3 * mp.prec):
        x = mp.sqrt(z)
        return (mp.atanh(x) - x) / x**3 if z else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("accurate/inverse_hyperbolic")
    table.polynomial("asinh_tail", asinh_tail, 0.0, SMALL, 2)
    table.polynomial("atanh_tail", atanh_tail, 0.0, SMALL, 2)
    table.write()


if __name__ == "__main__":
    main()
