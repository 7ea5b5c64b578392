"""Families of built-ins: one evaluation, with its keywords, for functions that differ in parameters and docstrings.

A function is declared by its name, its parameters and its docstring. ``declared`` adds the keywords of an evaluation,
which gets the name of the function and the tuple of its arguments; decorators of ``overloads`` also add the types.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeAlias, TypeVar

from clmath import call

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.call.plans import Planner
    from clmath.callables import AnyFunction
    from clmath.typing import Engine, Floats, Ints, Out, Rounding, Where

__all__ = [
    "declared",
    "exact",
    "of_bits",
    "of_one",
    "of_three",
    "of_two",
    "planned_by",
    "rounded",
    "transcendental",
]

P = ParamSpec("P")
T = TypeVar("T")
U = TypeVar("U")
V = TypeVar("V")
R = TypeVar("R")
Function = TypeVar("Function", bound="Callable[..., object]")
Arguments: TypeAlias = "tuple[object, ...]"
Evaluation: TypeAlias = "Callable[Concatenate[str, Arguments, P], object]"
Declared: TypeAlias = "Callable[[AnyFunction], R]"

_PLANNERS: dict[object, Planner] = {}  # by evaluation


def planned_by(planner: Planner) -> Callable[[Function], Function]:
    """Return a decorator of an evaluation: its functions look for the plan of ``planner`` first."""

    def decorate(evaluate: Function) -> Function:
        _PLANNERS[evaluate] = planner
        return evaluate

    return decorate


def declared(evaluate: AnyFunction) -> Declared[AnyFunction]:
    """Return a decorator that makes a function of its declaration: each call is ``evaluate(name, args, **keywords)``.

    ``args``: the arguments that may only be given by position; others follow it.
    """
    return functools.partial(_declared, evaluate)


def _declared(evaluate: AnyFunction, declaration: AnyFunction) -> AnyFunction:
    name, keywords, signature = declaration.__name__, _keywords(evaluate), inspect.signature(declaration)
    given, known = signature.parameters.values(), frozenset(keywords)
    count = sum(parameter.kind is parameter.POSITIONAL_ONLY for parameter in given)

    @functools.wraps(declaration)
    def function(*args: object, **options: object) -> object:
        if len(args) == count:
            try:
                return evaluate(name, args, **options)
            except TypeError:
                if known.issuperset(options):
                    raise
        declaration(*args, **{key: options[key] for key in options.keys() - known})  # may raise Python's TypeError
        return evaluate(name, args[:count], *args[count:], **options)

    function.__annotations__ = {p.name: p.annotation for p in keywords.values()} | declaration.__annotations__
    vars(function)["__signature__"] = signature.replace(parameters=[*given, *keywords.values()])
    return call.planned_first(_PLANNERS[evaluate])(function) if evaluate in _PLANNERS else function


@functools.cache
def _keywords(evaluate: AnyFunction) -> Mapping[str, inspect.Parameter]:
    """Return the keywords of an evaluation."""
    return {key: p for key, p in inspect.signature(evaluate).parameters.items() if p.kind is p.KEYWORD_ONLY}


def of_one(evaluate: Evaluation[P]) -> Callable[[Callable[[T], R]], Callable[Concatenate[T, P], R]]:
    """Return the decorator of functions of one argument without overloads."""
    return declared(evaluate)


def of_two(evaluate: Evaluation[P]) -> Callable[[Callable[[T, U], R]], Callable[Concatenate[T, U, P], R]]:
    """Return the decorator of functions of two arguments without overloads."""
    return declared(evaluate)


def of_three(evaluate: Evaluation[P]) -> Callable[[Callable[[T, U, V], R]], Callable[Concatenate[T, U, V, P], R]]:
    """Return the decorator of functions of three arguments without overloads."""
    return declared(evaluate)


@planned_by(call.plan_of_floats)
def transcendental(
    name: str,
    args: Arguments,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in by kernels."""
    return call.floats(name, args, rounding, out, where, engine, threads)


@planned_by(call.plan_of_floats)
def rounded(
    name: str,
    args: Arguments,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Evaluate a built-in whose results, or steps, are rounded."""
    return call.floats(name, args, rounding, out, where, threads=threads)


@planned_by(call.plan_of_floats)
def exact(name: str, args: Arguments, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats:
    """Evaluate a built-in of floating-point numbers that needs no rounding."""
    return call.floats(name, args, None, out, where, threads=threads)


@planned_by(call.plan_of_bits)
def of_bits(name: str, args: Arguments, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Ints:
    """Evaluate a built-in of integers, or of the bits of numbers."""
    return call.bits(name, args, out, where, threads=threads)
