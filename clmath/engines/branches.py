"""Which statements of a program stand in which branch, so that what one side of a select needs is computed there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from clmath.ir.program import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clmath.ir.program import Operand, Program

__all__ = ["Assignment", "Branches", "Layout", "Line", "laid_out"]

Path: TypeAlias = "tuple[tuple[Operand, bool], ...]"
"""Where a statement stands: inside of which conditions, and on which side of each."""

_DEEPEST = 40  # statements within one expression: Python's compiler has a limit


@dataclass(frozen=True)
class Assignment:
    """A statement whose value gets a name."""

    number: int


@dataclass(frozen=True)
class Branches:
    """Selects of one condition, each a name for either side's value, and the lines that each side needs first."""

    condition: Operand
    selects: tuple[int, ...]
    yes: tuple[Line, ...]
    no: tuple[Line, ...]


Line: TypeAlias = "Assignment | Branches"


@dataclass(frozen=True)
class Layout:
    """The lines of a program; ``nested`` are the values that stand in the expression of their only use."""

    lines: tuple[Line, ...]
    nested: frozenset[int]


def laid_out(program: Program) -> Layout:
    """Every statement of ``program`` where its first use needs it, selects of one condition together."""
    plan = _Plan(program)
    wanted = [operand.number for _, operand in program.outputs if isinstance(operand, Value)]
    return Layout(tuple(plan.lines((), wanted)), frozenset(plan.nested))


class _Plan:
    """The statements of a program, the branch that each belongs to, and those that are written already."""

    def __init__(self, program: Program) -> None:
        self.first, self.statements = len(program.inputs), program.statements
        numbers = range(self.first, self.first + len(self.statements))
        outputs = [operand.number for _, operand in program.outputs if isinstance(operand, Value)]
        self.uses = dict.fromkeys(range(numbers.stop), 0)
        for number in (*outputs, *(o for n in numbers for o in self._values(n))):
            self.uses[number] += 1
        self.paths = self._paths(numbers, outputs)
        self.nested: set[int] = set()
        self.blocks: set[int] = set()
        self.written: set[int] = set()
        self._nest(numbers, set(outputs))

    def _values(self, number: int) -> list[int]:
        """The values that a statement is applied to."""
        return [o.number for o in self.statements[number - self.first].operands if isinstance(o, Value)]

    def _is_select(self, number: int) -> bool:
        return self.statements[number - self.first].operation.endswith(".select")

    def _paths(self, numbers: range, outputs: Iterable[int]) -> dict[int, Path]:
        """The innermost branch that holds every use."""
        paths: dict[int, Path] = dict.fromkeys(outputs, ())
        for number in reversed(numbers):
            here = paths[number]
            operands = self.statements[number - self.first].operands
            for place, operand in enumerate(operands):
                if not isinstance(operand, Value):
                    continue
                inside = here
                if place and self._is_select(number) and (operands[0], place == 1) not in here:
                    inside = (*here, (operands[0], place == 1))
                known = paths.get(operand.number, inside)
                paths[operand.number] = _common(known, inside)
        return paths

    def _nest(self, numbers: range, outputs: set[int]) -> None:
        """Find what stands in the expression of its only use, and the selects that need lines of their own before."""
        depth = dict.fromkeys(range(numbers.stop), 0)
        for number in numbers:
            used = self._values(number)
            depth[number] = 1 + max((depth[v] for v in used if v in self.nested), default=0)
            if self._is_select(number) and any(self._needs_lines(v, self.paths[number]) for v in used):
                self.blocks.add(number)
            elif self.uses[number] == 1 and number not in outputs and depth[number] < _DEEPEST:
                self.nested.add(number)

    def _needs_lines(self, number: int, path: Path) -> bool:
        """Whether a value belongs to a branch below ``path`` and is, or uses there, what has a name."""
        if number < self.first or len(self.paths[number]) <= len(path):
            return False
        return number not in self.nested or any(self._needs_lines(v, path) for v in self._values(number))

    def lines(self, path: Path, wanted: Iterable[int]) -> Iterator[Line]:
        """The lines of the branch ``path`` that compute ``wanted``; selects wait until nothing else can be computed."""
        needs: dict[int, set[int]] = {}
        todo = self._named(path, wanted)
        while todo:
            number = todo.pop()
            needs[number] = self._named(path, self._values(number))
            todo |= needs[number] - needs.keys()
        waiting = sorted(needs)
        while waiting:
            for number in waiting:
                if number not in self.blocks and needs[number] <= self.written:
                    self.written.add(number)
                    yield Assignment(number)
            left = [n for n in waiting if n not in self.written]
            if left:
                yield self._branches(path, [n for n in left if needs[n] <= self.written])
            waiting = [n for n in left if n not in self.written]

    def _named(self, path: Path, values: Iterable[int]) -> set[int]:
        """The values with names in ``path`` itself, not yet written, that ``values`` are or directly depend on."""
        found: set[int] = set()
        met: set[int] = set()
        todo = list(values)
        while todo:
            number = todo.pop()
            if number < self.first or number in met or number in self.written:
                continue
            met.add(number)
            if self.paths[number] == path and number not in self.nested:
                found.add(number)
            else:
                todo += self._values(number)
        return found

    def _branches(self, path: Path, ready: list[int]) -> Branches:
        """The ready selects of the condition that most of them have."""
        conditions = [self.statements[n - self.first].operands[0] for n in ready]
        condition = max(conditions, key=conditions.count)
        selects = tuple(n for n, c in zip(ready, conditions, strict=True) if c == condition)
        sides = [
            tuple(self.lines((*path, (condition, side)), [v for n in selects for v in self._side(n, place)]))
            for place, side in ((1, True), (2, False))
        ]
        self.written.update(selects)
        return Branches(condition, selects, sides[0], sides[1])

    def _side(self, number: int, place: int) -> list[int]:
        operand = self.statements[number - self.first].operands[place]
        return [operand.number] if isinstance(operand, Value) else []


def _common(a: Path, b: Path) -> Path:
    """What two paths share, from the outside."""
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    return a[:shared]
