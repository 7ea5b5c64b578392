"""Screens results in float in one compiled loop: enclosures, errors and counts, without arrays in between."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.acceptance.reasons import out_of_limit
from clmath.audit.counting.spread import BINS, Spread
from clmath.audit.counting.tally import KEPT, Otherwise, Tally
from clmath.audit.inputs.exhaustive import opposite
from clmath.audit.judge.regimes import EDGED, JUDGED, OPEN, UNTOLD, gives_integers, regimes
from clmath.audit.judge.worst import measured
from clmath.audit.law.deviation import by_stretch, worst_by_stretch
from clmath.audit.screens.loop import Screen, screens
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Call
    from clmath.audit.counting.spread import Stretches
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.kernels import Kernel

__all__ = ["Screening", "can_serve", "serves", "with_opposites"]


LITTLE = 5e-324  # the loop's floor as long as all errors so far are 0


def serves(call: Call) -> bool:
    """Whether the loop serves calls: they take one float, and ``can_serve`` their row."""
    return call.form is FLOAT and len(call.args) == 1 and can_serve(call.item, call.law)


def can_serve(item: Item, law: Law) -> bool:
    """Whether the loop serves a row of one float: it has the kernel, and requirements are known for some ranges."""
    kernels, loop = _kernels(item), screens()
    return bool(kernels and loop and loop.serve(kernels)) and regimes(item, law) is not None


def _kernels(item: Item) -> tuple[Kernel, ...]:
    """Return the kernels of the results; the devices' kernels if the host evaluates the built-in without a kernel."""
    return kernels_of(precise(item.builtin.called), FLOAT)


