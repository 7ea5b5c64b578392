"""sinh, cosh, tanh: m = e^y - 1 or e^y as a pair over 2^k, and the results from m; y is |x|, or 2 |x|."""

from __future__ import annotations

from clmath.kernels.accurate import exponential
from clmath.kernels.accurate import hyperbolic as accurate
from clmath.kernels.accurate.exponential import GROWTH_BOUND, STEP_BOUND
from proofs.accurate.exponential import integer_of
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, narrowing
from proofs.narrowing.exponential import GROUPS, Reduced, Scaled, changes, integers, rise, small

LOWER_PART = 2.0**-52.5  # of the pair, relative to the first part
OFF = 2.0**-104.6  # relative error of e^y as a pair
RELATIVE, ABSOLUTE = 2.0 * GROWTH_BOUND, STEP_BOUND  # bounds of e^y - 1, and of T e^r
LOOSE = 0.0015  # the second of these is of T alone, and e^r is so near to 1


@dataclass(frozen=True)
class Kernel:
    """A function of the pair and of the unit, y = ``factor`` |x| up to ``top``.

    ``is_less``: the pair is e^y - 1. ``formed``: the function. ``alone``: smaller k are each proven alone. ``added``:
    the exponent less k; None where the exponent is 0.
    """

    scaled: Scaled
    formed: Callable[[Term, Term], Term]
    alone: int = 56
    factor: float = 1.0
    top: float = exponential.TOP
    added: int | None = -1
    is_less: bool = True

    def quotients(self) -> Iterator[Subinterval]:
        """Yield all first parts of the pair for each k, binade by binade, in quarters."""
        highest = self.scaled.groups[-1][1]
        groups = [(k, k) for k in range(min(self.alone, highest + 1))]
        for group in (*groups, *([(self.alone, highest)] if self.alone <= highest else [])):
            unit = 2.0 ** -group[0] if self.is_less else 0.0
            yield from cut(binades(0.0013 if unit == 1.0 else 0.998 - unit, 2.003, k=group), 4)


KERNELS = {  # the functions are of e^y - 1, or of e^y where that is not less, and of the unit
    "sinh": Kernel(Scaled(GROUPS), lambda m, unit: m + m * unit * inverse(m + unit)),
    "cosh": Kernel(Scaled(GROUPS, -400, -2), lambda m, unit: m + inverse(m) * unit, alone=30, is_less=False),
    "tanh": Kernel(
        Scaled(((0, 0), (1, 1), (2, 62))),
        lambda m, unit: m * inverse(m + unit * 2),
        factor=2.0,
        top=2.0 * accurate.SATURATED,
        added=None,
    ),
}


def pairs(f: Traced, of: Kernel) -> Lemma:
    """Return the lemma of the error and the size of the pair, and of the size of its bound."""

    def claim(grown: Term, s: Subinterval) -> Claims:
        size, other = least_size(v.m), v.unit + v.below
        lowest = 0.0013 if s.k == (0, 0) and of.is_less else 0.998
        whole = v.m + other if of.is_less and s.k != (0, 0) else v.m
        sizes = [bounded(v.m_lo, size * LOWER_PART), near(whole, lowest / 2 + 1.0015, 1.0015 - lowest / 2)]
        if not of.is_less:
            return [near(v.m + v.m_lo, grown, size * OFF), *sizes]
        expected, loose = v.m * RELATIVE + (v.m + other) * ABSOLUTE, least_size(v.m + other) * (ABSOLUTE * LOOSE)
        return [near(v.m + v.m_lo, grown - other, least(v.m_err)), *sizes, near(v.m_err, expected, loose)]

    return changes(f, of.scaled.groups, lambda s: of.scaled.given(s.k), claim, "pairs")


def quotients(f: Traced, of: Kernel, signs: Sequence[int]) -> Lemma:
    """Return the lemma of the function for each pair, with its error and bound from ``pairs``."""

    def assume(s: Subinterval) -> Properties:
        m = VARIABLE
        given = {"m": doubles(), "m_lo": within(most(m) * LOWER_PART), **of.scaled.given(s.k), **OWN}
        if of.is_less:
            unit = 2.0 ** -s.k[0]
            loose = most(m + unit) * (ABSOLUTE * LOOSE) + (unit * ABSOLUTE if s.k[0] < s.k[1] else 0.0)
            err = m * RELATIVE + (m + unit) * ABSOLUTE
            given |= {"m_err": Number(err + unknown(loose), -1074), "d": within(most(err) + loose)}
        else:
            given["d"] = within(most(m) * OFF)
        return given | ({"negative": s.sign < 0} if len(signs) > 1 else {})

    def claim(s: Subinterval) -> Claims:
        ideal = of.formed(v.m + v.m_lo + v.d, v.unit + v.below) * s.sign
        return [narrows(ideal), Is("own_exponent", 0 if of.added is None else integer_of(s.k, of.added))]

    over = tuple(at(s.low, s.high, k=s.k, sign=sign) for s in of.quotients() for sign in signs)
    return lemma("quotients", f, over, divides=False)(assume, claim)


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel."""
    of, reduced, signs = KERNELS[name], Reduced(), (1,) if name == "cosh" else (1, -1)
    f, lowest = narrowing(name, getattr(accurate, name), "tiny"), of.factor * accurate.TINY

    def whole(y: Term, s: Subinterval) -> Term:
        ideal: Term = of.formed(exp(y) - 1 if of.is_less else exp(y), term(1)) * s.sign
        return ideal

    return (
        reduced.reduction(f, of.scaled.groups, lowest, of.top),
        integers(f, of.scaled),
        small(
            f,
            (at(s.low, s.high, sign=sign) for s in reduced.small(lowest) for sign in signs),
            whole,
            of.added or 0,
            lambda s: {"negative": s.sign < 0} if len(signs) > 1 else {},
        ),
        rise(f, reduced),
        pairs(f, of),
        quotients(f, of, signs),
    )


LEMMAS = dict.fromkeys(KERNELS, lemmas)
