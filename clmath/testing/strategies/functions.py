"""A strategy for the arguments of a function that has a reference."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.numbers.formats import KNOWN, format_named
from clmath.testing.strategies.domains import columns, domains_of
from clmath.testing.strategies.keywords import checked_type
from clmath.testing.strategies.optional import strategies
from clmath.testing.strategies.real_numbers import numbers

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

    from clmath.typing import Type

__all__ = ["for_function"]

CALL = "for_function()"


def for_function(
    reference: Callable[..., Any], domain: object = None, type: Type = "double"
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
    st, form = strategies(), format_named(checked_type(CALL, type, [one.name for one in KNOWN]), known=KNOWN)
    domains = domains_of(CALL, reference, domain, form)
    tried = columns(reference, domains, form)
    listed = st.integers(0, len(tried[0]) - 1).map(lambda k: tuple(a[k] for a in tried))
    anywhere = st.tuples(*(numbers(type, min_value=low, max_value=high) for low, high in domains))
    found: SearchStrategy[tuple[Any, ...]] = listed | anywhere
    return found
