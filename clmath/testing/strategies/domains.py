"""Inputs from a domain that look for trouble, and exact values of a reference."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, TypeAlias

import mpmath
import numpy as np

from clmath import errors
from clmath.numbers.formats import KNOWN, format_named
from clmath.numbers.rounding import Enclosure, enclosed, fraction, round_real
from clmath.testing.strategies.mixtures import listed, strategies
from clmath.testing.strategies.scalars import numbers
from clmath.testing.strategies.spans import checked_type, key_of, keys_of, numbers_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format
    from clmath.typing import Type

Real: TypeAlias = "Any"  # an mpf, which mpmath does not type

_FIRST, _LAST = 128, 16384  # bits of precision
_SURE = 4096  # bits at which apparent zeros and midpoints are verified: 1 - cos(2^-1000) is neither
_BEYOND = 256  # binades beyond the range of a format, where all values are treated as one size
_AGREEING = 96  # leading bits that two evaluations share, so that errors in ulp are known
Array: TypeAlias = "np.ndarray"
Domain: TypeAlias = "tuple[float, float]"
_GRID, _RANDOM, _WIDE = 400, 600, 200  # equally spaced inputs; random ones; random ones of every exponent
_FEATURES = 12  # zeros of the reference, extrema, and ends of its range: at most this many of each
_NEAR = 3  # neighbours on each side of a feature
_CROSSED = 24  # inputs of each argument that are tried in all combinations
_LENGTHS = (1, 2, 3, 5, 8, 17, 64)  # of vectors
_CHANGES: tuple[Callable[[float, Format], bool], ...] = (
    lambda y, _: y > 0.0,
    lambda y, form: abs(y) > form.smallest_subnormal,
    lambda y, form: abs(y) > form.smallest_normal,
    lambda y, form: abs(y) > form.largest,
)


@dataclass(frozen=True)
class Reference:
    """A reference ``function`` of mpf numbers, or with ``vectors`` of lists of them; it returns a number, or a list.

    It is evaluated with more and more bits, until two evaluations agree in 96 leading bits and, where results are to be
    correctly rounded to ``form``, both round to the same number. A complex number counts as NaN. Calls are left out for
    which it raises ValueError or ZeroDivisionError, as at poles.
    """

    function: AnyFunction
    form: Format
    correctly_rounded: bool = False
    vectors: bool = False

    def values(self, args: Sequence[np.ndarray | np.generic]) -> list[Real]:
        """Return the exact results for one call, empty if it raises; RangeError if evaluations never agree."""
        before, bits = self._at(args, _FIRST), 2 * _FIRST
        while bits <= _LAST:
            now = self._at(args, bits)
            if len(before) == len(now) and all(map(self._agree, before, now)):
                if bits >= _SURE or not any(map(self._seems_exact, now)):
                    return now
                bits = _SURE // 2
            before, bits = now, 2 * bits
        raise errors.RangeError(
            f"conformance_test(): the reference gives other leading digits with {_LAST} bits than with {_LAST // 2} at "
            f"{args}: compute it with mpmath's functions of the given numbers, at their precision"
        )

    def _at(self, args: Sequence[np.ndarray | np.generic], bits: int) -> list[Real]:
        with mpmath.workprec(bits):
            given = [
                [mpmath.mpf(float(v)) for v in np.asarray(a)] if np.ndim(a) else mpmath.mpf(float(a)) for a in args
            ]
            try:
                found = self.function(*given)
                return [self._clipped(_real(v)) for v in (found if isinstance(found, list | tuple) else [found])]
            except (ValueError, ZeroDivisionError):
                return []
            except (ArithmeticError, AttributeError, LookupError, NameError, TypeError) as error:
                said = f"{type(error).__name__}: {error}"
                remedy = "give a function of as many mpmath numbers, or a list of them, that returns numbers"
                raise errors.DTypeError(f"the reference raises {said}, for {args}; {remedy}") from error

    def _clipped(self, value: Real) -> Real:
        """Return a value far beyond the largest number, or below the smallest one, with an exponent of a few digits."""
        if value == 0 or not mpmath.isfinite(value):
            return value
        size = mpmath.mag(value)
        far = min(max(size, self.form.quantum - _BEYOND), self.form.emax + _BEYOND)
        return value if far == size else mpmath.ldexp(mpmath.sign(value), far)

    def _agree(self, before: Real, now: Real) -> bool:
        if not (mpmath.isfinite(before) and mpmath.isfinite(now)):
            return bool(before == now) or bool(mpmath.isnan(before) and mpmath.isnan(now))
        off = abs(fraction(now) - fraction(before))
        if off * 2**_AGREEING > abs(fraction(now)):
            return False
        ends = [round_real(fraction(now) + sign * off, self.form, "rte") for sign in (-1, 1)]
        return not self.correctly_rounded or bool(ends[0] == ends[1])

    def _seems_exact(self, value: Real) -> bool:
        """Whether a value is zero, or a midpoint: there the smallest difference matters."""
        if not mpmath.isfinite(value):
            return False
        exact = abs(fraction(value))
        return exact == 0 or (self.correctly_rounded and exact.numerator.bit_length() == self.form.precision + 1)


def _real(value: Real) -> Real:
    """Return a reference's number as an mpf of the current precision; NaN for a complex one."""
    if isinstance(value, complex | mpmath.mpc):
        return mpmath.mpf(value.real) if value.imag == 0 else mpmath.nan
    if isinstance(value, mpmath.mpf | float | int):
        return mpmath.mpf(value)
    exact = fraction(value)
    return mpmath.mpf(exact.numerator) / exact.denominator


