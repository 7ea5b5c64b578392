"""Faults for proofs to find: parts of proofs whose kernel has another constant, another entry or a term less.

A fault is a function from the trace of a kernel to another one.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from itertools import zip_longest
from unittest import mock

import numpy as np

from clmath.ir.program import Constant, Statement, Value
from proofs.engine import proof
from proofs.engine.proof import prove

ZERO = Constant("double", 0)
BETWEEN = 8  # parts of a subinterval, with a short cell at the beginning of each


def of_each_kernel(table):
    """A table whose keys name one kernel each, from keys "kernels, part; kernels, part: words"."""
    found = {}
    for fault, change in table.items():
        places, _, words = fault.partition(": ")
        for place in places.split("; "):
            kernels, comma, part = place.partition(", ")
            found |= {f"{kernel}{comma}{part}: {words}": change for kernel in kernels.split()}
    return found


def altered(part, change):
    """The part with ``change`` applied to its trace."""
    return replace(part, traced=change(part.traced))


def is_found(change, parts, shown):
    """Whether one part's proof fails on a subinterval from ``shown`` with the fault and succeeds there without it.

    Any part may notice the fault, so the first subintervals of all parts are tried before the next ones.
    """
    wrong = [altered(part, change) for part in parts]
    rounds = zip_longest(*map(shown, parts))
    return _is_seen(case for pieces in rounds for case in zip(wrong, parts, pieces, strict=True) if case[2])


def is_refused(wrong, right, pieces=None):
    """Whether the proof fails for the wrong part and succeeds for the right part on one of the subintervals (default:
    all).
    """
    return _is_seen((wrong, right, piece) for piece in (right.pieces() if pieces is None else pieces))


def is_refused_with(claim, make, pieces=None, right=None):
    """Whether the proof of ``make()`` fails on a subinterval while ``claim`` is patched in, and succeeds without it.
    ``claim`` is a module, a name in it, and the false value.

    ``right`` is the result of ``make()`` without the patch, if the caller has it.
    """
    right = right or make()
    with mock.patch.object(*claim):
        wrong = make()
    pieces = right.pieces() if pieces is None else pieces
    return _is_seen(((wrong, right, piece) for piece in pieces), lambda: mock.patch.object(*claim))


def _is_seen(cases, injected=contextlib.nullcontext):
    """Whether a wrong part's proof fails where the right part's succeeds; cases are (wrong, right, subinterval).

    A short cell shows this as well as an entire subinterval, and sooner. The ends of all subintervals are tried first,
    then cells between the ends, and entire subintervals last. ``injected`` is the context in which the wrong part is
    wrong.
    """

    def is_seen(wrong, right, cells):
        with injected():
            failing = [cell for cell in cells if not _holds_at_once(wrong, cell)]
        return any(_holds_at_once(right, cell) for cell in failing)

    left = []
    for wrong, right, piece in cases:
        with injected():
            if _holds_at_once(wrong, piece):
                continue
        if is_seen(wrong, right, _ends(*piece)):
            return True
        left.append((wrong, right, piece))
    return any(
        is_seen(wrong, right, _between(*piece))
        or (not _is_proven_while(injected, wrong, piece) and is_proven(right, piece))
        for wrong, right, piece in left
    )


def is_proven(part, piece):
    """Whether the proof of a subinterval succeeds."""
    return not prove(part, pieces=[piece], enough=1).failed


def _is_proven_while(injected, part, piece):
    with injected():
        return is_proven(part, piece)


def _holds_at_once(part, piece):
    """Whether the proof of a subinterval succeeds without halving it."""
    with mock.patch.object(proof, "DEEPEST", 0):
        return is_proven(part, piece)


def _ends(which, low, high):
    """The two ends of a subinterval: the shortest cells that its proof reaches by halving."""
    size = (high - low) * 2.0**-proof.DEEPEST
    return (which, low, low + size), (which, high - size, high)


def _between(which, low, high):
    """Such cells between the ends."""
    size = high - low
    starts = (low + size * part / BETWEEN for part in range(1, BETWEEN))
    return [(which, start, start + size * 2.0**-proof.DEEPEST) for start in starts]


def with_program(traced, statements):
    """The trace with other statements; at least one has changed."""
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


def divided(old, by):
    """A double of the program, such as a bound, is smaller by a factor."""
    return constant(old, old / by)


def raised(old, bits):
    """A double of the program is larger by that bit of it."""
    return constant(old, old * (1.0 + 2.0**-bits))


def integer(old, new):
    """An integer of the program is another."""
    return operands_replaced(Constant("long", old), Constant("long", new))


def without(number):
    """A fault: the value ``number`` counts as 0 wherever it is used."""
    return operands_replaced(Value(number), ZERO)


def named_left_out(name):
    """A fault: the value that the kernel marks with that name counts as 0."""
    return lambda traced: without(traced.program.names[name].number)(traced)


def entry(table, index, ulps=1):
    """The entry ``index`` of ``table`` is some places further."""

    def change(traced):
        entries = traced.tables.copy()
        (first,) = [i for i in range(len(entries)) if np.array_equal(entries[i : i + len(table)], table)]
        entries[first + index : first + index + 1].view(np.int64)[:] += ulps
        return replace(traced, tables=entries)

    return change


def contracted(number):
    """A fault: the difference ``number``, one side of which is a product, is rounded once.

    The negated operand is appended after all other statements, as proofs look values up by their numbers.
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
        statements[number - first] = Statement("accurate", "fma", fused)
        return with_program(traced, [*statements, Statement("double", "double.neg", (opposite,))])

    return change


