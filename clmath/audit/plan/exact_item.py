"""A row of an audit whose every bit is prescribed: an ``Item`` that is judged right or wrong, without errors in ulp."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np

from clmath.audit.plan.item import Item
from clmath.audit.plan.types import TYPES, Text, Whole, result_called
from clmath.numbers.formats import Format
from clmath.spec.families import is_vector, signature, widens

# sizes of work-groups by the number of their work-items
_SHAPES = {48: (8, 6), 64: (4, 4, 4), 128: (2, 64), 255: (17, 5, 3)}  # all other groups have one dimension


@dataclass(frozen=True)
class ExactItem(Item):
    """One row of a chapter that is judged bit by bit: a built-in, and the type that replaces gentype.

    ``columns`` and ``results`` hold names of types, as "int" or "float".
    """

    @property
    def arguments(self) -> tuple[str, ...]:
        """The type of every argument; for a vector, the type of its components."""
        return signature(self.builtin, self.form.name)[0]

    @property
    def result(self) -> Format:
        """The type of the result; for a vector, the type of its components."""
        return result_called(signature(self.builtin, self.form.name, vector=self.vector > 1)[1])

    @property
    def shared(self) -> tuple[bool, ...]:
        """For each argument, whether calls on vectors pass one scalar: it is declared as "int", say, not as gentype."""
        return tuple(self.vector > 1 and p.type in TYPES for p in self.builtin.inputs)

    @functools.cached_property
    def columns(self) -> tuple[str, ...]:
        """The type of every input value, component by component."""
        pairs = zip(self.builtin.inputs, self.arguments, strict=True)
        return tuple(t for p, t in pairs for t in [t] * self.components_of(p.type))

    @property
    def results(self) -> tuple[str, ...]:
        """The type of every result value, component by component."""
        return (self.result.name,) * self.components_of(self.builtin.result)

    @property
    def measured(self) -> tuple[str, ...]:
        """Empty: these rows have no errors in ulp, so reports draw no chart of errors."""
        return ()

    @functools.cached_property
    def size(self) -> int:
        """The number of bits of all input values of one call; 0 for a macro."""
        return 0 if self.is_macro else sum(TYPES[t].width for t in self.columns)

    @property
    def is_macro(self) -> bool:
        """Whether the row is about a macro, which takes no arguments and has one value."""
        return self.builtin.chapter == "constants"

    @property
    def needs(self) -> frozenset[str]:
        """The formats in which a device must compute, without half if it is only loaded or stored."""
        types = (*(TYPES[name] for name in self.arguments), self.result)
        parameters = zip((*self.builtin.inputs, self.builtin.outputs[0]), types, strict=True)
        computed = {t.name for p, t in parameters if p.type != "storage" and not isinstance(t, (Whole, Text))}
        return frozenset((*computed, *self.builtin.needs))

    def layout(self, count: int) -> list[tuple[np.dtype, tuple[int, ...]]]:
        """Return the dtype and shape of the result of ``count`` calls, then of each fact that work-items report."""
        result = (self.result.dtype, (count, self.components) if self.has_components(self.builtin.result) else (count,))
        return [result, *((TYPES[p.type].dtype, (count, self.components)) for p in self.builtin.outputs[1:])]

    def widened(self, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Return the arguments; a scalar is converted to the type of the components and widened to a vector of them."""
        if not widens(self.builtin):
            return args
        shape = np.broadcast_shapes(*(a.shape for a in args if a.ndim > 1))
        return tuple(np.broadcast_to(a if a.ndim > 1 else self._converted(a), shape) for a in args)

    def _converted(self, scalar: np.ndarray) -> np.ndarray:
        """Return a scalar in the type of the components of vectors, which holds every value of a narrower type."""
        with np.errstate(invalid="ignore"):  # of a signaling NaN
            return scalar.astype(self.form.dtype)[:, np.newaxis]

    def components_of(self, kind: str) -> int:
        """Return the number of components of a parameter declared as ``kind``, or 1 for a scalar."""
        return self.width if self.width and is_vector(kind) else 1

    def has_components(self, kind: str) -> bool:
        """Whether a parameter declared as ``kind`` is passed or returned as a vector, unless it is ``shared``."""
        return self.vector > 1 or (bool(self.width) and is_vector(kind))


def local_size(items: int) -> tuple[int, int, int]:
    """Return the sizes in x, y and z of a work-group of ``items`` work-items."""
    x, y, z = (*_SHAPES.get(items, (items,)), 1, 1)[:3]
    return x, y, z


def dimensions_of(items: int) -> int:
    """Return the number of dimensions of a work-group of ``items`` work-items."""
    return len(_SHAPES.get(items, (items,)))