def rough(function: AnyFunction, args: Sequence[float]) -> float:
    """Return the value of a reference as a double, NaN without one; for the search for its zeros and extrema."""
    with mpmath.workprec(64):
        try:
            found = function(*map(mpmath.mpf, args))
            return float(found) if not isinstance(found, complex | mpmath.mpc) else float("nan")
        except (ValueError, ZeroDivisionError, TypeError, OverflowError):
            return float("nan")


def stacked(values: Sequence[Real]) -> Enclosure:
    """Exact results as arrays."""
    found = [enclosed(v) if mpmath.isfinite(v) else Enclosure.of(float(v)) for v in values]
    parts = [(one.hi, one.lo, one.err, one.exponent) for one in found]
    return Enclosure(*(np.array([one[k] for one in parts]) for k in range(4)))


def for_function(
    reference: AnyFunction, domain: object = None, type: Type = "double"
) -> SearchStrategy[tuple[Any, ...]]:
    """Tuples of arguments that look for trouble, as in ``conformance_test(f, reference=reference, domain=domain)``.

    ``reference``: a function of mpmath's numbers. ``domain``: the least and the greatest argument, or such a pair for
    each argument; None: all finite numbers. Half of the examples are such inputs: ends of the domain, numbers of every
    binade, zeros and extrema of the reference; the others are any numbers of the domain. RangeError for a domain that
    is not one.

    >>> import math, mpmath
    >>> @given(cl.for_function(mpmath.expm1, (-1, 1)))
    ... def expm1_has_the_sign_of_its_argument(args):
    ...     assert math.expm1(*args) * args[0] >= 0
    >>> expm1_has_the_sign_of_its_argument()
    """
    form = format_named(checked_type("for_function()", type, [one.name for one in KNOWN]), known=KNOWN)
    domains = domains_of("for_function()", reference, domain, form)
    anywhere = strategies().tuples(*(numbers(type, min_value=low, max_value=high) for low, high in domains))
    found: SearchStrategy[tuple[Any, ...]] = listed(columns(reference, domains, form)) | anywhere
    return found


