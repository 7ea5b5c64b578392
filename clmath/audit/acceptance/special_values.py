"""Sets of results that special values prescribe, which replace the results of limits, or restrict them to a range."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.acceptance.sets import (
    Set,
    any_of,
    between,
    chosen,
    everything,
    holds_nowhere,
    nothing,
    place_of,
    single,
    united,
)
from clmath.ir.primitives import everywhere, filled, greater, integer, lesser, rarely
from clmath.numbers.encodings import encoded
from clmath.spec.edges import VectorEdge, alternatives, holds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.acceptance.criteria import Requirement
    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge

__all__ = ["Prescribed", "applied", "are_decided", "concerned", "prescribed"]


class Prescribed(NamedTuple):
    """The results that one special value of the table (an ``Edge``) allows.

    ``number``: its number in the table. ``here``: whether it applies to the arguments. ``decides``: whether its results
    replace the set; if not, they are a range within which limits decide. ``concerns``: whether it restricts the result.
    """

    number: int
    here: Truth
    results: Set
    decides: Truth | bool
    concerns: Truth | bool


def prescribed(
    args: Sequence[np.ndarray],
    edges: Sequence[Edge],
    need: Requirement,
    k: int,
    like: Real,
    *,
    is_integer: bool = False,
) -> Iterator[Prescribed]:
    """Yield the results that special values prescribe for result ``k`` of calls, in the order of the table.

    ``args``: scalars as doubles, vectors as arrays of the format with the elements on the last axis. ``like``: elements
    in the shape of the result. If calls are arrays, special values that apply to no call are left out.
    """
    for number, edge in enumerate(edges):
        if not edge.prescribes:
            continue
        if isinstance(edge, VectorEdge):
            yield _of_vectors(number, edge, args, need, like)
            continue
        result, here = edge.results[k], rarely(holds(edge, args, need.form))
        if holds_nowhere(here):
            continue
        if result.low is not None and result.high is not None:
            zero, always = integer(filled(0.0, like)), everywhere(like)
            low, high = (_place(end, need.form) for end in (result.low, result.high))
            found = between(zero + low, zero + (high if result.is_closed else high - 1), always)
            yield Prescribed(number, here, found, decides=False, concerns=True)
        elif edge.prescribes_exactly:
            allowed = _integers if is_integer else _alternatives
            found = everything(like) if result.is_any else allowed(edge, k, args, need, like)
            yield Prescribed(number, here, found, decides=True, concerns=not result.is_free)


def _place(number: float, form: Format) -> int:
    """Return the place of a number of the format."""
    size = int(form.bits(abs(number)))
    return -size if number < 0.0 else size


def _alternatives(edge: Edge, k: int, args: Sequence[np.ndarray], need: Requirement, like: Real) -> Set:
    """Return the set of the values of result ``k`` that a special value allows."""
    either = need.zero_sign == "open"
    codes = [encoded(value, need.form) for value in alternatives(edge, k, args, need.form)]
    sets = [single(code, need.form, either_zero=either) for code in codes]
    return functools.reduce(united, sets, nothing(like))


def _integers(edge: Edge, k: int, args: Sequence[np.ndarray], need: Requirement, like: Real) -> Set:
    """Return the set of the values of an int result that a special value allows."""
    values = [integer(value) for value in alternatives(edge, k, args, need.form)]
    return nothing(like)._replace(spans=tuple((value, value) for value in values))


def _of_vectors(number: int, edge: VectorEdge, args: Sequence[np.ndarray], need: Requirement, like: Real) -> Prescribed:
    """Return the results that a special value prescribes for vectors, or for the number that such a call returns."""
    vectors, form = args[0], need.form
    here = edge.matches(tuple(args), form)
    if not edge.is_of_vectors:
        found = _alternatives(edge, 0, [a[..., 0].astype(np.float64) for a in args], need, like)
        return Prescribed(number, here, found, decides=True, concerns=not edge.results[0].is_free)
    wanted, concerns, exact = edge.of_elements(vectors)
    codes, here = form.bits(wanted).astype(np.int64), np.broadcast_to(here[..., np.newaxis], vectors.shape) & concerns
    whole = single(codes, form, either_zero=need.zero_sign == "open")
    found = chosen(concerns, chosen(exact, whole, _directions(codes, form)), everything(like))
    return Prescribed(number, here, found, exact, concerns=True)


def _directions(codes: Integer, form: Format) -> Set:
    """Return the numbers with the sign of ``codes`` and a size from 1/2 to 1: elements of a direction."""
    half, one = (int(form.bits(size)) for size in (0.5, 1.0))
    negative = place_of(codes, form) < 0
    low, high = np.where(negative, -one, half), np.where(negative, -half, one)
    return between(low, high, negative | ~negative)


def concerned(found: Sequence[Prescribed], like: Real) -> Truth:
    """Return whether some special value restricts a result."""
    return any_of([~everywhere(like), *(one.here & one.concerns for one in found)])


def are_decided(found: Sequence[Prescribed], like: Real) -> Truth:
    """Return whether some special value alone decides a result."""
    return any_of([~everywhere(like), *(one.here & one.decides for one in found)])


def applied(one: Set, found: Prescribed) -> Set:
    """Return a set replaced by the results of a special value, or cut to its range."""
    if found.decides is True:
        return chosen(found.here, found.results, one)
    if found.decides is False:
        return chosen(found.here, _common(one, found.results), one)
    part = chosen(found.here & ~found.decides, _common(one, found.results), one)
    return chosen(found.here & found.decides, found.results, part)


def _common(one: Set, numbers: Set) -> Set:
    """Return the numbers of a set that lie in a range, which is a set of one span."""
    ((least, most),) = numbers.spans
    spans = tuple((greater(least, low), lesser(most, high)) for low, high in one.spans)
    never = numbers.quiet
    return Set(spans, one.plus & numbers.plus, one.minus & numbers.minus, never, never, one.unspecified)
