"""One row of an audit: a built-in in a type, with the layout of its arguments and results."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from clmath.numbers.formats import Format
from clmath.spec.builtins import Builtin


@dataclass(frozen=True)
class Item:
    """One row of an audit: a built-in in a format.

    ``width``: the number of components of a geometric built-in's vectors, 0 for any other built-in. ``vector``: the
    number of calls that are passed to the target as one call on vectors, for a built-in that computes component by
    component.
    """

    builtin: Builtin
    form: Format
    width: int = 0
    vector: int = 1

    @property
    def components(self) -> int:
        """The number of components of the vectors that are passed to the target; 1 for scalars."""
        return self.width or self.vector

    def has_components(self, kind: str) -> bool:
        """Whether a parameter declared as ``kind`` is passed or returned as a vector."""
        return self.vector > 1 or (self.width > 0 and kind == "gentype")

    @property
    def shared(self) -> tuple[bool, ...]:
        """For each argument, whether calls on vectors pass one scalar that serves all components."""
        return tuple(self.vector > 1 and p.type == "scalar" for p in self.builtin.inputs)

    @property
    def given(self) -> tuple[tuple[str, int], ...]:
        """For every column, the type and number of values that one call passes to the target."""
        if self.vector == 1:
            return tuple((kind, 1) for kind in self.columns)
        pairs = zip(self.columns, self.shared, strict=True)
        return tuple((kind, 1 if alone else self.vector) for kind, alone in pairs)

    def layout(self, count: int) -> list[tuple[np.dtype, tuple[int, ...]]]:
        """Return the dtype and shape of every result of ``count`` calls."""
        return [
            (
                np.dtype(np.int32) if p.type == "intn" else self.form.dtype,
                (count, self.components) if self.has_components(p.type) else (count,),
            )
            for p in self.builtin.outputs
        ]

    @property
    def needs(self) -> frozenset[str]:
        """The formats in which a device must compute."""
        return frozenset((self.form.name,))

    def is_offered(self, formats: Collection[Format]) -> bool:
        """Whether a target that computes in ``formats`` can be audited on the row."""
        return self.needs <= {form.name for form in formats}

    @property
    def size(self) -> int:
        """The number of bits of all input values of one call."""
        return sum(32 if kind == "intn" else self.form.width for kind in self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The type of every input value: one entry per argument, or one per component of a vector argument."""
        return self._columns("gentype" if p.type == "scalar" else p.type for p in self.builtin.inputs)

    @property
    def results(self) -> tuple[str, ...]:
        """The type of every result value: one entry per result, or one per component of a vector result."""
        return self._columns(p.type for p in self.builtin.outputs)

    @property
    def measured(self) -> tuple[str, ...]:
        """The names of arguments that are numbers of the format, or vectors of these; charts show errors by each."""
        return tuple(p.name for p in self.builtin.inputs if p.type in ("gentype", "scalar"))

    def _columns(self, types: Iterable[str]) -> tuple[str, ...]:
        repeat = self.width or 1
        return tuple(t for kind in types for t in [kind] * (repeat if kind == "gentype" else 1))

    def __str__(self) -> str:
        components = f"{self.components}" if self.components > 1 else ""
        return f"{self.builtin.name} {self.form}{components}"