class Screening:
    """Screens calls of the row of ``call``, one block after the other, and adds up their tally.

    ``floor``: an error that the row is known to have. ``known``: such errors by argument and interval. Smaller errors
    need not be looked for.
    """

    def __init__(self, call: Call, floor: float, known: Stretches) -> None:
        told, loop = regimes(call.item, call.law), screens()
        assert told is not None
        assert loop is not None
        floors = by_stretch(known[0] if known else (), FLOAT)
        of_both = np.minimum(floors, np.roll(floors, len(floors) // 2))  # both signs of an argument
        self._none, self._kernels, self._floor = call.lanes(np.empty(0, np.intp)), _kernels(call.item), floor
        self._loop = loop
        self._told = (told, told.of_both_signs)
        self._asked = [
            Screen(one.allowed, one.refused, one.tolerance, one.left_out, KEPT, floor, errors)
            for one, errors in zip(self._told, (floors, of_both), strict=True)
        ]
        self._has_integers = gives_integers(call.item)  # ints are measured and judged for all arguments
        self._counts = np.zeros(len(BINS), np.int64)
        self._failed = self._open = self._poles = 0
        self._leaders: list[Call] = []  # calls that may have the largest error of their interval

    def is_symmetric(self, x: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Return where requirements are known, and do not differ between an argument and its opposite.

        The array has one element if this is so for all arguments.
        """
        both = self._told[True]
        return np.asarray(both.of_all(x) != UNTOLD or both.of(x) != UNTOLD)

    def others(self, call: Call, mirrored: Columns = ()) -> NDArray[np.int64]:
        """Count calls that are decided and cannot be the worst, and return the places of all other calls.

        A decided call conforms, certainly fails, or is unspecified. The first failures are among the others, since
        reports show them. ``mirrored``: results for the opposite arguments, which are counted, and left, together with
        the calls.
        """
        (x,), told = call.args, self._told[bool(mirrored)]
        kind = told.of_all(x)
        if kind == JUDGED:
            return self._screened(call, mirrored)
        if kind == OPEN:
            return self._left_of_open(call, np.arange(len(x)), mirrored)
        kinds = told.of(x)
        judged, is_open, edged = (np.flatnonzero(kinds == kind) for kind in (JUDGED, OPEN, EDGED))
        left = [np.flatnonzero(kinds == UNTOLD), self._left_of_open(call, is_open, mirrored)]
        if edged.size:
            met, others = self._left_of_edged(call, edged)
            left, judged = [*left, met], np.sort(np.concatenate([judged, others]))
        if judged.size:
            left.append(judged[self._screened(call.lanes(judged), [r[judged] for r in mirrored])])
        return np.sort(np.concatenate(left))

    def _left_of_open(self, call: Call, lanes: NDArray[np.intp], mirrored: Sequence[np.ndarray]) -> NDArray[np.intp]:
        """Count the calls ``lanes``, of which nothing is required; return the places of signaling NaNs, not counted."""
        signals = np.zeros(len(lanes), np.bool_)
        for actual in (result[lanes] for result in call.results):
            if np.isnan(actual).any():
                signals |= FLOAT.signals(actual)
        self._open += int(np.count_nonzero(~signals)) * (1 + len(mirrored))
        return lanes[signals]

    def _left_of_edged(self, call: Call, lanes: NDArray[np.intp]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Count the calls ``lanes`` that return the infinities that special values prescribe: these have no error.

        Return the places of the other calls to which a special value applies, and of the calls to which none applies.
        """
        x, results = call.args[0][lanes], [result[lanes] for result in call.results]
        met, missed = np.zeros((2, len(lanes)), np.bool_)
        for edge in call.law.edges(call.item):
            if edge.prescribes and (about := edge.matches((x,), FLOAT)).any():
                met |= about
                missed |= about & ~(edge.prescribes_one & _are_poles(edge.expected((x,), FLOAT), results))
        if self._has_integers and self._floor <= LITTLE:  # the first call may be the worst of a row without errors
            missed |= np.cumsum(met & ~missed) == 1
        right = int(np.count_nonzero(met & ~missed))
        if self._has_integers:
            self._counts[0] += right
        else:
            self._poles += right
        return lanes[met & missed], lanes[~met]

    def _screened(self, call: Call, mirrored: Sequence[np.ndarray]) -> NDArray[np.int64]:
        """Count calls and return the places of all others, as ``others`` does, if the limit is known for all calls."""
        (x,) = call.args
        # if all errors are 0, the first call of the row is the worst, but calls have the row's order only in a block
        floor = 0.0 if self._floor <= LITTLE else self._floor
        asked = self._asked[bool(mirrored)]._replace(floor=floor)
        counts = np.zeros_like(self._counts)
        found = self._loop.screened(self._kernels, x, call.results, asked, counts)
        self._floor = found.floor
        self._counts += counts * (1 + len(mirrored))
        self._failed += found.failed * (1 + len(mirrored))
        self._open += found.out * (1 + len(mirrored))
        if found.leading.size:
            self._leaders += with_opposites(call.lanes(found.leading), [r[found.leading] for r in mirrored])
        return found.others

    def tally(self) -> Tally:
        """Return the tally of all calls that were counted."""
        found = self._none.joined([self._none, *self._leaders])
        counted, laws = int(self._counts.sum()), found.law.others(found.item)
        unjudged = self._open + counted * (self._told[0].is_free and not self._has_integers)
        worst = worst_by_stretch(found.item, found.values, measured(found))
        spread = Spread.of(dict(zip(BINS, self._counts.tolist(), strict=True)), worst) if counted else Spread()
        return Tally(
            tried=counted + self._open + self._poles,
            unjudged=unjudged,
            failed=self._failed,
            reasons=((out_of_limit(found.limit), self._failed),) if self._failed else (),
            others=tuple(Otherwise(law.edition, unjudged, self._failed) for law in laws),
            spread=spread,
        )


def _are_poles(wanted: Sequence[np.ndarray], actual: Sequence[np.ndarray]) -> NDArray[np.bool_]:
    """Return where all results equal the wanted ones, and all floats among them are infinite."""
    pairs = zip(wanted, actual, strict=True)
    is_right = [(due == given) & ((due.dtype != FLOAT.dtype) | np.isinf(due)) for due, given in pairs]
    return np.asarray(np.logical_and.reduce(is_right))


def with_opposites(call: Call, mirrored: Sequence[np.ndarray]) -> list[Call]:
    """Return ``call``, and the calls with opposite arguments if there are ``mirrored`` results for these."""
    if not mirrored:
        return [call]
    there = (opposite(call.values[0]),)
    return [call, replace(call, values=there, args=there, results=tuple(mirrored))]
