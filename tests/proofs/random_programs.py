"""Random straight lines of operations, with the shapes that the prover knows lemmas for among them.

Programs have two doubles and an integer n = j + 8 k as inputs: j selects the entry of a table, k the power 2^k.
"""

from __future__ import annotations

import math
import struct

import numpy as np

from clmath.ir.program import Constant, Place, Program, Statement, Value

MAGIC = 1.5 * 2.0**52
FALSE_FRIENDS = ("plain", "swapped", "other")


def number(x):
    return Constant("double", struct.unpack("<q", struct.pack("<d", x))[0])


class Writer:
    """A program of three arguments, written statement by statement."""

    def __init__(self, draw):
        self.draw, self.statements, self.doubles = draw, [], [Value(0), Value(1)]

    def say(self, operation, *operands, kind="double"):
        self.statements.append(Statement(kind, operation, operands))
        found = Value(len(self.statements) + 2)
        if kind == "double":
            self.doubles.append(found)
        return found

    def operand(self):
        """A value, more often a new one than an old one, or a constant."""
        draw = self.draw
        if draw.random() < 0.2:
            return self.constant()
        return draw.choice(self.doubles[-6:] if draw.random() < 0.7 else self.doubles)

    def constant(self):
        draw = self.draw
        sign = draw.choice((-1.0, 1.0))
        kind = draw.randrange(5)
        if kind == 0:
            return number(draw.choice((0.0, 1.0, 2.0, 0.5, 3.0)))
        digits = (1, draw.randrange(1, 30), 53, 53)[kind - 1]
        x = draw.getrandbits(digits) | 1 << (digits - 1)
        return number(sign * math.ldexp(x, draw.randrange(-12, 4) - digits))

    def step(self):
        shape = self.draw.choice((
            self.operation, self.operation, self.operation, self.fast, self.fast_difference, self.two, self.split,
            self.product, self.nearest, self.cleared, self.choice, self.fused, self.size, self.entry,
            self.scaled, self.scaled,
        ))  # fmt: skip
        shape()

    def operation(self):
        name = self.draw.choice(("double.add", "double.sub", "double.mul", "double.mul", "double.div", "double.neg"))
        self.say(name, *(self.operand() for _ in range(1 if name == "double.neg" else 2)))

    def size(self):
        self.say("sqrt", self.say("double.abs", self.operand()))

    def fast(self):
        """fast_two_sum, of any two; or something that only looks like it."""
        a, b = self.operand(), self.operand()
        s = self.say("double.add", *self.draw.choice(((a, b), (b, a))))
        kind = self.draw.choice(FALSE_FRIENDS)
        d = self.say("double.sub", *((s, a) if kind == "swapped" else (a, s)))
        self.say("double.add", d, self.operand() if kind == "other" else b)

    def fast_difference(self):
        a, b = self.operand(), self.operand()
        d = self.say("double.sub", a, self.say("double.sub", a, b))
        self.say(self.draw.choice(("double.sub", "double.sub", "double.add")), d, b)

    def two(self):
        a, b = self.operand(), self.operand()
        kind = self.draw.choice(FALSE_FRIENDS)
        s = self.say("double.add", a, b)
        t = self.say("double.sub", s, self.operand() if kind == "other" else a)
        first = self.say("double.sub", a, self.say("double.sub", s, t))
        second = self.say("double.sub", b, t)
        self.say("double.add", *((second, first) if kind == "swapped" else (first, second)))

    def split(self):
        a = self.operand()
        c = number(
            2.0 ** self.draw.choice((1, 2, 3, 20, 26, 27, 32, 40, 51, 52)) + self.draw.choice((1.0, 1.0, 1.0, 0.0))
        )
        t = self.say("double.mul", *self.draw.choice(((a, c), (c, a))))
        head = self.say("double.sub", t, self.say("double.sub", t, a))
        tail = self.say("double.sub", a, head)
        self.say("double.mul", self.draw.choice((head, tail)), self.draw.choice((head, tail, self.operand())))

    def product(self):
        a, b = self.operand(), self.operand()
        p = self.say("double.mul", a, b)
        self.say("fma", a, b, self.say("double.neg", p))

    def fused(self):
        self.say("fma", self.operand(), self.operand(), self.operand())

    def nearest(self):
        """Add the double nearest to an integer, and the integer, which selects an entry of the table."""
        t = self.say("double.add", self.operand(), number(MAGIC))
        n = self.say("double.sub", t, number(MAGIC))
        self.say("double.sub", self.operand(), n)
        return t

    def entry(self):
        t = self.nearest()
        bits = self.say("bits", t, kind="long")
        n = self.say("long.sub", bits, Constant("long", number(MAGIC).encoding), kind="long")
        j = self.say("long.and", n, Constant("long", 7), kind="long")
        self.say("take", j, Place(0, 8))
        self.say("double.of_long", n)

    def scaled(self):
        """Add a value times 2^k, once or twice, and another value that has the same factor or is a table's entry."""
        k = self.say("long.shr", Value(2), Constant("long", 3), kind="long")
        k = self.say("long.add", k, Constant("long", 1023 + self.draw.randrange(-3, 4)), kind="long")
        power = self.say("from_bits", self.say("long.shl", k, Constant("long", 52), kind="long"))
        x = self.say("double.mul", power, self.operand())
        y = self.say("double.mul", self.operand(), power)
        entry = self.say("take", self.say("long.and", Value(2), Constant("long", 7), kind="long"), Place(0, 8))
        self.say(self.draw.choice(("double.add", "double.sub", "double.mul")), x, self.draw.choice((y, entry)))
        self.say("double.mul", x, self.constant())

    def cleared(self):
        bits = self.say("bits", self.operand(), kind="long")
        for _ in range(self.draw.randrange(1, 3)):
            bits = self.say("long.and", bits, Constant("long", -(2 ** self.draw.randrange(1, 53))), kind="long")
        self.say("from_bits", bits)

    def choice(self):
        name = self.draw.choice(("lt", "le", "gt", "ge", "eq", "ne"))
        condition = self.say(f"double.{name}", self.operand(), self.operand(), kind="bool")
        if self.draw.random() < 0.3:
            condition = self.say("bool.not", condition, kind="bool")
        self.say("double.select", condition, self.operand(), self.operand())

    def program(self):
        return Program(("double", "double", "long"), tuple(self.statements), (("double", self.doubles[-1]),))


