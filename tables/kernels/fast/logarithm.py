"""Generates logarithm.toml: reciprocals and logarithms at 128 places of [1, 2), the polynomial of log1p, constants."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

PLACES = 128
BITS = 24  # of a reciprocal: times a 24-bit (or the first 29 bits of a 53-bit) argument it is exact


def reciprocal(j: int) -> mpf:
    """About 1/(1 + (j + 1/2)/128) in 24 bits; 1 and 1/2 at the ends, so that log x is accurate near x = 1."""
    if j in (0, PLACES - 1):
        return mpf(1) if j == 0 else mpf(1) / 2
    return mp.nint(mpf(2) ** BITS / (1 + (j + mpf(1) / 2) / PLACES)) / mpf(2) ** BITS


def log1p_tail(r: mpf) -> mpf:
    """(log(1 + r) - r + r^2/2) / r^3."""
    with mp.workprec(3 * mp.prec):
        return (mp.log1p(r) - r + r**2 / 2) / r**3 if r else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("fast/logarithm")
    table.numbers("reciprocal", [float(reciprocal(j)) for j in range(PLACES)], "c, about 1/m, 24 bits")
    for name, base in (("log", mp.e), ("log2", mpf(2)), ("log10", mpf(10))):
        # from sqrt(2) on, m is taken as 2 (m/2): the 2 counts as an exponent
        values = [-mp.log(reciprocal(j), base) - (mp.log(2, base) if j >= 53 else 0) for j in range(PLACES)]
        heads = [mp.nint(v * mpf(2) ** 43) / mpf(2) ** 43 for v in values]  # a multiple of 2^-43, as k log(2) below
        table.numbers(f"{name}_hi", map(float, heads), "-log c, less log 2 from sqrt(2) on, to a multiple of 2^-43")
        rests = [float(v - h) for v, h in zip(values, heads, strict=True)]
        table.numbers(f"{name}_lo", rests, "the rest")
        two = mp.log(2, base)
        head = mp.nint(two * mpf(2) ** 43) / mpf(2) ** 43
        table.numbers(f"{name}_of_2", [float(head), float(two - head)], "log 2 to a multiple of 2^-43, and the rest")
        table.numbers(f"{name}_of_e", pieces(1 / mp.log(base), 26), "log e in 26 bits and the rest")
    table.polynomial("log1p_tail", log1p_tail, -0.0079, 0.0079, 6)
    table.write()


if __name__ == "__main__":
    main()
