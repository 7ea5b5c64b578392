"""The numbers of a format that a strategy may generate, the keywords that bound them, and types by any name."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, fields, replace
from inspect import Parameter, signature
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypedDict, TypeVar

import numpy as np

from clmath import errors
from clmath.numbers.datatypes import refuse_clash, type_named
from clmath.numbers.formats import KNOWN, Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import round_real

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.callables import AnyFunction

F = TypeVar("F", bound="AnyFunction")
T = TypeVar("T")
Keys: TypeAlias = "NDArray[np.int64]"


@dataclass(frozen=True)
class Bounds:
    """The keywords of a strategy of numbers, as in Hypothesis; the value for None follows from the others."""

    min_value: object = None
    max_value: object = None
    exclude_min: bool = False
    exclude_max: bool = False
    allow_nan: bool | None = None
    allow_infinity: bool | None = None
    allow_subnormal: bool | None = None

    @property
    def is_open(self) -> bool:
        """Whether both bounds are absent."""
        return self.min_value is None and self.max_value is None


@dataclass(frozen=True)
class Span:
    """Numbers of ``form`` from the key ``low`` to the key ``high``, and NaN and subnormals if they are allowed.

    Keys number all numbers of a format in their order: +0 has 0, -0 has -1, the smallest subnormal 1.
    """

    form: Format
    low: int
    high: int
    nan: bool = True
    subnormal: bool = True

    @classmethod
    def of(cls, call: str, form: Format, bounds: Bounds) -> Span:
        """Return the span of these keywords; RangeError if they contradict each other or allow no number."""
        for field in fields(bounds)[2:]:
            value = getattr(bounds, field.name)
            if not (isinstance(value, (bool, np.bool_)) or (value is None and field.default is None)):
                raise errors.DTypeError(f"{call}: {field.name}={value!r} is neither True nor False")
        low_end, high_end = (_real(call, f"{end}_value", getattr(bounds, f"{end}_value")) for end in ("min", "max"))
        bounds = replace(bounds, min_value=low_end, max_value=high_end)
        _check_consistent(call, bounds)
        low, high = _end(form, "min_value", bounds), _end(form, "max_value", bounds)
        nan = bounds.is_open if bounds.allow_nan is None else bounds.allow_nan
        span = cls(form, low, high, nan, bounds.allow_subnormal is not False)
        if span.is_empty:
            excluded = [name for name in ("exclude_min", "exclude_max") if getattr(bounds, name)]
            excluded += [f"{n}=False" for n in ("allow_infinity", "allow_subnormal") if getattr(bounds, n) is False]
            fact = f"min_value={bounds.min_value} and max_value={bounds.max_value} enclose no {form}"
            raise errors.RangeError(f"{call}: {fact}{' with ' * bool(excluded)}{', '.join(excluded)}: move them apart")
        return span

    @property
    def dtype(self) -> np.dtype:
        """The dtype of the numbers."""
        return self.form.dtype

    @property
    def is_empty(self) -> bool:
        """Whether no number is left; NaN does not count."""
        only_subnormal = 0 < self.low <= self.high < self._normal or -1 - self._normal < self.low <= self.high < -1
        return self.low > self.high or (not self.subnormal and only_subnormal)

    @functools.cached_property
    def _normal(self) -> int:
        """The key of the smallest positive normal number."""
        return key_of(self.form.smallest_normal, self.form)

    @functools.cached_property
    def finite(self) -> tuple[int, int]:
        """The keys of the least and the greatest finite number."""
        largest = key_of(self.form.largest, self.form)
        return max(self.low, -1 - largest), min(self.high, largest)

    @property
    def holds_no_finite(self) -> bool:
        """Whether only infinities and NaN are allowed."""
        return self.finite[0] > self.finite[1]

    @functools.cached_property
    def ends(self) -> tuple[float, float]:
        """The least and the greatest finite number."""
        low, high = numbers_at(self.finite, self.form)
        return float(low), float(high)

    @functools.cached_property
    def is_interval(self) -> bool:
        """Whether both ends are bounds, not so large that nearly all numbers by value are of the highest binades."""
        if self.holds_no_finite or self.nan or self.finite != (self.low, self.high):
            return False
        return max(map(abs, self.ends)) < min(2.0 ** (2 * self.form.precision), self.form.largest)

    def contains(self, values: np.ndarray) -> NDArray[np.bool_]:
        """Return a mask of the ``values`` that may be generated."""
        keys, nan = keys_of(values, self.form), np.isnan(values)
        return np.where(nan, self.nan, (keys >= self.low) & (keys <= self.high) & ~self._are_excluded(keys))

    def fitted(self, values: np.ndarray) -> np.ndarray:
        """Return ``values`` with each forbidden one replaced by a near one: an end, zero or the smallest normal number.

        NaN is replaced by the number of the span that is closest to zero.
        """
        nan = np.isnan(values)
        keys = np.clip(np.where(nan, 0, keys_of(values, self.form)), self.low, self.high)
        positive, negative = 0 if self.low <= 0 else self._normal, -1 if self.high >= -1 else -1 - self._normal
        keys = np.where(self._are_excluded(keys), np.where(keys < 0, negative, positive), keys)
        kept = nan & self.nan
        return np.where(kept, values, numbers_at(keys, self.form)) if kept.any() else numbers_at(keys, self.form)

    def _are_excluded(self, keys: Keys) -> NDArray[np.bool_]:
        """Return a mask of subnormal numbers, if they are excluded."""
        size = np.where(keys < 0, -1 - keys, keys)
        return np.asarray((size > 0) & (size < self._normal) & (not self.subnormal))


class Integers(NamedTuple):
    """The integers of a type from ``low`` to ``high``."""

    dtype: np.dtype
    low: int
    high: int

    def fitted(self, values: np.ndarray) -> np.ndarray:
        """Return ``values`` with each one outside replaced by the nearest end."""
        return np.asarray(np.clip(values, self.low, self.high), self.dtype)


def whole_span(dtype: np.dtype) -> Span | Integers:
    """Return all values of a type."""
    form = format_of(dtype)
    if form is not None:
        return Span.of("", form, Bounds())
    limits = np.iinfo(dtype)
    return Integers(dtype, int(limits.min), int(limits.max))


def keys_of(values: np.ndarray | float, form: Format) -> Keys:
    """Return the positions of numbers in the order of all numbers of ``form``; of NaN, one beyond infinity's."""
    bits = form.bits(values).astype(np.uint64)
    size = (bits & np.uint64(form.magnitude)).astype(np.int64)
    return np.where(bits >> np.uint64(form.width - 1) != 0, -1 - size, size)


