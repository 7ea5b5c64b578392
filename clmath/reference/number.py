"""One number at a time, where whole arrays would cost the most: MPFR in the format and the mode, which rounds once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gmpy2

from clmath.reference.in_format import InFormat
from clmath.reference.operations import operation

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["rounded_operation"]

_DEFAULT = gmpy2.context()  # in force while an operation runs: the caller's own may have any precision


def rounded_operation(name: str, form: Format, mode: Rounding) -> Callable[..., tuple[Any, ...]]:
    """The built-in ``name`` as a function of Python floats and ints, numbers of ``form``.

    It returns all results, correctly rounded in ``mode``: mpfr numbers and floats of ``form``, and ints.
    """
    on = InFormat(form, form.precision, downward=mode == "rtn", mode=mode)
    evaluate = operation(name, on)

    def rounded(*args: object) -> tuple[Any, ...]:
        callers = gmpy2.get_context()
        gmpy2.set_context(_DEFAULT)
        try:
            found = evaluate(*args)
        finally:
            gmpy2.set_context(callers)
        return found if isinstance(found, tuple) else (found,)

    return rounded
