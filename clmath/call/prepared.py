"""Calls of math, common and geometric built-ins whose arguments are checked, and brought to their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath import errors
from clmath.call.arguments import checked_width, common_shape
from clmath.call.signatures import Signature, read
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.call.containers import Restore
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Call", "prepare"]


class Call(NamedTuple):
    """A checked call: arguments of the right types that broadcast to ``shape``.

    ``bare``: a geometric built-in was called on scalars, to which a vector axis of width 1 was added. ``restore`` puts
    a result into the container of the arguments.
    """

    signature: Signature
    args: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    bare: bool = False
    restore: Restore | None = None

    @property
    def builtin(self) -> Builtin:
        """The built-in of the call."""
        return self.signature.builtin

    @property
    def form(self) -> Format:
        """The format of the gentype arguments."""
        assert self.signature.form is not None, self.label
        return self.signature.form

    @property
    def label(self) -> str:
        """The name of the call in messages."""
        return self.signature.label


def prepare(
    name: str, args: tuple[object, ...], out: object = None, where: object = True, *, judged: bool = False
) -> Call:
    """Check ``args`` against the declaration of ``name`` and bring them to their types; an error before any work.

    ``judged``: the results come from elsewhere, also in formats that clmath does not compute the built-in in.
    """
    row, label = builtin(name), f"{name}()"
    signature, arrays, restore = read(row, args, out, where, judged=judged)
    bare = False
    if row.widths:
        bare = all(a.ndim == 0 for a in arrays)
        arrays = [a[np.newaxis] if a.ndim == 0 and 1 in row.widths else a for a in arrays]
        _check_widths(label, row, arrays)
    shape = common_shape(label, row.names, [a.shape for a in arrays])
    return Call(signature, tuple(arrays), shape, bare, restore)


def _check_widths(call: str, row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """Check that the last axes have one common width that the built-in takes: vectors are not broadcast."""
    widths = {p.name: checked_width(call, p.name, a, row.widths) for p, a in zip(row.inputs, arrays, strict=True)}
    if len(set(widths.values())) > 1:
        facts = ", ".join(f"{name} has {width} components" for name, width in widths.items())
        raise errors.ShapeError(f"{call}: {facts}; all vectors of a call need one width: cut or pad some")
