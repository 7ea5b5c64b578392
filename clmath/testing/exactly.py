"""Results of built-ins of which every bit counts: integers, comparisons, conversions, loads and stores."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.exact import left_open
from clmath.audit.subjects import clmath_functions
from clmath.call.host import on_host
from clmath.call.measured import MisfitError, as_results, misfit
from clmath.numbers.formats import FLOAT
from clmath.pragmas import select_rounding_mode
from clmath.spec.builtins import EXACT, builtins
from clmath.spec.families import by_bits, conversions_beyond, exact_builtin, exact_builtins, keywords
from clmath.testing.bit_inputs import exact_functions
from clmath.testing.failures import SHOWN, Failure
from clmath.testing.memory_calls import memory_call
from clmath.testing.steps import differ, farthest, sizes, steps

if TYPE_CHECKING:
    from clmath.callables import AnyFunction
    from clmath.numbers.rounding import Rounding

__all__ = ["arguments_of", "failures", "function_of", "is_exact"]

_OF_VECTORS = re.compile(r"(?:convert|as)_[a-z]+\d+\w*")


def is_exact(name: str, args: object) -> bool:
    """Whether the call is not measured in ulp: of the integer or relational chapter, an operator, a load, a conversion.

    ``clamp max min dot add sub mul div`` are so for integers.
    """
    if name not in builtins():
        return exact_builtin(name) is not None or function_of(name) is not None
    integers = isinstance(args, tuple) and any(getattr(a, "dtype", np.dtype(bool)).kind in "iu" for a in args)
    return integers and name in by_bits()


def function_of(name: str) -> AnyFunction | None:
    """Return clmath's function that has the expected bits, or None if it has no such function."""
    import clmath

    beyond = conversions_beyond().get(name)
    if beyond is not None:
        return clmath_functions.function_of(beyond, FLOAT)
    return getattr(clmath, name) if name in exact_functions() else None


def failures(
    asked_by: str, name: str, args: object, actual: object, mode: Rounding, *, most: int = SHOWN, vector: bool = False
) -> tuple[list[Failure], int, int]:
    """Return the ``most`` results that differ most from the expected bits, how many differ, and how many there are.

    ``vector``: the last axis is a vector for a function with that keyword.
    """
    given = arguments_of(asked_by, name, args)
    function = function_of(name)
    if function is None:
        is_macro = exact_builtins()[name].chapter == "constants"
        fact = "is a macro without arguments" if is_macro else "is a case of audits, and clmath has no such function"
        remedy = f"compare with clmath.{name}" if is_macro else f"run: clmath audit --functions {name}"
        raise errors.UnknownNameError(f"{asked_by}: {name!r} {fact}; {remedy}")
    memory = memory_call(name)
    if memory is not None:
        memory.check(asked_by, name, given)
    row = by_bits().get(name)
    told = functools.partial(function, **({} if row is None else keywords(row, vector=vector)))
    with select_rounding_mode(mode):
        (want,) = as_results(asked_by, _due(told, given, None if memory is None else memory.stored))
    found = as_results(asked_by, actual)
    if len(found) != 1:
        raise MisfitError(f"{name}(): the number of results is {len(found)}; 1 is due: give one array")
    got = found[0]
    if got.shape != want.shape or got.dtype.newbyteorder("=") != want.dtype:
        raise misfit(f"{name}(): ", got, want.dtype, want.shape)
    wrong = differ(got, want, bits_of_nan=name in builtins(*EXACT) or name.startswith("as_"))
    if row is not None and row.operator:
        wrong &= ~left_open.of_row(row, tuple(np.broadcast_to(a, want.shape) for a in given), want)
    places = farthest(sizes(got, want), wrong, most)
    reason = _reason(name, mode)

    def failure(place: tuple[int, ...]) -> Failure:
        index, picked, output = _call_at(name, given, want.shape, place)
        return Failure(index, picked, output, got[place], want[place], steps(got[place], want[place]), reason)

    return [failure(place) for place in places], int(wrong.sum()), want.size


def _due(function: AnyFunction, args: tuple[object, ...], stored: int | None) -> Any:
    """Return the function's results, or for a store the memory after the call."""
    if stored is None or len(args) <= stored:  # the function raises an error for too few arguments
        return function(*args)
    memory = np.array(args[stored])
    function(*args[:stored], memory, *args[stored + 1 :])
    return memory


def arguments_of(asked_by: str, name: str, args: object) -> tuple[Any, ...]:
    """Return the arguments as arrays; plain Python numbers get the type of the arrays among them."""
    row = by_bits().get(name)
    if not isinstance(args, tuple):
        raise errors.DTypeError(f"{asked_by}: args is of type {type(args).__name__}; a tuple of arguments is needed")
    if row is not None and len(args) != len(row.names):
        needed = f"({', '.join(row.names)}{',' * (len(row.names) == 1)})"
        raise errors.ShapeError(
            f"{asked_by}: args holds {len(args)} arguments; {name} takes {len(row.names)}: {needed}"
        )
    given = [on_host(asked_by, f"args[{i}]", a) for i, a in enumerate(args)]
    if memory_call(name) is not None:
        return tuple(given)
    typed = next((a.dtype for a in given if hasattr(a, "dtype")), None)
    return tuple(np.asarray(a, typed if type(a) in (int, float) else None) for a in given)


def _call_at(
    name: str, args: tuple[np.ndarray, ...], shape: tuple[int, ...], place: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[Any, ...], str]:
    """Return the index of the call of the result at ``place``, its arguments, and its component as text."""
    row, memory = by_bits().get(name), memory_call(name)
    if memory is not None:
        return memory.call_at(args, place)
    if row is not None and row.widths:
        vectors = [p.type != "word" and a.ndim > 0 for p, a in zip(row.inputs, args, strict=True)]
        return place, tuple(_picked(a, shape, place, v) for a, v in zip(args, vectors, strict=True)), ""
    whole = np.broadcast_shapes(*(a.shape for a in args))
    if whole != shape:
        return (), tuple(a.reshape(-1) if a.ndim else a[()] for a in args), "".join(f"[{k}]" for k in place)
    if _OF_VECTORS.fullmatch(name) and place:
        return place[:-1], tuple(np.broadcast_to(a, whole)[place[:-1]] for a in args), f"[{place[-1]}]"
    return place, tuple(_picked(a, shape, place, False) for a in args), ""


def _picked(a: np.ndarray, shape: tuple[int, ...], place: tuple[int, ...], is_vector: bool) -> Any:
    """Return the argument of one call: a number, or a vector along the last axis."""
    return np.broadcast_to(a, (*shape, a.shape[-1]) if is_vector else shape)[place]


def _reason(name: str, mode: Rounding) -> str:
    row = by_bits().get(name)
    return f"every bit counts (section {row.section})" if row else f"what clmath.{name} gives in {mode}"
