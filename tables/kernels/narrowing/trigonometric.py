"""Generates trigonometric.toml: what double/trigonometric.toml leaves out of 1024 sines, and the series of a sine."""

from kernels.fitting import Table, as_double, mp, pieces
from mpmath import mpf

STEPS = 1024  # to half a turn


def sine_rest(j: int) -> float:
    """sin(pi j/1024) minus the 26 bits and the double that the other table has."""
    sine = mp.sinpi(mpf(j) / STEPS)
    return as_double(sine - sum(map(mpf, pieces(sine, 26))))


def main() -> None:
    """Write the table."""
    table = Table("narrowing/trigonometric")
    table.numbers("sine_rest", map(sine_rest, range(STEPS)), "sin(pi j/1024) without sine_hi and sine_lo of double/")
    table.pairs("step", [mp.pi / STEPS], "pi/1024")
    table.pairs("pi", [mp.pi], "pi")
    table.pairs("one_over_pi", [1 / mp.pi], "1/pi")
    for name, first in (("sine_series", 3), ("cosine_series", 2)):
        series = [mpf((-1) ** (k // 2)) / mp.factorial(k) for k in range(first, first + 9, 2)]
        table.pairs(name, series, f"of t^{first}, t^{first + 2} and so on")
    table.write()


if __name__ == "__main__":
    main()
