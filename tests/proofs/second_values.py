"""Whole kernels, from their arguments on, verified by the second checker on short cells: see second_checker.

Of the encoding of a positive number that lies in one binade what is done is known: a multiple of 2^52 that is added is
a power of two, and the bits before and after a place are the same on the cell, or the cell is too long.
"""

from __future__ import annotations

import math
import operator
import struct
from dataclasses import dataclass, replace
from fractions import Fraction

from clmath.ir.program import Constant
from tests.proofs.second_checker import (
    LEAST,
    ONE,
    Cases,
    Double,
    Form,
    K,
    Undecided,
    _float,
    double,
    exact,
    sine_and_cosine,
)
from tests.proofs.second_checker_of_enclosures import (
    HYPERBOLIC,
    INFINITE,
    SIGN,
    angle_of,
    arc_tangent,
    logarithm_of,
    power_of,
    scaled,
)
from tests.proofs.second_checker_of_gamma import gamma, log_gamma
from tests.proofs.second_sums import Encoding, Longer, error_function

BINADE = 1 << 52


@dataclass(frozen=True)
class Code:
    """The encoding of a positive normal double, and ``added`` to it."""

    of: Double
    added: int

    def ends(self):
        """The least and the greatest that it may be."""
        form = self.of.form
        if form.p[0] - form.radius() <= 0:
            raise Undecided("the encoding of what may not be positive")
        return tuple(_encoding(form.p[0] + side * form.radius()) + self.added for side in (-1, 1))

    def without(self, last):
        """The integer without its last bits, if that is one."""
        least, greatest = (end >> last for end in self.ends())
        if least != greatest:
            raise Undecided("an integer that is not the same on the whole cell")
        return least


def _encoding(units):
    """That of the double next to a number of units."""
    return struct.unpack("<q", struct.pack("<d", float(Fraction(units, ONE))))[0]


def is_fine(operand):
    """Whether it is a double that is known, finer than a unit and smaller than all that is larger than one."""
    size = abs(_float(operand.encoding)) if isinstance(operand, Constant) and operand.kind == "double" else 1.0
    return 0.0 < size < 2.0**-K


def _ends(x):
    """The least and the greatest that an integer may be."""
    return x.ends() if isinstance(x, Code) else (x, x)


ORDERS = {
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "eq": operator.eq,
    "ne": operator.ne,
}


