"""Wrong results as text: the inputs with their bits, the actual and the expected result, a line that replays it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.audit.counting.spread import ordered
from clmath.audit.counting.spread import steps as steps_between
from clmath.audit.counting.tally import ulps_text, value_text
from clmath.numbers.formats import FLOAT, format_of
from clmath.testing.aliases import memory_call

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

Place: TypeAlias = "tuple[int, ...]"
CallAt: TypeAlias = "Callable[[Place], tuple[Place, tuple[object, ...], str]]"

CALL = "CALL"  # the call of the function, in the statements of an assertion
SHOWN = 5  # failures printed in full; all are counted
MOST = 64  # numbers that a line replays
DIGITS = 20  # of an exact value, which may have hundreds


class UnfitError(AssertionError):
    """The number, the shape or the dtype of results is wrong."""


@dataclass(frozen=True)
class Failure:
    """One wrong result: its call, the arguments (numbers, or vectors of one axis), and the error.

    ``index``: the position of the call in the arrays; ``output``: the result among several, or a vector's component, as
    text; ``off``: the distance from ``want``, in words or ulp, empty if it says nothing; ``reason``: why it is wrong.
    """

    index: tuple[int, ...]
    args: tuple[object, ...]
    output: str
    got: np.generic
    want: np.generic
    off: str
    reason: str

    def line(self, name: str) -> str:
        """``sin(0x1p+0 = 1.0) [0x3f800000] at index 3: got 0x1.8p-1 = 0.75 [0x3f400000], want ..., REASON``."""
        off = f" ({self.off})" if self.off else ""
        at = f" at index {self.index if len(self.index) > 1 else self.index[0]}" if self.index else ""
        call = called(name, self.args, self.output)
        return f"{call}{at}: got {with_bits(self.got)}, want {with_bits(self.want)}{off}, {self.reason}"


@dataclass(frozen=True)
class Found:
    """The worst wrong results of some calls, and how many of all ``what`` (results or inputs) are wrong.

    ``summary``: that number in words. ``limit``: the limit as text, empty if the reasons state it. ``worst``: the
    largest error in ulp, right or wrong, if it was measured.
    """

    failures: Sequence[Failure] = ()
    count: int = 0
    total: int = 0
    summary: str = ""
    what: str = "results"
    limit: str = ""
    worst: float | None = None

    def refuse(self, asked: Assertion | None) -> None:
        """Raise AssertionError if results are wrong."""
        __tracebackhide__ = True
        if self.count:
            raise AssertionError(self.message(asked))

    def message(self, asked: Assertion | None) -> str:
        """Return the text of a failed assertion; of results without a call, if it is None."""
        shown = list(self.failures[:SHOWN])
        if asked and asked.given is not None and np.asarray(asked.given[0]).shape[:1] == (1,):  # it needs no index
            shown = [replace(f, index=f.index[1:], args=only(asked.given)) for f in shown]
        lines = [failure.line(asked.name if asked else "result") for failure in shown]
        lines += [self.summary] * (self.total > 1) + [f"limit: {self.limit}"] * bool(self.limit)
        if asked:
            lines.append(f"replay: {asked.replay(self.failures[0].args)}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Assertion:
    """An assertion with all that is needed to repeat it.

    ``function``: the function's name in the line that replays a failure; ``keywords``: its keywords as code;
    ``options``: the keywords of the assertion that are not the default ones. ``given``: the function's arguments, of
    one call or few; a line that replays them has all imports. ``check``: statements in place of the assertion, in
    which ``CALL`` is the call of the function.
    """

    assertion: str
    name: str
    options: tuple[tuple[str, object], ...] = ()
    function: str = "f"
    keywords: str = ""
    given: tuple[object, ...] | None = None
    check: str = ""

    def replay(self, args: Sequence[object]) -> str:
        """Return Python code that repeats the assertion for one call; it needs ``np`` and the function."""
        imported = ""
        if self.given is not None:
            imported = imports_of(self.given) + f"from clmath.testing import {self.assertion}; " * (not self.check)
            if sum(_held(np.asarray(value))[0].size for value in self.given) <= MOST:
                args = self.given
        given = ", ".join(map(source_of, args)) + "," * (len(args) == 1)
        return f"{imported}args = ({given}); {self._statements()}"

    def _statements(self) -> str:
        """Return the statements that check the result for ``args``."""
        options = "".join(f", {k}={_plain(v)}" for k, v in self.options)
        call, memory = f"{self.function}(*args{self.keywords})", memory_call(self.name)
        if self.check:
            return self.check.replace(CALL, call)
        if memory is None or memory.stored is None:
            return f"{self.assertion}({call}, {self.name!r}, args{options})"
        k = memory.stored
        written = f"p = args[{k}].copy(); {self.function}(*args[:{k}], p, *args[{k + 1}:]{self.keywords})"
        return f"{written}; {self.assertion}(p, {self.name!r}, args{options})"


def only(given: Sequence[object]) -> tuple[object, ...]:
    """Return the arguments of the first call; each argument except a memory has calls on its first axis."""
    return tuple(a[0] if isinstance(a, np.ndarray) and a.shape[:1] == (1,) else a for a in given)


def called(name: str, args: Sequence[object], output: str = "") -> str:
    """``sin(0x1p+0 = 1.0) [0x3f800000]``; ``output``: one of several results, or a component of a vector."""
    if not args:
        return name
    texts, bits = zip(*map(_spelled, args), strict=True)
    return f"{name}({', '.join(texts)}){output} [{', '.join(bits)}]"


def complexity(args: Sequence[object]) -> tuple[bool, int, float]:
    """Sort key of simplicity: few numbers, short numbers, moderate magnitudes first."""
    digits, size, count = 0, 0.0, 0
    for a in args:
        numbers = np.reshape(np.asarray(a), -1)
        form, count = format_of(numbers.dtype), count + numbers.size
        if form is None:
            digits += sum(abs(int(n)).bit_length() for n in numbers)
            continue
        fractions = form.bits(numbers) & form.bits_dtype.type((1 << form.precision - 1) - 1)
        digits += sum(form.precision - 1 - (int(f) & -int(f)).bit_length() + 1 for f in fractions if f)
        with np.errstate(all="ignore"):
            size += float(np.abs(np.log2(np.abs(numbers.astype(np.float64)))).sum())
    return count > MOST, digits, size


def share(count: int, total: int, what: str, verb: str = "are") -> str:
    """``3 of 50 results are``: the start of a sentence, and its verb."""
    singular = {"are": "is"}.get(verb, f"{verb}s")
    return f"{count} of {total} {what} {singular if count == 1 else verb}"


def _spelled(given: object) -> tuple[str, str]:
    """Return a value in hex and decimal, and as bits; an int twice in decimal; a vector's components in parentheses."""
    value = given if isinstance(given, (np.ndarray, np.generic)) else np.asarray(given)
    if value.size > MOST:
        return (f"{value.size} numbers",) * 2
    if isinstance(value, np.ndarray) and value.ndim:
        parts = [_spelled(v) for v in value]
        texts, bits = (", ".join(part[k] for part in parts) for k in (0, 1))
        return (texts, bits) if len(parts) == 1 else (f"({texts})", f"({bits})")
    form = format_of(value.dtype)
    if form is None:
        return str(value), str(value)
    text, _, bits = value_text(int(form.bits(value)), "gentype", form).partition(" [")
    return (f"{text} = {value!s}" if np.isfinite(value) else text), bits.rstrip("]")


