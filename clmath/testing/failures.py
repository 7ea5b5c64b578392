"""Wrong results as text: the inputs with their bits, what came and what is due, how to see it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.tally import value_text
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SHOWN", "Asked", "Failure", "message", "plain_line", "share"]

SHOWN = 5  # failures spelled out; all are counted


@dataclass(frozen=True)
class Failure:
    """One wrong result: of which call, for which arguments (numbers, or vectors of one axis), and what is wrong.

    ``index``: where the call stands in the arrays; ``output``: which of several results, or lane of a vector, as text;
    ``off``: how far it is from ``want``, in words or ulp, empty where that says nothing; ``reason``: why it is wrong.
    """

    index: tuple[int, ...]
    args: tuple[Any, ...]
    output: str
    got: Any
    want: Any
    off: str
    reason: str

    def line(self, name: str) -> str:
        """``sin(0x1p+0) [0x3f800000] at index 3: got 0x1.8p-1 [0x3f400000], want ... (-1.2e+06 ulp), REASON``."""
        texts, bits = zip(*map(_spelled, self.args), strict=True)
        call = f"{name}({', '.join(texts)}){self.output} [{', '.join(bits)}]"
        off = f" ({self.off})" if self.off else ""
        return f"{plain_line(call, self.index, self.got, self.want)}{off}, {self.reason}"


@dataclass(frozen=True)
class Asked:
    """What was asserted, so that it can be said and asked again.

    ``function``: what the tested function is called in the line that replays a failure; ``options``: the keywords of
    the assertion that are not the default ones; ``limit``: what is allowed, empty where the reasons say it; ``stored``:
    which argument is the memory of a store, where what is judged is what the call leaves there.
    """

    assertion: str
    name: str
    options: tuple[tuple[str, Any], ...] = ()
    limit: str = ""
    function: str = "f"
    called_with: str = ""
    stored: int | None = None

    def replay(self, args: Sequence[Any]) -> str:
        """Python that asserts the same of one call; ``np`` and the function are to be imported."""
        given = ", ".join(map(_source, args)) + "," * (len(args) == 1)
        keywords = "".join(f", {k}={v!r}" for k, v in self.options)
        call = f"{self.function}(*args{self.called_with})"
        if self.stored is not None:
            k = self.stored
            written = f"p = args[{k}].copy(); {self.function}(*args[:{k}], p, *args[{k + 1}:]{self.called_with}); "
            return f"args = ({given}); {written}{self.assertion}(p, {self.name!r}, args{keywords})"
        return f"args = ({given}); {self.assertion}({call}, {self.name!r}, args{keywords})"


def plain_line(what: str, index: tuple[int, ...], got: Any, want: Any) -> str:
    """``what`` and where it stands, what came and what is due."""
    place = ", ".join(map(str, index))
    at = f" at index {f'({place})' if len(index) > 1 else place}" if index else ""
    return f"{what}{at}: got {_with_bits(got)}, want {_with_bits(want)}"


def share(count: int, total: int, what: str, verb: str = "are") -> str:
    """``3 of 50 results are``: the subject of a sentence, and its verb."""
    singular = {"are": "is"}.get(verb, f"{verb}s")
    return f"{count} of {total} {what} {singular if count == 1 else verb}"


def message(asked: Asked, failures: Sequence[Failure], summary: str, total: int) -> str:
    """The text of a failed assertion; ``failures`` begin with the worst, ``summary`` counts those of ``total``."""
    lines = [failure.line(asked.name) for failure in failures[:SHOWN]]
    if total > 1:
        lines.append(summary)
    if asked.limit:
        lines.append(f"limit: {asked.limit}")
    lines.append(f"replay: {asked.replay(failures[0].args)}")
    return "\n".join(lines)


def _spelled(value: Any) -> tuple[str, str]:
    """A value as hex float and as bits, an int as it is twice; the lanes of a vector in parentheses."""
    if np.ndim(value):
        parts = [_spelled(v) for v in value]
        texts, bits = (", ".join(part) for part in zip(*parts, strict=True))
        return (texts, bits) if len(parts) == 1 else (f"({texts})", f"({bits})")
    form = format_of(value.dtype)
    if form is None:
        return str(value), str(value)
    text, _, bits = value_text(int(form.bits(value)), "gentype", form).partition(" [")
    return text, bits.rstrip("]")


def _with_bits(value: Any) -> str:
    """A number of the formats with its bits, anything else as it is."""
    if not isinstance(value, (np.generic, np.ndarray)):
        return str(value)
    text, bits = _spelled(value)
    return text if text == bits else f"{text} [{bits}]"


def _source(value: Any) -> str:
    """Python that makes the value, bit for bit."""
    dtype, form = value.dtype, format_of(value.dtype)
    numbers = np.asarray(value) if form is None else form.bits(value)
    bits = numbers.dtype
    spelled = [hex(n) if form else str(n) for n in numbers.reshape(-1).tolist()]
    one = (
        f"np.array([{', '.join(spelled)}], {bits.name!r})"
        if np.ndim(value)
        else f"np.{bits.type.__name__}({spelled[0]})"
    )
    return f"{one}.view({dtype.name!r})" if form else one