class Kernel(Longer):
    """Evaluations with sums and differences of encodings, comparisons with infinity and roots."""

    def one_of_few(self, number, found):
        """As it is, or ``found`` where enough is one of a few: each case would double those of all that follows."""
        try:
            return super().one_of_few(number, found)
        except Cases as several:
            if several.values and len(self.cases) >= MOST_CASES:
                return found
            raise

    def bits(self, number, a):
        found = super().bits(number, a)
        positive = isinstance(found, Encoding) and found.of.form.p[0] > 0
        return Code(found.of, 0) if positive and found.of.form.least() else found

    def long_add(self, number, a, b):
        x, y = self(a), self(b)
        return replace(x, added=x.added + y) if isinstance(x, Code) else super().long_add(number, a, b)

    def long_sub(self, number, a, b):
        x, y = self(a), self(b)
        return replace(x, added=x.added - y) if isinstance(x, Code) else super().long_sub(number, a, b)

    def long_shr(self, number, a, b):
        x = self(a)
        return x.without(self(b)) if isinstance(x, Code) else super().long_shr(number, a, b)

    def long_and(self, number, a, b):
        x, mask = self(a), self(b)
        if isinstance(x, Encoding) and mask == ~SIGN:
            return Code(Double(x.of.form.times(-1), x.of.grid, x.of.bits), 0)
        if not isinstance(x, Code):
            return super().long_and(number, a, b)
        if mask == ~SIGN:
            return x
        if mask == SIGN:
            return 0
        if mask in {BINADE - 1, SIGN | BINADE - 1}:
            return replace(x, added=x.added - (x.without(52) << 52))
        if mask < 0 and not x.added:
            assert -mask & (-mask - 1) == 0
            return Encoding(x.of, cut=(-mask).bit_length() - 1)
        last = (mask & -mask).bit_length() - 1
        return x.without(last) << last & mask

    def long_or(self, _number, a, b):
        x, y = self(a), self(b)
        if isinstance(x, Encoding):
            if y:
                raise Undecided("the sign of a number that may be negative")
            return x
        if not isinstance(x, Code):
            return x | y
        if y in {0, SIGN}:
            return self.with_sign(x, y)
        assert y % BINADE == 0
        assert x.without(52) == 0
        return replace(x, added=x.added + y)

    def long_xor(self, number, a, b):
        x, y = self(a), self(b)
        if not isinstance(x, Code):
            return super().long_xor(number, a, b)
        return self.with_sign(x, y)

    def with_sign(self, x, sign):
        """The encoding of a positive number with that bit set, or as it is."""
        assert sign in {0, SIGN}
        assert not x.added
        return Encoding(Double(x.of.form.times(-1), x.of.grid, x.of.bits)) if sign else x

    def from_bits(self, number, a):
        code = self(a)
        if not isinstance(code, Code):
            return super().from_bits(number, a)
        if code.added % BINADE:
            raise Undecided("the double of an encoding that is not known")
        power = code.added // BINADE
        return Double(scaled(code.of.form, Fraction(2) ** power), code.of.grid + power, code.of.bits)

    def sqrt(self, number, a):
        return self.rounded(number, power_of(self(a).form, Fraction(1, 2)), -5000)

    def compare(self, name, a, b):
        """Known values are finite; encodings are compared as integers."""
        if b == INFINITE:
            return name in {"lt", "le", "ne"}
        x = self(a)
        if is_fine(b):
            if not x.form.least():
                raise Undecided("a comparison with what is finer than a unit")
            return name in ({"gt", "ge", "ne"} if x.form.p[0] > 0 else {"lt", "le", "ne"})
        if not isinstance(x, Code | int):
            return super().compare(name, a, b)
        (least, greatest), (first, last) = _ends(x), _ends(self(b))
        found = {ORDERS[name](*ends) for ends in ((least, last), (greatest, first))}
        if a == b:
            return name in {"le", "ge", "eq"}
        if len(found) > 1 or (name in {"eq", "ne"} and least < last and first < greatest):
            raise Undecided("a comparison of encodings")
        return found.pop()

    def bool_xor(self, _number, a, b):
        return bool(self(a)) ^ bool(self(b))


def arc_tangent_of(z):
    """Of any form: that of a number near it, and of the angle between."""
    if z.p[0] < 0:
        return arc_tangent_of(z.times(-1)).times(-1)
    near = Fraction(z.p[0] >> K - 30, 1 << 30)
    between = (z - exact(near)) * power_of(exact(1) + z * exact(near), Fraction(-1))
    return angle_of(near) + arc_tangent(between)


def half_turn():
    """Pi."""
    return scaled(angle_of(Fraction(1)), Fraction(4))


def _arc_sine(x):
    return arc_tangent_of(x * power_of(power_of(exact(1) - x * x, Fraction(1, 2)), Fraction(-1)))


def _arc_cosine(x):
    return scaled(half_turn(), Fraction(1, 2)) - _arc_sine(x)


def _over_pi(function):
    return lambda *x: function(*x) * power_of(half_turn(), Fraction(-1))


def _cube_root(x):
    return power_of(x, Fraction(1, 3)) if x.p[0] > 0 else _cube_root(x.times(-1)).times(-1)


def _hypotenuse(x, y):
    return power_of(x * x + y * y, Fraction(1, 2))


def _direction(y, x):
    """That of (x, y), x not 0."""
    angle = arc_tangent_of(y * power_of(x, Fraction(-1)))
    if x.p[0] > 0:
        return angle
    return angle + half_turn() if y.p[0] > 0 else angle - half_turn()


def _turned(which):
    def function(x):
        """Of an angle: of what it is less a multiple of pi, and its parity."""
        turns = round(Fraction(x.p[0], ONE) / Fraction(half_turn().p[0], ONE))
        found = which(*sine_and_cosine(x - scaled(half_turn(), Fraction(turns))))
        return found.times(-1 if turns & 1 and which is not _tangent else 1)

    return function


def _tangent(sine, cosine):
    return sine * power_of(cosine, Fraction(-1))


