"""exp, exp2, exp10, expm1: the reduction of the accurate kernels, e^r - 1 as a pair, and 2^(j/256) e^r from that."""

from __future__ import annotations

from dataclasses import field

from clmath.kernels.accurate import exponential as accurate
from proofs.accurate import exponential as steps
from proofs.accurate.exponential import NEAR, REACH, STEP, STEPS, Groups, binades_about, integer_of
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, narrowing

RISE = {"rise": multiples(-900), "rise_lo": within(2.0**-62, -900)}  # e^r - 1 as a pair
HIGHEST, OFF = 0.001362, 2.0**-109  # of e^r - 1; of the error of the pair
GROUPS = (0, 0), (1, 1), (2, 1155)  # k proven together

UNSCALED = term(1)


@dataclass(frozen=True)
class Reduced:
    """y = n ``step`` + ``rest`` + d with |d| <= ``off``, and r at most ``reach``, in units of ``unit``."""

    rest: dict[str, Number] = field(default_factory=lambda: {"r": multiples(-78), "r_lo": within(2.0**-60, -140)})
    reach: float = REACH
    off: float = 2.0**-111
    unit: Term = UNSCALED
    near: float = NEAR
    step: Term = STEP

    def reduction(self, f: Traced, groups: Groups, least: float, *tops: float) -> Lemma:
        """Return the lemma of that for y from ``least`` to the greatest of each sign."""
        over = binades_about(least, self.near, *tops)
        return steps.reduction(f, over, groups, self.rest, self.off, self.near, self.reach, self.step)

    def small(self, least: float) -> list[Subinterval]:
        """Return the y for which n = 0, by sizes."""
        return list(binades(least, self.reach * (1.0 + 2.0**-20), sign=1))


@dataclass(frozen=True)
class Scaled:
    """The unit 2^(``times`` k), at least 2^``lowest``, for the k of groups."""

    groups: Groups
    lowest: int = -1000
    times: int = -1

    def given(self, group: tuple[int, int]) -> dict[str, Property]:
        """Return the properties of the unit and of k."""
        unit = steps.unit_between(self.times * group[1], self.times * group[0], self.lowest)
        return {**unit, "k": integer_of(group)}


def integers(f: Traced, scaled: Scaled | None = None) -> Lemma:
    """Return the lemma that n = 256 k + j, and that the unit is the power of two of k."""
    over = [at(of="j", i=j) for j in range(STEPS)]
    if scaled:
        over += [at(of="k", i=k) for k in range(scaled.groups[0][0], scaled.groups[-1][1] + 1)]

    def claim(s: Subinterval) -> Claim | Claims:
        if s.of == "j" or scaled is None:
            return are(k=Exponent(), j=s.i)
        return near(v.unit, power_of_2(max(scaled.times * s.i, scaled.lowest)), 0)

    return lemma("integers", f, over)(lambda s: {"n": Residue(s.i, STEPS)} if s.of == "j" else {"k": s.i}, claim)


def small(
    f: Traced,
    over: Iterable[Subinterval],
    ideal: Callable[[Term, Subinterval], Term],
    added: int = 0,
    given: Callable[[Subinterval], Properties] = lambda _: {},
) -> Lemma:
    """Return the lemma of y where n = 0, for bounds are relative there; the exponent is ``added``."""
    return lemma("small", f, over, divides=False)(
        lambda s: {"tame": doubles(), "whole": Number(term(0)), "n": 0, **given(s), **OWN},
        lambda s: [narrows(ideal(v.tame, s)), Is("own_exponent", added)],
    )


def rise(f: Traced, reduced: Reduced) -> Lemma:
    """Return the lemma of e^r - 1 as a pair for all rests, 0 among them; the error is absolute."""
    (grid,) = (found.grid for name, found in reduced.rest.items() if name == "r")
    assert grid is not None

    def claim(_: Subinterval) -> Claims:
        exact = sum((v[name] for name in reduced.rest), v.d)
        return [near(v.rise + v.rise_lo, exp(exact * reduced.unit) - 1, OFF), *ensures(RISE, rise=HIGHEST)]

    return lemma("rise", f, (at(sign=0), *mirrored(binades(2.0**grid, reduced.reach, sign=1))), divides=False)(
        lambda s: {**reduced.rest, **({} if s.sign else {"r": constant(0.0)}), "d": within(reduced.off)}, claim
    )


def changes(
    f: Traced,
    groups: Groups,
    given: Callable[[Subinterval], Properties],
    claim: Callable[[Term, Subinterval], Claims],
    name: str = "values",
) -> Lemma:
    """Return a lemma of T e^r with T = 2^(j/256) for all e^r - 1, each j and each group of k, where n is not 0."""
    over = (at(-HIGHEST, HIGHEST, k=k, j=j) for k in groups for j in range(STEPS) if j or k != (0, 0))
    return lemma(name, f, over, divides=False)(
        lambda s: {**RISE, "d": within(OFF), "j": s.j, **given(s)},
        lambda s: claim((v.rise + v.rise_lo + v.d + 1) * power_of_2(s.j / STEPS), s),
    )


OF_2 = {"r": multiples(-62)}
OF_10 = {"r": multiples(-78), "r_lo": within(2.0**-58, -140)}
REDUCED_10 = Reduced(OF_10, 0.00059, 1.1 * 2.0**-111, log(10), NEAR / math.log(10.0), STEP * inverse(log(10)))
REDUCED = {
    "exp": (Reduced(), accurate.TOP),
    "exp2": (Reduced(OF_2, 0.0019532, 2.0**-150, log(2), NEAR / math.log(2.0), term(1) / STEPS), accurate.TOP_2),
    "exp10": (REDUCED_10, accurate.TOP_10),
}


def power(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of e^y, 2^y or 10^y: 2^k T e^r."""
    f, (reduced, top), groups = narrowing(name, getattr(accurate, name), "tiny"), REDUCED[name], ANY
    return (
        reduced.reduction(f, groups, accurate.TINY, top, top),
        integers(f),
        small(f, mirrored(reduced.small(accurate.TINY)), lambda y, _: exp(y * reduced.unit)),
        rise(f, reduced),
        changes(
            f,
            groups,
            lambda _: {"k": Exponent(), **OWN},
            lambda grown, _: [narrows(grown), Is("own_exponent", Exponent())],
        ),
    )


ANY = ((-1400, 1400),)
OF_EXPM1 = (*((k, k + 2) for k in range(-61, -4, 3)), *((k, k) for k in range(-4, 1)), *GROUPS[1:])


def expm1() -> tuple[Lemma, ...]:
    """Return the lemmas of e^y - 1 = 2^k (T e^r - 2^-k)."""
    f, reduced, scaled = narrowing("expm1", accurate.expm1, "tiny", "saturated"), Reduced(), Scaled(OF_EXPM1)
    return (
        reduced.reduction(f, OF_EXPM1, accurate.EXPM1_TINY, accurate.TOP, -accurate.SATURATED),
        integers(f, scaled),
        small(f, mirrored(reduced.small(accurate.EXPM1_TINY)), lambda y, _: exp(y) - 1),
        rise(f, reduced),
        changes(
            f,
            OF_EXPM1,
            lambda s: {**scaled.given(s.k), **OWN},
            lambda grown, s: [narrows(grown - v.unit - v.below), Is("own_exponent", integer_of(s.k))],
        ),
    )


LEMMAS = {**dict.fromkeys(REDUCED, power), "expm1": lambda _: expm1()}
