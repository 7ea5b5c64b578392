"""Exact functions of models: Taylor series of Arb with a rigorous remainder; distances from integers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flint import arb, arb_poly, arb_series, ctx, fmpz

from proofs.engine.models import Cell, Model, Unproven

_TERMS = 16


@dataclass(frozen=True)
class Function:
    """A function of a number and of a power series, and its derivative as another."""

    of_number: Callable[[arb], arb]
    series: Callable[[arb_series], arb_series]
    derivative: Callable[[arb_series], arb_series]


def log_gamma_about(c: arb, terms: int) -> list[arb]:
    """The first ``terms`` coefficients of log gamma about any point of the ball ``c``, which is positive.

    From the second one on they are monotonic functions of the point, so that the ends have all there are: psi grows,
    and the n-th is (-1)^n zeta(n, c)/n, n >= 2, a sum of (c + i)^-n. Arb's own series of a ball is wide, or not finite.
    """
    if not c > 0:
        raise Unproven("log gamma at what may not be positive")
    ends = (arb_series([end, 1], prec=terms).lgamma().coeffs() for end in (c.lower(), c.upper()))
    low, high = (found + [arb(0)] * (terms - len(found)) for found in ends)
    return [c.lgamma(), *(a.union(b) for a, b in zip(low[1:], high[1:], strict=True))]


def log_gamma_1p(d: Model) -> Model:
    """Return log gamma(1 + d) for small d by its series at 1, to many bits of itself."""
    count = 10
    exact = log_gamma_about(arb(1), count)
    bound = log_gamma_about(1 + arb(0, d.most()), count + 1)[count]
    total = d.cell.constant(exact[-1]) + d.cell.constant(bound) * d
    for c in exact[-2:0:-1]:
        total = total * d + d.cell.constant(c)
    return total * d


def _log_gamma(s: arb_series) -> arb_series:
    return arb_series(log_gamma_about(s[0], s.prec), prec=s.prec)(_beyond(s))


def _digamma(s: arb_series) -> arb_series:
    return arb_series(log_gamma_about(s[0], s.prec + 1), prec=s.prec + 1).derivative()(_beyond(s))


def _beyond(s: arb_series) -> arb_series:
    """A series less its constant."""
    return arb_series([0, *s.coeffs()[1:]], prec=s.prec)


def _gauss(s: arb_series) -> arb_series:
    """2 e^(-s^2) / sqrt(pi), the derivative of erf."""
    return (-(s * s)).exp() * 2 / arb.pi().sqrt()


FUNCTIONS = {  # by the operations of terms
    "inverse": Function(lambda x: 1 / x, lambda s: s.inv(), lambda s: -(s.inv() * s.inv())),
    "sqrt": Function(arb.sqrt, lambda s: s.sqrt(), lambda s: s.rsqrt() / 2),
    "exp": Function(arb.exp, lambda s: s.exp(), lambda s: s.exp()),
    "log": Function(arb.log, lambda s: s.log(), lambda s: s.inv()),
    "sin": Function(arb.sin, lambda s: s.sin(), lambda s: s.cos()),
    "cos": Function(arb.cos, lambda s: s.cos(), lambda s: -s.sin()),
    "atan": Function(arb.atan, lambda s: s.atan(), lambda s: (s * s + 1).inv()),
    "asin": Function(arb.asin, lambda s: s.asin(), lambda s: (1 - s * s).rsqrt()),
    "acos": Function(arb.acos, lambda s: s.acos(), lambda s: -(1 - s * s).rsqrt()),
    "erf": Function(arb.erf, lambda s: s.erf(), _gauss),
    "erfc": Function(arb.erfc, lambda s: s.erfc(), lambda s: -_gauss(s)),
    "log_gamma": Function(arb.lgamma, _log_gamma, _digamma),
}


def _gamma(s: arb_series) -> arb_series:
    return _log_gamma(s).exp()


def gamma_less_pole(x: Model) -> Model:
    """Return gamma(x) - 1/x for small x: the series of gamma(1 + x) without its constant, divided by x."""
    count = 5
    exact = _gamma(arb_series([1, 1], prec=count)).coeffs()
    total = x.cell.constant(_gamma(arb_series([1 + arb(0, x.most()), 1], prec=count + 1)).coeffs()[count])
    for c in exact[:0:-1]:
        total = total * x + x.cell.constant(c)
    return total.named()


def applied(name: str, model: Model, terms: int = _TERMS) -> Model:
    """Return a function of a model: of p by its series, of all other terms to first order, with a bound of the rest."""
    cell, function = model.cell, FUNCTIONS[name]
    p, rest = _composed(function.series, model.p, cell, terms)
    off = model.off()
    if off.is_zero():
        return Model(cell, p, None, rest).trimmed()
    whole = model.polynomial_range() + off.union(arb(0))
    curvature = function.series(arb_series([whole, 1], prec=3)).coeffs()
    second = curvature[2] if len(curvature) > 2 else arb(0)
    slope, slope_rest = _composed(function.derivative, model.p, cell, min(terms, 8))
    rest += second * off * off + slope_rest * off + slope(cell.place) * model.rest
    if not (rest.is_finite()):
        raise Unproven(f"{name} is not bounded on the cell")
    return Model(cell, p, {k: c * slope for k, c in model.terms.items()}, rest).trimmed()


def _composed(series: Callable[[arb_series], arb_series], p: arb_poly, cell: Cell, terms: int) -> tuple[arb_poly, arb]:
    """The first ``terms`` terms of f(p(t)) in t, and a bound of the others (Lagrange)."""
    if ctx.cap <= terms:
        raise Unproven("series are cut short: precisely() was not called")
    if p.length() <= 1:
        value = series(arb_series([p[0]], prec=1)).coeffs()
        return arb_poly(value or [0]), arb(0)
    head = arb_poly(series(arb_series(p.coeffs(), prec=terms)).coeffs())
    moved = p(arb_poly([cell.place, 1]))
    beyond = series(arb_series(moved.coeffs(), prec=terms + 1)).coeffs()
    last = beyond[terms] if len(beyond) > terms else arb(0)
    rest = last * arb(0, cell.radius**terms)
    if not rest.is_finite():
        raise Unproven("the series does not reach over the cell")
    return head, rest


def least_distance(a: arb, most: int, known: int) -> arb:
    """Return the least distance of m a from integers for all integers 0 < m < ``most``; a has ``known`` bits.

    Subsequent convergents of a have denominators q < q'. Where 0 < m < q', q a is at least as close to an integer as
    m a: the theorem of best approximation (Lagrange; Khinchin, Continued Fractions, theorems 16 and 17).
    """
    with ctx.workprec(known):
        before, here, rest, found = fmpz(0), fmpz(1), a - a.floor(), a - a.floor()
        while True:  # here a is rest from an integer
            quotient = (1 / rest).floor().unique_fmpz()
            if quotient is None:
                raise Unproven("the number is not known to enough bits")
            rest = 1 / rest - quotient
            following = quotient * here + before
            if following >= most:
                break
            before, here = here, following
        found = abs(a * here - (a * here).mid().floor())
        return min(found, 1 - found)
