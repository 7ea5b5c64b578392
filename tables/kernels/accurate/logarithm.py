"""Generates logarithm.toml: reciprocals and their logarithms at 256 places, the polynomial of log1p, constants."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

PLACES = 256  # of a binade, in equal steps of the encoding: numbers from 1 - 152 2/3 steps to twice that
CENTRE = 152  # the place of 1, which reaches from 1 - 2^-8/3 to 1 + 2^-8/3
BITS = 13  # behind the point, of a reciprocal
GRID = 42  # heads of logarithms are multiples of 2^-42: 52 bits with log(2^-1074)


def number(place: mpf) -> mpf:
    """The number ``place`` steps above the lowest: steps of the encoding are half as long below 1."""
    steps = place - CENTRE - mpf(2) / 3
    return 1 + steps / (PLACES if steps > 0 else 2 * PLACES)


def reciprocal(j: int) -> mpf:
    """About 1/m for the numbers m at place j; 1 at that of 1."""
    middle = (number(mpf(j)) + number(mpf(j + 1))) / 2
    return mpf(1) if j == CENTRE else mp.nint(mpf(2) ** BITS / middle) / mpf(2) ** BITS


def head(value: mpf) -> mpf:
    """``value`` to a multiple of 2^-42."""
    return mp.nint(value * mpf(2) ** GRID) / mpf(2) ** GRID


def log1p_tail(r: mpf) -> mpf:
    """(log(1 + r) - r + r^2/2) / r^3."""
    with mp.workprec(3 * mp.prec):
        return (mp.log1p(r) - r + r**2 / 2) / r**3 if r else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("accurate/logarithm")
    lowest = mp.nint(mpf(2) ** 53 * number(mpf(0))) / mpf(2) ** 53
    table.numbers("lowest", [float(lowest)], "where place 0 begins")
    reciprocals = [reciprocal(j) for j in range(PLACES)]
    table.numbers("reciprocal", map(float, reciprocals), "c, about 1/m, a multiple of 2^-13")
    logs = [-mp.log(c) for c in reciprocals]
    table.numbers("log_hi", [float(head(v)) for v in logs], "-log c to a multiple of 2^-42")
    table.numbers("log_lo", [float(v - head(v)) for v in logs], "the rest")
    two = mp.log(2)
    table.numbers("log_of_2", [float(head(two)), float(two - head(two))], "log 2 to a multiple of 2^-42, and the rest")
    for base in (2, 10):
        unit = 1 / mp.log(base)
        table.numbers(f"log{base}_of_e", [*pieces(unit, 27), float(unit)], "log e in 27 bits, the rest; in one double")
    table.polynomial("log1p_tail", log1p_tail, -0.0021, 0.0021, 5)
    table.write()


if __name__ == "__main__":
    main()
