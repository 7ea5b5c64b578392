"""Read the lines with which OpenCL-CTS' math_brute_force reports a wrong result: built-in, input, expected, got.

The layouts come from its files ``unary_float.cpp``, ``binary_i_half.cpp``, ``ternary_double.cpp`` and so on, of 2026.
All contain ``NAME[D][SIZE]: ERROR ulp error at INPUT: *EXPECTED vs. GOT``; half has ``Expected:`` and ``Actual:`` on
separate lines. Braces hold several values; encodings follow the values, or the braces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.inputs import values
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import rows_named
from clmath.audit.plan.types import TYPES, Whole, form_of
from clmath.cli.asked import Asked, item_for
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

EXAMPLE = "ERROR: sin4: 8.571 ulp error at 0x1.8p+1 (0x40400000): *0x1.210386p-3 vs. 0x1.210398p-3"
_LINE = re.compile(
    r"\b(?P<name>[a-z]\w*): *(?P<off>\{[^{}]*\}|\S+) ulp error at (?P<input>.+?)"
    r"(?:: *\*|\s*\bExpected: *)(?P<expected>.+?)(?: +vs\. +|\s*\bActual: *)(?P<got>[^\n]+)",
    re.DOTALL,
)
_NAME = re.compile(r"(?P<base>\w+?)(?P<double>D?)(?P<lanes>16|8|4|3|2|)")
_PLACE = re.compile(r"\(?\bindex: \d+\)?|\bat index: \d+")
_ENCODING = r"0x[0-9a-f]+(?![0-9a-f.p])"
_NUMBER = re.compile(
    rf"(?P<code>{_ENCODING})|(?P<value>[+-]?(?:0x[0-9a-f.]+p[+-]?\d+|inf(?:inity)?|nan)|[+-]?\d+)(?:\(\w+\))?",
    re.IGNORECASE,
)
_DIGITS_OF_DOUBLE = re.compile(r"0x[01]\.[0-9a-f]{13}p", re.IGNORECASE)  # as %.13la writes them


@dataclass(frozen=True)
class Failure:
    """One result that OpenCL-CTS refused. ``components``: size of the vectors, 1 for scalars; ``options``: of the
    compiler.

    ``expected`` and ``got`` are arrays of one element for each result.
    """

    call: Asked
    components: int
    options: tuple[str, ...]
    expected: Columns
    got: Columns

    @property
    def item(self) -> Item:
        """The case with the vectors that were passed."""
        return replace(self.call.item, vector=self.components)


def is_log(text: str) -> bool:
    """Whether a text has such a line."""
    return _LINE.search(text) is not None


def failures(text: str, type: str | None, call: str) -> Iterator[list[Failure]]:
    """Yield for each line the ways to read it: 'exp2' is exp2, or exp on vectors of two; ``type``: if known."""
    for match in _LINE.finditer(text):
        ways = list(_ways(match, type, call))
        if not ways:
            fact = f"{match['name']!r} with {match['input'].strip()} is not a call of a built-in that audits judge"
            raise errors.UnknownNameError(f"{call}: {fact}; 'clmath list' shows all built-ins")
        yield ways


def _ways(match: re.Match[str], type: str | None, call: str) -> Iterator[Failure]:
    parts = [_Part.of(match[name]) for name in ("input", "expected", "got")]
    for base, is_double, components in _names(match["name"]):
        form = _form(match, base, parts, is_double=is_double) if type is None else TYPES.get(type)
        if form is None:
            raise errors.not_one_of(call, "type", type, [f.name for f in (HALF, FLOAT, DOUBLE)])
        for row in rows_named(base, call):
            if not row.takes(form.name):
                continue
            try:
                item = item_for(row, form, len(parts[0].numbers), call)
                given = tuple(_stored(n, k, form) for n, k in zip(parts[0].numbers, item.columns, strict=True))
                results = [_results(part, item, components) for part in parts[1:]]
            except (errors.ClmathError, ValueError):
                continue
            options = (files.load("cts_tests.toml")["option"]["option"],) if match["name"].find("_cr") > 0 else ()
            yield Failure(Asked(item, given), components, options, *results)


def _names(name: str) -> Iterator[tuple[str, bool, int]]:
    """Yield built-ins that a name may mean, whether the line says that it is double, and the size of the vectors."""
    tests = files.load("cts_tests.toml")
    known = {cts: ours for table in (tests, tests["option"]) for ours, cts in table["named"].items()}
    for double in ("", "D"):
        for components in ("", "2", "3", "4", "8", "16"):
            base = name.removesuffix(f"{double}{components}")
            if name != f"{base}{double}{components}":
                continue
            base = known.get(base, base)
            if _is_known(base):
                yield base, bool(double), int(components or 1)


def _is_known(name: str) -> bool:
    try:
        return bool(rows_named(name))
    except errors.ClmathError:
        return False


@dataclass(frozen=True)
class _Number:
    """A number in a line: its text, its encoding, or both."""

    text: str
    code: str = ""


@dataclass(frozen=True)
class _Part:
    """The input, the expected result, or the actual result."""

    whole: str
    numbers: tuple[_Number, ...]

    @classmethod
    def of(cls, text: str) -> _Part:
        text = _PLACE.sub("", text)
        found = list(_NUMBER.finditer(text))
        written = [m["value"] for m in found if m["value"]]
        codes = [m["code"] for m in found if m["code"]]
        if not written:
            return cls(text, tuple(_Number("", code) for code in codes))
        if len(codes) == len(written):
            return cls(text, tuple(map(_Number, written, codes)))
        left = iter(codes)  # integers have none
        return cls(text, tuple(_Number(w, next(left, "") if _is_float(w) else "") for w in written))

    @property
    def digits(self) -> int:
        """The largest number of digits in an encoding of a floating-point number."""
        return max((len(n.code) - 2 for n in self.numbers if n.code and (not n.text or _is_float(n.text))), default=0)


def _is_float(text: str) -> bool:
    return not re.fullmatch(r"[+-]?\d+", text)


def _form(match: re.Match[str], base: str, parts: Sequence[_Part], *, is_double: bool) -> Format:
    """Return the format of a line, from the digits of encodings, else from the notation of numbers."""
    if is_double or _DIGITS_OF_DOUBLE.search(match[0]):
        return DOUBLE
    returns_numbers = any(n.text for part in parts[1:] for n in part.numbers)
    digits = max(part.digits for part in (parts if returns_numbers else parts[:1]))
    if digits:
        return HALF if digits <= 4 else FLOAT if digits <= 8 else DOUBLE
    if base in ("add", "sub", "mul", "div"):  # for float they have the encoding of the result
        return DOUBLE
    in_braces = parts[1].whole.strip().startswith("{")  # which half writes as float does
    forms = (HALF, FLOAT, DOUBLE) if in_braces else (FLOAT, DOUBLE)
    return next((form for form in forms if all(_holds(form, n) for part in parts for n in part.numbers)), DOUBLE)


def _holds(form: Format, number: _Number) -> bool:
    """Whether a number is one of the format, or an integer."""
    if not number.text or not _is_float(number.text):
        return True
    exact = float.fromhex(number.text)
    code = values.parse(number.text, "gentype", form)
    return exact != exact or float(form.from_bits(code)) == exact


def _stored(number: _Number, kind: str, form: Format) -> int:
    """Return the stored value of a number."""
    type = form_of(kind, form)
    if type is None:
        return _integer(number, kind, form)
    if number.code:
        return values.parse(number.code, kind, form, bits=True)
    return values.parse(number.text, kind, form)


def _integer(number: _Number, kind: str, form: Format) -> int:
    """Return an integer, or the integer of an encoding; encodings of short are sign-extended."""
    least, most = values.span(kind, form)
    value = int(number.text or number.code, 0)
    if not number.text and value > most:
        value = (value - least) % (most - least + 1) + least
    if not least <= value <= most:
        raise ValueError(number)
    return value


def _results(part: _Part, item: Item, components: int) -> Columns:
    """Return the results of a call, one for each result of the built-in."""
    kinds = item.results
    if isinstance(item, ExactItem):
        result = replace(item, vector=components).result
        kinds = (result.name if isinstance(result, Whole) else "gentype",)
    pairs = zip(part.numbers, kinds, strict=True)
    return tuple(values.column(_stored(n, k, item.form), k, item.form) for n, k in pairs)
