"""Generates power.toml: reciprocals at two levels, their logarithms to base 2, the polynomial of log2, constants."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

PLACES = 128
SQRT2_PLACE = 53  # the place of [1, 2) that holds sqrt(2): from here on m counts as 2 (m/2)
STEP = mpf(2) ** -13  # of the second level, which reaches from -64 to 64 steps
HEAD = mpf(2) ** 42  # heads are multiples of 2^-42: the sum of two and of an exponent is exact


def reciprocal(j: int) -> mpf:
    """About 1/(1 + (j + 1/2)/128), a multiple of 2^-9; 1 and 1/2 at the ends, so that log2 x is accurate near 1."""
    if j in (0, PLACES - 1):
        return mpf(1) if j == 0 else mpf(1) / 2
    return mp.nint(2**9 / (1 + (j + mpf(1) / 2) / PLACES)) / 2**9


def fine_reciprocal(i: int) -> mpf:
    """About 1/(1 + i 2^-13), a multiple of 2^-15."""
    return mp.nint(2**15 / (1 + i * STEP)) / 2**15


def log2_tail(r: mpf) -> mpf:
    """(log(1 + r)/r - 1 + r/2) / r^2."""
    with mp.workprec(3 * mp.prec):
        return (mp.log1p(r) / r - 1 + r / 2) / r**2 if r else mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("accurate/power")
    coarse, fine = [reciprocal(j) for j in range(PLACES)], [fine_reciprocal(i) for i in range(-64, 65)]
    coarse_logs = [-mp.log(c, 2) - (1 if j >= SQRT2_PLACE else 0) for j, c in enumerate(coarse)]
    for name, values, logs in (("coarse", coarse, coarse_logs), ("fine", fine, [-mp.log(c, 2) for c in fine])):
        heads = [mp.nint(v * HEAD) / HEAD for v in logs]
        table.numbers(name, map(float, values), "reciprocals c")
        table.numbers(f"{name}_hi", map(float, heads), "-log2 c, less 1 from sqrt(2) on, to a multiple of 2^-42")
        table.numbers(f"{name}_lo", [float(v - h) for v, h in zip(logs, heads, strict=True)], "the rest")
    table.numbers("log2_of_e", pieces(1 / mp.log(2), 53), "log2(e) truncated to double, and the rest")
    table.numbers("ln2", pieces(mp.log(2), 53), "log(2) truncated to double, and the rest")
    table.polynomial("log2_tail", log2_tail, -0.0000765, 0.0000765, 3)
    table.write()


if __name__ == "__main__":
    main()
