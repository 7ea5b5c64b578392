"""Generates trigonometric.toml: 1024 sines, pi/1024 and 1024/pi in pieces, and polynomials for half a step."""

from kernels.fitting import Table, mp, pieces
from mpmath import mpf

STEPS = 1024  # to half a turn
LOWEST, HIGHEST = -84, 971  # x = m 2^e with a 53-bit integer m: from 2^-32 to the largest double
WORD_BITS = 52  # of 1024/pi
WORDS = 4


def sine_tail(z: mpf) -> mpf:
    """(sin t - t) / t^3 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        t = mp.sqrt(z)
        return (mp.sin(t) - t) / t**3 if z else -mpf(1) / 6


def cosine_tail(z: mpf) -> mpf:
    """(cos t - 1) / t^2 for z = t^2."""
    with mp.workprec(3 * mp.prec):
        return (mp.cos(mp.sqrt(z)) - 1) / z if z else -mpf(1) / 2


def on_grid(value: mpf, *places: int) -> list[float]:
    """Doubles that sum to ``value``: multiples of 2^-place for each of ``places``, and the rest, rounded."""
    parts = []
    for place in places:
        part = mp.nint(value * mpf(2) ** place) / mpf(2) ** place
        parts.append(float(part))
        value -= part
    return [*parts, float(value)]


def steps_modulo_a_turn(exponent: int) -> float:
    """2^exponent 1024/pi (mod 2048), between -1024 and 1024, rounded to a multiple of 2^-41."""
    turns = mpf(2) ** exponent / (2 * mp.pi)
    word = mp.nint((turns - mp.nint(turns)) * mpf(2) ** WORD_BITS) / mpf(2) ** WORD_BITS
    return float(2 * STEPS * word)


def main() -> None:
    """Write the table."""
    table = Table("accurate/trigonometric")
    sines = [pieces(mp.sinpi(mpf(j) / STEPS), 26) for j in range(STEPS)]
    table.numbers("sine_hi", [s[0] for s in sines], "sin(pi j/1024) in 26 bits")
    table.numbers("sine_lo", [s[1] for s in sines], "sin(pi j/1024) minus sine_hi")
    step = mp.pi / STEPS
    table.numbers("step", on_grid(step, 38, 61, 92), "pi/1024: multiples of 2^-38, 2^-61 and 2^-92, and the rest")
    table.numbers("step_short", pieces(step, 26), "pi/1024 in 26 bits and the rest")
    table.numbers("steps", [float(1 / step)], "1024/pi")
    with mp.workprec(1500):
        words = [steps_modulo_a_turn(e) for e in range(LOWEST, HIGHEST + (WORDS - 1) * WORD_BITS + 1)]
    table.numbers("words", words, "2^e 1024/pi (mod 2048), a multiple of 2^-41, for e = -84 ..")
    top = float((step / 2) ** 2) * 1.001
    table.polynomial("sine_tail", sine_tail, 0.0, top, 1)
    table.polynomial("cosine_tail", cosine_tail, 0.0, top, 2)
    table.write()


if __name__ == "__main__":
    main()
