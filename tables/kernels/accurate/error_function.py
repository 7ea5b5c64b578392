"""Generates error_function.toml: erf(x)/x and e^(x^2) erfc(x) piece by piece, the leading coefficients as pairs."""

from collections.abc import Callable

from kernels.fitting import Table, chebyshev, mp, pieces
from mpmath import mpf

DEGREE = 11
PAIRS = 4
NOISE = mpf(2) ** -200  # the odd coefficients of an even function
ERF_PIECES = 102  # up to 6.3125
ERF_STEP = 1 / 16
ERFC_PIECES = 154  # 32 for each binade of 1 + x, up to 28.5
PLACES = 32


def erf_over_x(x: mpf) -> mpf:
    """erf(x) / x."""
    return mp.erf(x) / x if x else 2 / mp.sqrt(mp.pi)


def scaled_erfc(x: mpf) -> mpf:
    """e^(x^2) erfc(x)."""
    return mp.exp(x * x) * mp.erfc(x)


def place(i: int) -> tuple[mpf, mpf]:
    """Number ``i`` of the places of 1 + x, 32 in each binade, as x, and how far it reaches on each side."""
    width = mpf(2) ** (i // PLACES) / PLACES
    return (PLACES + i % PLACES) * width - 1, width / 2


def fitted(function: Callable[[mpf], mpf], centre: mpf, reach: mpf, degree: int) -> tuple[list[list[float]], mpf]:
    """Coefficients of ``function`` around ``centre``, constant first, and their largest relative error."""
    found = chebyshev(lambda t: function(centre + t), -reach, reach, degree)
    kept = [c if abs(c) > NOISE else mpf(0) for c in found]
    parts = [pieces(c, 53) if i < PAIRS else [float(c)] for i, c in enumerate(kept)]
    worst = mpf(0)
    for k in range(2 * degree + 1):
        t = -reach * mp.cos(mp.pi * k / (2 * degree))
        exact = function(centre + t)
        worst = max(worst, abs(mp.polyval([mp.fsum(p) for p in reversed(parts)], t) / exact - 1))
    return parts, worst


def record(table: Table, name: str, function: Callable[[mpf], mpf], places: list[tuple[mpf, mpf]], degree: int) -> None:
    """Write the heads and tails of the leading coefficients and the other coefficients, power by power."""
    fits = [fitted(function, centre, reach, degree) for centre, reach in places]
    bound = int(mp.floor(-mp.log(max(worst for _, worst in fits), 2))) - 1
    said = f"{len(places)} pieces, polynomials to 2^-{bound} in all"
    table.numbers(f"{name}_hi", [parts[i][0] for i in range(PAIRS) for parts, _ in fits], f"leading terms, {said}")
    table.numbers(f"{name}_lo", [parts[i][1] for i in range(PAIRS) for parts, _ in fits], "what they leave")
    rest = range(PAIRS, degree + 1)
    table.numbers(f"{name}_rest", [parts[i][0] for i in rest for parts, _ in fits], "the other terms")


def main() -> None:
    """Write the table."""
    table = Table("accurate/error_function")
    steps = [(mpf(i) * ERF_STEP, mpf(ERF_STEP) / 2) for i in range(ERF_PIECES)]
    record(table, "erf_over_x", erf_over_x, steps, DEGREE)
    record(table, "scaled_erfc", scaled_erfc, [place(i) for i in range(ERFC_PIECES)], DEGREE)
    table.write()


if __name__ == "__main__":
    main()
