"""Strategies for half, float and double."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from clmath.numbers.formats import DOUBLE, FLOAT, HALF, KNOWN
from clmath.testing.strategies.keywords import Keywords, checked_type, span_of, spelled_out
from clmath.testing.strategies.scalars import numbers_of

if TYPE_CHECKING:
    import numpy as np
    from hypothesis.strategies import SearchStrategy

    from clmath.numbers.formats import Format
    from clmath.typing import Type

__all__ = ["doubles", "floats", "halfs", "numbers"]


@spelled_out(Keywords)
def halfs(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float16]:
    """Numbers of the format half, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.halfs(min_value=0, allow_infinity=False))
    ... def a_root_is_not_negative(x):
    ...     assert clmath.sqrt(x) >= 0
    >>> a_root_is_not_negative()
    """
    return _of("halfs()", HALF, keywords)


@spelled_out(Keywords)
def floats(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float32]:
    """Numbers of the format float, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.floats(allow_nan=False))
    ... def floor_is_not_above(x):
    ...     assert clmath.floor(x) <= x
    >>> floor_is_not_above()
    """
    return _of("floats()", FLOAT, keywords)


@spelled_out(Keywords)
def doubles(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float64]:
    """Numbers of the format double, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.doubles(min_value=-700, max_value=700))
    ... def a_power_is_positive(x):
    ...     assert clmath.exp(x) > 0
    >>> a_power_is_positive()
    """
    return _of("doubles()", DOUBLE, keywords)


@spelled_out(Keywords)
def numbers(type: Type, **keywords: Unpack[Keywords]) -> SearchStrategy[Any]:
    """NumPy scalars of the format ``type``: half, float, double or bfloat16, by name, dtype or class.

    A tenth are specials (zeros, ones, the smallest and largest numbers with their signs), infinities and NaN, a tenth
    next to an end of the bounds; the others by exponent and by value, powers of two and their neighbours, points
    halfway between numbers of shorter formats, and the inputs that ``clmath audit`` tries. Between two bounds half are
    equally likely by value, as in ``hypothesis.strategies.floats``, and every binade and decade has a share.
    Every bit of exponents and fractions is random. They shrink to 0, 1 and values of few digits.

    Keywords as of ``hypothesis.strategies.floats``. ``min_value``, ``max_value``: inclusive unless ``exclude_min`` or
    ``exclude_max``; a bound that lies between two numbers excludes the outer one, and -0 lies below +0. ``allow_nan``:
    by default if there is no bound. ``allow_infinity``: by default on a side without bound. ``allow_subnormal``: by
    default. RangeError, when the strategy is made, for keywords that contradict each other or allow no number.

    >>> @given(cl.numbers("float", min_value=1, exclude_min=True, max_value=2))
    ... def the_logarithm_is_positive(x):
    ...     assert 0 < clmath.log2(x) <= 1
    >>> the_logarithm_is_positive()
    """
    name = checked_type("numbers()", type, [form.name for form in KNOWN])
    return _of("numbers()", next(form for form in KNOWN if form.name == name), keywords)


def _of(call: str, form: Format, keywords: Keywords) -> SearchStrategy[Any]:
    return numbers_of(span_of(call, form, keywords))
