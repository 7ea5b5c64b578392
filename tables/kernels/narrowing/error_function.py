"""Generates error_function.toml: the series of erf(x) e^(x^2) in x^2, all of whose terms are positive."""

from kernels.fitting import Table, mp

TERMS = 84


def main() -> None:
    """Write the table."""
    table = Table("narrowing/error_function")
    two_over_root_of_pi = 2 / mp.sqrt(mp.pi)
    series = [two_over_root_of_pi * mp.mpf(2) ** n / mp.fac2(2 * n + 1) for n in range(TERMS)]
    table.pairs("series", series, "2 / sqrt(pi) 2^n / (2n + 1)!!")
    table.write()


if __name__ == "__main__":
    main()
