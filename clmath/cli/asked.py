"""Find the call that a command line names: a built-in, its type, and the values of its arguments."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.inputs import values
from clmath.audit.plan.rows import item_of, rows_named
from clmath.audit.plan.types import TYPES, form_of
from clmath.numbers.formats import DOUBLE, KNOWN, format_named

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin, Parameter

__all__ = ["Asked", "asked", "component_names", "item_for", "parsed"]

_PREFERRED = ("float", "int", "long", "ulong")  # types that are tried first if none is named


@dataclass(frozen=True)
class Asked:
    """One call: its built-in and its arguments; numbers as encodings, ints unchanged."""

    item: Item
    given: tuple[int, ...]

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """The arguments as arrays of one element."""
        pairs = zip(self.given, self.item.columns, strict=True)
        return tuple(values.column(value, kind, self.item.form) for value, kind in pairs)


def asked(options: Namespace, call: str) -> Asked:
    """Return the call of BUILT-IN with the VALUES; without --type in the first type that holds them, preferably float.

    With --type or --bits, only one type is used; if it does not hold the values, the error names one that does.
    """
    every = list(_by_default(options.name, call))
    if options.type is None and not options.bits:
        return _held(every, options.values, call)
    first, *others = every if options.type is None else [_of_type(every, options.name, options.type, call), *every]
    try:
        return parsed(*first, options.values, call, bits=options.bits)
    except errors.ClmathError as error:
        trouble = error
    for row, form in others:
        try:
            parsed(row, form, options.values, call, bits=options.bits)
        except errors.ClmathError:
            continue
        raise errors.UnknownNameError(f"{trouble}, or write --type {form}") from None
    raise trouble


def _held(every: Iterable[tuple[Builtin, Format]], texts: Sequence[str], call: str) -> Asked:
    """Return the call in the first type that holds the values, or else in the first type that rounds them."""
    found, trouble = [], []
    for row, form in every:
        try:
            found.append(parsed(row, form, texts, call))
        except errors.ClmathError as error:
            trouble.append(error)
        else:
            if not _goes_beyond(found[-1], texts):
                return found[-1]
    if not found:
        raise trouble[0]
    return found[0]


def _goes_beyond(call: Asked, texts: Sequence[str]) -> bool:
    """Whether a number is infinite or 0 in the type of the ``call`` and neither as a double."""
    for value, kind, text in zip(call.given, call.item.columns, texts, strict=False):
        form = form_of(kind, call.item.form)
        if form is not None:
            double = values.parse(text, "gentype", DOUBLE)
            rounded, wide = (float(f.from_bits(b)) for f, b in ((form, value), (DOUBLE, double)))
            if (math.isinf(rounded), rounded == 0) != (math.isinf(wide), wide == 0):
                return True
    return False


def _by_default(name: str, call: str) -> Iterator[tuple[Builtin, Format]]:
    """Yield every type of every built-in called ``name``, in the order of trials if none is named."""
    rows = rows_named(name, call)
    for type in dict.fromkeys((*_PREFERRED, *(t for row in rows for t in row.type_names))):
        yield from ((row, TYPES[type]) for row in rows if row.takes(type))


def _of_type(every: Sequence[tuple[Builtin, Format]], name: str, type: str, call: str) -> tuple[Builtin, Format]:
    """Return the built-in with the type, which is known by any of its names."""
    form = TYPES.get(str(type)) or format_named(type, call, KNOWN)
    for row, _ in every:
        if row.takes(form.name):
            return row, form
    known = " or ".join(dict.fromkeys(t for row, _ in every for t in row.type_names))
    raise errors.UnknownNameError(f"{call}: {name} is not defined for {form}; use --type {known}")


def parsed(row: Builtin, form: Format, texts: Sequence[str], call: str, *, bits: bool = False) -> Asked:
    """Return the call of a built-in in a type with the values ``texts``; a macro needs none."""
    texts = texts or ["0"] * (row.chapter == "constants")  # any work-item
    item = item_for(row, form, len(texts), call)
    return Asked(item, tuple(values.parse(v, k, form, bits, call) for v, k in zip(texts, item.columns, strict=True)))


def item_for(row: Builtin, form: Format, count: int, call: str, width: int = 1) -> Item:
    """Return the case of ``row`` that takes ``count`` values, which determine the width of a geometric built-in.

    ``width``: the vector width for other built-ins.
    """
    widths = row.widths or (width,)
    shapes = [(components, 1) for components in row.widths] or [(0, width)]
    items = [item_of(row, form, *shape) for shape in shapes]
    found = next((item for item in items if sum(components for _, components in item.given) == count), None)
    if found is None:
        names = ", ".join(p.name for p in row.inputs)
        components = f", {' or '.join(map(str, widths))} components each" if widths != (1,) else ""
        shared = ", ".join(p.name for p, alone in zip(row.inputs, items[0].shared, strict=True) if alone)
        components += f", but one value for all components of {shared}" if shared else ""
        counts = [str(sum(components for _, components in item.given)) for item in items]
        wanted = " or ".join((", ".join(counts[:-1]), counts[-1])) if counts[1:] else counts[0]
        plural = "" if wanted == "1" else "s"
        fact = f"{row.name} takes {wanted} value{plural} ({names}{components})"
        raise errors.ShapeError(f"{call}: {fact}; {count} are given: {row.declaration}")
    return found


def component_names(item: Item, parameters: Sequence[Parameter]) -> list[str]:
    """Return the parameters' names, once for every component of a vector."""
    components = range(item.width)
    return [
        name
        for p in parameters
        for name in (
            [f"{p.name}[{i}]" for i in components] if item.width > 1 and item.has_components(p.type) else [p.name]
        )
    ]
