"""Results of libraries and devices for one call, for ``clmath explain``."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import math
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.audit.acceptance.findings import conclude
from clmath.audit.exact.bitwise import result_text
from clmath.audit.isolation.isolated import isolated
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.opencl import probe
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.arrays import NAMESPACES
from clmath.audit.targets.attempt import evaluated
from clmath.cli.one_value import Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["returned", "said_of", "shown"]

CALL = "clmath explain"
_MATH = {"tgamma": "gamma"}  # other names in Python's math
_PYTHON, _CORE_MATH = "math", "ival"  # the targets that are Python's module, and the module of the package crival
_MEANT = {_PYTHON: "math (Python's)", _CORE_MATH: "ival (CORE-MATH)"}  # longer names for people


def returned(item: Item, columns: Columns, found: Sequence[Value | int], asked: Sequence[str] | None) -> Iterator[str]:
    """Yield the result of each library and device, or why it is missing; ``found``: the exact values, if any."""
    names = list(_installed()) if asked is None else list(asked)
    width = max((len(_MEANT.get(name, name)) for name in names), default=0)
    for name in names:
        for text in _by(name, item, columns, found):
            yield f"  {_MEANT.get(name, name):{width}}  {text}"


def _installed() -> Iterator[str]:
    """Yield the installed targets: libraries first, then devices."""
    yield from ("clmath", "libm", _PYTHON, "numpy")
    yield from (name for name in (*NAMESPACES, _CORE_MATH) if name != "numpy" and importlib.util.find_spec(name))
    for outcome in probe.listed():
        if not outcome.trouble:
            yield outcome.name


def _by(name: str, item: Item, columns: Columns, found: Sequence[Value | int]) -> Iterator[str]:
    """Yield the results of one target."""
    try:
        if name == _PYTHON:
            yield from _by_math(item, columns, found)
        elif name == _CORE_MATH:
            yield from _by_core_math(item, columns)
        else:
            yield from _by_target(name, item, columns, found)
    except (errors.ClmathError, TargetError) as error:
        yield f"- ({' '.join(str(error).split())})"


def _by_target(name: str, item: Item, columns: Columns, found: Sequence[Value | int]) -> Iterator[str]:
    with isolated(name, "", CALL) as target:
        if not item.is_offered(target.formats()) or not target.defines(item.builtin, item.form):
            yield f"- (no {item})"
            return
        criteria = criteria_of(item, Plan.of([item.builtin], [item.form], inputs=1, jobs=1), target)
        results = evaluated(target, item, columns)
        yield from shown(item, found, results, said_of(item, columns, results, criteria))


def said_of(item: Item, columns: Columns, results: Columns, criteria: Criteria) -> str:
    """Return the verdict on results."""
    verdict = conclude(item, criteria, judge(item, columns, results, criteria))
    return verdict.status if verdict.status != "fail" else f"fails: {verdict.reason}"


def shown(item: Item, found: Sequence[Value | int], results: Columns, said: str) -> Iterator[str]:
    """Yield the results of one call, each with its error and with the verdict ``said``."""
    if isinstance(item, ExactItem):
        components = results[0].reshape(-1)  # further results are facts about work-items
        texts = [_shown(v, r) for v, r in _pairs(found, (components,))] or [
            result_text(item, component) for component in components
        ]
        yield from (f"{text}  {said}" for text in texts)
        return
    for value, result in _pairs(found, results):
        yield f"{_shown(value, result)}  {_standing(value, result, said)}"


def _pairs(found: Sequence[Value | int], results: Columns) -> list[tuple[Value | int, np.ndarray]]:
    """Return pairs of an exact value and its result, one for each vector component."""
    components = [flat[i : i + 1] for flat in (r.reshape(-1) for r in results) for i in range(len(flat))]
    return list(zip(found, components, strict=True)) if found else []


def _shown(value: Value | int, result: np.ndarray) -> str:
    return value.text(result) if isinstance(value, Value) else str(int(result[0]))


def _standing(value: Value | int, result: np.ndarray, said: str) -> str:
    """Return 'correctly rounded' for a result rounded to nearest, else the verdict ``said``."""
    if said.startswith("fails") or not isinstance(value, Value):
        return said
    near = value.rounded("rte")
    is_right = bool((result == near).all() or (np.isnan(result).all() and np.isnan(near).all()))
    return "correctly rounded" if is_right else said


def _by_math(item: Item, columns: Columns, found: Sequence[Value | int]) -> Iterator[str]:
    """Yield the result of Python's own module, which computes in double."""
    name = item.builtin.name
    function = getattr(math, _MATH.get(name, name), None)
    if function is None or item.form.name != "double" or len(found) != 1:
        yield f"- (no {item})"
        return
    try:
        result = np.array([function(*(column[0].item() for column in columns))], np.float64)
    except (ValueError, OverflowError, TypeError) as error:
        yield f"- ({message_of(error)})"
        return
    (value,) = found
    yield f"{_shown(value, result)}  {_standing(value, result, 'not correctly rounded')}"


def _by_core_math(item: Item, columns: Columns) -> Iterator[str]:
    """Yield the result of CORE-MATH by the package crival with module ``ival``: the doubles around the value."""
    ival = importlib.import_module("ival")
    if item.form.name != "double" or not hasattr(ival, f"acc_{item.builtin.name}"):
        yield f"- (no {item})"
        return
    with contextlib.suppress(TypeError):
        ends = getattr(ival, item.builtin.name)(*(ival.Interval(column, column) for column in columns))
        low, high = float(np.reshape(ends.inf, -1)[0]), float(np.reshape(ends.sup, -1)[0])
        yield f"CORE-MATH: from {low.hex()} to {high.hex()}"
