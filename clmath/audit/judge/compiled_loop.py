"""Screens results in float in one compiled loop: enclosures, errors and counts, without arrays in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.batch import Call
from clmath.audit.acceptance.criteria import Criteria, requirement
from clmath.audit.acceptance.findings import out_of_limit
from clmath.audit.counting.spread import BINS, Spread, by_stretch, worst_by_stretch
from clmath.audit.counting.tally import KEPT, KnownErrors, Otherwise, Tally
from clmath.audit.inputs.exhaustive import opposite
from clmath.audit.inputs.layout import Columns
from clmath.audit.judge.regimes import BOUNDED, EDGED, JUDGED, OPEN, UNDECIDED, gives_integers, regimes
from clmath.audit.judge.screen import is_screened, measured
from clmath.audit.plan.item import Item
from clmath.audit.screens.loop import FREE, Screen, screens
from clmath.kernels import Kernel
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import precise

LITTLE = 5e-324  # the loop's floor as long as all errors so far are 0


def serves(item: Item, criteria: Criteria) -> bool:
    """Whether the loop serves a row: of one float, with a kernel, and requirements that are known for some ranges."""
    if type(item) is not Item or item.form is not FLOAT or len(item.columns) > 1 or criteria.also:
        return False
    kernels, loop = _kernels(item), screens()
    is_served = bool(kernels and loop and loop.serve(kernels)) and is_screened(item, criteria)
    return is_served and regimes(item, criteria) is not None


def _kernels(item: Item) -> tuple[Kernel, ...]:
    """Return the kernels of the results; the devices' kernels if the host evaluates the built-in without a kernel."""
    return kernels_of(precise(item.builtin.called), FLOAT)


class Block(NamedTuple):
    """Calls of a row of one float.

    ``mirrored``: results for the opposite inputs, if these are judged in the same block: the function is odd or even,
    and these results mirror ``results`` as it does.
    """

    values: Columns
    results: Columns
    mirrored: Columns = ()

    def elements(self, index: NDArray[np.intp] | slice) -> Block:
        """Return the calls that ``index`` picks."""
        return Block(*(tuple(column[index] for column in columns) for columns in self))

    def apart(self) -> tuple[Block, ...]:
        """Return blocks without ``mirrored``: the inputs, and their opposites if there are results for these."""
        here = Block(self.values, self.results)
        return (here, Block((opposite(self.values[0]),), self.mirrored)) if self.mirrored else (here,)

    def calls(self, item: Item, criteria: Criteria) -> list[Call]:
        """Return the calls of all blocks ``apart``."""
        return [Call.on(item, block.values, block.results, criteria) for block in self.apart()]


