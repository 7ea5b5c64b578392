"""Judge results of built-ins of which every bit counts, as an audit does: unspecified results may be anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.exact.allowed_results import allowed_results, excused
from clmath.audit.exact.exact_law import ExactLaw
from clmath.audit.exact.groups import is_returned_alike
from clmath.audit.law.law import optional_subnormals
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TYPES, Whole
from clmath.call import by_reference
from clmath.call.measured import MisfitError, as_results, misfit
from clmath.numbers.datatypes import WIDTHS, type_name
from clmath.spec.families import by_channel, exact_builtin, is_vector, kinds_of, reads_truths, signature
from clmath.testing.failures import Failure
from clmath.testing.steps import farthest, sizes, steps

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin
    from clmath.testing.terms import Terms

__all__ = ["due", "failures", "item_of_call", "law_of_terms"]

GROUPS = "groups"  # the chapter

Args: TypeAlias = "tuple[np.ndarray, ...]"


def item_of_call(name: str, args: Args, *, vector: bool = False, result: object = None) -> ExactItem | None:
    """Return the audit's case of a call, of ``vector`` types if the last axis is one, or None without a case.

    ``result``: the dtype of the result, for calls whose arguments do not determine the type, such as reads of images.
    """
    row = exact_builtin(name)
    if row is None or len(args) != len(row.inputs) or not all(isinstance(a, np.ndarray) for a in args):
        return None
    given = tuple(type_name(a.dtype) for a in args)
    types = [type for type in row.tested if _takes(row, type, given)]
    if types and row.chapter == GROUPS:  # of any number of work-items
        return ExactItem(row, TYPES[types[0]], args[0].shape[-1]) if args[0].size else None
    if not types or (row.widths and is_vector(row.result) and not row.rule):  # shuffles are judged like memory
        return None
    type = next((type for type in types if TYPES[signature(row, type)[1]].dtype == result), types[-1])
    if row.widths and not by_channel(row):
        lanes = {a.shape[-1] if a.ndim else 1 for a, p in zip(args, row.inputs, strict=True) if is_vector(p.type)}
        lanes = lanes or {*row.widths}  # words of packed channels are scalars, colours read from them are vectors
        return ExactItem(row, TYPES[type], lanes.pop()) if len(lanes) == 1 and lanes <= {*row.widths} else None
    if not vector:
        return ExactItem(row, TYPES[type])
    lanes = {np.broadcast_shapes(*(a.shape for a in args))[-1:]}
    return next((ExactItem(row, TYPES[type], vector=n) for n in WIDTHS if {(n,)} == lanes), None)


def _takes(row: Builtin, type: str, given: tuple[str, ...]) -> bool:
    """Whether the arguments may have these types where gentype is ``type``; a condition signed or unsigned."""
    declared = zip(row.inputs, signature(row, type)[0], given, strict=True)
    return all(g in (kinds_of(p.type, type) if p.type == "condition" else (t,)) for p, t, g in declared)


@dataclass(frozen=True)
class _Calls:
    """The calls of an item: ``shape`` is the shape of the results, ``given`` are the arguments unchanged."""

    item: ExactItem
    given: Args
    shape: tuple[int, ...]

    @classmethod
    def of(cls, item: ExactItem, args: Args) -> _Calls:
        given = tuple(a[np.newaxis] if v and not a.ndim else a for a, v in zip(args, _vectors(item, args), strict=True))
        outer = (a.shape[:-1] if v else a.shape for a, v in zip(given, _vectors(item, args), strict=True))
        return cls(item, given, np.broadcast_shapes(*outer))

    def flat(self) -> Args:
        """Return the arguments with one call in each row."""
        pairs = zip(self.given, _vectors(self.item, self.given), strict=True)
        return tuple(
            np.broadcast_to(a, (*self.shape, a.shape[-1])).reshape(-1, a.shape[-1])
            if v
            else np.broadcast_to(a, self.shape).reshape(-1)
            for a, v in pairs
        )

    def at(self, place: int) -> tuple[tuple[int, ...], tuple[Any, ...], str]:
        """Return the index of a call, its arguments, and the component of its result as text."""
        index = tuple(int(i) for i in np.unravel_index(place, self.shape)) if self.shape else ()
        if self.item.vector == 1:
            return index, tuple(a[place] for a in self.flat()), ""
        whole = (np.broadcast_to(a, self.shape)[index[:-1]] for a in self.given)
        picked = tuple(a[0] if alone else a for a, alone in zip(whole, self.item.shared, strict=True))
        return index[:-1], picked, f"[{index[-1]}]"


def _vectors(item: ExactItem, args: Args) -> list[bool]:
    """Return which arguments consist of vectors."""
    return [bool(item.width) and is_vector(p.type) for p, _ in zip(item.builtin.inputs, args, strict=True)]


def failures(  # noqa: PLR0917 - one call, and its terms
    asked_by: str, item: ExactItem, args: Args, actual: object, terms: Terms, most: int
) -> tuple[list[Failure], int, int]:
    """Return the ``most`` worst forbidden results, the number of forbidden results, and the number of results."""
    calls = _Calls.of(item, args)
    flat, lanes = calls.flat(), (item.width,) * (item.width > 0 and is_vector(item.builtin.result))
    once = item.builtin.chapter == GROUPS and is_returned_alike(item)
    got = _result(asked_by, item, actual, (*calls.shape, *(() if once else lanes)))
    got = np.repeat(got.reshape(-1, 1), item.width, axis=-1) if once else got.reshape(-1, *lanes)
    law = law_of_terms(terms)
    asked = allowed_results(item, flat, law)
    wrong = ~(asked.accepts(got) | asked.is_free)
    if once:
        got, wrong, asked = got[:, 0], wrong[:, 0], replace(asked, wanted=asked.wanted[:, 0])
    elif not lanes:  # colours are not flushed
        wrong[wrong] = ~excused(item, tuple(a[wrong] for a in flat), got[wrong], law)
    reason = _reason(item, law)

    def failure(place: tuple[int, ...]) -> Failure:
        index, picked, output = calls.at(place[0])
        output += "".join(f"[{lane}]" for lane in place[1:])
        want = asked.wanted[place]
        return Failure(index, picked, output, got[place], want, steps(got[place], want), reason)

    places = farthest(sizes(got, asked.wanted), wrong, most)
    return [failure(place) for place in places], int(wrong.sum()), got.size


def due(item: Item, args: Args, mode: Rounding) -> Args:
    """Return the expected results for calls of an item, by the reference."""
    if isinstance(item, ExactItem):
        return (allowed_results(item, args, ExactLaw("full", mode, flushes=False)).wanted,)
    return as_results(f"{item}", by_reference(item.builtin.name, args, mode))


def law_of_terms(terms: Terms) -> ExactLaw:
    """Return the acceptance criteria, bit for bit, on the terms of an assertion."""
    flushed = optional_subnormals(terms.edition) if terms.flushes else frozenset()
    options = tuple(terms.build_options.split())
    return ExactLaw(
        terms.profile, terms.rounding, terms.flushes, options=options, edition=terms.edition, flushed=flushed
    )


def _result(asked_by: str, item: ExactItem, actual: object, shape: tuple[int, ...]) -> np.ndarray:
    """Return the result in its type; a truth value may be a bool."""
    found = as_results(asked_by, actual)
    row = item.builtin
    if len(found) != 1:
        raise MisfitError(f"{row.name}(): the number of results is {len(found)}; 1 is due: give one array")
    got, dtype = found[0], item.result.dtype
    is_asked = row.result == "booln" or row.inputs[0].type == "truths" or row.inputs[0].name == "predicate"
    truth = is_asked and got.dtype == np.bool_
    if got.shape != shape or (got.dtype.newbyteorder("=") != dtype and not truth):
        raise misfit(f"{row.name}(): ", got, dtype, shape)
    return np.negative(got.astype(dtype)) if truth and item.vector > 1 else got.astype(dtype)


def _reason(item: ExactItem, law: ExactLaw) -> str:
    limit, row = law.limit(item), item.builtin
    if reads_truths(row):
        (said,) = law.statements(item).values()
        return f"{limit.text} ({limit.source}); true is {' or '.join(said.says)} ({law.edition})"
    mode = "" if isinstance(item.result, Whole) or row.moves_bits else f", {law.mode}"
    return f"{limit.text} ({limit.source}){mode}"
