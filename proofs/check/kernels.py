"""Whole kernels on short cells, from their arguments to their enclosures, without a lemma."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

from proofs.check.evaluation import Evaluation, of_all_cases
from proofs.check.forms import LEAST, Double, Form, between, double, number
from proofs.check.functions import FUNCTIONS, HALF, inverse, odd, pi, root
from proofs.check.statements import share_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from proofs.check.patterns import Traced

__all__ = ["BUILT_INS", "share"]

_MOST_CASES = 4
_ONE = number(1)
_log = FUNCTIONS["log"]


def _direction(y: Form, x: Form) -> Form:
    """Return the angle of (x, y), x not 0."""
    angle = FUNCTIONS["atan"](y * inverse(x))
    if x.p[0] > 0:
        return angle
    return angle + pi() if y.p[0] > 0 else angle - pi()


BUILT_INS: dict[str, Callable[..., Form]] = {
    **{name: FUNCTIONS[name] for name in ("sin", "cos", "asin", "acos", "atan", "cbrt")},
    "tan": lambda x: FUNCTIONS["sin"](x) * inverse(FUNCTIONS["cos"](x)),
    "asinh": odd(lambda x: _log(x + root(x * x + _ONE))),
    "acosh": lambda x: _log(x + root((x - _ONE) * (x + _ONE))),
    "atanh": lambda x: (_log(_ONE + x) - _log(_ONE - x)).scaled(HALF),
    "hypot": lambda x, y: root(x * x + y * y),
    "atan2": _direction,
    "tgamma": FUNCTIONS["gamma"],
    "lgamma": FUNCTIONS["log_gamma"],
}
BUILT_INS |= {f"{name}pi": lambda x, f=BUILT_INS[name]: f(x * pi()) for name in ("sin", "cos", "tan")}
_ARCS = ("asin", "acos", "atan", "atan2")
BUILT_INS |= {f"{name}pi": lambda *x, f=BUILT_INS[name]: f(*x) * inverse(pi()) for name in _ARCS}


def share(traced: Traced, name: str, ends: tuple[float, float], *others: float) -> Fraction:
    """Return the largest error relative to the least bound, for first arguments between ``ends`` with ``others``."""
    finest = math.frexp(min(map(abs, ends)))[1] - 53
    x = Double(between(*map(Fraction, ends)), max(finest, LEAST))
    ideal = BUILT_INS[name](x.form, *map(number, others))

    def of_case(cases: dict[int, Fraction]) -> Fraction:
        run = Evaluation(traced, cases, _MOST_CASES)
        run.known = {0: x, **{i: double(other) for i, other in enumerate(others, 1)}}
        hi, lo, err, exponent = (run(operand) for _, operand in traced.program.outputs)
        error = hi.form + lo.form - ideal.scaled(Fraction(2) ** -exponent)
        return share_of(error.size(), err.form.least() if err.form.p[0] > 0 else 0)

    return of_all_cases(of_case)
