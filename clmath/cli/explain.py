"""``clmath explain``: one call on one screen: exact value, neighbours, limits, and results of libraries and devices."""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import math
import shlex
import sys
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import conclude
from clmath.audit.exact.bitwise import result_text
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.audit.isolation.isolated import isolated
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.opencl import probe
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.printable import message_of, printable
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.arrays import NAMESPACES
from clmath.audit.targets.attempt import evaluated
from clmath.cli import cts_log
from clmath.cli.asked import Value, asked, component_names, names_of, values_of
from clmath.cli.evaluate import PRINTING, heading, is_standard, prescribed
from clmath.cli.show import required
from clmath.numbers.rounding import MODES
from clmath.spec import editions
from clmath.spec.editions import PROFILES
from clmath.spec.limits import limit

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.cli.asked import Asked
    from clmath.cli.cts_log import Failure

CALL = "clmath explain"
STANDARD_INPUT = "-"  # in the place of a built-in: read the log of OpenCL-CTS from standard input


def run(options: Namespace) -> int:
    """Print everything about one call, or about the calls of a log; return 0."""
    if options.name == PRINTING:
        words = shlex.join(["clmath", "eval", options.name, *options.values])
        raise errors.ClmathError(f"{CALL}: {options.name} returns a text, which has no limit; run: {words}")
    targets = None if options.targets is None else names_of(options.targets)
    text = _log(options)
    lines = _lines(asked(options, CALL), targets) if text is None else _of_log(text, options.type, targets)
    for line in lines:
        print(printable(line), flush=True)
    return 0


def _log(options: Namespace) -> str | None:
    """Return the lines of OpenCL-CTS to explain, or None if a call is named."""
    text = " ".join((options.name, *options.values))
    place = "standard input has"
    if options.name == STANDARD_INPUT:
        text = sys.stdin.read()
    elif " ulp " in text:
        place = f"{errors.shown(text)} is"
    elif not cts_log.is_log(text):
        return None
    if not cts_log.is_log(text):
        fact = f"{place} no line of OpenCL-CTS that reports a wrong result"
        raise errors.ClmathError(f"{CALL}: {fact}; one is '{cts_log.EXAMPLE}'")
    return text


def _of_log(text: str, type: str | None, targets: Sequence[str] | None) -> Iterator[str]:
    """Explain each call of a log of OpenCL-CTS, and judge the results in the log."""
    for number, ways in enumerate(cts_log.failures(text, type, CALL)):
        yield from ("",) * bool(number)
        failure = min(ways, key=_is_expected_wrong)  # an ambiguous name is the built-in with the expected value
        yield from _lines(failure.call, targets)
        yield "OpenCL-CTS:"
        for name, results in (("got", failure.got), ("expected", failure.expected)):
            texts = shown(
                failure.item, values_of(failure.call.item, failure.call.columns), results, _said(failure, results)
            )
            yield from (f"  {name:8}  {text}" for text in texts)


def _is_expected_wrong(failure: Failure) -> bool:
    """Whether the result that OpenCL-CTS expects does not conform."""
    return _said(failure, failure.expected).startswith("fails")


def _said(failure: Failure, results: Columns) -> str:
    """Return the verdict by the full profile of the default edition, for results repeated in all components."""
    item = failure.item
    criteria = (ExactCriteria if isinstance(item, ExactItem) else Criteria)(
        "full", "rte", flushes=False, options=failure.options
    )
    columns, repeated = (tuple(c.repeat(failure.components) for c in part) for part in (failure.call.columns, results))
    return said_of(item, columns, repeated, criteria)


def _lines(call: Asked, targets: Sequence[str] | None) -> Iterator[str]:
    yield from heading(call)
    item, columns = call.item, call.columns
    found = values_of(item, columns)
    if not found and isinstance(item, ExactItem):
        yield from prescribed(item, columns, MODES)
    names = component_names(item, item.builtin.outputs) if found else []
    for name, result in zip(names, found, strict=True):
        yield from () if len(found) == 1 else (f"{name}:",)
        yield from result.lines() if isinstance(result, Value) else (f"int       {result}",)
        if item.builtin.moves_bits and isinstance(result, Value) and not result.is_finite:
            yield f"is        {result.text(result.rounded('rte'))}"
    yield "allowed:"
    yield from _allowed(item)
    yield "returned:"
    yield from returned(item, columns, found, targets)


def _allowed(item: Item) -> Iterator[str]:
    """Yield the limits of the result, equal limits together."""
    if isinstance(item, ExactItem):
        yield from (line.removeprefix("  ") for line in required(item.builtin))
        return
    if not is_standard(item):
        yield f"  {limit(item.builtin.called, item.form)}"
        return
    groups: dict[str, list[str]] = {}
    for edition in editions.known():
        for profile in PROFILES:
            text = limit(item.builtin.called, item.form, profile, edition=edition).text
            groups.setdefault(text, []).append(f"{edition} {profile}")
    for text, where in groups.items():
        yield f"  {text}: {_together(where)}"


def _together(where: Sequence[str]) -> str:
    """Return one edition after the other with its profiles."""
    found: dict[str, list[str]] = {}
    for one in where:
        edition, _, profile = one.partition(" ")
        found.setdefault(edition, []).append(profile)
    return "; ".join(f"{edition} ({', '.join(profiles)})" for edition, profiles in found.items())


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
