"""Assertions on results of built-ins, with failures that explain themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.plan import PROFILES, Item, Profile
from clmath.audit.tally import Example, Tally, off_text, ulps_text, value_text
from clmath.call import by_reference, prepare
from clmath.numbers.rounding import Rounding, checked_mode
from clmath.pragmas import contracts
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.call import Call
    from clmath.spec.builtins import Builtin

__all__ = ["assert_conforms", "assert_correctly_rounded"]

SHOWN = 5  # failures spelled out; the rest is counted

Arrays: TypeAlias = "tuple[NDArray[Any], ...]"


def assert_correctly_rounded(actual: Any, name: str, args: tuple[Any, ...], *, rounding: Rounding = "rte") -> None:
    """Assert that ``actual`` is what the built-in ``name`` gives for ``args``, bit for bit, by the exact reference.

    ``actual``: the result, or the tuple of results where the built-in has several, in the shapes and dtypes that
    ``clmath`` gives. +0 is not -0; any NaN equals any NaN. AssertionError shows the first inputs that fail, with bits
    and the distance in numbers of the format; unknown names and modes and arguments that the built-in does not take
    raise as a call of it does. RangeError for ``mix`` and ``smoothstep``, which are formulas whose operations are
    rounded one by one, and where contraction is off for ``mad dot cross`` too: use ``assert_conforms``.

    >>> assert_correctly_rounded(np.float32(0.8414711), "sin", (np.float32(1.0),), rounding="rtn")
    Traceback (most recent call last):
    AssertionError: sin(0x1p+0) [0x3f800000]: got 0x3f576aa6, want 0x3f576aa4 (+2 ulp), rtn
    """
    __tracebackhide__ = True
    mode = checked_mode("assert_correctly_rounded()", rounding)
    _refuse_formula("assert_correctly_rounded()", builtin(name, "assert_correctly_rounded()"))
    trial = _Trial.of("assert_correctly_rounded()", name, args, actual)
    truth = by_reference(name, args, mode)
    wanted = trial.flat(_tuple(truth))
    lines = []
    for number, (got, want) in enumerate(zip(trial.results, wanted, strict=True)):
        lines += [
            trial.line(tuple(place), number, got, want) + f", {mode}" for place in np.argwhere(_differ(got, want))
        ]
    if lines:
        total = sum(w.size for w in wanted)
        raise AssertionError(_listing(lines, f"{len(lines)} of {total} results are not correctly rounded"))


def assert_conforms(
    actual: Any,
    name: str,
    args: tuple[Any, ...],
    *,
    profile: Profile = "full",
    rounding: Rounding = "rte",
    flushes: bool = False,
    build_options: str = "",
) -> None:
    """Assert that ``actual`` is a result that the specification allows the built-in ``name`` for ``args``.

    Judged as ``clmath audit`` judges a device: prescribed results exactly, the others by the limit of ``profile``
    (full, embedded, relaxed or 'relaxed embedded'), equality in the mode ``rounding`` where results must be correctly
    rounded; with ``flushes`` subnormals may be flushed to zero, and OpenCL's ``build_options`` waive what they waive
    there. Where the specification leaves a result open, any is allowed. ``actual`` and errors as in
    ``assert_correctly_rounded``.

    >>> assert_conforms(np.sin(np.float32(1.0)), "sin", (np.float32(1.0),))
    >>> assert_conforms(np.float32(0.84), "sin", (np.float32(1.0),))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: sin(0x1p+0) [0x3f800000]: got 0x3f570a3d, want 0x3f576aa4 (-2.468e+04 ulp), not within ...
    """
    from clmath.audit.judge import Law, judge

    __tracebackhide__ = True
    mode = checked_mode("assert_conforms()", rounding)
    if profile not in PROFILES:
        raise errors.not_one_of("assert_conforms()", "profile", profile, PROFILES)
    trial = _Trial.of("assert_conforms()", name, args, actual)
    law = Law(profile, mode, flushes, options=tuple(build_options.split()))
    tally = judge(trial.item, trial.columns, trial.results, law)
    if tally.failed:
        lines = [trial.verdict(example) for example in tally.failures]
        raise AssertionError(_listing(lines, f"{tally.failed} of {tally.tried} inputs fail: {_reasons(tally)}"))


@dataclass(frozen=True)
class _Trial:
    """One call as an audit sees it: a column for every argument or lane, results of one row a call."""

    item: Item
    columns: Arrays
    results: Arrays

    @classmethod
    def of(cls, asked_by: str, name: str, args: tuple[Any, ...], actual: Any) -> _Trial:
        """The trial of ``actual``; AssertionError where it has not the shape and dtype of a result."""
        __tracebackhide__ = True
        _check_arguments(asked_by, name, args)
        call = prepare(name, args)
        width = call.shape[-1] if call.builtin.lanes else 0
        item = Item(call.builtin, call.form, width)
        whole = [np.broadcast_to(a, call.shape) for a in call.args]
        lanes = [a[..., k] for a in whole for k in range(width)] if width else whole
        columns = tuple(lane.reshape(-1).astype(lane.dtype.newbyteorder("=")) for lane in lanes)
        results = _tuple(actual)
        _check_kinds(call, results)
        return cls(item, columns, cls(item, columns, ()).flat(results))

    def flat(self, results: Arrays) -> Arrays:
        """Results with one row a call, the lanes of vectors side by side."""
        outputs = self.item.builtin.outputs
        shapes = [(-1, self.item.width) if self.item.width and p.type == "gentype" else (-1,) for p in outputs]
        native = [r.astype(r.dtype.newbyteorder("=")) for r in results]
        return tuple(r.reshape(shape) for r, shape in zip(native, shapes, strict=True))

    def line(self, place: tuple[int, ...], number: int, got: NDArray[Any], want: NDArray[Any]) -> str:
        """``sin(0x1.921fb4p+1) [0x40490fda]: got 0x34222168, want 0x34222169 (-1 ulp)``."""
        form = self.item.form
        kinds = {"intn": "intn"}.get(self.item.builtin.outputs[number].type, "gentype")
        values = [int(v[place]) if kinds == "intn" else int(form.bits(v[place])) for v in (got, want)]
        stored = [int(c[place[0]]) if c.dtype != form.dtype else int(form.bits(c[place[0]])) for c in self.columns]
        off = "" if kinds == "intn" else _steps(got[place], want[place])
        return self._sentence(stored, _output(self.item, number, place[1:]), kinds, values, off)

    def verdict(self, example: Example) -> str:
        """The same for an example of a tally, with the reason why it fails."""
        kinds = self.item.results[example.output]
        off = off_text(example, self.item.form)
        output = _outputs(self.item)[example.output]
        sentence = self._sentence(list(example.args), output, kinds, [example.got, example.expected], off)
        return f"{sentence}, {example.reason}"

    def _sentence(self, stored: list[int], output: str, kind: str, values: list[int], off: str) -> str:
        spelled = [_spelled(v, k, self.item) for v, k in zip(stored, self.item.columns, strict=True)]
        texts, bits = (_grouped(part, self.item) for part in zip(*spelled, strict=True))
        got, want = (_spelled(v, kind, self.item)[1] for v in values)
        return f"{self.item.builtin.name}({texts}){output} [{bits}]: got {got}, want {want}{f' ({off})' if off else ''}"


def _tuple(value: Any) -> Arrays:
    return tuple(np.asarray(v) for v in (value if isinstance(value, tuple) else (value,)))


def _refuse_formula(call: str, row: Builtin) -> None:
    """RangeError where the built-in is an expression, of which every operation is rounded."""
    __tracebackhide__ = True
    formula = row.formula or ("" if contracts() else row.uncontracted)
    if formula:
        where = "" if row.formula else "under fp_contract('OFF') "
        raise errors.RangeError(
            f"{call}: name={row.name!r} {where}is the formula {formula}, each operation of which is rounded: no "
            f"result is the correctly rounded one; use assert_conforms, or compare with what clmath.{row.name} gives"
        )


def _check_arguments(call: str, name: str, args: Any) -> None:
    """UnknownNameError, DTypeError or ShapeError where ``args`` is not the tuple of all arguments of ``name``."""
    __tracebackhide__ = True
    row = builtin(name, call)
    needed = f"({', '.join(p.name for p in row.inputs)}{',' * (len(row.inputs) == 1)})"
    if not isinstance(args, tuple):
        raise errors.DTypeError(f"{call}: args is of type {type(args).__name__}; a tuple is needed: {needed}")
    if len(args) != len(row.inputs):
        raise errors.ShapeError(f"{call}: args holds {len(args)} arguments; {name} takes {len(row.inputs)}: {needed}")


def _check_kinds(call: Call, results: Arrays) -> None:
    """AssertionError where the number, dtypes or shapes of results are not those of the call."""
    __tracebackhide__ = True
    outputs = call.builtin.outputs
    if len(results) != len(outputs):
        raise AssertionError(f"{call.label}: the number of results is {len(results)}; {len(outputs)} are due")
    for output, dtype, result in zip(outputs, call.signature.results, results, strict=True):
        shape = call.shape[:-1] if output.type == "scalar" else call.shape
        shape = () if call.bare else shape
        if result.shape != shape or result.dtype.newbyteorder("=") != dtype:
            fact = f"{result.dtype} of shape {result.shape}"
            raise AssertionError(f"{call.label}: {output.name} is {fact}; {dtype} of shape {shape} is due")


def _differ(got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays of one dtype hold different results: bits count, but any NaN equals any NaN."""
    if want.dtype.kind != "f":
        return np.asarray(got != want)
    bits = f"u{want.dtype.itemsize}"
    apart = np.ascontiguousarray(got).view(bits) != np.ascontiguousarray(want).view(bits)
    return np.asarray(apart & ~(np.isnan(got) & np.isnan(want)))


