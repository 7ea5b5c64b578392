"""Generates logarithm.toml: the logarithm of 2 to the base 10."""

from kernels.fitting import Table, mp


def main() -> None:
    """Write the table."""
    table = Table("narrowing/logarithm")
    table.pairs("log10_of_2", [mp.log10(2)], "log10(2)")
    table.write()


if __name__ == "__main__":
    main()
