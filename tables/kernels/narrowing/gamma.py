"""Generates gamma.toml: Stirling's series and its constants as pairs."""

from kernels.fitting import Table, mp
from mpmath import mpf

TERMS = 13


def main() -> None:
    """Write the table."""
    table = Table("narrowing/gamma")
    series = [mp.bernoulli(2 * k) / (2 * k * (2 * k - 1)) for k in range(1, TERMS + 1)]
    table.pairs("stirling", map(mpf, series), "B_2k / (2k (2k - 1))")
    table.pairs("constant", [mp.log(2 * mp.pi) / 2], "log(2 pi)/2")
    table.pairs("log2_of_e", [1 / mp.log(2)], "log2(e)")
    table.write()


if __name__ == "__main__":
    main()
