"""Rewrite the text of C: traced statements of one operation each, nested and several a line; decimal constants."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.device.source import OPERATORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_BODY = re.compile(
    r"^(FUNCTION void \w+\(.*\) \{\n)((?:    const (?:double|Long|bool) v\w+ = .*;\n)+)((?:    .*;\n)*)", re.MULTILINE
)
_STATEMENT = re.compile(r"    const (double|Long|bool) (v\w+) = (\w+)\((.*)\);")
_HEXADECIMAL = re.compile(r"\b0x[0-9a-f]+(?:\.[0-9a-f]+)?p[+-]?[0-9]+")
_NAME = re.compile(r"\bv\d+\w*\b")
_WIDTH = 120  # of a line
_LONGEST = 200  # characters of a nested expression


def in_decimal(text: str) -> str:
    """Return ``text`` with the shortest decimal constants that compilers round to the same doubles: C++ before 2017 has
    no hexadecimal ones.
    """
    return _HEXADECIMAL.sub(lambda found: repr(float.fromhex(found[0])), text)


class _Statement(NamedTuple):
    """The statement ``const kind name = operation(operands);``."""

    kind: str
    name: str
    operation: str
    operands: tuple[str, ...]


class _Nested(NamedTuple):
    """An expression, and the sign between its operands, unless it is a name, a number or a call."""

    text: str
    sign: str | None


def in_infix(text: str) -> str:
    """Return ``text`` with the bodies of its traced functions in short form; the roundings and their order are kept."""
    return _BODY.sub(lambda found: f"{found[1]}{_body(found[2].splitlines(), found[3])}{found[3]}", text)


def _body(lines: Sequence[str], rest: str) -> str:
    statements = [_parsed(line) for line in lines]
    uses = Counter(name for one in statements for operand in one.operands for name in _NAME.findall(operand))
    kept = set(_NAME.findall(rest))  # a stored value is complete: no table is read after a store
    user = {operand: one for one in statements for operand in one.operands}
    nested: dict[str, _Nested] = {}
    written = []
    for one in statements:
        expression = _expression(one, nested)
        may_nest = uses[one.name] == 1 and one.name not in kept and _fits(expression, user[one.name])
        if may_nest:
            nested[one.name] = _Nested(expression, OPERATORS.get(one.operation))
        else:
            written.append((one.kind, f"{one.name} = {expression}"))
    groups = itertools.groupby(written, key=lambda found: found[0])
    return "".join(_declaration(kind, [text for _, text in group]) for kind, group in groups)


def _parsed(line: str) -> _Statement:
    found = _STATEMENT.fullmatch(line)
    assert found, line
    return _Statement(found[1], found[2], found[3], tuple(found[4].split(", ")))


def _expression(one: _Statement, nested: Mapping[str, _Nested]) -> str:
    found = [nested.get(operand, _Nested(operand, None)) for operand in one.operands]
    sign = OPERATORS.get(one.operation)
    if sign is None:
        return f"{one.operation}({', '.join(text for text, _ in found)})"
    left, right = (_operand(operand, sign) for operand in found)
    return f"{left} {sign} {right}"


def _operand(operand: _Nested, sign: str) -> str:
    """Return the operand of a sign, in parentheses if it has a sign of its own and is not a product in a sum."""
    is_plain = operand.sign is None or (operand.sign == "*" and sign in {"+", "-"})
    return operand.text if is_plain else f"({operand.text})"


def _fits(expression: str, user: _Statement) -> bool:
    """Whether an expression may be written inside ``user``: compilers warn of calls as operands of & and |."""
    return len(expression) <= _LONGEST and not (user.kind == "bool" and re.search(r"[a-z]\(", expression))


def _declaration(kind: str, texts: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in _filled(f"    const {kind} ", texts))


def _filled(head: str, texts: Sequence[str]) -> Iterator[str]:
    """Break a declaration into the fewest lines."""
    line = head
    for text in texts:
        if len(line) + len(text) > _WIDTH and line.strip():
            yield line.rstrip()
            line = " " * 8
        line += f"{text}, "
    yield f"{line[:-2]};"
