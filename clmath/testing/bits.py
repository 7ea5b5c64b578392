"""Judge results of which every bit counts: integers, comparisons, conversions, loads, stores, groups and images.

An audit's acceptance criteria judge calls of which it has a case; the others have to equal the results of clmath's
function, and so has every correctly rounded result.
"""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from clmath import errors
from clmath.audit.counting.spread import same
from clmath.audit.exact import exact_criteria
from clmath.audit.exact.bitwise import allowed_results, waived
from clmath.audit.exact.exact_criteria import Calls, ExactCriteria
from clmath.audit.exact.groups import is_returned_alike
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TYPES, Whole
from clmath.audit.targets import clmath_functions
from clmath.call import by_reference
from clmath.call.host import on_host
from clmath.call.measured import MisfitError, as_results, misfit
from clmath.numbers.datatypes import WIDTHS, type_name
from clmath.numbers.formats import FLOAT
from clmath.pragmas import select_rounding_mode
from clmath.spec import families
from clmath.spec.aliases import aliases
from clmath.spec.builtins import EXACT, builtins
from clmath.testing.aliases import memory_call
from clmath.testing.failures import Compared, worst

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.callables import AnyFunction
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin
    from clmath.testing.failures import Found, Place
    from clmath.testing.terms import Terms

GROUPS = "groups"  # the chapter

Args: TypeAlias = "tuple[np.ndarray, ...]"
_OF_VECTORS = re.compile(r"(?:convert|as)_[a-z]+\d+\w*")


def is_exact(name: str, args: object) -> bool:
    """Whether the call is not measured in ulp: of the integer or relational chapter, an operator, a load, a conversion.

    ``clamp max min dot add sub mul div`` are so for integers.
    """
    if name not in builtins():
        return families.exact_builtin(name) is not None or function_of(name) is not None
    integers = isinstance(args, tuple) and any(getattr(a, "dtype", np.dtype(bool)).kind in "iu" for a in args)
    return integers and name in families.by_bits()


def function_of(name: str) -> AnyFunction | None:
    """Return clmath's function that has the expected bits, or None if it has no such function."""
    import clmath

    beyond = families.conversions_beyond().get(name)
    if beyond is not None:
        return clmath_functions.function_of(beyond, FLOAT)
    found: AnyFunction | None = getattr(clmath, name) if name in exact_functions() else None
    return found


@functools.cache
def exact_functions() -> frozenset[str]:
    """Return the names of clmath's functions whose bits are the expected ones."""
    from clmath.functions import groups, image, memory

    return frozenset({*families.by_bits(), *aliases(), *memory.__all__, *image.__all__, *groups.__all__})


@np.errstate(all="ignore")
def judged(asked_by: str, name: str, args: object, actual: object, terms: Terms, most: int) -> Found:  # noqa: PLR0917
    """Return the results that are wrong; MisfitError if their number, shape or type is wrong."""
    given = _arguments(asked_by, name, args)
    item = _item_of_call(name, given, vector=terms.vector, result=getattr(actual, "dtype", None))
    # an edition defines which values are true
    if item is not None and (not terms.exactly or families.reads_truths(item.builtin)):
        found = _by_criteria(asked_by, item, given, actual, terms)
    else:
        found = _by_clmath(asked_by, name, given, actual, terms)
    return worst([found], "not the bits that are due", most)


