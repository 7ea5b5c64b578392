"""The aliases of OpenCL C, such as ``convert_uchar4_sat_rte``: each function is made on first use.

``clmath.spec.aliases`` has their names. Type checkers read aliases.pyi instead, which a build writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.call import planned_first
from clmath.errors import no_attribute
from clmath.functions import conversion as conversions
from clmath.functions import groups, memory
from clmath.spec.aliases import aliases

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.call.plans import Plan
    from clmath.typing import FloatLike, GroupOperation, IntLike, NumberLike, Out, Rounding, Where

    Function: TypeAlias = Callable[..., object]

if TYPE_CHECKING:
    __all__ = ["__getattr__"]  # any name is right to a type checker in a clone that was never built
else:
    __all__ = list(aliases())


def __getattr__(name: str) -> Any:
    """Return the alias of this name, the same function each time."""
    if name not in aliases():
        raise no_attribute(__name__, name, [*aliases()])
    return globals().setdefault(name, _made(name))


def __dir__() -> list[str]:
    return sorted({*globals(), *aliases()})


def _made(name: str) -> Function:
    """Make the function that makes the call of an alias."""
    alias = aliases()[name]
    base = next(getattr(module, alias.base) for module in (conversions, groups, memory) if hasattr(module, alias.base))
    function: Function = MAKERS[alias.kind](base, *alias.fixed, **dict(alias.options))
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"``{alias.call}``."
    planner = PLANNERS.get(alias.kind)
    if planner is None:
        return function
    return planned_first(lambda _, kinds: planner(_, kinds, *alias.fixed, **dict(alias.options)))(function)


def conversion(
    base: Function, type: str | tuple[str, int], *, sat: bool = False, rounding: Rounding | None = None
) -> Function:
    """Make a conversion to ``type``."""

    def alias(x: NumberLike, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Any:
        return base(x, type, sat=sat, rounding=rounding, out=out, where=where, threads=threads)

    return alias


def reinterpretation(base: Function, type: str | tuple[str, int]) -> Function:
    """Make a function that takes the bits of its argument for a ``type``."""

    def alias(x: FloatLike | IntLike, /, *, out: Out = None) -> Any:
        return base(x, type, out=out)

    return alias


def reduction(base: Function, operation: GroupOperation) -> Function:
    """Make a reduction or a scan by ``operation``."""

    def alias(x: object, /, *, axis: int | Sequence[int] = -1, out: Out = None) -> Any:
        return base(x, operation, axis=axis, out=out)

    return alias


def load(base: Function, width: int) -> Function:
    """Make a load of vectors."""

    def alias(
        offset: IntLike, p: FloatLike | IntLike, /, *, out: Out = None, where: Where = True, threads: int = 1
    ) -> Any:
        return base(offset, p, width, out=out, where=where, threads=threads)

    return alias


def store(base: Function, width: int) -> Function:
    """Make a store of vectors."""

    def alias(data: FloatLike | IntLike, offset: IntLike, p: np.ndarray, /, *, where: Where = True) -> None:
        base(data, offset, p, width, where=where)

    return alias


def rounding_store(base: Function, width: int = 1, *, rounding: Rounding | None = None) -> Function:
    """Make a store that rounds to half."""

    def alias(
        data: FloatLike, offset: IntLike, p: NDArray[np.float16], /, *, where: Where = True, threads: int = 1
    ) -> None:
        base(data, offset, p, width, rounding=rounding, where=where, threads=threads)

    return alias


MAKERS: dict[str, Callable[..., Function]] = {
    maker.__name__: maker for maker in (conversion, reinterpretation, reduction, load, store, rounding_store)
}
PLANNERS: dict[str, Callable[..., Plan | None]] = {
    "conversion": conversions.plan_of_conversion,
    "reinterpretation": conversions.plan_of_reinterpretation,
}