def key_of(value: float, form: Format) -> int:
    """Return the position of a number in the order of all numbers of ``form``."""
    return int(keys_of(value, form))


def numbers_at(keys: object, form: Format) -> np.ndarray:
    """Return the numbers of ``form`` at positions in their order."""
    wide = np.asarray(keys, np.int64)
    magnitude = np.where(wide < 0, -1 - wide, wide).astype(np.uint64)
    sign = np.where(wide < 0, np.uint64(1 << form.width - 1), np.uint64(0))
    return form.from_bits((magnitude | sign).astype(form.bits_dtype))


def _check_consistent(call: str, bounds: Bounds) -> None:
    """Raise RangeError if one keyword forbids what another one demands."""
    if bounds.allow_nan and not bounds.is_open:
        raise errors.RangeError(f"{call}: allow_nan=True with a bound, which NaN does not meet: leave one of them out")
    finite = [v is not None and v not in (math.inf, -math.inf) for v in (bounds.min_value, bounds.max_value)]
    if bounds.allow_infinity and all(finite):
        raise errors.RangeError(
            f"{call}: allow_infinity=True with min_value={bounds.min_value} and max_value={bounds.max_value}, which "
            "infinities do not meet: leave one of them out"
        )
    for end, excluded in (("min", bounds.exclude_min), ("max", bounds.exclude_max)):
        if excluded and getattr(bounds, f"{end}_value") is None:
            raise errors.RangeError(f"{call}: exclude_{end}=True without {end}_value: give the bound to exclude")


def _end(form: Format, name: str, bounds: Bounds) -> int:
    """Return the key of the outermost number on the side of ``name`` ('min_value' or 'max_value')."""
    side = -1 if name == "min_value" else 1
    excluded = bounds.exclude_min if side < 0 else bounds.exclude_max
    farthest = key_of(side * (form.largest if bounds.allow_infinity is False else np.inf), form)
    bound = getattr(bounds, name)
    if bound is None:
        return farthest
    rounded = float(round_real(bound, form, "rtn" if side > 0 else "rtp"))
    key = key_of(rounded, form)
    if rounded == 0 and bound != 0:  # between zero and the smallest number: the zero of the bound's sign, and the other
        key = -1 if side < 0 else 0
    if excluded and rounded == bound:
        key = (-2 if side > 0 else 1) if bound == 0 else key - side
    return min(key, farthest) if side > 0 else max(key, farthest)


def _real(call: str, name: str, bound: object) -> object:
    """Return the bound as a Python number, which compares exactly with all others, or None without a bound."""
    if bound is None:
        return None
    if isinstance(bound, (np.generic, np.ndarray)) and np.ndim(bound) == 0:
        bound = bound.astype(np.float64).item() if bound.dtype.kind in "fV" else bound.item()
    if isinstance(bound, bool) or not isinstance(bound, Real):
        raise errors.DTypeError(f"{call}: {name}={bound!r} is not a number; give one, such as 1.0")
    if bound != bound:
        raise errors.RangeError(f"{call}: {name}={bound} is not a bound: give a number")
    return bound


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


def span_of(call: str, form: Format, keywords: Allowed, known: type[Allowed] = Keywords) -> Span:
    """Return the span of ``form`` that ``keywords`` describe; ``known`` has the names of all keywords."""
    check_known(call, keywords, tuple(known.__annotations__))
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


def several(call: str, keyword: str, values: Iterable[T], example: str) -> tuple[T, ...]:
    """Return the values of a keyword that takes several; DTypeError for a single one."""
    if isinstance(values, (str, type)) or not hasattr(values, "__iter__"):
        raise errors.DTypeError(
            f"{call}: {keyword}={values!r} is not a list; give one, such as {keyword}=[{example!r}]"
        )
    return tuple(values)
