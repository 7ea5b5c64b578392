"""Every message that clmath raises, in one style: call, rule, fact, remedy."""

from __future__ import annotations

import errno
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
    "checked_flag",
    "conversion",
    "guess",
    "held_by_no_integer",
    "missing",
    "no_attribute",
    "no_shape",
    "not_a_mode",
    "not_one_of",
    "not_read",
    "not_written",
    "shared_results",
    "shown",
    "text_of",
    "unknown",
    "wrong_dtype",
]

_SYNONYMS = {
    "nearest": "rte",
    "even": "rte",
    "half_even": "rte",
    "round_half_even": "rte",
    "fe_tonearest": "rte",
    "rndn": "rte",
    "rne": "rte",
    "rn": "rte",
    "rnd": "rte",
    "zero": "rtz",
    "rz": "rtz",
    "rndz": "rtz",
    "fe_towardzero": "rtz",
    "toward_zero": "rtz",
    "trunc": "rtz",
    "up": "rtp",
    "ru": "rtp",
    "rndu": "rtp",
    "fe_upward": "rtp",
    "ceil": "rtp",
    "down": "rtn",
    "rd": "rtn",
    "rndd": "rtn",
    "fe_downward": "rtn",
    "floor": "rtn",
}
_MEANING = {
    "rte": "round to nearest even",
    "rtz": "round toward zero",
    "rtp": "round toward +infinity",
    "rtn": "round toward -infinity",
}

_LONG = 128  # bits, or characters: too long to read
_MODES = tuple(_MEANING)
_C_SUFFIXES = ("f", "l")  # sinf, sinl

# kinds of NumPy's dtypes that clmath.convert refuses, the least size in bytes, and what to do instead
_NOT_CONVERTIBLE = (
    ("c", 0, "take its parts one by one, np.real({0}) and np.imag({0})"),
    ("f", 9, "round it first, np.asarray({0}, '{1}')"),
    ("mM", 0, "take its count of units, np.asarray({0}).astype('int64').astype('{1}')"),
    ("O", 0, "give an array of numbers of one type"),
    ("SUT", 0, "give numbers, not text"),
    ("V", 0, "give numbers: one field of a structure, or np.asarray({0}).astype('{1}') of a type that NumPy lacks"),
)


class ClmathError(Exception):
    """Base of every error that clmath raises on purpose; the message says call, rule, fact and remedy."""


class DTypeError(ClmathError, TypeError):
    """An argument has a type that the built-in does not take."""


class ShapeError(ClmathError, ValueError):
    """The arguments' shapes do not go together, or a vector has the wrong number of components."""


class RangeError(ClmathError, ValueError):
    """A value lies outside of the range that the call accepts."""


class RoundingError(ClmathError, ValueError):
    """The requested rounding mode is not one of rte, rtz, rtp, rtn."""


class UnknownNameError(ClmathError, ValueError):
    """A name (function, type, device, profile ...) is not one of the known ones."""


class TableError(ClmathError, ValueError):
    """A line of a table cannot be read."""


class FlushToZeroError(ClmathError, ArithmeticError):
    """The calling thread flushes subnormal numbers to zero, so that exact computation in it is impossible."""


class ProcessorRoundingError(ClmathError, ArithmeticError):
    """The calling thread's processor does not round to nearest even, on which every result depends."""


class MissingDependencyError(ClmathError, ImportError):
    """An optional package is needed and not installed."""


def shown(value: object) -> str:
    """Return the repr of ``value`` if it is short, else its type; for a long int, which repr may refuse, its length."""
    if isinstance(value, int) and value.bit_length() > _LONG:
        return f"a Python int of {value.bit_length()} bits"
    try:
        text = repr(value)
    except ValueError:  # it contains such an int
        text = ""
    return text if text and len(text) <= _LONG and "\n" not in text else f"a {type(value).__name__}"


def text_of(value: object) -> str:
    """Return the text of ``value`` as a name."""
    try:
        return str(value)
    except ValueError:  # as above
        return shown(value)


def held_by_no_integer(call: str, argument: str, value: int) -> RangeError:
    """Return the error for ``argument``, a Python int beyond long and ulong."""
    low_bits = f"clmath.convert({argument}, 'ulong') has its low bits"
    return RangeError(f"{call}: {argument} is {shown(value)}, which no integer type holds: {low_bits}")


def not_one_of(call: str, what: str, value: object, known: Sequence[str]) -> UnknownNameError:
    """Return the error for a ``value`` that is not in the short list ``known``; it offers the nearest name."""
    message = f"{call}: {what}={shown(value)} is not one of {', '.join(map(repr, known))}"
    return UnknownNameError(f"{message}{guess(value, known)}")


