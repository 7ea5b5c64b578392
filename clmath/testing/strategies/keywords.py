"""Keywords of strategies, with the names and meanings of Hypothesis, and types by name, dtype or class."""

from __future__ import annotations

from dataclasses import fields
from inspect import Parameter, signature
from typing import TYPE_CHECKING, TypedDict, TypeVar

from clmath import errors
from clmath.numbers.datatypes import INTEGERS, refuse_clash, type_named
from clmath.numbers.formats import KNOWN, Format
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.strategies.span import Bounds, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from clmath.callables import AnyFunction

__all__ = [
    "Allowed",
    "Keywords",
    "allowed_of",
    "check_known",
    "checked_type",
    "checked_vector",
    "element",
    "format_called",
    "several",
    "span_of",
    "spelled_out",
]


F = TypeVar("F", bound="AnyFunction")
T = TypeVar("T")


class Allowed(TypedDict, total=False):
    """Keywords that include or exclude parts of a distribution."""

    allow_nan: bool | None
    allow_infinity: bool | None
    allow_subnormal: bool | None


class Keywords(Allowed, total=False):
    """Keywords that include parts of a distribution, and bounds."""

    min_value: object
    max_value: object
    exclude_min: bool
    exclude_max: bool


def spelled_out(keywords: type) -> Callable[[F], F]:
    """Make ``inspect.signature``, and tools that use it, show each of ``keywords`` with its default."""
    named = [f for f in fields(Bounds) if f.name in keywords.__annotations__]

    def shown(function: F) -> F:
        known = signature(function)
        kept = [p for p in known.parameters.values() if p.kind is not p.VAR_KEYWORD]
        added = [Parameter(f.name, Parameter.KEYWORD_ONLY, default=f.default, annotation=f.type) for f in named]
        function.__signature__ = known.replace(parameters=[*kept, *added])  # type: ignore[attr-defined]
        return function

    return shown


def span_of(call: str, form: Format, keywords: Keywords) -> Span:
    """Return the span of ``form`` that ``keywords`` describe."""
    check_known(call, keywords, tuple(Keywords.__annotations__))
    return Span.of(call, form, Bounds(**keywords))


def allowed_of(call: str, form: Format, keywords: Allowed) -> Span:
    """Return the numbers of ``form`` that ``keywords`` without bounds allow."""
    check_known(call, keywords, tuple(Allowed.__annotations__))
    return Span.of(call, form, Bounds(**keywords))


def check_known(call: str, keywords: Mapping[str, object], known: Sequence[str]) -> None:
    """Raise TypeError for a keyword that is not among ``known``."""
    refuse_altered_arithmetic(call)
    for keyword in keywords:
        if keyword not in known:
            raise TypeError(f"{call}: {keyword!r} is not a keyword of it; known are {', '.join(known)}")


def checked_type(call: str, type: object, known: Sequence[str], keyword: str = "type") -> str:
    """Return the name of a type in OpenCL, one of ``known``; UnknownNameError for any other."""
    refuse_altered_arithmetic(call)
    name = type.name if isinstance(type, Format) else _name(call, type)
    if name not in known:
        raise errors.not_one_of(call, keyword, name, known)
    return name


def checked_vector(call: str, type: object, known: Sequence[str]) -> tuple[str, int]:
    """Return the name of the scalar type, one of ``known``, of a type or of its components, and their number."""
    refuse_clash(call, type)
    try:
        found = type_named(call, type)
    except errors.UnknownNameError:
        return checked_type(call, type, known), 1
    return checked_type(call, found.dtype, known), found.components


def _name(call: str, type: object) -> str:
    refuse_clash(call, type)
    try:
        return type_named(call, type).name
    except errors.UnknownNameError:
        return str(type)


def format_called(name: str) -> Format | None:
    """Return the format of this name in OpenCL, or None for an integer type."""
    return next((form for form in KNOWN if form.name == name), None)


def element(call: str, type: object) -> str:
    """Return the name of a scalar type whose values strategies generate."""
    return checked_type(call, type, (*(f.name for f in KNOWN), *INTEGERS))


def several(call: str, keyword: str, values: Iterable[T], example: str) -> tuple[T, ...]:
    """Return the values of a keyword that takes several; DTypeError for a single one."""
    if isinstance(values, (str, type)) or not hasattr(values, "__iter__"):
        raise errors.DTypeError(
            f"{call}: {keyword}={values!r} is not a list; give one, such as {keyword}=[{example!r}]"
        )
    return tuple(values)