def user(traced, operation, operand):
    """The number of the first statement of that operation with that operand."""
    statements, first = traced.program.statements, len(traced.program.inputs)
    return next(i + first for i, s in enumerate(statements) if s.operation == operation and operand in s.operands)


def rounded_once(factor):
    """A fault: the difference from the product with a factor, by name or a constant, is rounded once.

    The rounding error of the product is then subtracted twice.
    """

    def change(traced):
        operand = traced.program.names[factor] if isinstance(factor, str) else double(factor)
        product = user(traced, "double.mul", operand)
        return contracted(user(traced, "double.sub", Value(product)))(traced)

    return change


def product_left_out(name):
    """A fault: the product with the value of that name counts as 0."""
    return lambda traced: without(user(traced, "double.mul", traced.program.names[name]))(traced)


def operand_left_out(name, place):
    """A fault: an operand of the value of that name counts as 0."""

    def change(traced):
        statement = traced.program.statements[traced.program.names[name].number - len(traced.program.inputs)]
        return without(statement.operands[place].number)(traced)

    return change


def without_operation(name, count):
    """A fault: the result of the ``count``-th operation of this name is replaced by 0."""
    return lambda traced: without(_numbers(traced, lambda operation: operation == name)[count])(traced)


def without_take(table):
    """A fault: entries taken from ``table`` are replaced by 0."""

    def change(traced):
        (found,) = [
            number
            for number, s in enumerate(traced.program.statements, len(traced.program.inputs))
            if s.operation == "take"
            and np.array_equal(traced.tables[s.operands[1].first :][: s.operands[1].length], table)
        ]
        return without(found)(traced)

    return change


def one_side(index):
    """A fault: the conjunction with this index is reduced to its first operand."""

    def change(traced):
        number = _numbers(traced, lambda operation: operation == "bool.and")[index]
        side = traced.program.statements[number - len(traced.program.inputs)].operands[0]
        return operands_replaced(Value(number), side)(traced)

    return change


def negated(index):
    """A fault: the selection with this index takes the other operand."""

    def change(traced):
        number = _numbers(traced, lambda operation: operation.endswith(".select"))[index]
        condition, yes, no = traced.program.statements[number - len(traced.program.inputs)].operands
        return _with_statement(traced, number, operands=(condition, no, yes))

    return change


def compared(old, new, index=0):
    """A fault: the operation ``old`` with this index becomes ``new``."""

    def change(traced):
        number = _numbers(traced, lambda operation: operation == old)[index]
        return _with_statement(traced, number, operation=new)

    return change


def _numbers(traced, is_meant):
    """The numbers of the values of all statements whose operation is meant."""
    return [
        number
        for number, s in enumerate(traced.program.statements, len(traced.program.inputs))
        if is_meant(s.operation)
    ]


def _with_statement(traced, number, **changes):
    statements, i = list(traced.program.statements), number - len(traced.program.inputs)
    statements[i] = statements[i]._replace(**changes)
    return with_program(traced, statements)


def both(first, second):
    """Two faults at once."""
    return lambda traced: second(first(traced))
