"""A property-based test for somebody's implementation of a built-in, on the inputs that an audit tries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from clmath import errors
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.any_function import Bounds, of_reference
from clmath.testing.callers import TEST, caller, name_at, standing_at, takes
from clmath.testing.cells import cells
from clmath.testing.single_calls import KINDS, Single, checked_single
from clmath.testing.strategies.spans import several
from clmath.testing.terms import Terms, refuse_unlimited
from clmath.testing.tested import Tested
from clmath.testing.trials import refuse_formula, refuse_limit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import FrameType

    from hypothesis import settings as Settings  # noqa: N812 - a class of Hypothesis
    from hypothesis.strategies import SearchStrategy

    from clmath.callables import AnyFunction
    from clmath.testing.any_function import OfReference
    from clmath.testing.cells import Cell
    from clmath.typing import Edition, Profile, Rounding, Type

T = TypeVar("T")


def conformance_test(
    function: AnyFunction,
    name: str = "",
    *,
    types: Iterable[Type] | None = None,
    modes: Iterable[Rounding] | None = None,
    edition: Edition = "opencl-c++-1.0",
    profile: Profile = "full",
    flushes: bool = False,
    build_options: str = "",
    limit: float | None = None,
    correctly_rounded: bool = False,
    settings: Settings | None = None,
    reference: AnyFunction | None = None,
    domain: object = None,
    absolute: float | None = None,
    relative: float | None = None,
    signature: str = "",
) -> Callable[[], None]:
    """Return a test, for pytest or to be called, that ``function`` conforms as the built-in ``name``.

    ``function`` takes arrays of one axis (two if it is called on vectors, with the components on the last one) and
    returns results like ``clmath``'s: an array, or a tuple of several. It is called on the inputs that ``clmath audit``
    tries first: prescribed results, limits' borders, hard cases, special values in every combination, random ones.
    Hypothesis then generates more, and shrinks inputs that fail to the simplest: a failure is of a single call. Calls
    are repeated in another order and number: results must depend on the arguments only, arguments must stay unchanged,
    and a later call must not change an earlier result. Nor may results depend on the layout of the arguments: strided,
    reversed, misaligned, read-only and broadcast arrays have to give equal results; so have arrays of two dimensions,
    of none, without elements, and of 100 001. A function may raise for arrays of other dimensions or without elements;
    a function that ``np.vectorize`` has lifted from single numbers is not called on an array that large.

    Functions that are called once for each case have contracts of their own: "sprintf" takes a format and a number,
    a vector or a string; "async_work_group_copy" and "async_work_group_strided_copy" two memories and a number of
    elements, with ``src_stride`` or ``dst_stride``, and ``width`` if it takes that; "work_group_broadcast" and
    "sub_group_broadcast" an array whose last axis is a group, and the number of a work-item; "Image.read" an image, a
    sampler (None for ints in texels) and coordinates, with ``type="half"`` if it takes that and halfs are requested.

    ``name``: a built-in of any chapter, or an alias of a conversion, load or store such as "convert_half" and
    "vstore4"; offsets of loads and stores are arrays, too, and a store is judged by the memory ``p`` after it.
    ``types``: the types of gentype, of the operand of a conversion, of loaded or stored values, in OpenCL's names:
    "float4" are vectors (with 16 components ``("float", 16)``, since "float16" is NumPy's half), or in NumPy's,
    ``np.float16``; None: all scalar types of OpenCL C. Results of "bfloat16" (ml_dtypes) must be correctly rounded,
    since no edition has it.
    A built-in that computes element by element is then called on vectors of similar and of unrelated values;
    truths are 0 and -1 in each component, and values that all components share have a last axis of 1. ``modes``: the
    values of the function's keyword ``rounding``, rte rtz rtp or rtn; None: it has none and rounds to nearest even.
    If a limit holds for results of all modes, results of several modes have to differ wherever the correctly rounded
    results do; for a single mode a warning says that its direction is not judged. ``limit``: the largest error of
    results in ulp, regardless of the specification's; prescribed results stay. ``correctly_rounded``: only the
    correctly rounded result passes. The others as in ``assert_conforms``. ``settings``: ``hypothesis.settings``, by
    default without a deadline.

    ``reference``: tests any function, without a ``name``. It is a function of mpmath's numbers, or of any numbers that
    it computes with exactly or more precisely, and is evaluated with growing precision until the result is known.
    ``domain``: the least and the greatest argument, or such a pair for each argument; None: all finite numbers.
    Inputs are the ends of the domain, numbers of every binade, zeros and extrema of the reference, and where its values
    overflow or vanish. One of the bounds has to hold: ``limit`` in ulp, ``absolute``, or ``relative`` to the exact
    value; or results are ``correctly_rounded``. ``signature``: "(n)->()" or "(n)->(n)" for functions of vectors on
    the last axis, whose reference takes a list and returns a number or a list. ``types``: double, if none are given.

    UnknownNameError, RoundingError for unknown names and modes; DTypeError for ``modes`` of a function without
    ``rounding``; RangeError if ``correctly_rounded`` is requested for a formula, or together with ``limit``, or if
    nothing could fail, as for ``native_sin``; MissingDependencyError if Hypothesis is not installed.

    >>> test_sqrt = conformance_test(np.sqrt, "sqrt", types=["float"])
    >>> test_sqrt()
    >>> def cut(x):
    ...     return np.where(np.abs(x) < 2.0**-126, np.float32(0), x)
    >>> conformance_test(cut, "fabs", types=["float"])()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: fabs(...
    >>> import mpmath
    >>> def sigmoid(x):
    ...     return 1 / (1 + np.exp(-x))
    >>> conformance_test(sigmoid, reference=lambda x: 1 / (1 + mpmath.exp(-x)), domain=(-50, 50), limit=4)()
    """
    refuse_altered_arithmetic(TEST)
    if reference is not None:
        if name:
            raise errors.RangeError(f"{TEST}: name={name!r} and reference are given; leave out one of them")
        bounds = Bounds.checked(limit, absolute, relative, exactly=correctly_rounded)
        label = name_at(caller(), function)
        return _test_of_all(
            of_reference(function, reference, domain, _several("types", types, "float"), bounds, signature, label)
        )
    try:
        from hypothesis import settings as settings_of
    except ImportError:
        raise errors.missing(TEST, "hypothesis", "test") from None
    _check(function, name, settings, settings_of)
    correctly_rounded = errors.checked_flag(TEST, "correctly_rounded", correctly_rounded)
    types, chosen = _several("types", types, "float"), _several("modes", modes, "rte")
    _check_modes(function, chosen)
    frame, settings = caller(), settings or settings_of(deadline=None)
    label, takes_mode = name_at(frame, function), chosen is not None
    reported = Terms(edition, profile, "rte", flushes, build_options, limit, exactly=correctly_rounded)
    each = [replace(reported, rounding=mode).checked(TEST) for mode in chosen or ("rte",)]
    if name in KINDS:
        kind = checked_single(TEST, name, types, function, limit, flushes)
        return _test_of(frame, Single(kind, label, tuple(each), takes_mode), name, settings)
    grid = cells(TEST, name, types, [terms.rounding for terms in each])
    _check_asked(name, grid, each[0])
    tested = Tested(function, each[0], grid, takes_mode, label)
    tested.warn_of_unjudged_modes()
    return _test_of(frame, tested, name, settings)


class _Checked(Protocol[T]):
    """A function under test, that chooses calls and checks each of them."""

    @property
    def label(self) -> str:
        """The function's name in the test's file."""

    def samples(self) -> SearchStrategy[T]:
        """Strategy of calls."""

    def check(self, call: T, /) -> None:
        """Raise AssertionError if a call fails."""


def _test_of_all(tests: Sequence[OfReference]) -> Callable[[], None]:
    """Return the test that checks a function in each format."""

    def test() -> None:
        __tracebackhide__ = True
        for one in tests:
            one.check()

    test.__name__ = test.__qualname__ = f"test_{tests[0].label.replace('.', '_')}"
    return test


def _test_of(frame: FrameType, tested: _Checked[T], name: str, settings: Settings) -> Callable[[], None]:
    """Return the test, located at ``frame``, in which Hypothesis checks the calls that ``tested`` chooses."""
    from hypothesis import Phase, given
    from hypothesis import strategies as st

    def check(call: T) -> None:
        __tracebackhide__ = True
        tested.check(call)

    test = standing_at(frame, check)
    test.__name__ = test.__qualname__ = f"test_{tested.label.replace('.', '_')}_as_{name.replace('.', '_')}"
    test.__module__ = str(frame.f_globals.get("__name__", __name__))
    test.__doc__ = f"{tested.label} conforms to what is asked of {name}."
    calls = st.deferred(lambda: tested.samples())  # noqa: PLW0108 - Hypothesis refuses methods
    phases = [phase for phase in settings.phases if phase is not Phase.explain]  # inputs that fail are arbitrary
    found: Callable[[], None] = type(settings)(settings, phases=phases)(given(call=calls)(test))
    found.__globals__["__tracebackhide__"] = True  # of the module that Hypothesis makes for this function alone
    found.tested = tested  # type: ignore[attr-defined]
    return found


def _check_modes(function: AnyFunction, modes: Sequence[Rounding] | None) -> None:
    """Raise DTypeError if modes are requested and the function does not take one."""
    if modes is not None and not takes(function, "rounding"):
        raise errors.DTypeError(
            f"{TEST}: modes={list(modes)!r} are passed to the function as rounding=, which it does not take; give it "
            "that keyword, or leave modes out to test rounding to nearest even"
        )


def _check_asked(name: str, grid: Sequence[Cell], terms: Terms) -> None:
    """Raise RangeError if the requested terms contradict a cell, or cannot fail."""
    measured = [cell for cell in grid if cell.measured]
    if terms.limit is not None and terms.exactly:
        raise errors.RangeError(f"{TEST}: limit={terms.limit} and correctly_rounded=True are asked; leave one out")
    if terms.limit is not None and not measured:
        refuse_limit(TEST, name)
    if terms.exactly and measured:
        refuse_formula(TEST, name)
    for cell in measured:
        if cell.item is not None and not terms.exactly:
            refuse_unlimited(TEST, cell.item, replace(terms, rounding=cell.mode).criteria)


def _check(function: object, name: object, settings: object, settings_of: type[Settings]) -> None:
    """Raise DTypeError for an argument of a wrong type."""
    if not callable(function):
        raise errors.DTypeError(f"{TEST}: function={function!r} cannot be called; give the function itself")
    if not isinstance(name, str):
        raise errors.DTypeError(f"{TEST}: name={name!r} is not text; give the name of a built-in, such as 'sqrt'")
    if settings is not None and not isinstance(settings, settings_of):
        raise errors.DTypeError(f"{TEST}: settings={settings!r} is not hypothesis.settings")


def _several(keyword: str, values: Iterable[T] | None, example: str) -> tuple[T, ...] | None:
    """Return the values of a keyword that takes several; DTypeError for a single one, RangeError without any."""
    if values is None:
        return None
    found = several(TEST, keyword, values, example)
    if not found:
        raise errors.RangeError(f"{TEST}: {keyword} is empty, so that nothing would be tested; leave it out for all")
    return found