def columns(reference: AnyFunction, domains: Sequence[Domain], form: Format) -> tuple[Array, ...]:
    """The arguments of some thousand calls, one array for each argument."""
    rng = np.random.default_rng(form.precision)
    spread = [_spread(rng, domain, form) for domain in domains]
    if len(domains) == 1:
        features = _features(lambda x: rough(reference, (x,)), np.sort(spread[0]), form)
        return (_within(np.concatenate([spread[0], features]), domains[0], form),)
    spread = [some + form.dtype.type(0) for some in spread]  # -0 becomes +0: numbers of mpmath have one zero
    crossed = np.meshgrid(*(_few(domain, form) for domain in domains), indexing="ij")
    count = max(map(len, spread))
    return tuple(
        np.concatenate([grid.reshape(-1) + form.dtype.type(0), rng.permutation(np.resize(some, count))])
        for grid, some in zip(crossed, spread, strict=True)
    )


def domains_of(call: str, function: AnyFunction, domain: object, form: Format) -> tuple[Domain, ...]:
    """Return a pair of ends for each argument; RangeError if ``domain`` is malformed or has a wrong length."""
    whole, count = (-float(form.largest), float(form.largest)), _arguments(function)
    if domain is None:
        return (whole,) * (count or 1)
    try:
        pairs = np.array(domain, np.float64)
        pairs = np.tile(pairs, (count or 1, 1)) if pairs.ndim == 1 else pairs
    except (TypeError, ValueError):
        pairs = np.empty(0)
    if pairs.ndim != 2 or pairs.shape[1] != 2 or not (pairs[:, 0] < pairs[:, 1]).all():
        remedy = "give (-50, 50), or a list with such a pair for each argument"
        raise errors.RangeError(f"{call}: domain={domain!r} is not a pair of ends, the lower one first; {remedy}")
    if count and len(pairs) != count:
        fact = f"domain has {len(pairs)} pairs of ends, and the reference {count} arguments"
        raise errors.RangeError(f"{call}: {fact}; give a pair for each of them")
    return tuple((max(low, whole[0]), min(high, whole[1])) for low, high in pairs.tolist())


def _arguments(function: AnyFunction) -> int:
    """Return the number of arguments that a function needs, or 0 if it is unknown."""
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):
        return 0
    return sum(p.default is p.empty and p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD} for p in parameters)


def rows_of_vectors(domain: Domain, form: Format) -> Iterator[Array]:
    """Return vectors of several lengths, as rows of one array each: alike, apart, ascending, equal, of every size."""
    rng, (low, high) = np.random.default_rng(form.precision), (end / 2.0 for end in domain)  # high - low may overflow
    everywhere = _spread(rng, domain, form).astype(np.float64) / 2.0
    if not everywhere.size:
        return
    for length in _LENGTHS:
        random = rng.uniform(low, high, (8, length))
        near = rng.uniform(low, high, (8, 1)) + rng.normal(size=(8, length)) * 2.0**-20 * (high - low)
        is_single = np.arange(length) == rng.integers(0, length, (8, 1))
        single = np.where(is_single, high, rng.uniform(low, high, (8, length)) / 8)
        with np.errstate(over="ignore"):  # of the last step of linspace, which NumPy replaces by the end
            equal = np.repeat(np.linspace(low, high, 6)[:, np.newaxis], length, axis=1)
            ramp = np.linspace([low, high], [high, low], length).T
        rows = np.concatenate([random, near, single, equal, ramp, rng.choice(everywhere, (24, length))])
        yield (2.0 * np.clip(rows, low, high)).astype(form.dtype)


