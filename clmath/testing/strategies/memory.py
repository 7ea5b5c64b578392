"""Calls of the loads, the stores and the shuffles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.numbers.datatypes import INTEGERS, SCALARS, WIDTHS
from clmath.numbers.formats import FORMATS
from clmath.testing.strategies.entropy import strategies
from clmath.testing.strategies.keywords import Allowed, check_known, checked_type
from clmath.testing.strategies.lanes import arrays, sizes_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypothesis.strategies import DrawFn, SearchStrategy

__all__ = ["CALLS", "TYPES", "Access", "calls", "spelled"]

TYPES = (*INTEGERS, *(f.name for f in FORMATS))
_MOST = 5  # vectors that lie in the memory


class Access(NamedTuple):
    """A load or a store: its types, its widths, the elements that 3 components take in memory, and its arguments."""

    types: tuple[str, ...]
    widths: tuple[int, ...] = WIDTHS
    aligned: bool = False
    stores: bool = False
    names_width: bool = True
    half: bool = False


CALLS: Mapping[str, Access | int] = {
    "vload": Access(TYPES),
    "vstore": Access(TYPES, stores=True, names_width=False),
    "vload_half": Access(("half",), (1, *WIDTHS), half=True),
    "vstore_half": Access(("float", "double"), (1, *WIDTHS), stores=True, half=True),
    "vloada_half": Access(("half",), aligned=True, half=True),
    "vstorea_half": Access(("float", "double"), aligned=True, stores=True, names_width=False, half=True),
    "shuffle": 1,
    "shuffle2": 2,
}


_NAME = re.compile(r"(?P<base>v(?:load|store)(?:a?_half)?|shuffle2?)(?P<n>2|3|4|8|16)?(?P<mode>_rt[eznp])?")


def spelled(name: str) -> tuple[str, int] | None:
    """Return the built-in of a name, and the components in the name or 0 without; None for other names."""
    match = _NAME.fullmatch(str(name))
    alone = 1 if match and match["mode"] else 0  # vstore_half_rtz takes scalars
    return (match["base"], int(match["n"] or alone)) if match else None


def calls(name: str, type: Any, shape: Any, keywords: Any, lanes: int = 0) -> SearchStrategy[Any]:
    """Arguments of a built-in of the memory chapter; ``shape``: the shape of the offsets, or of the vectors to shuffle.

    ``lanes``: the components that its alias names; then no argument gives them.
    """
    kind = CALLS[name]
    if lanes and not isinstance(kind, int):
        kind = kind._replace(widths=(lanes,), names_width=False)
    check_known("arguments()", keywords, tuple(Allowed.__annotations__))
    known = checked_type("arguments()", type, TYPES if isinstance(kind, int) else kind.types)
    allowed = {} if known in INTEGERS else keywords

    def of_shape(outer: object) -> SearchStrategy[Any]:
        sizes = sizes_of("arguments()", outer)
        if isinstance(kind, int):
            return _shuffle(kind, known, sizes, allowed)
        return _access(kind, known, sizes, allowed)

    if isinstance(shape, strategies().SearchStrategy):
        found: SearchStrategy[Any] = shape.flatmap(of_shape)
        return found
    return of_shape(() if shape is None else shape)


def _access(kind: Access, type: str, shape: tuple[int, ...], allowed: Any) -> SearchStrategy[Any]:
    """Strategy of (offset, p, n) of a load, (data, offset, p, n) of a store; without n if data has n components."""
    st = strategies()

    def made(draw: DrawFn) -> tuple[Any, ...]:
        n, vectors = draw(st.sampled_from(kind.widths)), draw(st.integers(1, _MOST))
        step = 4 if kind.aligned and n == 3 else n
        stored = "half" if kind.half else type
        length = (vectors - 1) * step + n + draw(st.integers(0, 1))
        p = draw(arrays(SCALARS[stored], length, **({} if stored in INTEGERS else allowed)))
        offset = draw(arrays("long", shape, min_value=0, max_value=vectors - 1))
        place = int(offset) if shape == () else offset
        rest = (n,) if kind.names_width else ()
        if not kind.stores:
            return place, p, *rest
        data = draw(arrays(SCALARS[type], shape if n == 1 else (*shape, n), **allowed))
        return data[()], place, p, *rest

    strategy: SearchStrategy[Any] = st.composite(made)()
    return strategy


def _shuffle(vectors: int, type: str, shape: tuple[int, ...], allowed: Any) -> SearchStrategy[Any]:
    """Strategy of (x, mask) or (x, y, mask): the numbers of a mask may exceed the number of components."""
    st = strategies()
    unsigned = np.dtype(f"u{SCALARS[type].itemsize}")

    def made(draw: DrawFn) -> tuple[Any, ...]:
        m, n = draw(st.sampled_from(WIDTHS)), draw(st.sampled_from(WIDTHS))
        lanes = tuple(draw(arrays(SCALARS[type], (*shape, m), **allowed)) for _ in range(vectors))
        most = draw(st.sampled_from([vectors * m - 1, np.iinfo(unsigned).max]))
        return *lanes, draw(arrays(unsigned, (*shape, n), max_value=int(most)))

    strategy: SearchStrategy[Any] = st.composite(made)()
    return strategy