def _by_criteria(asked_by: str, item: ExactItem, args: Args, actual: object, terms: Terms) -> Compared:
    """Compare results with those that the specification allows."""
    vectors = [bool(item.width) and families.is_vector(p.type) for p in item.builtin.inputs]
    given = tuple(a[np.newaxis] if v and not a.ndim else a for a, v in zip(args, vectors, strict=True))
    shape = np.broadcast_shapes(*(a.shape[:-1] if v else a.shape for a, v in zip(given, vectors, strict=True)))
    pairs = zip(given, vectors, strict=True)
    flat = tuple(np.broadcast_to(a, (*shape, *a.shape[-1:] * v)).reshape(-1, *a.shape[-1:] * v) for a, v in pairs)
    components = (item.width,) * (item.width > 0 and families.is_vector(item.builtin.result))
    once = item.builtin.chapter == GROUPS and is_returned_alike(item)
    got = _result(asked_by, item, actual, (*shape, *(() if once else components)))
    got = np.repeat(got.reshape(-1, 1), item.width, axis=-1) if once else got.reshape(-1, *components)
    criteria = terms.exact_criteria
    calls = Calls(item, flat, criteria, got)
    asked = allowed_results(calls)
    wrong, wanted = ~(asked.accepts(got) | asked.is_free), asked.wanted
    if once:
        got, wrong, wanted = got[:, 0], wrong[:, 0], wanted[:, 0]
    elif not components:  # colours are not flushed
        wrong[wrong] = ~waived(calls.at(wrong))

    def call_at(place: Place) -> tuple[Place, tuple[object, ...], str]:
        index = tuple(int(i) for i in np.unravel_index(place[0], shape)) if shape else ()
        output = "".join(f"[{component}]" for component in place[1:])
        if item.vector == 1:
            return index, tuple(a[place[0]] for a in flat), output
        whole = (np.broadcast_to(a, shape)[index[:-1]] for a in given)
        picked = tuple(a[0] if alone else a for a, alone in zip(whole, item.shared, strict=True))
        return index[:-1], picked, f"[{index[-1]}]{output}"

    return Compared(got, wanted, wrong, _reason(item, criteria), call_at)


def _item_of_call(name: str, args: Args, *, vector: bool, result: object) -> ExactItem | None:
    """Return the audit's case of a call, of ``vector`` types if the last axis is one, or None without a case.

    ``result``: the dtype of the result, for calls whose arguments do not determine the type, such as reads of images.
    """
    row = families.exact_builtin(name)
    if row is None or len(args) != len(row.inputs) or not all(isinstance(a, np.ndarray) for a in args):
        return None
    given = tuple(type_name(a.dtype) for a in args)
    types = [type for type in row.tested if _takes(row, type, given)]
    if types and row.chapter == GROUPS:  # of any number of work-items
        return ExactItem(row, TYPES[types[0]], args[0].shape[-1]) if args[0].size else None
    if not types or (row.widths and families.is_vector(row.result) and not row.rule):  # shuffles are judged like memory
        return None
    type = next((type for type in types if TYPES[families.signature(row, type)[1]].dtype == result), types[-1])
    if row.widths and not families.by_channel(row):
        pairs = zip(args, row.inputs, strict=True)
        components = {a.shape[-1] if a.ndim else 1 for a, p in pairs if families.is_vector(p.type)}
        components = components or {*row.widths}  # packed channels are scalars, colours read from them are vectors
        is_one = len(components) == 1 and components <= {*row.widths}
        return ExactItem(row, TYPES[type], components.pop()) if is_one else None
    if not vector:
        return ExactItem(row, TYPES[type])
    width = np.broadcast_shapes(*(a.shape for a in args))[-1:]
    return next((ExactItem(row, TYPES[type], vector=n) for n in WIDTHS if (n,) == width), None)


def _takes(row: Builtin, type: str, given: tuple[str, ...]) -> bool:
    """Whether the arguments may have these types where gentype is ``type``; a condition signed or unsigned."""
    declared = zip(row.inputs, families.signature(row, type)[0], given, strict=True)
    return all(g in (families.kinds_of(p.type, type) if p.type == "condition" else (t,)) for p, t, g in declared)


def _result(asked_by: str, item: ExactItem, actual: object, shape: Place) -> np.ndarray:
    """Return the result in its type; a truth value may be a bool."""
    row, dtype, got = item.builtin, item.result.dtype, _only_result(asked_by, item.builtin.name, actual)
    is_asked = row.result == "booln" or row.inputs[0].type == "truths" or row.inputs[0].name == "predicate"
    truth = is_asked and got.dtype == np.bool_
    if got.shape != shape or (got.dtype.newbyteorder("=") != dtype and not truth):
        raise misfit(f"{row.name}(): ", got, dtype, shape)
    return np.negative(got.astype(dtype)) if truth and item.vector > 1 else got.astype(dtype)


def _only_result(asked_by: str, name: str, actual: object) -> np.ndarray:
    found = as_results(asked_by, actual)
    if len(found) != 1:
        raise MisfitError(f"{name}(): the number of results is {len(found)}; 1 is due: give one array")
    return found[0]


def _reason(item: ExactItem, criteria: ExactCriteria) -> str:
    limit, row = criteria.limit(item), item.builtin
    if families.reads_truths(row):
        (said,) = criteria.statements(item).values()
        return f"{limit.text} ({limit.source}); true is {' or '.join(said.says)} ({criteria.edition})"
    mode = "" if isinstance(item.result, Whole) or row.moves_bits else f", {criteria.mode}"
    return f"{limit.text} ({limit.source}){mode}"


