"""Errors of results against the exact values, and the limits that the specification sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors
from clmath.numbers.guard import refuse_altered_arithmetic

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from clmath.spec.limits import Limit
    from clmath.typing import Edition, Format, Profile

__all__ = ["limit", "ulp_error"]

_EXAMPLES = {"name": "sin", "build_options": "-cl-mad-enable"}


def ulp_error(actual: object, name_or_exact: object, args: tuple[object, ...] = ()) -> NDArray[np.float64]:
    """The errors of ``actual``, signed, in ulp before any rounding of the exact values: (actual - exact) / ulp(exact).

    ``name_or_exact``: the name of a built-in of the math, common or geometric chapter, whose exact values for ``args``
    the reference computes (for more than a few numbers, mostly the proven kernels of double); or the exact values
    themselves: numbers or an array of a wider format, of ``fractions.Fraction``, ``mpmath.mpf`` or ``gmpy2.mpfr``.
    Errors by name are right to 2^-26 ulp, or to 2^-52 of themselves where that is more, and never lie on the wrong side
    of a multiple of 1/2 ulp below 2^20: correctly rounded results have errors of at most 0.5. ``actual``: half, float,
    double or bfloat16 in the shape of a result; for a built-in with several results, the tuple of them, whose errors
    come stacked along a first axis. Arrays of NumPy, CuPy, PyTorch, JAX and pyopencl are accepted. Always an array of
    double, of no dimension for a number.

    The error is 0 for equal infinities and for NaN instead of NaN, and infinite for NaN instead of a number, or the
    reverse. An infinity instead of a number counts as 2^(emax + 1), and so does, compared with it, an exact
    value beyond that. For an int result (an exponent, a sign) the error is the difference. It is 0 between zeros of
    either sign, which only the assertions distinguish.

    TypeError, ValueError: an unknown name, arguments that the built-in does not take, a result of another type or
    shape. Source: OpenCL C++ 1.0, 4.4.

    >>> x = np.array([0.5, 1.0, 3.0], np.float32)
    >>> ulp_error(clmath.sin(x), "sin", (x,)).round(4)
    array([ 0.3658, -0.4699, -0.4286])
    >>> ulp_error(np.float16(0.3333), 1 / 3)
    array(-0.33333333)
    """
    refuse_altered_arithmetic("ulp_error()")  # before more modules are loaded
    if isinstance(name_or_exact, str):
        from clmath.call.measured import Measured

        return Measured.of("ulp_error()", name_or_exact, args, actual).errors()
    if not isinstance(args, tuple) or args:
        raise errors.DTypeError("ulp_error(): args go with the name of a built-in; exact values stand alone")
    from clmath.call.measured import errors_from

    return errors_from("ulp_error()", actual, name_or_exact)


def limit(
    name: str,
    format: Format,
    *,
    profile: Profile = "full",
    edition: Edition = "opencl-c++-1.0",
    build_options: str = "",
) -> Limit:
    """The limit that the specification sets for the built-in ``name`` in ``format``: half, float or double.

    It prints as the table has it, with its section; ``text`` and ``source`` are the two parts, ``bound(args, exact,
    form)`` the allowed error in ulp if it is a number. ``format``: the name in OpenCL, or a NumPy dtype.
    ``profile``: full, embedded, relaxed or 'relaxed embedded'; ``edition``: opencl-c++-1.0, opencl-c-3.1.1, opencl-cts,
    or a folder with another; ``build_options``: options of the OpenCL compiler, some of which change limits.

    ValueError: an unknown name, format, profile or edition, or a format that the built-in does not have.

    >>> print(limit("sin", "float"))
    4 ulp (OpenCL C++ 1.0, 4.4, table 35)
    >>> limit("div", np.float16, profile="embedded").text
    '1 ulp'
    """
    refuse_altered_arithmetic("limit()")  # as above
    from clmath.numbers.formats import format_named
    from clmath.spec import limits
    from clmath.spec.edition_names import checked_edition

    for option, value in (("name", name), ("build_options", build_options)):
        if not isinstance(value, str):
            raise errors.DTypeError(f"limit(): {option}={errors.shown(value)} is no text: {_EXAMPLES[option]!r} is")
    options, criteria = tuple(build_options.split()), checked_edition("limit()", edition)
    return limits.limit(name, format_named(format, "limit()"), profile, options=options, edition=criteria)
