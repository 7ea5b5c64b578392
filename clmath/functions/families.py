"""Families of functions that differ only in their names, parameters and docstrings.

Each function of a family is declared: the decorator adds the keywords and the call, which one template holds.
"""

from __future__ import annotations

import functools
import inspect
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from clmath import call
from clmath.functions.overloads import (
    floats_of_one,
    floats_of_three,
    floats_of_two,
    ints_of_one,
    ints_of_three,
    ints_of_two,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.typing import Engine, FloatLike, Floats, IntLike, Ints, Out, Rounding, Where

__all__ = [
    "bits_of_one",
    "bits_of_three",
    "bits_of_two",
    "exact_of_one",
    "exact_of_two",
    "family",
    "renamed",
    "rounded_of_one",
    "rounded_of_three",
    "rounded_of_two",
    "transcendental_of_one",
    "transcendental_of_two",
]

Function = TypeVar("Function")


def family(template: Function) -> Callable[[Callable[..., object]], Function]:
    """Return a decorator that makes functions like ``template`` of their declarations.

    A declaration has the name, the parameters and the docstring. Its function is a real one, whose signature
    ``inspect`` and ``help`` show: the code of the template, which calls the built-in of its own name.
    """
    return functools.partial(_declared, template)


def _declared(template: Any, declaration: Any) -> Any:
    code = declaration.__code__
    parameters = code.co_varnames[: code.co_argcount]
    function = renamed(template, declaration.__name__, declaration.__module__, declaration.__doc__, parameters)
    function.__annotations__ |= declaration.__annotations__
    return function


def renamed(function: Any, name: str, module: str, doc: str | None, parameters: Sequence[str] = ()) -> Any:
    """Return a copy of ``function`` that calls the built-in ``name``; ``parameters``: new names of the first ones."""
    inner, planned = inspect.unwrap(function), getattr(function, "planned", None)
    code, old = inner.__code__, inner.__code__.co_varnames[: len(parameters)]
    found = FunctionType(
        code.replace(
            co_name=name,
            co_qualname=name,
            co_varnames=(*parameters, *code.co_varnames[len(old) :]),
            co_consts=tuple(name if value == inner.__name__ else value for value in code.co_consts),
        ),
        inner.__globals__,
        argdefs=inner.__defaults__,
    )
    found.__kwdefaults__, found.__module__, found.__doc__ = dict(inner.__kwdefaults__), module, doc
    found.__annotations__ = {key: value for key, value in inner.__annotations__.items() if key not in old}
    return found if planned is None else call.planned_first(planned)(found)


@family
@floats_of_one
@call.planned_first(call.plan_of_floats)
def transcendental_of_one(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in of one number by kernels."""
    return call.floats("transcendental_of_one", (x,), rounding, out, where, engine, threads)


@family
@floats_of_two
@call.planned_first(call.plan_of_floats)
def transcendental_of_two(
    x: FloatLike,
    y: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in of two numbers by kernels."""
    return call.floats("transcendental_of_two", (x, y), rounding, out, where, engine, threads)


@family
@floats_of_one
@call.planned_first(call.plan_of_floats)
def rounded_of_one(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Evaluate a built-in of one number that is rounded once."""
    return call.floats("rounded_of_one", (x,), rounding, out, where, threads=threads)


@family
@floats_of_two
@call.planned_first(call.plan_of_floats)
def rounded_of_two(
    x: FloatLike,
    y: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in of two numbers that is rounded once."""
    return call.floats("rounded_of_two", (x, y), rounding, out, where, threads=threads)


@family
@floats_of_three
@call.planned_first(call.plan_of_floats)
def rounded_of_three(
    x: FloatLike,
    y: FloatLike,
    z: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in of three numbers that is rounded."""
    return call.floats("rounded_of_three", (x, y, z), rounding, out, where, threads=threads)


@family
@floats_of_one
@call.planned_first(call.plan_of_floats)
def exact_of_one(x: FloatLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """Evaluate a built-in of one number that needs no rounding."""
    return call.floats("exact_of_one", (x,), None, out, where, threads=threads)


@family
@floats_of_two
@call.planned_first(call.plan_of_floats)
def exact_of_two(x: FloatLike, y: FloatLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """Evaluate a built-in of two numbers that needs no rounding."""
    return call.floats("exact_of_two", (x, y), None, out, where, threads=threads)


@family
@ints_of_one
@call.planned_first(call.plan_of_bits)
def bits_of_one(x: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Ints:
    """Evaluate a built-in of one integer."""
    return call.bits("bits_of_one", (x,), out, where, threads=threads)


@family
@ints_of_two
@call.planned_first(call.plan_of_bits)
def bits_of_two(x: IntLike, y: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Ints:
    """Evaluate a built-in of two integers."""
    return call.bits("bits_of_two", (x, y), out, where, threads=threads)


@family
@ints_of_three
@call.planned_first(call.plan_of_bits)
def bits_of_three(
    x: IntLike, y: IntLike, z: IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1
) -> Ints:
    """Evaluate a built-in of three integers."""
    return call.bits("bits_of_three", (x, y, z), out, where, threads=threads)
