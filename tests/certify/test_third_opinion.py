"""Cells of proofs, judged by Gappa and Sollya, where Debian's packages of them are installed."""

import shutil
from fractions import Fraction

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from clmath.certify.proofs import PROOFS  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.certify.third_opinion import half_ulp, is_within_by_gappa, off_by_sollya, told  # noqa: E402

for tool in ("gappa", "sollya"):
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: apt-get install gappa sollya", allow_module_level=True)

LOGARITHMS = ("log", "log2", "log10")
DEEPEST = 4


def power_of_two(_part, which):
    """e^x times a power of two, of which a piece has one."""
    return f"exp(x)*2^({which}/128)"


def half_turn(_part, which):
    """The sine of half turns, of which a piece has a number."""
    return f"(-1)^{which}*sin(pi*x)"


def logarithm(base):
    """log(2^q x), of a piece with one k: q, or q + 1 from the place of the carry on."""

    def of(part, which):
        (k, _), place = which
        return f"({k - part.family.layout.carried(place)})*{base}(2)+{base}(x)"

    return of


# the part whose cells are taken, what its argument is, and the function on a piece as Sollya reads it
KERNELS = {
    **dict.fromkeys(("exp", "exp2", "exp10"), (1, "ieee_64", power_of_two)),
    **dict.fromkeys(("sinpi", "cospi"), (1, "ieee_64", half_turn)),
    **{name: (1, "ieee_32", logarithm(name)) for name in LOGARITHMS},
    **{name: (0, "ieee_32", lambda _part, _which, name=name: f"{name}(x)") for name in ("expm1", "sinh", "erf")},
}
# up to where they are asked: sinh and expm1 are polynomials there, and Gappa takes seconds for sines beyond
MOST = {"expm1": 0.25, "sinh": 0.25, "sinpi": 0.25, "cospi": 0.25}


def pieces(name):
    """Pieces on which the kernel is one polynomial, and not next to zero, where numbers are tiny."""
    index, *_ = KERNELS[name]
    most = MOST.get(name, np.inf)
    for which, low, high in PROOFS["quick", name](name)[index].pieces():
        first, last = inner(low, high)
        if 2.0**-20 < max(abs(low), abs(high)) <= most and first < last and has_one_power(name, which):
            yield which, low, high


def has_one_power(name, which):
    """Whether a piece of a logarithm is not of several powers of two at once, nor of one beyond all doubles."""
    return name not in LOGARITHMS or which[0][0] == which[0][1] < 1024


def inner(low, high):
    """The floats within: at the ends of a piece another entry of a table may serve."""
    first, last = np.nextafter(np.float32(low), np.float32(np.inf)), np.nextafter(np.float32(high), np.float32(-np.inf))
    return first.item(), last.item()


def is_shown(name, piece, share=1.0, depth=0):
    """Whether the two tools show that the error on the piece is at most that share of the kernel's bound."""
    index, argument, function = KERNELS[name]
    part, (which, low, high) = PROOFS["quick", name](name)[index], piece
    cell = told(part, which, part.cell(which, flint.arb(low), flint.arb(high)), low, high)
    least = Fraction(cell.least) * (1 - Fraction(1, 1 << 10))
    left = (least - half_ulp(cell.size * (1.0 + 2.0**-40))) * Fraction(share) - off_by_sollya(
        cell, function(part, which)
    )
    if left > 0 and is_within_by_gappa(cell, argument, left, least):
        return True
    middle = float(np.float32((low + high) / 2))
    return (
        depth < DEEPEST
        and is_shown(name, (which, low, middle), share, depth + 1)
        and is_shown(name, (which, middle, high), share, depth + 1)
    )


@pytest.mark.slow
@for_each("name", sorted(KERNELS))
def test_gappa_and_sollya_agree_with_the_prover(name, draw):
    which, *ends = draw.choice(list(pieces(name)))
    assert is_shown(name, (which, *inner(*ends))), (name, which, *ends)


@pytest.mark.slow
def test_they_do_not_agree_with_a_bound_that_is_too_small(draw):
    """A tenth of the bound is less than the last addition may lose."""
    which, *ends = draw.choice(list(pieces("exp")))
    assert not is_shown("exp", (which, *inner(*ends)), 0.1, DEEPEST)


@pytest.mark.slow
def test_they_do_not_agree_with_another_function(draw):
    """e^x and a last place of it."""
    which, *ends = draw.choice(list(pieces("exp")))
    index, argument, function = KERNELS["exp"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(KERNELS, "exp", (index, argument, lambda part, which: f"({function(part, which)})*(1+2^-52)"))
        assert not is_shown("exp", (which, *inner(*ends)), 1.0, DEEPEST)