def unknown(  # noqa: PLR0917 - the message in its order
    call: str, what: str, value: str, known: Sequence[str], remedy: str, advice: str = ""
) -> UnknownNameError:
    """Return the error for a ``value`` not in the long list ``known``, with ``advice`` or else the nearest name."""
    return UnknownNameError(f"{call}: {value!r} is not a known {what}{advice or guess(value, known) or f'; {remedy}'}")


def no_attribute(module: str, name: str, known: Sequence[str], advice: str = "") -> AttributeError:
    """Return the error for a ``name`` that ``module`` lacks; it offers one of ``known``, except for private names."""
    offered = "" if name.startswith("_") else advice or guess(name, known)
    return AttributeError(f"module {module!r} has no attribute {name!r}{offered}", name=name)


def guess(value: object, known: Sequence[str]) -> str:
    """Return the end of a message that offers a name: ``value`` without C's suffix for a type, or the nearest name."""
    import difflib

    name = text_of(value)
    sure = [name[:-1]] if name.endswith(_C_SUFFIXES) and name[:-1] in known else []
    spelled = {k.lower().lstrip("-"): k for k in known}  # for options: dashes are common to all
    near = sure or [spelled[n] for n in difflib.get_close_matches(name.lower().lstrip("-"), spelled, 1)]
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def not_a_mode(call: str, value: object) -> RoundingError:
    """Return the error for a ``value`` that is not a rounding mode."""
    message = f"{call}: rounding={shown(value)} is not one of 'rte', 'rtz', 'rtp', 'rtn'"
    mode = _SYNONYMS.get(text_of(value).lower().replace(" ", "_"))
    return RoundingError(f"{message}; {_MEANING[mode]} is {mode!r}" if mode else message + guess(value, _MODES))


def checked_flag(call: str, option: str, value: object) -> bool:
    """Return ``value`` as a bool; raise DTypeError for other objects that have a truth value, such as 'no'."""
    if value is True or value is False:
        return value
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy's are bool in one version and bool_ in another
        raise DTypeError(f"{call}: {option}={shown(value)} is of type {type(value).__name__}; give True or False")
    return bool(value)


def conversion(argument: str, type: str, options: str = "") -> str:
    """Return the remedy for an argument of another type that ``clmath.convert`` takes."""
    return f"convert it, e.g. clmath.convert({argument}, {type!r}{options})"


def wrong_dtype(  # noqa: PLR0917 - the message in its order
    call: str, argument: str, dtype: Any, needed: str, remedy: str, target: Any = "float64"
) -> DTypeError:
    """Return the error for a wrong dtype.

    ``remedy`` is for dtypes that ``clmath.convert`` takes; for others the error names a conversion to ``target``.
    """
    kind = getattr(dtype, "kind", None)  # None for a word, such as the name of a class
    for kinds, size, other in _NOT_CONVERTIBLE:
        if kind and kind in kinds and dtype.itemsize >= size:
            remedy = other.format(argument, target)
    return DTypeError(f"{call}: {argument} has dtype {dtype}; {needed} is needed: {remedy}")


def no_shape(call: str, names: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> ShapeError:
    """Return the error for shapes that do not broadcast."""
    facts = ", ".join(f"{n} has shape {s}" for n, s in zip(names, shapes, strict=True))
    return ShapeError(f"{call}: {facts}; they do not broadcast: make the axes equal or 1")


def shared_results(call: str) -> ShapeError:
    """Return the error for two results that would be written to the same memory."""
    return ShapeError(f"{call}: the arrays of out share memory; give each result an array of its own")


def not_read(call: str, path: object, error: OSError | UnicodeDecodeError, wanted: str) -> ClmathError:
    """Return the error for a ``path`` that is missing, unreadable or not text; ``wanted`` says which file to name."""
    fact = getattr(error, "strerror", None) or "it is not text in UTF-8"
    return ClmathError(f"{call}: {path} cannot be read: {fact}; name {wanted}")


def not_written(call: str, path: object, error: OSError, option: str = "--json") -> ClmathError:
    """Return the error for a file ``path`` of an ``option`` that cannot be written, for lack of space or permission."""
    remedy = "name a file in a folder you may write to"
    if error.errno in {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}:
        remedy = "make room, or name a file on another disk"
    return ClmathError(f"{call}: {option} {path} cannot be written: {error.strerror or 'it failed'}; {remedy}")


def missing(call: str, package: str, extra: str) -> MissingDependencyError:
    """Return the error for an optional ``package`` that is not installed; ``extra`` installs it."""
    return MissingDependencyError(f"{call}: {package} is not installed; run: pip install 'clmath[{extra}]'")
