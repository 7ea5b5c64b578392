"""Generates exponential.toml: what double/exponential.toml leaves out of 2^(j/256), and the series of e^r."""

from kernels.fitting import Table, as_double, mp, pieces
from mpmath import mpf

STEPS = 256


def rest(j: int) -> float:
    """2^(j/256) minus the 32 bits and the double that the other table has."""
    power = mpf(2) ** (mpf(j) / STEPS)
    return as_double(power - sum(map(mpf, pieces(power, 32))))


def main() -> None:
    """Write the table."""
    table = Table("narrowing/exponential")
    table.numbers("exp2_rest", map(rest, range(STEPS)), "2^(j/256) without exp2_hi and exp2_lo of double/")
    table.pairs("ln2", [mp.log(2)], "ln(2)")
    table.pairs("ln10", [mp.log(10)], "ln(10)")
    table.pairs("series", [1 / mp.factorial(k) for k in range(2, 12)], "1/2!, 1/3! and so on")
    table.write()


if __name__ == "__main__":
    main()