def due(item: Item, args: Args, mode: Rounding) -> Args:
    """Return the expected results for calls of an item, by the reference."""
    if isinstance(item, ExactItem):
        return (allowed_results(Calls(item, args, ExactCriteria("full", mode, flushes=False))).wanted,)
    return as_results(f"{item}", by_reference(item.builtin.name, args, mode))


def _by_clmath(asked_by: str, name: str, args: Args, actual: object, terms: Terms) -> Compared:
    """Compare results with the results of clmath's function; for a store, the memory after the call."""
    function, memory, row, mode = function_of(name), memory_call(name), families.by_bits().get(name), terms.rounding
    if function is None:
        is_macro = families.exact_builtins()[name].chapter == "constants"
        fact = "is a macro without arguments" if is_macro else "is a case of audits, and clmath has no such function"
        remedy = f"compare with clmath.{name}" if is_macro else f"run: clmath audit --functions {name}"
        raise errors.UnknownNameError(f"{asked_by}: {name!r} {fact}; {remedy}")
    if memory is not None:
        memory.check(asked_by, name, args)
    stored = None if memory is None or memory.stored is None or len(args) <= memory.stored else memory.stored
    copies = tuple(np.array(a) if place == stored else a for place, a in enumerate(args))
    with select_rounding_mode(mode):
        result = function(*copies, **({} if row is None else families.keywords(row, vector=terms.vector)))
    (want,) = as_results(asked_by, result if stored is None else copies[stored])
    got = _only_result(asked_by, name, actual)
    if got.shape != want.shape or got.dtype.newbyteorder("=") != want.dtype:
        raise misfit(f"{name}(): ", got, want.dtype, want.shape)
    got = got.astype(want.dtype)
    wrong = ~same(got, want, bits_of_nan=name in builtins(*EXACT) or name.startswith("as_"))
    if row is not None and row.operator:
        wrong &= ~exact_criteria.unspecified_in_row(row, tuple(np.broadcast_to(a, want.shape) for a in args), want)
    reason = f"every bit counts (section {row.section})" if row else f"what clmath.{name} gives in {mode}"
    return Compared(got, want, wrong, reason, functools.partial(_call_at, name, args, want.shape))


def _arguments(asked_by: str, name: str, args: object) -> Args:
    """Return the arguments as arrays; plain Python numbers get the type of the arrays among them."""
    row = families.by_bits().get(name)
    if not isinstance(args, tuple):
        raise errors.DTypeError(f"{asked_by}: args is of type {type(args).__name__}; a tuple of arguments is needed")
    if row is not None and len(args) != len(row.names):
        needed = f"({', '.join(row.names)}{',' * (len(row.names) == 1)})"
        raise errors.ShapeError(
            f"{asked_by}: args holds {len(args)} arguments; {name} takes {len(row.names)}: {needed}"
        )
    given = [on_host(asked_by, f"args[{i}]", a) for i, a in enumerate(args)]
    if memory_call(name) is not None:
        return cast("Args", tuple(given))
    typed = next((a.dtype for a in given if hasattr(a, "dtype")), None)
    return tuple(np.asarray(a, typed if type(a) in (int, float) else None) for a in given)


def _call_at(name: str, args: Args, shape: Place, place: Place) -> tuple[Place, tuple[object, ...], str]:
    """Return the index of the call of the result at ``place``, its arguments, and its component as text."""
    row, memory = families.by_bits().get(name), memory_call(name)
    if memory is not None:
        return memory.call_at(args, place)
    if row is not None and row.widths:
        vectors = [p.type != "word" and a.ndim > 0 for p, a in zip(row.inputs, args, strict=True)]
        whole = (np.broadcast_to(a, (*shape, *a.shape[-1:] * v)) for a, v in zip(args, vectors, strict=True))
        return place, tuple(a[place] for a in whole), ""
    given = np.broadcast_shapes(*(a.shape for a in args))
    if given != shape:
        return (), tuple(a.reshape(-1) if a.ndim else a[()] for a in args), "".join(f"[{k}]" for k in place)
    index, output = (place[:-1], f"[{place[-1]}]") if _OF_VECTORS.fullmatch(name) and place else (place, "")
    return index, tuple(np.broadcast_to(a, given)[index] for a in args), output
