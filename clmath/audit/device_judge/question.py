"""What a device is asked to judge: a row, its law and its inputs; and why it cannot judge some rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.acceptance.relaxed import is_known_formula
from clmath.audit.acceptance.steps import factor_of
from clmath.audit.device_judge.measuring import Needs, Terms
from clmath.audit.inputs import numbered
from clmath.audit.inputs.floats import RUN
from clmath.audit.inputs.numbered import is_numbered, kernel_of
from clmath.audit.inputs.row_inputs import is_swept, place_of_first_numbered
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PARTS
from clmath.kernels import ACCURATE, Kernel
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import precise
from clmath.spec.derived import RelaxedArithmetic, parsed
from clmath.spec.limits import Absolute, Derived, RootOfSquares, UlpsOrArgument
from clmath.spec.steps import RoundedSteps

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law, Requirement
    from clmath.audit.plan.plan import Plan
    from clmath.callables import AnyFunction
    from clmath.spec.limits import Rule

__all__ = [
    "APART",
    "PIECE",
    "STEP",
    "Drawn",
    "Finer",
    "Question",
    "finer",
    "is_elementwise",
    "question_of",
    "refusal",
    "swept",
]


class Finer(NamedTuple):
    """A kernel of double, and what narrows the enclosures of each of its results: nothing for narrow formats."""

    kernel: Kernel
    narrowing: tuple[AnyFunction, ...]


def finer(item: Item) -> Finer | None:
    """What encloses the results of a row more closely than ``kernel_of``; None where nothing does."""
    name, first = precise(item.builtin.called), kernel_of(item)
    steps = [kernel for kernel in ACCURATE.steps(name) if isinstance(kernel, Kernel)]
    if len(steps) != 1:
        return None
    if first != steps[0]:
        return Finer(steps[0], ())
    singles = [ACCURATE.kernels[part] for part in ACCURATE.results(name) or () if part in ACCURATE.kernels]
    narrowing = tuple(one.narrow for one in singles if one.narrow is not None)
    return Finer(steps[0], narrowing) if len(narrowing) == first.results else None


PIECE = (1 << FLOAT.width) // PARTS  # floats of a part
STEP = PARTS * RUN  # from the first float of a run to that of the next
APART = 2531  # the distance in runs from one run to the next, so that the first few are from all over the format


def swept(parts: range, numbers: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The encodings with these ``numbers`` among those of ``parts`` of all floats, one part after the other."""
    pieces = np.uint64(parts.start) + np.uint64(parts.step) * (numbers >> _bits(PIECE))
    runs = (numbers >> _bits(RUN)) * np.uint64(APART) & np.uint64(PIECE // RUN - 1)
    within = numbers & np.uint64(RUN - 1)
    codes: NDArray[np.uint32] = (runs * np.uint64(STEP) + pieces * np.uint64(RUN) + within).astype(np.uint32)
    return codes


def _bits(power: int) -> np.uint64:
    """The binary logarithm of a power of two."""
    return np.uint64(power.bit_length() - 1)


class Drawn(NamedTuple):
    """Random inputs, numbered from 0 to ``total`` - 1."""

    seed: int
    total: int


@dataclass(frozen=True)
class Question:
    """A row, the law by which it is judged, and its inputs: random ones, ``drawn`` by number, or all floats.

    Inputs come in pieces. Where several pieces are judged, their inputs are numbered from 0 on, piece after piece.
    """

    item: Item
    law: Law
    drawn: Drawn | None = None

    @property
    def kernel(self) -> Kernel:
        """The kernel that encloses the results of the row; if all results are ints, the one that gives the first."""
        return kernel_of(self.item) or self.integers[0]

    @property
    def reals(self) -> int:
        """How many results are numbers of the format; these come first."""
        return 0 if self.kernel.is_integer else self.kernel.results

    @property
    def finer(self) -> Finer | None:
        """The finer kernel, which decides on results that ``kernel`` leaves undecided."""
        return finer(self.item)

    @property
    def integers(self) -> tuple[Kernel, ...]:
        """The kernels of the results that are ints, which come last."""
        return numbered.integers_of(self.item)

    @property
    def encodings(self) -> tuple[np.dtype, ...]:
        """The dtypes of the encodings of the results."""
        ints = (np.dtype(np.uint32),) * len(self.integers)
        return (self.item.form.bits_dtype,) * self.reals + ints

    @property
    def types(self) -> list[str]:
        """The types of the arguments' buffers: half, float, double or int."""
        return [self.item.form.name if kind == "gentype" else "int" for kind in self.item.columns]

    @property
    def laws(self) -> tuple[Law, ...]:
        """The laws by which the row is judged: the audit's, and those of editions that have other rules for the row."""
        return self.law, *self.law.others(self.item)

    @property
    def terms(self) -> Terms:
        """The terms by which results are measured."""
        needs = tuple(Needs.of(law, self.item) for law in self.laws)
        return Terms(self.item.form, needs, self.kernel.reach, 0.5 if self.law.mode == "rte" else 1.0, self.may_flush)

    @property
    def may_flush(self) -> bool:
        """Whether a device is to judge results that fail as flushed ones, and once more with flushed arguments."""
        return self.item.form is FLOAT and all(law.may_flush(self.item) for law in self.laws)

    @property
    def piece(self) -> int:
        """How many inputs a piece has; the last one of a row may have fewer."""
        return PIECE if self.drawn is None else numbered.PIECE

    def count(self, pieces: range) -> int:
        """How many inputs ``pieces`` have."""
        return len(pieces) * PIECE if self.drawn is None else numbered.length(self.drawn.total, pieces)

    @property
    def neighbours(self) -> int:
        """A power of two: as many numbers from a multiple of it on are those of inputs that follow one another."""
        return RUN if self.drawn is None else self.piece

    def places(self, pieces: range, numbers: NDArray[np.uint64]) -> np.ndarray:
        """The places in the row of the inputs with these ``numbers`` among those of ``pieces``."""
        if self.drawn is None:
            return swept(pieces, numbers)
        size, found = self.piece, numbers.astype(np.int64)
        found = (pieces.start + pieces.step * (found // size)) * size + found % size
        return found + place_of_first_numbered(self.item, self.drawn.total)

    def inputs(self, places: np.ndarray) -> Columns:
        """The inputs at these ``places`` of the row."""
        if self.drawn is None:
            return (places.view(self.item.form.dtype),)
        return numbered.drawn(self.item, self.drawn.seed, places - place_of_first_numbered(self.item, self.drawn.total))


def question_of(item: Item, law: Law, plan: Plan) -> Question | None:
    """The question for a device about a row; None if the host has to judge it, see ``refusal``."""
    if refusal(item, law, plan):
        return None
    return Question(item, law, None if is_swept(item, plan) else Drawn(plan.seed, plan.count))


def refusal(item: Item, law: Law, plan: Plan) -> str:
    """Why the host has to judge a row; empty if a device may.

    A device may if all floats are tried as scalars, or inputs are drawn by number; a kernel encloses all results;
    elementwise functions evaluate the limits; and exact results are right by the edges of every edition in question.
    """
    if type(item) is not Item:
        return "its results are compared bit by bit"
    if item.vector > 1 or item.width:
        return "it is called on vectors"
    if kernel_of(item) is None and not numbered.integers_of(item):
        return "no kernel encloses its results"
    if not is_numbered(item, plan) and not (is_swept(item, plan) and item.columns == ("gentype",)):
        return "its inputs are few"
    if law.oracle != "auto":
        return f"its exact values are those of the oracle {law.oracle}"
    question = Question(item, law)
    if not _is_comparable(question):
        return "its limit is compared by the host alone"
    if why := _mode_refused(question):
        return why
    if not all(one.has_usual_edges(item) for one in question.laws):
        return "what is exact there depends on the edition"
    if law.mode != "rte" and law.waives("overflow", item):
        return "what overflows there, where there are no infinities, is the host's"
    return ""


def _mode_refused(question: Question) -> str:
    """Why the host has to judge a row because of its rounding mode; empty if a device may."""
    if question.law.also:
        return "texts disagree on the mode in which it rounds"
    if question.law.mode == "rtn" and question.kernel.signs_zeros:
        return "in rtn the signs of its zeros are the host's"
    return ""


def _is_comparable(question: Question) -> bool:
    """Whether sets hold what the limits of every edition allow, without arrays."""
    needs = [one.plain for one in question.terms.needs]
    return all(is_elementwise(rule, need) for need in needs for rule, _ in need.clauses)


def is_elementwise(rule: Rule, need: Requirement) -> bool:
    """Whether elementwise functions evaluate a rule: no formula for other values than doubles, nothing of vectors."""
    if isinstance(rule, RootOfSquares | UlpsOrArgument) or (isinstance(rule, Absolute) and rule.scaled):
        return False
    if not isinstance(rule, Derived):
        return True
    if rule.otherwise is not None and not is_elementwise(rule.otherwise, need):
        return False
    formula = rule.formula
    if isinstance(formula, RoundedSteps):
        return factor_of(formula, need.form, MODES[need.mode]) is not None
    if not isinstance(formula, RelaxedArithmetic) or need.form is not FLOAT:
        return False
    return is_known_formula(parsed(formula.text, "limits.toml"), formula.allowed)
