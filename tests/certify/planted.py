"""Faults for proofs to find: parts of proofs whose kernel has another constant, another entry or a term less."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

import numpy as np

from clmath.certify.proof import prove
from clmath.engines.device.program import Constant, Statement, Value

ZERO = Constant("double", 0)


def altered(part, change):
    """The part with ``change`` applied to the trace of its kernel."""
    return replace(part, family=replace(part.family, traced=change(part.family.traced)))


def is_found(change, parts, shown):
    """Whether the proof of a part fails on a piece that ``shown`` gives of it: one failure ends the search.

    Which part notices a fault is not known: the first pieces of all parts are looked at, then the next ones.
    """
    wrong = [altered(part, change) for part in parts]
    rounds = zip_longest(*map(shown, parts))
    pairs = (pair for pieces in rounds for pair in zip(wrong, pieces, strict=True) if pair[1])
    return any(prove(part, pieces=[piece], enough=1).failed for part, piece in pairs)


def with_program(traced, statements):
    """The trace with other statements, of which at least one has changed."""
    statements = tuple(statements)
    assert statements != traced.program.statements
    return replace(traced, program=replace(traced.program, statements=statements))


def operands_replaced(old, new):
    """Every ``old`` that is an operand is ``new``."""

    def change(traced):
        return with_program(
            traced,
            (s._replace(operands=tuple(new if o == old else o for o in s.operands)) for s in traced.program.statements),
        )

    return change


def double(x):
    """A constant of a program."""
    return Constant("double", int(np.float64(x).view(np.int64)))


def constant(old, new):
    """A double of the program is another."""
    return operands_replaced(double(old), double(new))


def halved(old):
    """A double of the program is half of it."""
    return constant(old, old / 2.0)


def raised(old, bits):
    """A double of the program is larger by that bit of it."""
    return constant(old, old * (1.0 + 2.0**-bits))


def integer(old, new):
    """An integer of the program is another."""
    return operands_replaced(Constant("long", old), Constant("long", new))


def without(number):
    """What the statement ``number`` gives counts as 0 wherever it is used."""
    return operands_replaced(Value(number), ZERO)


def entry(table, index, ulps=1):
    """The entry ``index`` of ``table`` is some places further."""

    def change(traced):
        entries = traced.tables.copy()
        (first,) = [i for i in range(len(entries)) if np.array_equal(entries[i : i + len(table)], table)]
        entries[first + index : first + index + 1].view(np.int64)[:] += ulps
        return replace(traced, tables=entries)

    return change


def contracted(number):
    """The difference ``number``, of which one side is a product, is rounded once.

    What is negative in it stands after all other statements: proofs look values up by their numbers.
    """

    def change(traced):
        statements, first = list(traced.program.statements), len(traced.program.inputs)
        x, y = statements[number - first].operands
        negative = Value(first + len(statements))
        if statements[x.number - first].operation == "double.mul":
            fused, opposite = (*statements[x.number - first].operands, negative), y
        else:
            a, b = statements[y.number - first].operands
            fused, opposite = (negative, b, x), a
        statements[number - first] = Statement("double", "fma", fused)
        return with_program(traced, [*statements, Statement("double", "double.neg", (opposite,))])

    return change


def user(traced, operation, operand):
    """The number of the first statement of that operation with that operand."""
    statements, first = traced.program.statements, len(traced.program.inputs)
    return next(i + first for i, s in enumerate(statements) if s.operation == operation and operand in s.operands)