def _steps(got: Any, want: Any) -> str:
    """How many numbers of the format lie from ``want`` to ``got``, where both are finite; zeros differ in sign."""
    if not (np.isfinite(got) and np.isfinite(want)):
        return ""
    size = want.dtype.itemsize * 8
    places = [int(np.asarray(v).view(f"u{size // 8}")) for v in (got, want)]
    keys = [p if p < 2 ** (size - 1) else 2 ** (size - 1) - p for p in places]
    return ulps_text(keys[0] - keys[1]) if keys[0] != keys[1] else "wrong sign of zero"


def _outputs(item: Item) -> list[str]:
    """What tells each result column of a built-in from the others."""
    outputs = item.builtin.outputs
    return [
        _output(item, number, (lane,) if item.width and p.type == "gentype" else ())
        for number, p in enumerate(outputs)
        for lane in range(item.width if item.width and p.type == "gentype" else 1)
    ]


def _output(item: Item, number: int, lane: tuple[int, ...]) -> str:
    outputs = item.builtin.outputs
    name = f".{outputs[number].name}" if len(outputs) > 1 else ""
    return name + "".join(f"[{k}]" for k in lane)


def _spelled(value: int, kind: str, item: Item) -> tuple[str, str]:
    """A stored value as hex float and as bits; an int as it is, twice."""
    text, _, bits = value_text(value, kind, item.form).partition(" [")
    return text, bits.rstrip("]") or text


def _grouped(texts: tuple[str, ...], item: Item) -> str:
    """Arguments beside each other, the lanes of each vector in parentheses."""
    if item.width < 2:
        return ", ".join(texts)
    vectors = [texts[i : i + item.width] for i in range(0, len(texts), item.width)]
    return ", ".join(f"({', '.join(v)})" for v in vectors)


def _reasons(tally: Tally) -> str:
    return "; ".join(f"{count} x {reason}" for reason, count in tally.reasons)


def _listing(lines: list[str], count: str) -> str:
    """The first lines, and how many there are where there is more than one."""
    return lines[0] if len(lines) == 1 else "\n".join([*lines[:SHOWN], count])
