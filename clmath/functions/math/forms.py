"""The factory of half_* and native_* functions, which have float arguments and the values of the full built-ins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, cast

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
_VALUE = re.compile(r"(.*?)(?:, rounded once.*|: .*|\.)")  # in the first line of a docstring
_ONE, _TWO = "any shape", "one format for all, shapes that broadcast"


class Form(NamedTuple):
    """One form of built-ins: the prefix of names, the module, the accuracy on a device, and the source with limit."""

    prefix: str
    module: str
    accuracy: str
    source: str

    def of_one(
        self, full: FloatsOfOne[P, np.float64], example: str, result: str, domain: str = ""
    ) -> FloatsOfOne[P, np.float32]:
        """Return the form of a built-in of one number, with its keywords.

        ``example``: arguments that give ``result``. ``domain``: the domain on devices.
        """
        template = sqrt if _name(full) == "recip" else full  # the operator recip takes the mode in force
        found = self._made(template, full, _name(full), _ONE, example, result, domain)
        return cast("FloatsOfOne[P, np.float32]", found)

    def of_two(self, full: FloatsOfTwo[P, np.float64], example: str, result: str) -> FloatsOfTwo[P, np.float32]:
        """Return the form of a built-in of two numbers, likewise."""
        return cast("FloatsOfTwo[P, np.float32]", self._made(full, full, _name(full), _TWO, example, result))

    def of_quotient(
        self, template: FloatsOfTwo[P, np.float64], div: object, example: str, result: str
    ) -> FloatsOfTwo[P, np.float32]:
        """Return the form of the operator ``div``, which takes the mode in force, with the keywords of ``template``."""
        return cast("FloatsOfTwo[P, np.float32]", self._made(template, div, "divide", _TWO, example, result))

    def _made(  # noqa: PLR0917 - the parts of a docstring
        self, template: object, full: object, stem: str, shapes: str, example: str, result: str, domain: str = ""
    ) -> object:
        name, value = f"{self.prefix}_{stem}", _VALUE.match(full.__doc__ or "")
        docstring = _DOCSTRING.format(
            value=value[1] if value else "",
            accuracy=self.accuracy,
            shapes=shapes,
            of=_name(full),
            domain=f" {domain}" if domain else "",
            source=self.source,
            name=name,
            example=example,
            result=result,
        )
        return renamed(template, name, self.module, docstring)


def _name(function: object) -> str:
    """Return the name of a function that type checkers know as an object that is called."""
    return str(getattr(function, "__name__"))  # noqa: B009 - likewise
