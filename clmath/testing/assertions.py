"""Assertions on results of built-ins, with failures that explain themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import evaluate
from clmath.audit.tally import value_text
from clmath.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.evaluate import Call

__all__ = ["assert_correctly_rounded"]

SHOWN = 5  # failing inputs spelled out; the rest is counted


def assert_correctly_rounded(actual: Any, name: str, args: tuple[Any, ...], *, rounding: Rounding = "rte") -> None:
    """Assert that ``actual`` is what the built-in ``name`` gives for ``args``, bit for bit, by the exact reference.

    ``actual``: the result, or a tuple of them where the built-in has several, of the shapes and dtypes that
    ``clmath`` gives. +0 is not -0; any NaN equals any NaN. ``mad`` is fma here, the other formulas of the
    specification follow ``fp_contract``. AssertionError shows the first inputs that fail, with bits and ulps;
    an unknown name or mode and arguments that the built-in does not take raise as the built-in does.

    >>> assert_correctly_rounded(np.sin(np.float64(2.0)) + 1e-16, "sin", (np.float64(2.0),), rounding="rtz")
    Traceback (most recent call last):
    AssertionError: sin(0x1p+1) [0x4000000000000000]: got 0x3fed18f6ead1b447, want 0x3fed18f6ead1b445 (+2 ulp), rtz
    """
    __tracebackhide__ = True
    call = evaluate.prepare(name, args)
    mode = checked_mode("assert_correctly_rounded()", rounding)
    wanted = _results(evaluate.exactly(name, evaluate.by_reference(name), args, mode))
    given = _results(actual)
    if len(given) != len(wanted):
        raise AssertionError(f"{name}(): {len(given)} results; {len(wanted)} are due")
    for number, (got, want) in enumerate(zip(given, wanted, strict=True)):
        _compare(_Case(call, number, mode), got, want)


class _Case(NamedTuple):
    """Which result of which call is looked at."""

    call: Call
    number: int
    mode: Rounding

    @property
    def label(self) -> str:
        """The suffix that tells results apart."""
        outputs = self.call.builtin.outputs
        return f".{outputs[self.number].name}" if len(outputs) > 1 else ""


def _results(value: Any) -> tuple[NDArray[Any], ...]:
    return tuple(np.asarray(v) for v in (value if isinstance(value, tuple) else (value,)))


def _compare(case: _Case, got: NDArray[Any], want: NDArray[Any]) -> None:
    __tracebackhide__ = True
    if got.shape != want.shape or got.dtype.newbyteorder("=") != want.dtype:
        fact = f"{got.dtype} of shape {got.shape}"
        due = f"{want.dtype} of shape {want.shape}"
        raise AssertionError(f"{case.call.label}{case.label}: the result is {fact}; {due} is due")
    got = got.astype(want.dtype)
    places = np.argwhere(differ(got, want))
    if len(places):
        lines = [_failure(case, tuple(index), got, want) for index in places[:SHOWN]]
        if len(places) > 1:
            lines.append(f"{len(places)} of {want.size} results are wrong, mode {case.mode}")
        raise AssertionError("\n".join(lines))


def differ(got: NDArray[Any], want: NDArray[Any]) -> NDArray[np.bool_]:
    """Where two arrays of one dtype hold different results: bits count, but any NaN equals any NaN."""
    if want.dtype.kind != "f":
        return np.asarray(got != want)
    bits = f"u{want.dtype.itemsize}"
    apart = np.ascontiguousarray(got).view(bits) != np.ascontiguousarray(want).view(bits)
    return np.asarray(apart & ~(np.isnan(got) & np.isnan(want))).reshape(want.shape)


def _failure(case: _Case, index: tuple[int, ...], got: NDArray[Any], want: NDArray[Any]) -> str:
    """``sin(0x1.921fb4p+1) [0x40490fda]: got 0x34222168, want 0x34222169 (-1 ulp), rtz``."""
    row, form = case.call.builtin, case.call.form
    texts: list[str] = []
    bits: list[str] = []
    for parameter, array in zip(row.inputs, case.call.args, strict=True):
        values = _argument(case.call, array, index)
        spelled = [_spelled(v, parameter.type, form) for v in values]
        joined = [", ".join(part) for part in zip(*spelled, strict=True)]
        texts.append(f"({joined[0]})" if row.lanes else joined[0])
        bits.append(f"({joined[1]})" if row.lanes else joined[1])
    lane = f"[{index[-1]}]" if want.shape and row.lanes and row.result == "gentype" and not case.call.bare else ""
    kind = row.outputs[case.number].type
    (_, got_bits), (_, want_bits) = _spelled(got[index], kind, form), _spelled(want[index], kind, form)
    ulps = _steps(got[index], want[index])
    where = f"{row.name}({', '.join(texts)}){case.label}{lane} [{', '.join(bits)}]"
    return f"{where}: got {got_bits}, want {want_bits}{ulps}, {case.mode}"


def _argument(call: Call, array: NDArray[Any], index: tuple[int, ...]) -> NDArray[Any]:
    """The value of one argument, or for geometric built-ins all its lanes, that went into the result at ``index``."""
    whole = np.broadcast_to(array, call.shape)
    if not call.builtin.lanes:
        return np.atleast_1d(whole[index])
    return np.atleast_1d(whole[index[: len(call.shape) - 1]])


def _spelled(value: Any, kind: str, form: Any) -> tuple[str, str]:
    """A value as hex float and as bits, or an int as it is, twice."""
    if kind not in ("gentype", "scalar"):
        return str(int(value)), str(int(value))
    text, _, bits = value_text(int(form.bits(value)), kind, form).partition(" [")
    return text, bits.rstrip("]")


def _steps(got: Any, want: Any) -> str:
    """How many numbers of the format lie from ``want`` to ``got``."""
    if want.dtype.kind != "f" or not (np.isfinite(got) and np.isfinite(want)):
        return ""
    sign, size = np.array([got, want]).view(f"i{want.dtype.itemsize}"), want.dtype.itemsize * 8
    keys = [int(k) if k >= 0 else -(int(k) + 2 ** (size - 1)) for k in sign]
    return f" ({keys[0] - keys[1]:+d} ulp)"
