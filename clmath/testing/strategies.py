"""Hypothesis strategies for inputs that hurt: numbers of each format, modes, and the arguments of a built-in.

They draw NumPy scalars (arrays where a shape is asked for) and shrink towards simple values: 0, 1, few digits.

>>> from hypothesis import given
>>> from clmath.testing import strategies as cl
>>> @given(cl.arguments("hypot", "float"), cl.rounding_modes())
... def hypot_is_not_below_its_arguments(args, mode):
...     assert clmath.hypot(*args, rounding=mode) >= clmath.fmax(*map(clmath.fabs, args))
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, Format, format_named
from clmath.numbers.rounding import MODES, Rounding, round_real
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["arguments", "doubles", "floats", "halfs", "ints", "numbers", "rounding_modes"]

INT_MIN, INT_MAX = -(2**31), 2**31 - 1
_SIMPLE = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, 0.25)


def _hypothesis() -> Any:
    """``hypothesis.strategies``; MissingDependencyError where it is not installed."""
    try:
        from hypothesis import strategies
    except ImportError:
        raise errors.missing("clmath.testing.strategies", "hypothesis", "test") from None
    return strategies


def halfs(
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    allow_nan: bool = True,
    allow_infinity: bool = True,
) -> SearchStrategy[np.float16]:
    """Numbers of the format half, as ``numbers`` draws them."""
    return numbers(HALF, min_value=min_value, max_value=max_value, allow_nan=allow_nan, allow_infinity=allow_infinity)


def floats(
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    allow_nan: bool = True,
    allow_infinity: bool = True,
) -> SearchStrategy[np.float32]:
    """Numbers of the format float, as ``numbers`` draws them."""
    return numbers(FLOAT, min_value=min_value, max_value=max_value, allow_nan=allow_nan, allow_infinity=allow_infinity)


def doubles(
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    allow_nan: bool = True,
    allow_infinity: bool = True,
) -> SearchStrategy[np.float64]:
    """Numbers of the format double, as ``numbers`` draws them."""
    return numbers(DOUBLE, min_value=min_value, max_value=max_value, allow_nan=allow_nan, allow_infinity=allow_infinity)


def numbers(
    form: Format | str,
    *,
    min_value: float | None = None,
    max_value: float | None = None,
    allow_nan: bool = True,
    allow_infinity: bool = True,
) -> SearchStrategy[Any]:
    """NumPy scalars of ``form``: simple values, edges of the format, powers of two and their neighbours, any bits.

    Zeros of both signs, subnormals and the largest numbers come often; infinities and NaN (of both signs, with
    payloads) where allowed and within the bounds. ``min_value`` and ``max_value`` are inclusive; with either, NaN is
    not drawn.
    """
    st, form = _hypothesis(), _format(form, "numbers()")
    least, most = _bounds(form, min_value, max_value, allow_infinity=allow_infinity)
    simple = [form.dtype.type(x) for x in (*_SIMPLE, *(-x for x in _SIMPLE)) if least <= x <= most]
    choices = [st.sampled_from(simple)] if simple else []
    if min_value is not None or max_value is not None:
        choices.append(st.integers(_key(least, form), _key(most, form)).map(functools.partial(_of_key, form=form)))
    else:  # shrinking prefers what stands first
        choices.append(_finite(st, form))
        if allow_infinity:
            choices.append(st.sampled_from([form.dtype.type(s * np.inf) for s in (1, -1)]))
        if allow_nan:
            choices.append(_nans(st, form))
    strategy: SearchStrategy[Any] = st.one_of(choices)
    return strategy


def ints() -> SearchStrategy[np.int32]:
    """The int arguments of ``pown``, ``rootn`` and ``ldexp``: mostly small, powers of two, INT_MIN and INT_MAX, any.

    Drawn as ``np.int32``.
    """
    st = _hypothesis()
    powers = st.builds(lambda e, d, s: s * (2**e + d), st.integers(0, 30), st.integers(-1, 1), st.sampled_from([1, -1]))
    ends = st.sampled_from([INT_MAX, INT_MIN, INT_MIN + 1])
    small = st.integers(-8, 8) | st.integers(-2200, 2200)
    strategy: SearchStrategy[np.int32] = st.one_of(small, powers, ends, st.integers(INT_MIN, INT_MAX)).map(np.int32)
    return strategy


def rounding_modes() -> SearchStrategy[Rounding]:
    """The four modes, rte first."""
    strategy: SearchStrategy[Rounding] = _hypothesis().sampled_from(MODES)
    return strategy


def arguments(
    name: str,
    type: Format | str,
    *,
    shape: tuple[int, ...] | None = None,  # the specification says type
) -> SearchStrategy[tuple[Any, ...]]:
    """Arguments for one call of the built-in ``name`` in the format ``type``: a tuple in the order of its declaration.

    Scalars, or arrays of ``shape``; for geometric built-ins vectors, the last axis as wide as the built-in allows.
    Half of the time later arguments are related to the first one: equal, opposite, neighbours, small.
    UnknownNameError where ``name`` is no built-in, or has no such format.
    """
    st, row = _hypothesis(), builtin(name, "arguments()")
    form = _format(type, "arguments()", row.formats)
    if row.lanes:
        widths = st.sampled_from(row.lanes)
        vectors: SearchStrategy[tuple[Any, ...]] = widths.flatmap(
            lambda width: _arrays(st, row, form, (*(shape or ()), width))
        )
        return vectors
    return _scalars(st, row, form) if shape is None else _arrays(st, row, form, shape)


def _format(form: Format | str, call: str, known: Sequence[Format] | None = None) -> Format:
    found = form if isinstance(form, Format) else format_named(form, call)
    if known is not None and found not in known:
        raise errors.not_one_of(call, "type", found.name, [f.name for f in known])
    return found


def _bounds(form: Format, least: float | None, most: float | None, *, allow_infinity: bool) -> tuple[float, float]:
    """The smallest and the largest number of ``form`` between the bounds."""
    end = np.inf if allow_infinity else form.largest
    low = -end if least is None else float(round_real(float(least), form, "rtp"))
    high = end if most is None else float(round_real(float(most), form, "rtn"))
    if not low <= high:
        raise errors.RangeError(f"numbers(): min_value={least} and max_value={most} enclose no {form}: move them apart")
    return low, high


def _finite(st: Any, form: Format) -> Any:
    """Numbers by sign, exponent and fraction, each often at an edge; all shrink to those of 1."""
    width = form.precision - 1
    full = 2**width - 1

    def build(exponent: int, fraction: int, negative: bool) -> Any:
        bits = (exponent + form.emax) << width | fraction
        return form.from_bits(bits | negative << (form.width - 1))[()]

    # reversed, a small fraction is a short one: shrinking leaves few digits
    any_fraction = st.integers(0, full).map(lambda n: int(f"{n:0{width}b}"[::-1], 2))
    edges = st.sampled_from([full, 1])
    return st.builds(build, st.sampled_from(_exponents(form)), st.just(0) | edges | any_fraction, st.booleans())


@functools.cache
def _exponents(form: Format) -> tuple[int, ...]:
    """All exponents, smallest magnitude first; then ordinary ones and edges, so that each come a third of the time."""
    every = sorted(range(form.emin - 1, form.emax + 1), key=lambda e: (abs(e), e < 0))
    ordinary = every[:13]
    edges = (form.emin - 1, form.emin, form.emax)
    times = len(every)
    return (*every, *ordinary * (times // len(ordinary)), *edges * (times // len(edges)))


def _nans(st: Any, form: Format) -> Any:
    """NaN, quiet, of either sign and with any payload."""
    width = form.precision - 2
    quiet = ((1 << form.width - 1) - 1) >> width << width

    def build(payload: int, negative: bool) -> Any:
        return form.from_bits(quiet | payload | negative << (form.width - 1))[()]

    return st.builds(build, st.just(0) | st.integers(0, 2**width - 1), st.booleans())


def _key(value: float, form: Format) -> int:
    """The place of a number in the order of all numbers of ``form``; 0 for both zeros."""
    bits = int(form.bits(np.float64(abs(value)).astype(form.dtype)))
    return -bits if value < 0 else bits


def _of_key(key: int, form: Format) -> Any:
    """The number at the place ``key``; beyond the largest, infinity."""
    beyond = _key(np.inf, form)
    value = form.from_bits(min(abs(key), beyond))[()]
    return -value if key < 0 else value


def _parameter(st: Any, parameter: Parameter, form: Format) -> Any:
    if parameter.type == "intn":
        return ints()
    if parameter.type == "nancode":
        return st.integers(0, 2**form.width - 1).map(form.bits_dtype.type)
    return numbers(form)


def _scalars(st: Any, row: Builtin, form: Format) -> SearchStrategy[tuple[Any, ...]]:
    def draw_arguments(draw: DrawFn) -> tuple[Any, ...]:
        args: list[Any] = []
        for parameter in row.inputs:
            fresh = _parameter(st, parameter, form)
            related = _related(st, args[0], form) if args and parameter.type == "gentype" else fresh
            args.append(draw(fresh | related))
        return tuple(args)

    strategy: SearchStrategy[tuple[Any, ...]] = st.composite(draw_arguments)()
    return strategy


def _related(st: Any, first: Any, form: Format) -> Any:
    """Values that stand in some relation to ``first``: those where differences cancel and quotients are near 1."""
    with np.errstate(all="ignore"):
        near = [np.nextafter(first, form.dtype.type(s * np.inf)) for s in (1, -1)]
        return st.sampled_from([first, -first, *near, first + first, first / 2, 1 / first, first * first])


def _arrays(st: Any, row: Builtin, form: Format, shape: tuple[int, ...]) -> SearchStrategy[tuple[Any, ...]]:
    size = int(np.prod(shape, dtype=int))

    def build(drawn: list[tuple[Any, ...]]) -> tuple[Any, ...]:
        columns = zip(*drawn, strict=True) if drawn else [[] for _ in row.inputs]
        dtypes = [_dtype(p, form) for p in row.inputs]
        return tuple(np.array(c, d).reshape(shape) for c, d in zip(columns, dtypes, strict=True))

    strategy: SearchStrategy[tuple[Any, ...]] = st.lists(_scalars(st, row, form), min_size=size, max_size=size).map(
        build
    )
    return strategy


def _dtype(parameter: Parameter, form: Format) -> Any:
    return {"intn": np.dtype(np.int32), "nancode": form.bits_dtype}.get(parameter.type, form.dtype)
