"""Results of built-ins of which every bit counts, judged as an audit judges them: what is left open may be anything."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.exact.due import due
from clmath.audit.exact.excuses import excused
from clmath.audit.exact.law import ExactLaw
from clmath.audit.exact.rows import ExactItem
from clmath.audit.exact.types import TYPES, Whole
from clmath.audit.law import optional_subnormals
from clmath.call.measured import MisfitError, as_results
from clmath.numbers.datatypes import type_name
from clmath.spec.families import exact_builtins, signature
from clmath.testing.failures import Failure
from clmath.testing.steps import farthest, sizes, steps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.testing.terms import Terms

__all__ = ["failures", "item_of_call"]

Args = tuple[Any, ...]


def item_of_call(name: str, args: Args) -> ExactItem | None:
    """The row of an audit that a call without vectors belongs to; None where there is no such row."""
    row = exact_builtins().get(name)
    if row is None or row.widths or len(args) != len(row.inputs):
        return None
    given = tuple(type_name(a.dtype) if isinstance(a, np.ndarray) else "" for a in args)
    types = (type for type in row.types if signature(row, type)[0] == given)
    return next((ExactItem(row, TYPES[type]) for type in types), None)


def failures(  # noqa: PLR0917 - one call, and how it is judged
    asked_by: str, item: ExactItem, args: Args, actual: Any, terms: Terms, most: int
) -> tuple[list[Failure], int, int]:
    """What the specification does not allow, the ``most`` farthest off; how many results that are, and of how many."""
    shape = np.broadcast_shapes(*(a.shape for a in args))
    flat = tuple(np.broadcast_to(a, shape).reshape(-1) for a in args)
    got = _result(asked_by, item, actual, shape).reshape(-1)
    law = _law(terms)
    asked = due(item, flat, law)
    wrong = ~(asked.accepts(got) | asked.is_free)
    wrong[wrong] = ~excused(item, tuple(a[wrong] for a in flat), got[wrong], law)
    places = [place for (place,) in farthest(sizes(got, asked.wanted), wrong, most)]
    return list(_listed(item, flat, got, asked.wanted, places, shape, law)), int(wrong.sum()), got.size


def _law(terms: Terms) -> ExactLaw:
    flushed = optional_subnormals(terms.edition) if terms.flushes else frozenset()
    options = tuple(terms.build_options.split())
    return ExactLaw(
        terms.profile, terms.rounding, terms.flushes, options=options, edition=terms.edition, flushed=flushed
    )


def _result(asked_by: str, item: ExactItem, actual: Any, shape: tuple[int, ...]) -> NDArray[Any]:
    """The result in its type; a truth value may be a bool."""
    found = as_results(asked_by, actual)
    name = item.builtin.name
    if len(found) != 1:
        raise MisfitError(f"{name}(): the number of results is {len(found)}; 1 are due")
    got, dtype = found[0], item.result.dtype
    truth = item.builtin.result == "booln" and got.dtype == np.bool_
    if got.shape != shape or (got.dtype.newbyteorder("=") != dtype and not truth):
        fact = f"{got.dtype} of shape {got.shape}"
        raise MisfitError(f"{name}(): result is {fact}; {dtype} of shape {shape} is due")
    return got.astype(dtype)


def _listed(  # noqa: PLR0917 - the facts of one call
    item: ExactItem,
    args: Args,
    got: NDArray[Any],
    want: NDArray[Any],
    places: list[int],
    shape: tuple[int, ...],
    law: ExactLaw,
) -> Iterator[Failure]:
    limit = law.limit(item)
    mode = "" if isinstance(item.result, Whole) else f", {law.mode}"
    for place in places:
        index = tuple(int(i) for i in np.unravel_index(place, shape)) if shape else ()
        picked = tuple(a[place] for a in args)
        off = steps(got[place], want[place])
        yield Failure(index, picked, "", got[place], want[place], off, f"{limit.text} ({limit.source}){mode}")
