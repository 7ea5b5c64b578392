"""Assertions on results of built-ins, with failures that explain themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.audit.counting.tally import ulps_text
from clmath.call.exact_values import errors_from
from clmath.call.measured import as_results
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.by_terms import conforming, correctly_rounded
from clmath.testing.failures import SHOWN, Assertion, plain_line, share
from clmath.testing.terms import Terms, check_limit
from clmath.testing.trials import Trial
from clmath.testing.unexplained import unexplained

if TYPE_CHECKING:
    from clmath.numbers.rounding import Rounding
    from clmath.typing import Edition, Profile

__all__ = ["assert_conforms", "assert_correctly_rounded", "assert_ulp"]


def assert_correctly_rounded(
    actual: object, name: str, args: tuple[object, ...], *, rounding: Rounding = "rte", vector: bool = False
) -> None:
    """Assert that ``actual`` is what the built-in ``name`` gives for ``args``, bit for bit, by the exact reference.

    ``actual``: the result, or the tuple of results where the built-in has several, in the shapes and dtypes that
    ``clmath`` gives; arrays of NumPy, CuPy, PyTorch, JAX and pyopencl are taken, in ``args`` too, but for masked
    elements, which have no values. ``name``: a built-in of any chapter, or a spelled conversion, load or store, whose
    mode, where its name has none, is ``rounding``. Of a store, ``actual`` is the memory that it leaves and ``args``
    have the memory before. ``vector``: the last axis of ``args`` are vectors, of which truths are 0 and -1, as in the
    relational functions. +0 is not -0; any NaN that is computed equals any NaN.

    AssertionError shows the inputs that fail, those of the largest errors first, each with its index, its bits and the
    distance in numbers of the format, and a line that replays the first (``f`` stands for what was tested); unknown
    names and modes and arguments that the built-in does not take raise as a call of it does. RangeError for ``mix`` and
    ``smoothstep``, which are formulas whose operations are rounded one by one, and where contraction is off for
    ``mad dot cross`` too: use ``assert_conforms``.

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
    terms = Terms(rounding=rounding, vector=vector).checked(call)
    with unexplained():
        correctly_rounded(call, actual, args, terms, Assertion("assert_correctly_rounded", name, terms.options))


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

    Judged as ``clmath audit`` judges a device: prescribed results exactly, the others by the limit of ``profile``
    (full, embedded, relaxed or 'relaxed embedded') in the ``edition`` of the specification, equality in the mode
    ``rounding`` where results must be correctly rounded; with ``flushes`` subnormals may be flushed to zero, and
    OpenCL's ``build_options`` waive what they waive there. ``limit``: in ulp, in the place of the specification's.
    Where the specification leaves the results for some arguments open, any are allowed. Of integers, comparisons,
    conversions, loads and stores every bit counts. ``vector`` as in ``assert_correctly_rounded``; what all lanes share
    has a last axis of 1 then.

    ``actual``, ``name`` and errors as in ``assert_correctly_rounded``; the message has the limit with its section.
    RangeError, too, for a built-in of which the specification asks nothing (``native_sin``, ``lgamma`` of arguments
    whose results are not prescribed): nothing could fail; say ``limit``.

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
        conforming(call, actual, args, terms, Assertion("assert_conforms", name, terms.options))


def assert_ulp(actual: object, name_or_exact: object, args: tuple[object, ...] = (), *, limit: float) -> None:
    """Assert that no result is more than ``limit`` ulp from its exact value, before any rounding of that.

    ``actual``, ``name_or_exact`` and ``args`` as in ``clmath.ulp_error``: the name of a built-in and its arguments, or
    the exact values. Zeros of either sign are 0 apart, and so are NaN and NaN.

    AssertionError shows the results that are farthest off; RangeError for a limit that is negative or NaN.

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
            Trial.of(call, name_or_exact, args, actual).within(limit, asked)
        elif args:
            raise errors.DTypeError(f"{call}: args go with the name of a built-in; exact values stand alone")
        else:
            _near(call, actual, name_or_exact, limit)


def _near(call: str, actual: object, exact: object, limit: float) -> None:
    """AssertionError where results are more than ``limit`` ulp from exact values."""
    __tracebackhide__ = True
    off = np.atleast_1d(errors_from(call, actual, exact))
    wrong = ~(np.abs(off) <= limit)
    if wrong.any():
        (got,) = as_results(call, actual)
        order = np.argsort(-np.where(wrong, np.abs(off), -1.0), axis=None, kind="stable")[
            : min(SHOWN, int(wrong.sum()))
        ]
        wanted = np.broadcast_to(np.asarray(exact, object), got.shape)
        lines = []
        for k in map(int, order):
            index = tuple(int(i) for i in np.unravel_index(k, got.shape)) if got.shape else ()
            error = ulps_text(float(off.flat[k]), beyond=True)
            lines.append(f"{plain_line('result', index, got[index], wanted[index])} ({error}), more than {limit} ulp")
        if wrong.size > 1:
            lines.append(f"{share(int(wrong.sum()), wrong.size, 'results')} off by more than {limit} ulp")
        raise AssertionError("\n".join(lines))
