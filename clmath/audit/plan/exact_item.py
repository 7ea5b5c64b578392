"""A row of an audit whose every bit is prescribed: an ``Item`` that is judged right or wrong, without errors in ulp."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.audit.plan.item import Item
from clmath.audit.plan.types import TYPES, Whole
from clmath.spec.families import is_vector, signature

if TYPE_CHECKING:
    import numpy as np

    from clmath.numbers.formats import Format

__all__ = ["ExactItem"]


@dataclass(frozen=True)
class ExactItem(Item):
    """One row of a chapter that is judged bit by bit: a built-in, and what gentype is.

    ``columns`` and ``results`` are names of types.
    """

    @property
    def arguments(self) -> tuple[str, ...]:
        """The type of every argument, or of its lanes."""
        return signature(self.builtin, self.form.name)[0]

    @property
    def result(self) -> Format:
        """The type of the result, or of its lanes."""
        return TYPES[signature(self.builtin, self.form.name, vector=self.vector > 1)[1]]

    @property
    def shared(self) -> tuple[bool, ...]:
        """Of each argument whether it is a scalar in vectors, too: it is declared by the name of a type."""
        return tuple(self.vector > 1 and p.type in TYPES for p in self.builtin.inputs)

    @property
    def columns(self) -> tuple[str, ...]:
        """The type of every input value, lane by lane."""
        pairs = zip(self.builtin.inputs, self.arguments, strict=True)
        return tuple(t for p, t in pairs for t in [t] * self.lanes_of(p.type))

    @property
    def results(self) -> tuple[str, ...]:
        """The type of every result value, lane by lane."""
        return (self.result.name,) * self.lanes_of(self.builtin.result)

    @property
    def measured(self) -> tuple[str, ...]:
        """None: no error is drawn over an argument."""
        return ()

    @property
    def size(self) -> int:
        """How many bits the input values have together; a macro has none."""
        return 0 if self.is_macro else sum(TYPES[t].width for t in self.columns)

    @property
    def is_macro(self) -> bool:
        """Whether it has one value, whoever asks."""
        return self.builtin.chapter == "constants"

    @property
    def needs(self) -> frozenset[str]:
        """The formats that a device must compute in; a half in memory is none of them."""
        parameters = zip(
            (*self.builtin.inputs, self.builtin.outputs[0]), (*self.arguments, self.result.name), strict=True
        )
        computed = {t for p, t in parameters if p.type != "storage" and not isinstance(TYPES[t], Whole)}
        return frozenset((*computed, *self.builtin.needs))

    def layout(self, count: int) -> list[tuple[np.dtype[Any], tuple[int, ...]]]:
        """The dtype and the shape of the result of ``count`` calls."""
        return [(self.result.dtype, (count, self.lanes) if self.has_lanes(self.builtin.result) else (count,))]

    def lanes_of(self, kind: str) -> int:
        """How many lanes a parameter declared as ``kind`` has in a row of one width."""
        return self.width if self.width and is_vector(kind) else 1

    def has_lanes(self, kind: str) -> bool:
        """Whether the subject is given, or returns, vectors for a parameter declared as ``kind`` that is not shared."""
        return self.vector > 1 or (bool(self.width) and is_vector(kind))
