"""Assertions on results of built-ins, with failures that explain themselves."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.call.measured import as_results, errors_from
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.failures import SHOWN, Assertion, Found
from clmath.testing.terms import Terms, check_limit
from clmath.testing.trials import Trial, beyond, judged

if TYPE_CHECKING:
    from types import TracebackType

    from clmath.numbers.rounding import Rounding
    from clmath.typing import Edition, Profile

_TOOL = 3  # the tool number of Hypothesis's tracing if Python has sys.monitoring
_TRACER = "hypothesis.internal.scrutineer"


def assert_correctly_rounded(
    actual: object, name: str, args: tuple[object, ...], *, rounding: Rounding = "rte", vector: bool = False
) -> None:
    """Assert that ``actual`` is the correctly rounded result of the built-in ``name`` for ``args``, bit for bit.

    ``actual``: the result, or the tuple of results if the built-in has several, in the shapes and dtypes of ``clmath``.
    Arrays of NumPy, CuPy, PyTorch, JAX and pyopencl are accepted, in ``args`` too, except masked elements, which have
    no values. ``name``: a built-in of any chapter, or an alias of a conversion, load or store; ``rounding`` is its mode
    if the alias names none. For a store, ``actual`` is the memory after the call and ``args`` have the memory before.
    ``vector``: the last axis of ``args`` are vectors, for which truths are 0 and -1, as in the relational functions. +0
    differs from -0; any computed NaN equals any NaN.

    AssertionError shows the inputs that fail, the largest errors first, each with its index, its bits and the
    distance in numbers of the format, and a line that replays the first (``f`` is the function under test). Unknown
    names, unknown modes and unsuitable arguments raise as in a call of the built-in. RangeError for ``mix`` and
    ``smoothstep``, which are formulas whose operations are rounded one by one, and for ``mad dot cross`` if contraction
    is disabled: use ``assert_conforms``.

    >>> assert_correctly_rounded(np.float32(0.8414711), "sin", (np.float32(1.0),), rounding="rtn")
    Traceback (most recent call last):
    AssertionError: sin(0x1p+0 = 1.0) [0x3f800000]: got 0x1.aed54cp-1 = 0.8414711 [0x3f576aa6],
        want 0x1.aed548p-1 = 0.84147096 [0x3f576aa4] (+2 ulp), rtn
    replay: args = (np.uint32(0x3f800000).view('float32'),);
        assert_correctly_rounded(f(*args), 'sin', args, rounding='rtn')
    """
    __tracebackhide__ = True
    call = "assert_correctly_rounded()"
    refuse_altered_arithmetic(call)
    terms = Terms(rounding=rounding, vector=vector, exactly=True).checked(call)
    with unexplained():
        found = judged(call, name, args, actual, terms, SHOWN)
        found.refuse(Assertion("assert_correctly_rounded", name, terms.options))


def assert_conforms(
    actual: object,
    name: str,
    args: tuple[object, ...],
    *,
    edition: Edition = "opencl-c++-1.0",
    profile: Profile = "full",
    rounding: Rounding = "rte",
    flushes: bool = False,
    build_options: str = "",
    limit: float | None = None,
    vector: bool = False,
) -> None:
    """Assert that ``actual`` is a result that the specification allows the built-in ``name`` for ``args``.

    Results are judged as ``clmath audit`` judges a device: prescribed results exactly, the others by the limit of
    ``profile`` (full, embedded, relaxed or 'relaxed embedded') in the ``edition`` of the specification, and by equality
    in the mode ``rounding`` if results must be correctly rounded. With ``flushes`` subnormals may be flushed to zero;
    OpenCL's ``build_options`` waive the requirements that they waive on devices. ``limit``: in ulp, instead of the
    specification's. Any result passes if it is unspecified. For integers, comparisons, conversions, loads and stores
    every bit counts. ``vector`` as in ``assert_correctly_rounded``; an argument that all components share has a last
    axis of 1.

    ``actual``, ``name`` and errors as in ``assert_correctly_rounded``; the message has the limit with its section.
    RangeError, too, if all results are unspecified (``native_sin``, ``lgamma`` of arguments whose results are not
    prescribed), since nothing could fail: give a ``limit``.

    >>> assert_conforms(np.sin(np.float32(1.0)), "sin", (np.float32(1.0),))
    >>> assert_conforms(np.float32(0.84), "sin", (np.float32(1.0),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: sin(0x1p+0 = 1.0) [0x3f800000]: got 0x1.ae147ap-1 = 0.84 [0x3f570a3d],
        want 0x1.aed548p-1 = 0.84147096 [0x3f576aa4] (-2.468e+04 ulp), not within the limit: 4 ulp
    limit: 4 ulp (OpenCL C++ 1.0, 4.4, table 35)
    replay: args = (np.uint32(0x3f800000).view('float32'),); assert_conforms(f(*args), 'sin', args)
    """
    __tracebackhide__ = True
    call = "assert_conforms()"
    refuse_altered_arithmetic(call)
    terms = Terms(edition, profile, rounding, flushes, build_options, limit, vector).checked(call)
    with unexplained():
        found = judged(call, name, args, actual, terms, SHOWN)
        found.refuse(Assertion("assert_conforms", name, terms.options))


def assert_ulp(actual: object, name_or_exact: object, args: tuple[object, ...] = (), *, limit: float) -> None:
    """Assert that no result is more than ``limit`` ulp from its exact value, before any rounding of that.

    ``actual``, ``name_or_exact`` and ``args`` as in ``clmath.ulp_error``: the name of a built-in and its arguments, or
    the exact values. Zeros of either sign are 0 apart, and so are NaN and NaN.

    AssertionError shows the results with the largest errors; RangeError for a limit that is negative or NaN.

    >>> x = np.array([0.5, 1.0], np.float32)
    >>> assert_ulp(np.sin(x), "sin", (x,), limit=1.5)
    >>> assert_ulp(np.float16(0.333), 1 / 3, limit=0.5)
    Traceback (most recent call last):
    AssertionError: result: got 0x1.55p-2 = 0.333 [0x3554], want 0.3333333333333333 (-1.333 ulp), more than 0.5 ulp
    """
    __tracebackhide__ = True
    call = "assert_ulp()"
    refuse_altered_arithmetic(call)
    check_limit(call, limit)
    with unexplained():
        if isinstance(name_or_exact, str):
            asked = Assertion("assert_ulp", name_or_exact, (("limit", limit),))
            Trial.of(call, name_or_exact, args, actual).within(limit, SHOWN).refuse(asked)
        elif args:
            raise errors.DTypeError(f"{call}: args go with the name of a built-in; exact values stand alone")
        else:
            _near(call, actual, name_or_exact, limit).refuse(None)


def _near(call: str, actual: object, exact: object, limit: float) -> Found:
    """Return the results that are more than ``limit`` ulp from exact values."""
    off = errors_from(call, actual, exact)
    (got,) = as_results(call, actual)
    wanted = np.broadcast_to(np.asarray(exact, object), got.shape)
    return beyond(limit, (got,), (wanted,), [off], [lambda place: (place, (), "")], SHOWN)


class unexplained:  # noqa: N801 - named for with statements
    """Hide the lines that run inside from Hypothesis's tracing, but not from other tracers."""

    def __enter__(self) -> None:
        tracer = sys.gettrace()  # of this thread
        self._tracer = tracer if type(getattr(tracer, "__self__", None)).__module__ == _TRACER else None
        if self._tracer is not None:
            sys.settrace(None)
        self._events = _monitored()
        if self._events:
            sys.monitoring.set_events(_TOOL, 0)  # type: ignore[attr-defined,unused-ignore]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._tracer is not None:
            sys.settrace(self._tracer)
        if self._events:
            sys.monitoring.set_events(_TOOL, self._events)  # type: ignore[attr-defined,unused-ignore]


def _monitored() -> int:
    """Return the events that Hypothesis follows if Python has sys.monitoring (3.12), else 0."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None or monitoring.get_tool(_TOOL) != "scrutineer":
        return 0
    return int(monitoring.get_events(_TOOL))