def program(draw, steps):
    """A random program of two doubles and an integer."""
    writer = Writer(draw)
    for _ in range(steps):
        writer.step()
    return writer.program()


def arguments(draw, count):
    """((low, high, grid), bound, points, unknown): a cell, the bound of an unknown term, and samples of both."""
    exponent = draw.choice((0, 0, 1, -3, -30, 20, -500, -1060))
    low = math.ldexp(draw.uniform(1.0, 2.0), exponent) * draw.choice((-1.0, 1.0))
    width = abs(low) * draw.choice((0.0, 2.0**-50, 2.0**-30, 2.0**-10, 0.25, 2.5))
    high = low + width
    grid = draw.choice((-1074, max(exponent - 53, -1074), exponent - 10, exponent - 4))
    unit = 2.0**grid
    if grid > -1074:
        low, high = math.floor(low / unit) * unit, math.ceil(high / unit) * unit
    bound = math.ldexp(1.0, draw.choice((exponent, exponent - 20, exponent - 52, -1074, 3)))
    numbers = np.random.default_rng(draw.getrandbits(32))
    places = np.concatenate([[low, high], numbers.uniform(low, high, count - 2)])
    if grid > -1074:
        places = np.clip(np.rint(places / unit) * unit, low, high)
    beside = np.concatenate([[bound, -bound], numbers.uniform(-bound, bound, count - 2)])
    return (low, high, grid), bound, places, beside
