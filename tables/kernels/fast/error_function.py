"""Generates error_function.toml: erf(x)/x and e^(x^2) erfc(x) piece by piece."""

from kernels.fitting import Table, mp
from mpmath import mpf


def erf_over_x(x: mpf) -> mpf:
    """erf(x) / x."""
    return mp.erf(x) / x if x else 2 / mp.sqrt(mp.pi)


def scaled_erfc(x: mpf) -> mpf:
    """e^(x^2) erfc(x)."""
    return mp.exp(x * x) * mp.erfc(x)


def main() -> None:
    """Write the table."""
    table = Table("fast/error_function")
    table.piecewise("erf_over_x", erf_over_x, [j / 64 for j in range(257)], 1 / 128, 6)
    table.piecewise("scaled_erfc", scaled_erfc, [j / 32 for j in range(345)], 1 / 64, 7)
    table.write()


if __name__ == "__main__":
    main()
