"""Generates inverse_trigonometric.toml: arc tangents at multiples of 1/256 turned into their octants, and between."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

PLACES = 256


def atan_tail(z: mpf) -> mpf:
    """(atan t - t) / t^3 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return (mp.atan(t) - t) / t**3 if z else -mpf(1) / 3


def angles() -> list[mpf]:
    """atan(j/256) for every j, then pi/2 less that, pi less that, and pi/2 and that."""
    slopes = [mp.atan(mpf(j) / PLACES) for j in range(PLACES + 1)]
    octants = ((0, 1), (1, -1), (2, -1), (1, 1))
    return [quarters * mp.pi / 2 + sign * slope for quarters, sign in octants for slope in slopes]


def main() -> None:
    """Write the table."""
    table = Table("accurate/inverse_trigonometric")
    values = angles()
    table.numbers("angle_hi", map(float, values), "t = atan(j/256), j to 256; pi/2 - t; pi - t; pi/2 + t")
    table.numbers("angle_lo", [float(v - mpf(float(v))) for v in values], "the rest")
    table.numbers("one_over_pi", [*pieces(1 / mp.pi, 26), float(1 / mp.pi)], "1/pi in 26 bits and the rest; rounded")
    table.polynomial("atan_tail", atan_tail, 0.0, 3.8148e-6, 2)
    table.write()


if __name__ == "__main__":
    main()
