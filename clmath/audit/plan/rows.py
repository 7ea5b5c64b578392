"""Finds the rows of audits by the names of built-ins and types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from clmath import errors
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.types import type_called, without_components
from clmath.numbers.formats import Format
from clmath.spec import families
from clmath.spec.builtins import Builtin
from clmath.spec.synonyms import not_audited

WIDTHS = (1, 2, 3, 4, 8, 16)  # widths of vectors; 1 is a scalar


def rows_named(name: str, call: str = "clmath audit") -> tuple[Builtin, ...]:
    """Return the built-ins called ``name``, one of each chapter that has it; UnknownNameError if no chapter has."""
    tables = (families.measured_builtins(), families.exact_builtins(), families.conversions_beyond())
    found = tuple(table[name] for table in tables if name in table)
    if not found:
        raise not_audited(call, name, tuple(n for table in tables for n in table))
    return found


def item_of(row: Builtin, form: Format, width: int = 0, vector: int = 1) -> Item:
    """Return the row of an audit for a built-in in a type."""
    if row.is_measured:
        return Item(row, form, width, vector)
    return ExactItem(row, form, width, vector)


def item_for(row: Builtin, form: Format, args: Sequence[np.ndarray]) -> Item:
    """Return the row that a call of ``evaluate`` belongs to; its width is the width of the arrays' vectors.

    A row whose argument is not a vector, such as packed channels, has one width.
    """
    components = next((a.shape[-1] for a in args if a.ndim > 1), 0)
    return item_of(row, form, components or row.widths[0]) if row.widths else item_of(row, form, vector=components or 1)


def item_named(name: str, type: str, width: int = 0, vector: int = 1, call: str = "clmath audit") -> Item:
    """Return the row of a built-in and a type by names; UnknownNameError if the built-in does not have the type."""
    form, rows = type_called(type, call), rows_named(name, call)
    for row in rows:
        if row.takes(type):
            return item_of(row, form, width, vector)
    known = dict.fromkeys(t for row in rows for t in row.type_names)
    raise errors.UnknownNameError(f"{call}: {name} is not defined for {type}; use {' or '.join(known)}")


def item_called(text: str) -> Item:
    """Return the row that is written 'sin float', 'sin float4' or 'length double2'; UnknownNameError for others."""
    name, _, rest = text.partition(" ")
    form = without_components(rest)
    item, components = item_named(name, form), int(rest.removeprefix(form) or 1)
    item = replace(item, width=components) if item.builtin.widths else replace(item, vector=components)
    if str(item) != text or item.components not in (*WIDTHS, *item.builtin.widths):
        raise errors.UnknownNameError(f"clmath audit: {text!r} is not the name of a case; write {item}")
    return item