class Screening:
    """Screens calls of a row, one block after the other, and adds up their tally.

    ``known``: errors that the row is known to have; smaller ones need not be looked for.
    """

    def __init__(self, item: Item, criteria: Criteria, known: KnownErrors) -> None:
        alone, loop = regimes(item, criteria), screens()
        assert alone is not None
        assert loop is not None
        floors = by_stretch(known.stretches[0] if known.stretches else (), FLOAT)
        of_both = np.minimum(floors, np.roll(floors, len(floors) // 2))  # both signs of an argument
        self._item, self._criteria, self._kernels, self._loop = item, criteria, _kernels(item), loop
        self._floor = known.floor
        self._regimes = (alone, alone.of_both_signs)
        self._screens = [
            Screen(one.limits, one.left_out, errors, len(BINS))
            for one, errors in zip(self._regimes, (floors, of_both), strict=True)
        ]
        self._has_integers = gives_integers(item)  # ints are measured and judged for all arguments
        # calls of which nothing is required, by edition
        self._open = np.zeros(1 + len(criteria.others(item)), np.int64)
        self._unmeasured = self._poles = 0
        self._leaders: list[Call] = []  # calls that may have the largest error of their interval

    def is_symmetric(self, block: Block) -> bool:
        """Whether requirements do not differ between the inputs and their opposites, or these are not in the block."""
        if not block.mirrored:
            return True
        alone, both = (one.of(block.values[0]) for one in self._regimes)
        return bool(((alone == UNDECIDED) | (both != UNDECIDED)).all())

    def others(self, block: Block) -> NDArray[np.int64]:
        """Count calls that are decided and cannot be the worst, and return the places of all other calls.

        A decided call conforms, certainly fails, or is unspecified. The first failures are among the others, since
        reports show them. Mirrored results are counted, and left, together with the results that they mirror.
        """
        (x,), is_both = block.values, bool(block.mirrored)
        kinds = self._regimes[is_both].of(x)
        if (kinds == JUDGED).all():
            return self._screened(block)
        is_left, is_judged = np.empty((2, len(x)), np.bool_)
        is_left[:], is_judged[:] = kinds == UNDECIDED, kinds == JUDGED
        if (is_unspecified := np.broadcast_to(kinds == OPEN, x.shape)).any():
            is_left |= is_unspecified & _signal(block.results)
            count = int(np.count_nonzero(is_unspecified & ~is_left)) * (1 + is_both)
            self._open, self._unmeasured = self._open + count, self._unmeasured + count
        if (bounded := np.flatnonzero(np.broadcast_to(kinds == BOUNDED, x.shape))).size:
            is_left[bounded] = self._beyond_bounds(block.elements(bounded))
        if (edged := np.flatnonzero(np.broadcast_to(kinds == EDGED, x.shape))).size:
            is_judged[edged], is_left[edged] = self._at_poles(block.elements(edged))
        judged = np.flatnonzero(is_judged)
        is_left[judged[self._screened(block.elements(judged))]] = True
        return np.flatnonzero(is_left)

    def _beyond_bounds(self, block: Block) -> NDArray[np.bool_]:
        """Count the calls with results in the range of every edition, and return which other calls are not counted.

        An edition without a range requires nothing.
        """
        found = [self._in_bounds(part) for part in block.apart()]
        is_inside = np.asarray(np.logical_and.reduce([inside for inside, _ in found]))
        self._unmeasured += len(found) * int(np.count_nonzero(is_inside))
        for _, bounded in found:
            self._open += np.count_nonzero(is_inside & ~bounded, axis=-1)
        return ~is_inside

    def _in_bounds(self, block: Block) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Return which results lie in the ranges of all editions, and by edition, which calls have a range."""
        all_criteria, (result,) = (self._criteria, *self._criteria.others(self._item)), block.results
        is_inside, bounded = np.ones(result.shape, np.bool_), np.zeros((len(all_criteria), *result.shape), np.bool_)
        for number, criteria in enumerate(all_criteria):
            for special_value in requirement(self._item, criteria).special_values:
                if special_value.bounds is not None:
                    (low, high), here = special_value.bounds, special_value.matches(block.values, FLOAT)
                    bounded[number] |= here
                    is_inside &= ~here | ((low <= result) & (result <= high))
        return is_inside, bounded

    def _at_poles(self, block: Block) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Count the calls that return the infinities that special values prescribe: these have no error.

        Return to which calls no special value applies, and which other calls are not counted.
        """
        met, missed = np.zeros((2, len(block.values[0])), np.bool_)
        for special_value in self._criteria.special_values(self._item):
            if special_value.prescribes and (about := special_value.matches(block.values, FLOAT)).any():
                met |= about
                missed |= about & ~(
                    special_value.prescribes_one
                    & _are_poles(special_value.expected(block.values, FLOAT), block.results)
                )
        if self._has_integers and self._floor <= LITTLE:  # the first call may be the worst of a row without errors
            missed |= np.cumsum(met & ~missed) == 1
        self._poles += int(np.count_nonzero(met & ~missed))
        return ~met, met & missed

    def _screened(self, block: Block) -> NDArray[np.int64]:
        """Count calls and return the places of all others, as ``others`` does, if the limit is known for all calls."""
        screen = self._screens[bool(block.mirrored)]
        # if all errors are 0, the first call of the row is the worst, but calls have the row's order only in a block
        screen.floor = 0.0 if self._floor <= LITTLE else self._floor
        screen.shown = KEPT
        others, leading = self._loop.screened(self._kernels, block.values[0], block.results, screen)
        self._floor = screen.floor
        if leading.size:
            self._leaders += block.elements(leading).calls(self._item, self._criteria)
        return others

    def tally(self) -> Tally:
        """Return the tally of all calls that were counted."""
        alone, both = self._screens
        counts, failed = (alone.counts + 2 * both.counts).tolist(), alone.failed + 2 * both.failed
        left_out, poles = alone.out + 2 * both.out, self._poles
        if self._has_integers:
            counts[0], poles = counts[0] + poles, 0
        counted = sum(counts)
        tried = counted + left_out + self._unmeasured + poles
        unspecified, *by_others = (
            int(count) + left_out + counted * (self._regimes[0].left_out == FREE) for count in self._open
        )
        worst: list[dict[int, float]] = [{}]
        if self._leaders:
            found = Call.joined(self._leaders)
            worst = worst_by_stretch(self._item, found.values, measured(found))
        return Tally(
            tried=tried,
            unjudged=unspecified,
            failed=failed,
            reasons=((out_of_limit(self._criteria.limit(self._item)), failed),) if failed else (),
            others=tuple(
                Otherwise(criteria.edition, count, failed)
                for criteria, count in zip(self._criteria.others(self._item), by_others, strict=True)
            ),
            spread=Spread.of(dict(zip(BINS, counts, strict=True)), worst) if counted else Spread(),
        )


def _signal(results: Columns) -> NDArray[np.bool_]:
    """Return which calls return a signaling NaN."""
    found = np.zeros(len(results[0]), np.bool_)
    for actual in results:
        if np.isnan(actual).any():
            found |= FLOAT.signals(actual)
    return found


def _are_poles(wanted: Sequence[np.ndarray], actual: Sequence[np.ndarray]) -> NDArray[np.bool_]:
    """Return where all results equal the wanted ones, and all floats among them are infinite."""
    pairs = zip(wanted, actual, strict=True)
    is_right = [(due == given) & ((due.dtype != FLOAT.dtype) | np.isinf(due)) for due, given in pairs]
    return np.asarray(np.logical_and.reduce(is_right))
