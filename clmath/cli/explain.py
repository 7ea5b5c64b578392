"""``clmath explain``: one call on one screen: exact value, neighbours, limits, and what libraries return."""

from __future__ import annotations

import contextlib
import importlib.util
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, reference
from clmath.audit.counting.tally import ulps_text
from clmath.audit.inputs import values
from clmath.audit.isolation.isolated import isolated
from clmath.audit.judge.piece import judge, law_of
from clmath.audit.law.verdict import conclude
from clmath.audit.opencl import probe
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.plan import Plan
from clmath.audit.protocol.printable import message_of, printable
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.subjects.arrays import NAMESPACES
from clmath.audit.subjects.attempt import evaluated
from clmath.cli.evaluate import item_for, lane_names, meant
from clmath.cli.lacking import names_of
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure, ulps
from clmath.spec import editions
from clmath.spec.limits import limit
from clmath.spec.profiles import PROFILES

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["run"]

CALL = "clmath explain"
DIGITS = 40
_BITS = 600  # of the bracket that distances are taken from
_MATH = {"tgamma": "gamma"}  # what Python's math calls otherwise
_PYTHON, _CORE_MATH = "math", "ival"  # the subjects that are Python's module, and that of the package crival
_MEANT = {_PYTHON: "math (Python's)", _CORE_MATH: "ival (CORE-MATH)"}  # names that do not say what they are


@dataclass(frozen=True)
class _Value:
    """One result of the call: a bracket of what is exact, and the numbers of the format around it."""

    form: Format
    near: Enclosure
    real: Any

    @property
    def exact(self) -> Fraction:
        """The value, or a number that no distance shown tells from it."""
        low, high = self.real.bracket(_BITS)
        return (_fraction(low) + _fraction(high)) / 2

    @property
    def is_finite(self) -> bool:
        return bool(np.isfinite(self.near.hi[0]))

    @property
    def unit(self) -> Fraction:
        """An ulp."""
        return Fraction(float(ulps(self.near, self.form)[0]))

    def rounded(self, mode: Any) -> NDArray[Any]:
        """What it rounds to."""
        return np.asarray(round_enclosure(self.near, self.form, mode)[0])

    def text(self, value: NDArray[Any]) -> str:
        """A number of the format, with its bits and how far off it is."""
        shown = values.number_text(int(self.form.bits(value).reshape(-1)[0]), "gentype", self.form)
        return f"{shown}{self.off(float(value.reshape(-1)[0]))}"

    def off(self, value: float) -> str:
        """``, +0.123 ulp`` where that can be said."""
        if not (math.isfinite(value) and self.is_finite):
            return ""
        error = float((Fraction(value) - self.exact) / self.unit)
        return ", exact" if error == 0 else f", {ulps_text(error)}"


def _fraction(value: Any) -> Fraction:
    return Fraction(*map(int, value.as_integer_ratio()))


def run(options: Namespace) -> int:
    """Print what is known of one call; 0."""
    row, form = meant(options.name, options.type, CALL)
    item = item_for(row, form, len(options.values), CALL)
    if isinstance(item, ExactItem) or item.width or row.moves_bits:
        fact = f"{row.name} has no rounding to explain: every result is prescribed, or it is one of vectors"
        raise errors.ClmathError(f"{CALL}: {fact}; clmath eval {row.name} shows what is due")
    given = [values.parse(v, k, form, options.bits, CALL) for v, k in zip(options.values, item.columns, strict=True)]
    columns = tuple(values.column(v, k, form) for v, k in zip(given, item.columns, strict=True))
    asked = None if options.subjects is None else names_of(options.subjects)
    for line in _lines(item, given, columns, asked):
        print(printable(line), flush=True)
    return 0


def _lines(item: Item, given: Sequence[int], columns: Any, asked: Sequence[str] | None) -> Iterator[str]:
    row, form = item.builtin, item.form
    yield f"{row.declaration}, {form}; {row.chapter} chapter, section {row.section}"
    for name, value, kind in zip(lane_names(item, row.inputs), given, item.columns, strict=True):
        yield f"{name:9} {values.number_text(value, kind, form)}"
    found = list(_values(item, columns))
    for name, result in zip(lane_names(item, row.outputs), found, strict=True):
        yield from () if len(found) == 1 else (f"{name}:",)
        yield from _of_value(result) if isinstance(result, _Value) else (f"int       {result}",)
    yield from _allowed(item)
    yield from _returned(item, columns, found, asked)


def _values(item: Item, columns: Any) -> Iterator[_Value | int]:
    near = reference.enclose(item.builtin.name, columns, item.form)
    reals = reference.exact(item.builtin.name, *(column[0] for column in columns), form=item.form)
    for one, real in zip(near, reals if isinstance(reals, tuple) else (reals,), strict=True):
        yield _Value(item.form, one, real) if isinstance(one, Enclosure) else int(one[0])


def _of_value(value: _Value) -> Iterator[str]:
    yield f"exact     {value.real.decimal(DIGITS)}"
    if not value.is_finite:
        return
    below, above = value.rounded("rtn"), value.rounded("rtp")
    unit = float(value.unit)
    yield f"ulp       2^{math.frexp(unit)[1] - 1}"
    if below == above:
        yield f"is        {value.text(below)}: every mode gives it"
        return
    for name, end in (("above", above), ("below", below)):
        modes = ", ".join(mode for mode in MODES if value.rounded(mode) == end)
        yield f"{name:9} {value.text(end)}{f'  {modes}' if modes else ''}"
    if np.isfinite(below).all() and np.isfinite(above).all():
        yield f"halfway   {_from_halfway(value, float(below[0]), float(above[0]))}"


