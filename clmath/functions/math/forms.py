"""The factory of half_* and native_* functions, which have float arguments and the values of the full built-ins."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, NamedTuple, ParamSpec, cast

from clmath import call

if TYPE_CHECKING:
    import numpy as np

    from clmath.functions.overloads import FloatsOfOne, FloatsOfTwo
    from clmath.typing import Engine, FloatLike, Floats, Out, Rounding, Where

__all__ = ["Form"]

P = ParamSpec("P")

_DOCSTRING = """{value}: fast and {accuracy} on a device, correctly rounded here.

    Float, {shapes}. Special values are those of ``{of}``.{domain}
    Source: OpenCL C++ 1.0, {source}.

    >>> float({name}({example})).hex()
    '{result}'
    """


class Form(NamedTuple):
    """One form of built-ins: how names begin, in which module, the accuracy on a device, and the source with limit."""

    prefix: str
    module: str
    accuracy: str
    source: str

    def of_one(
        self, full: FloatsOfOne[P, Any], value: str, example: str, result: str, domain: str = ""
    ) -> FloatsOfOne[P, np.float32]:
        """Return the form of a built-in of one number, with the keywords of ``full``.

        ``value``: what it computes. ``example``: arguments whose result is ``result``. ``domain``: where devices serve.
        """
        name = f"{self.prefix}_{_name(full)}"

        def with_engine(
            x: FloatLike,
            /,
            *,
            rounding: Rounding | None = None,
            out: Out = None,
            where: Where = True,
            engine: Engine = "auto",
            threads: int = 1,
        ) -> Floats:
            return call.floats(name, (x,), rounding, out, where, engine, threads)

        def without(
            x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
        ) -> Floats:
            return call.floats(name, (x,), rounding, out, where, threads=threads)

        function = with_engine if "engine" in inspect.signature(cast("Any", full)).parameters else without
        self._describe(function, full, value, example, result, shapes="any shape", domain=domain)
        return cast("FloatsOfOne[P, np.float32]", function)

    def of_two(self, full: FloatsOfTwo[P, Any], value: str, example: str, result: str) -> FloatsOfTwo[P, np.float32]:
        """Return the form of a built-in of two numbers, likewise."""
        name = f"{self.prefix}_{_name(full)}"

        def function(
            x: FloatLike,
            y: FloatLike,
            /,
            *,
            rounding: Rounding | None = None,
            out: Out = None,
            where: Where = True,
            engine: Engine = "auto",
            threads: int = 1,
        ) -> Floats:
            return call.floats(name, (x, y), rounding, out, where, engine, threads)

        shapes = "one format for all, shapes that broadcast"
        self._describe(function, full, value, example, result, shapes=shapes)
        return cast("FloatsOfTwo[P, np.float32]", function)

    def _describe(
        self, function: Any, full: object, value: str, example: str, result: str, *, shapes: str, domain: str = ""
    ) -> None:
        """Give a function its name, its module and its docstring."""
        of = _name(full)
        function.__name__ = function.__qualname__ = name = f"{self.prefix}_{of}"
        function.__module__ = self.module
        function.__doc__ = _DOCSTRING.format(
            value=value,
            accuracy=self.accuracy,
            shapes=shapes,
            of=of,
            domain=f" {domain}" if domain else "",
            source=self.source,
            name=name,
            example=example,
            result=result,
        )


def _name(full: Any) -> str:
    return str(full.__name__)
