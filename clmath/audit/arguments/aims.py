"""What the tables say of where the arguments of a built-in are drawn."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.spec import files

if TYPE_CHECKING:
    from clmath.audit.plan import Item

__all__ = ["interval", "recipe_word", "table"]


@functools.cache
def table() -> dict[str, Any]:
    """``tables/inputs.toml``."""
    return files.load("inputs.toml")


def interval(item: Item) -> tuple[float, float]:
    """Where results of a built-in of one argument tell something; every finite number unless the table says less."""
    everything = {str(item.form): [-item.form.largest, item.form.largest]}
    least, greatest = table()["interval"].get(item.builtin.name, everything)[str(item.form)]
    return least, greatest


def recipe_word(item: Item) -> str:
    """How the arguments of a built-in of several are drawn together, in a word."""
    try:
        return str(table()["recipe"][item.builtin.name])
    except KeyError:
        raise errors.TableError(
            f"tables/inputs.toml: [recipe] has no line for {item.builtin.name}; write how its arguments are drawn"
        ) from None