@np.errstate(over="ignore")  # of the last step of linspace, which NumPy replaces by the end
def _spread(rng: np.random.Generator, domain: Domain, form: Format) -> Array:
    """The ends of a domain, each binade in it, and equally spaced and random numbers."""
    low, high = domain
    exponents = np.arange(form.quantum, form.emax + 1)
    near = exponents[(exponents > -64) | (exponents % 16 == 0)]
    sizes = np.ldexp(np.concatenate([np.ones(len(near)), 1.0 + rng.random(len(near))]), np.tile(near, 2))
    keys = rng.integers(key_of(low, form), key_of(high, form) + 1, _WIDE)
    parts = [
        [low, high, 0.0, -0.0],
        2.0 * np.linspace(low / 2.0, high / 2.0, _GRID),  # high - low may overflow
        np.arange(-64, 65) / 2.0,
        2.0 * rng.uniform(low / 2.0, high / 2.0, _RANDOM),
        *(sign * sizes for sign in (1.0, -1.0)),
    ]
    values = np.concatenate([np.asarray(part, np.float64) for part in parts]).astype(form.dtype)
    ends = _around([key_of(end, form) for end in (low, high, 0.0, 1.0, -1.0)], form)
    return _within(np.concatenate([values, numbers_at(keys, form), ends]), domain, form)


@np.errstate(over="ignore")
def _few(domain: Domain, form: Format) -> Array:
    """Return the ends of a domain, special numbers in it, and some between them."""
    low, high = domain
    special = [low, high, 0.0, 1.0, -1.0, 0.5, 2.0, form.smallest_normal, form.smallest_subnormal]
    return _within(
        np.array([*special, *(2.0 * np.linspace(low / 2.0, high / 2.0, _CROSSED - len(special)))]).astype(form.dtype),
        domain,
        form,
    )


def _within(values: Array, domain: Domain, form: Format) -> Array:
    numbers = values.astype(np.float64)  # in a narrow format, the ends would be rounded for the comparison
    inside = values[(numbers >= domain[0]) & (numbers <= domain[1]) & np.isfinite(numbers)]
    return form.from_bits(np.unique(form.bits(inside)))


def _features(value: Callable[[float], float], x: Array, form: Format) -> Array:
    """Return numbers next to zeros and extrema of a function, and next to the ends of its normal range."""

    def at(key: int) -> float:
        return value(float(numbers_at(np.array([key]), form)[0]))

    y, keys, found = np.array([value(float(v)) for v in x]), keys_of(x, form).tolist(), []
    for holds in _CHANGES:
        test = np.array([holds(v, form) for v in y])
        changes = _some(np.flatnonzero(test[1:] != test[:-1]))
        found += [_change(lambda key: holds(at(key), form), keys[k], keys[k + 1]) for k in changes]  # noqa: B023
    with np.errstate(all="ignore"):
        rises = np.diff(y) > 0.0
    turns = _some(np.flatnonzero(rises[1:] != rises[:-1]))
    return _around([*found, *(_turn(at, keys[k], keys[k + 2]) for k in turns)], form)


def _some(places: Array) -> Array:
    """Return at most ``_FEATURES`` of some places, equally spaced among them."""
    return places[np.unique(np.linspace(0, len(places) - 1, min(len(places), _FEATURES)).astype(np.int64))]


def _change(holds: Callable[[int], bool], low: int, high: int) -> int:
    """Return the last key, between two, for which a condition is the one at ``low``."""
    first = holds(low)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) == first else (low, middle)
    return low


def _turn(value: Callable[[int], float], low: int, high: int) -> int:
    """Return the key of an extremum between two keys, by ternary search."""
    middle = (low + high) // 2
    rises = value(middle) > min(value(low), value(high))
    while high - low > 3:
        first, second = low + (high - low) // 3, high - (high - low) // 3
        low, high = (first, high) if (value(first) < value(second)) == rises else (low, second)
    return (low + high) // 2


def _around(keys: Sequence[int], form: Format) -> Array:
    """Return the numbers of some keys and their neighbours."""
    most = key_of(float(form.largest), form)
    every = {key + off for key, off in itertools.product(keys, range(-_NEAR, _NEAR + 1))}
    return numbers_at(np.array(sorted(key for key in every if -most <= key <= most), np.int64), form)
