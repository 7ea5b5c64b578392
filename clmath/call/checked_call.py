"""A call of a built-in whose results are rounded, its arguments checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np

    from clmath.call.containers import Restore
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Call", "Signature"]


class Signature(NamedTuple):
    """What the name of a built-in and the types of its arguments decide.

    ``readers`` bring each argument to the type of its parameter, None leaves it as it is; ``results`` are the dtypes of
    the results.
    """

    builtin: Builtin
    label: str
    form: Format
    readers: tuple[Callable[[Any], np.ndarray] | None, ...]
    results: tuple[np.dtype, ...]


class Call(NamedTuple):
    """A checked call: arguments of the right types that broadcast to ``shape``.

    ``bare``: a geometric built-in was given scalars, to which a lane axis of width 1 was added. ``restore`` puts a
    result into the container that arguments came in.
    """

    signature: Signature
    args: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    bare: bool = False
    restore: Restore | None = None

    @property
    def builtin(self) -> Builtin:
        """The built-in that is called."""
        return self.signature.builtin

    @property
    def form(self) -> Format:
        """The format of the gentype arguments."""
        return self.signature.form

    @property
    def label(self) -> str:
        """The call as messages name it."""
        return self.signature.label
