"""Every message that clmath raises, in one style: call, rule, fact, remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "ClmathError",
    "DTypeError",
    "FlushToZeroError",
    "MissingDependencyError",
    "ProcessorRoundingError",
    "RangeError",
    "RoundingError",
    "ShapeError",
    "TableError",
    "UnknownNameError",
    "missing",
    "no_attribute",
    "no_shape",
    "not_a_mode",
    "not_one_of",
    "unknown",
    "wrong_dtype",
]

_SYNONYMS = {
    "nearest": "rte",
    "even": "rte",
    "rne": "rte",
    "rn": "rte",
    "rnd": "rte",
    "zero": "rtz",
    "rz": "rtz",
    "toward_zero": "rtz",
    "trunc": "rtz",
    "up": "rtp",
    "ru": "rtp",
    "ceil": "rtp",
    "down": "rtn",
    "rd": "rtn",
    "floor": "rtn",
}
_MEANING = {
    "rte": "round to nearest even",
    "rtz": "round toward zero",
    "rtp": "round toward +infinity",
    "rtn": "round toward -infinity",
}


class ClmathError(Exception):
    """Base of every error that clmath raises on purpose; the message says call, rule, fact and remedy."""


class DTypeError(ClmathError, TypeError):
    """An argument has a type that the built-in does not take."""


class ShapeError(ClmathError, ValueError):
    """The arguments' shapes do not go together, or a vector has the wrong number of lanes."""


class RangeError(ClmathError, ValueError):
    """A value lies outside of what the call takes."""


class RoundingError(ClmathError, ValueError):
    """A rounding mode was asked for that is not one of rte, rtz, rtp, rtn."""


class UnknownNameError(ClmathError, ValueError):
    """A name (function, type, device, profile ...) is not one of those known."""


class TableError(ClmathError, ValueError):
    """A line of a table cannot be read."""


class FlushToZeroError(ClmathError, ArithmeticError):
    """The calling thread flushes subnormal numbers to zero, so that nothing exact can be computed in it."""


class ProcessorRoundingError(ClmathError, ArithmeticError):
    """The calling thread's processor rounds otherwise than to nearest even, on which every result rests."""


class MissingDependencyError(ClmathError, ImportError):
    """An optional package is needed and not installed."""


def not_one_of(call: str, what: str, value: Any, known: Sequence[str]) -> UnknownNameError:
    """``value`` is not in the short list ``known``."""
    return UnknownNameError(f"{call}: {what}={value!r} is not one of {', '.join(map(repr, known))}")


def unknown(call: str, what: str, value: str, known: Sequence[str], remedy: str) -> UnknownNameError:
    """``value`` is not in the long list ``known``; the nearest name is offered."""
    return UnknownNameError(f"{call}: {value!r} is not a known {what}{_guess(value, known) or f'; {remedy}'}")


def no_attribute(module: str, name: str, known: Sequence[str]) -> AttributeError:
    """``module`` has no ``name``; the nearest of the names ``known`` is offered, but not to who probes for privates."""
    guess = "" if name.startswith("_") else _guess(name, known)
    return AttributeError(f"module {module!r} has no attribute {name!r}{guess}", name=name)


def _guess(name: str, known: Sequence[str]) -> str:
    import difflib

    near = difflib.get_close_matches(name, known, 1)
    return f"; did you mean {near[0]!r}?" if near else ""


def not_a_mode(call: str, value: Any) -> RoundingError:
    """``value`` is not a rounding mode."""
    message = f"{call}: rounding={value!r} is not one of 'rte', 'rtz', 'rtp', 'rtn'"
    mode = _SYNONYMS.get(str(value).lower())
    return RoundingError(f"{message}; {_MEANING[mode]} is {mode!r}" if mode else message)


def wrong_dtype(call: str, argument: str, dtype: Any, needed: str, remedy: str) -> DTypeError:
    """``argument`` has the wrong dtype."""
    return DTypeError(f"{call}: {argument} has dtype {dtype}; {needed} is needed: {remedy}")


def no_shape(call: str, names: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> ShapeError:
    """The shapes do not broadcast."""
    facts = ", ".join(f"{n} has shape {s}" for n, s in zip(names, shapes, strict=True))
    return ShapeError(f"{call}: {facts}; they do not broadcast: make the axes equal or 1")


def missing(call: str, package: str, extra: str) -> MissingDependencyError:
    """The optional ``package`` is not installed; ``extra`` brings it."""
    return MissingDependencyError(f"{call}: {package} is not installed; run: pip install 'clmath[{extra}]'")
