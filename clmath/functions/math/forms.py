"""The factory of half_* and native_* functions, which have float arguments and the values of the full built-ins."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec

from clmath.functions.families import renamed
from clmath.functions.math.power import sqrt

if TYPE_CHECKING:
    import numpy as np

    from clmath.functions.overloads import FloatsOfOne, FloatsOfTwo

__all__ = ["Form"]

P = ParamSpec("P")

_DOCSTRING = """{value}: fast and {accuracy} on a device, correctly rounded here.

    Float, {shapes}. Special values are those of ``{of}``.{domain}
    Source: OpenCL C++ 1.0, {source}.

    >>> float({name}({example})).hex()
    '{result}'
    """
_OTHERS = {"divide": "div"}  # full built-ins of another name


class Form(NamedTuple):
    """One form of built-ins: the prefix of names, the module, the accuracy on a device, and the source with limit."""

    prefix: str
    module: str
    accuracy: str
    source: str

    def of_one(
        self, full: FloatsOfOne[P, Any], value: str, example: str, result: str, domain: str = ""
    ) -> FloatsOfOne[P, np.float32]:
        """Return the form of a built-in of one number, with the keywords of ``full``.

        ``value``: the computed value. ``example``: arguments that give ``result``. ``domain``: the domain on devices.
        """
        stem: str = getattr(full, "__name__")  # noqa: B009 - a callable has one that type checkers do not know
        template = sqrt if stem == "recip" else full  # the operator recip takes the mode in force
        found: FloatsOfOne[P, np.float32] = self._made(template, stem, value, example, result, domain=domain)
        return found

    def of_two(
        self, full: FloatsOfTwo[P, Any], value: str, example: str, result: str, stem: str
    ) -> FloatsOfTwo[P, np.float32]:
        """Return the form of a built-in of two numbers, whose name ends in ``stem``, likewise."""
        shapes = "one format for all, shapes that broadcast"
        found: FloatsOfTwo[P, np.float32] = self._made(full, stem, value, example, result, shapes=shapes)
        return found

    def _made(
        self,
        template: Any,
        stem: str,
        value: str,
        example: str,
        result: str,
        *,
        shapes: str = "any shape",
        domain: str = "",
    ) -> Any:
        name = f"{self.prefix}_{stem}"
        docstring = _DOCSTRING.format(
            value=value,
            accuracy=self.accuracy,
            shapes=shapes,
            of=_OTHERS.get(stem, stem),
            domain=f" {domain}" if domain else "",
            source=self.source,
            name=name,
            example=example,
            result=result,
        )
        return renamed(template, name, self.module, docstring)