def with_bits(value: object) -> str:
    """Return a number of the formats with its bits, or any other value as text."""
    if not isinstance(value, (np.generic, np.ndarray)):
        return _in_few_digits(value)
    text, bits = _spelled(value)
    return text if text == bits else f"{text} [{bits}]"


def _in_few_digits(value: object) -> str:
    """Return an exact value as text, rounded if it is long."""
    text = str(value)
    if len(text) <= DIGITS + 5:  # sign, point and exponent
        return text
    numerator, _, denominator = text.partition("/")  # of a fraction
    try:
        return f"{Decimal(numerator) / Decimal(denominator or 1):.{DIGITS}g}"
    except ArithmeticError:  # it is not a number
        return text


def with_share(said: str, share: str) -> str:
    """Return the message of a call with the share of failing calls inserted before the replay line."""
    facts, replay, line = said.partition("\nreplay: ")
    return f"{facts}\n{share}{replay}{line}" if share else said


def _held(values: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the numbers that are written down, and the place of the first; of long memory, without zeros at its ends.

    Numbers of a format are the integers with their bits.
    """
    form = format_of(values.dtype)
    numbers = (values if form is None else form.bits(values)).reshape(-1)
    if numbers.size <= MOST:
        return numbers, 0
    places = np.flatnonzero(numbers)
    first, end = (int(places[0]), int(places[-1]) + 1) if places.size else (0, 1)
    return numbers[first:end], first


def _plain(value: object) -> str:
    """Return a keyword's value as Python code; infinity has no name of its own."""
    return "float('inf')" if isinstance(value, float) and value == float("inf") else repr(value)


def imports_of(values: Iterable[object]) -> str:
    """Return the imports that ``source_of`` of the values needs: NumPy, and packages of other formats."""
    forms = {format_of(value.dtype) for value in values if isinstance(value, (np.ndarray, np.generic))}
    packages = {form.storage.rpartition(".")[0] for form in forms if form is not None} - {""}
    return "".join(f"import {name}; " for name in ("numpy as np", *sorted(packages)))


def source_of(value: object) -> str:
    """Return Python code that makes the value, bit for bit."""
    if not isinstance(value, (np.ndarray, np.generic)):
        return repr(value)
    numbers, first = _held(np.asarray(value))
    is_float, bits = format_of(value.dtype) is not None, numbers.dtype
    spelled = [hex(n) if is_float else str(n) for n in numbers.tolist()]
    alone = f"np.{bits.type.__name__}({spelled[0]})" if spelled else ""
    one = alone if value.ndim == 0 else f"np.array([{', '.join(spelled)}], {bits.name!r})"
    if value.size > numbers.size:
        one = f"np.pad({one}, ({first}, {value.size - first - numbers.size}))"
    viewed = f".view({value.dtype.name!r})" * is_float
    return f"{one}{viewed}" + f".reshape{value.shape}" * (value.ndim > 1)


class Compared(NamedTuple):
    """Results with the expected ones: which are wrong, why, and how far off.

    ``call_at``: returns the index of the call of a result, its arguments, and the result among several, or the
    component, as text. ``sizes``: the distances from the expected results, by default in numbers of the format, and
    ``off``: such a distance as text.
    """

    got: np.ndarray
    wanted: np.ndarray
    wrong: NDArray[np.bool_]
    reason: str
    call_at: CallAt
    sizes: NDArray[np.float64] | None = None
    off: Callable[[Place], str] | None = None

    def failure(self, place: Place) -> Failure:
        """Return the wrong result at a place."""
        got, want = self.got[place], self.wanted[place]
        off = steps(got, want) if self.off is None else self.off(place)
        return Failure(*self.call_at(place), got, want, off, self.reason)

    def farthest(self, most: int) -> list[tuple[float, Place]]:
        """Return the ``most`` wrong results with the largest distances: minus the distance, and the place."""
        sizes = _distances(self.got, self.wanted) if self.sizes is None else self.sizes
        count = min(int(self.wrong.sum()), most)
        order = np.argsort(-np.where(self.wrong, sizes, -1.0), axis=None, kind="stable")[:count]
        places = [tuple(map(int, np.unravel_index(k, sizes.shape))) if sizes.ndim else () for k in order]
        return [(-float(sizes[place]), place) for place in places]


def _distances(got: np.ndarray, want: np.ndarray) -> NDArray[np.float64]:
    """Return how many numbers of the format lie between two arrays; a huge number between NaN and a number."""
    form = format_of(want.dtype) or FLOAT  # the distance of integers does not depend on it
    return np.asarray(steps_between(got, want, form).astype(np.float64))


def worst(compared: Sequence[Compared], fact: str, most: int) -> Found:
    """Return the ``most`` wrong results that are farthest off; ``fact``: the words about them in the message."""
    places = sorted((size, k, place) for k, one in enumerate(compared) for size, place in one.farthest(most))
    failures = [compared[k].failure(place) for _, k, place in places[:most]]
    count, total = sum(int(one.wrong.sum()) for one in compared), sum(one.wrong.size for one in compared)
    return Found(failures, count, total, f"{share(count, total, 'results')} {fact}")


def steps(got: np.generic, want: np.generic) -> str:
    """Text of the number of steps from ``want`` to ``got`` in the format, if both are finite; zeros differ in sign."""
    form = format_of(want.dtype)
    if form is None or not (np.isfinite(got) and np.isfinite(want)):
        return ""
    keys = [int(ordered(np.atleast_1d(value), form).item()) for value in (got, want)]
    return ulps_text(keys[0] - keys[1]) if keys[0] != keys[1] else "wrong sign of zero"