TURNED = {"sin": _turned(lambda sine, _: sine), "cos": _turned(lambda _, cosine: cosine), "tan": _turned(_tangent)}


def _of_turns(function):
    return lambda x: function(x * half_turn())


FUNCTIONS = {
    **HYPERBOLIC,
    **TURNED,
    **{name + "pi": _of_turns(function) for name, function in TURNED.items()},
    "log": logarithm_of,
    "log1p": lambda x: logarithm_of(exact(1) + x),
    "erf": error_function,
    "erfc": lambda x: exact(1) - error_function(x),
    "asin": _arc_sine,
    "acos": _arc_cosine,
    "atan": arc_tangent_of,
    "cbrt": _cube_root,
    "hypot": _hypotenuse,
    "atan2": _direction,
    "tgamma": gamma,
    "lgamma": log_gamma,
}
FUNCTIONS |= {name + "pi": _over_pi(FUNCTIONS[name]) for name in ("asin", "acos", "atan", "atan2")}


MOST_CASES = 4
TOLD_OFF, TOLD_LOW = Fraction(2) ** -68, Fraction(2) ** -53  # how far what is told may be off, and its second part


def share(traced, name, low, high, *others, taken=None):
    """The largest error as a share of the least bound, of arguments between ``low`` and ``high`` with the ``others``.

    ``taken``: which of a narrowing kernel's own enclosures is taken, and the power of two between that and
    the enclosure that it is given, which is 1, by their numbers in the trace.
    """
    pending, worst = [{}], Fraction(0)
    while pending:
        cases = pending.pop()
        try:
            worst = max(worst, _share(_Begun(traced, name, (low, high), others, taken), cases))
        except Cases as found:
            if len(found.values) > 3:
                raise Undecided("many cases") from None
            pending += [{**cases, found.number: value} for value in found.values]
    return worst


def share_by_doubles(traced, name, low, high, *others, taken=None):
    """The same; where a cell seems to be wrong, of each double in it, and these are few, by itself."""
    whole = share(traced, name, low, high, *others, taken=taken)
    if whole <= 1:
        return whole
    found = [low]
    while found[-1] < high:
        found.append(math.nextafter(found[-1], math.inf))
    return max(share(traced, name, x, x, *others, taken=taken) for x in found)


@dataclass(frozen=True)
class _Begun:
    """A question about a kernel: see ``share``."""

    traced: object
    name: str
    ends: tuple
    others: tuple
    taken: object

    def argument(self):
        low, high = map(Fraction, self.ends)
        finest = math.frexp(min(abs(float(low)), abs(float(high))))[1] - 53
        return Double(Form(exact((low + high) / 2).p + exact((high - low) / 2).p), max(finest, LEAST))

    def told(self, run, ideal):
        """Everything that the accurate kernel may tell of the value, and that the kernel's own enclosure is taken."""
        size, first = Fraction(ideal.size(), ONE), len(self.others) + 1
        off, low = (run.symbol(int(bound * size * ONE) + 1) for bound in (TOLD_OFF, TOLD_LOW))
        least = Fraction(ideal.least(), ONE) * (1 - 2 * TOLD_LOW - TOLD_OFF)
        grid = max(math.frexp(float(least))[1] - 54, LEAST)  # of a double that is no smaller, rounded down once
        parts = Double(ideal + off - low, grid), Double(low, LEAST), double(2.0**-60), 0
        known = {n: double(x) if isinstance(x, float) else x for n, x in self.taken.items()}
        return {**dict(enumerate(parts, first)), **known}


def _share(begun, cases):
    run, x = Kernel(begun.traced.program, begun.traced.tables, {}, cases), begun.argument()
    others = [Fraction(other) for other in begun.others]
    ideal = FUNCTIONS[begun.name](x.form, *map(exact, others))
    run.known = {0: x, **{i: double(other) for i, other in enumerate(others, 1)}}
    if begun.taken:
        run.known |= begun.told(run, ideal)
    hi, lo, err, exponent = (operand for _, operand in begun.traced.program.outputs)
    value, power = run(hi).form + run(lo).form, run(exponent)
    error, bound = value - scaled(ideal, Fraction(2) ** -power), run(err).form
    least = bound.least() if bound.p[0] > 0 else 0
    return Fraction(error.size(), least) if least else Fraction(10**9)