def _from_halfway(value: _Value, below: float, above: float) -> str:
    """How far the value is from where rounding to nearest turns, and what that asks of an implementation."""
    distance = abs(value.exact - (Fraction(below) + Fraction(above)) / 2) / value.unit
    if distance == 0:
        return "a tie: to even"
    bits = -math.log2(distance)
    need = value.form.precision + math.ceil(max(bits, 0.0))
    return f"{float(distance):.4g} ulp away, 2^{-bits:.1f}: about {need} bits tell which neighbour is nearer"


def _allowed(item: Item) -> Iterator[str]:
    """The limits, those that are alike together."""
    groups: dict[str, list[str]] = {}
    for edition in editions.known():
        for profile in PROFILES:
            text = limit(item.builtin.name, item.form, profile, edition=edition).text
            groups.setdefault(text, []).append(f"{edition} {profile}")
    yield "allowed:"
    for text, where in groups.items():
        yield f"  {text}: {_together(where)}"


def _together(where: Sequence[str]) -> str:
    """Edition after edition with its profiles."""
    found: dict[str, list[str]] = {}
    for one in where:
        edition, _, profile = one.partition(" ")
        found.setdefault(edition, []).append(profile)
    return "; ".join(f"{edition} ({', '.join(profiles)})" for edition, profiles in found.items())


def _returned(item: Item, columns: Any, found: Sequence[_Value | int], asked: Sequence[str] | None) -> Iterator[str]:
    """What each library and device returns, or why it does not."""
    yield "returned:"
    names = list(_installed()) if asked is None else list(asked)
    width = max((len(_MEANT.get(name, name)) for name in names), default=0)
    for name in names:
        for text in _by(name, item, columns, found):
            yield f"  {_MEANT.get(name, name):{width}}  {text}"


def _installed() -> Iterator[str]:
    """What is here: libraries first, then devices."""
    yield from ("clmath", "libm", _PYTHON, "numpy")
    yield from (name for name in (*NAMESPACES, _CORE_MATH) if name != "numpy" and importlib.util.find_spec(name))
    for outcome in probe.listed():
        if not outcome.trouble:
            yield outcome.name


def _by(name: str, item: Item, columns: Any, found: Sequence[_Value | int]) -> Iterator[str]:
    """The results of one of them."""
    try:
        if name == _PYTHON:
            yield from _by_math(item, columns, found)
        elif name == _CORE_MATH:
            yield from _by_core_math(item, columns)
        else:
            yield from _by_subject(name, item, columns, found)
    except (errors.ClmathError, SubjectError) as error:
        yield f"- ({' '.join(str(error).split())})"


def _by_subject(name: str, item: Item, columns: Any, found: Sequence[_Value | int]) -> Iterator[str]:
    with isolated(name, "", CALL) as subject:
        if item.form not in subject.formats() or not subject.defines(item.builtin, item.form):
            yield f"- (no {item})"
            return
        plan = Plan.of([item.builtin], [item.form], inputs=1, jobs=1)
        law = law_of(item, plan, subject)
        results = evaluated(subject, item, columns)
        verdict = conclude(item, law, judge(item, columns, results, law))
        said = verdict.status if verdict.status != "fail" else f"fails: {verdict.reason}"
        for value, result in zip(found, results, strict=True):
            yield f"{_shown(value, result)}{_standing(value, result, said)}"


def _shown(value: _Value | int, result: NDArray[Any]) -> str:
    return value.text(result) if isinstance(value, _Value) else str(int(result[0]))


def _standing(value: _Value | int, result: NDArray[Any], said: str) -> str:
    """How right it is: correctly rounded to nearest, or what the default edition says."""
    if said.startswith("fails") or not isinstance(value, _Value):
        return f"  {said}"
    near = value.rounded("rte")
    is_right = bool((result == near).all() or (np.isnan(result).all() and np.isnan(near).all()))
    return f"  {'correctly rounded' if is_right else said}"


def _by_math(item: Item, columns: Any, found: Sequence[_Value | int]) -> Iterator[str]:
    """Python's own module, which computes in double."""
    name = item.builtin.name
    function = getattr(math, _MATH.get(name, name), None)
    if function is None or item.form.name != "double" or len(found) > 1:
        yield f"- (no {item})"
        return
    try:
        result = np.array([function(*(column[0].item() for column in columns))], np.float64)
    except (ValueError, OverflowError, TypeError) as error:
        yield f"- ({message_of(error)})"
        return
    (value,) = found
    yield f"{_shown(value, result)}{_standing(value, result, 'not correctly rounded')}"


def _by_core_math(item: Item, columns: Any) -> Iterator[str]:
    """CORE-MATH by the package crival, whose module is ``ival``: the doubles on both sides of the value."""
    ival = importlib.import_module("ival")
    if item.form.name != "double" or not hasattr(ival, f"acc_{item.builtin.name}"):
        yield f"- (no {item})"
        return
    with contextlib.suppress(TypeError):
        ends = getattr(ival, item.builtin.name)(*(ival.Interval(column, column) for column in columns))
        low, high = float(np.reshape(ends.inf, -1)[0]), float(np.reshape(ends.sup, -1)[0])
        yield f"CORE-MATH: from {low.hex()} to {high.hex()}"
