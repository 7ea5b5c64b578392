"""Generates inverse_trigonometric.toml: arc tangents at multiples of 1/64, the polynomial between, constants."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

PLACES = 64


def atan_tail(z: mpf) -> mpf:
    """(atan t - t) / t^3 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return (mp.atan(t) - t) / t**3 if z else -mpf(1) / 3


def main() -> None:
    """Write the table."""
    table = Table("fast/inverse_trigonometric")
    values = [mp.atan(mpf(j) / PLACES) for j in range(PLACES + 1)]
    heads = [mp.nint(v * mpf(2) ** 50) / mpf(2) ** 50 for v in values]
    table.numbers("atan_hi", map(float, heads), "atan(j/64) to a multiple of 2^-50")
    table.numbers("atan_lo", [float(v - h) for v, h in zip(values, heads, strict=True)], "the rest")
    head = mp.nint(mp.pi / 2 * mpf(2) ** 50) / mpf(2) ** 50
    table.numbers("half_pi", [float(head), float(mp.pi / 2 - head)], "pi/2 to a multiple of 2^-50, and the rest")
    table.numbers("one_over_pi", pieces(1 / mp.pi, 26), "1/pi truncated to 26 bits and the rest")
    table.polynomial("atan_tail", atan_tail, 0.0, 0.0000615, 3)
    table.write()


if __name__ == "__main__":
    main()
