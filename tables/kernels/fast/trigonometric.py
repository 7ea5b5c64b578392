"""Generates trigonometric.toml: 2/pi for Payne and Hanek's reduction, pi, polynomials of sine, cosine and tangent."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

LOWEST, HIGHEST = -150, 105  # x = m 2^e with a 24-bit integer m: from the smallest subnormal to the largest float


def sine_tail(z: mpf) -> mpf:
    """(sin t - t) / t^3 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return (mp.sin(t) - t) / t**3 if z else -mpf(1) / 6


def cosine_tail(z: mpf) -> mpf:
    """(cos t - 1 + t^2/2) / t^4 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        return (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2 if z else mpf(1) / 24


def tangent_over_angle(z: mpf) -> mpf:
    """(tan t) / t for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return mp.tan(t) / t if z else mpf(1)


def main() -> None:
    """Write the table."""
    table = Table("fast/trigonometric")
    with mp.workprec(600):
        rows = [pieces(mp.fmod(mpf(2) ** e * 2 / mp.pi, 4), 28, 28) for e in range(LOWEST, HIGHEST + 1)]
        table.numbers("two_over_pi_hi", [r[0] for r in rows], "2^e 2/pi mod 4 for e = -150 .. 105: its first 28 bits")
        table.numbers("two_over_pi_mid", [r[1] for r in rows], "the next 28 bits")
        table.numbers("two_over_pi_lo", [r[2] for r in rows], "the rest, 53 bits")
        table.numbers("half_pi", pieces(mp.pi / 2, 53), "pi/2 truncated to double and the rest")
        table.numbers("pi", pieces(mp.pi, 26), "pi in 26 bits and the rest")
        table.numbers("pi_pieces", pieces(mp.pi, 33, 33), "pi in 33 bits, 33 bits and the rest")
        table.numbers("half_turns", [float(1 / mp.pi)], "1/pi")
    top = float((mp.pi / 4) ** 2) * 1.0001
    table.polynomial("sine_tail", sine_tail, 0.0, top, 5)
    table.polynomial("cosine_tail", cosine_tail, 0.0, top, 5)
    table.quotient("tangent", tangent_over_angle, 0.0, top, (3, 3))
    table.polynomial("half_turn_tail", sine_tail, 0.0, float((mp.pi / 2) ** 2) * 1.0001, 7)
    table.write()


if __name__ == "__main__":
    main()
