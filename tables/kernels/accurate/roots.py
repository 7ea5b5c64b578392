"""Generates roots.toml: reciprocals at 128 places, their cube roots, the polynomial of the cube root."""

from kernels.fitting import Table, mp
from mpmath import mpf

PLACES = 128


def reciprocal(j: int) -> float:
    """1/(1 + (j + 1/2)/128), rounded."""
    return float(1 / (1 + (j + mpf(1) / 2) / PLACES))


def cbrt_tail(s: mpf) -> mpf:
    """((1 + s)^(1/3) - 1) / s."""
    with mp.workprec(3 * mp.prec):
        return (mp.cbrt(1 + s) - 1) / s if s else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("accurate/roots")
    table.numbers("reciprocal", map(reciprocal, range(PLACES)), "c, about 1/m")
    roots = [mp.cbrt(mpf(2) ** e / reciprocal(j)) for e in range(3) for j in range(PLACES)]
    table.numbers("root", map(float, roots), "cube roots of 2^e/c")
    table.polynomial("cbrt_tail", cbrt_tail, -0.00392, 0.00392, 2)
    table.write()


if __name__ == "__main__":
    main()
