"""Plants faults in the judge of pieces, one at a time, and says which ones change a tally of the rows here.

``python -m tests.audit.judge_faults [MODULE ...] [--draw N]`` plants all of them, or N that are drawn, and lists what
stays unnoticed. The tallies are those that the reference alone gives, so that a judge without faults agrees with it.
"""

from __future__ import annotations

import signal
from dataclasses import replace

import numpy as np

from clmath.audit.counting.tally import Tally
from clmath.audit.inputs import numbered
from clmath.audit.inputs.structured import structured
from clmath.audit.judge import certain_failures, compiled_loop, worst
from clmath.audit.judge.piece import judge
from clmath.audit.law.batch import Batch
from clmath.audit.plan.item import Item
from clmath.audit.running.device_rows import known_from
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.audit.both_laws import EMBEDDED, FULL, RELAXED, without
from tests.audit.mutants import run
from tests.audit.spoiled import spoiled_result

MODULES = (
    *(f"clmath.audit.judge.{name}" for name in ("piece", "screen", "bounds", "certain_failures", "worst")),
    *(f"clmath.audit.law.{name}" for name in ("deviation", "findings")),
)
FLUSHING = without(FULL, flushes=True)
ROWS = (
    ("exp", FLOAT, FULL), ("exp", DOUBLE, FULL), ("tanpi", FLOAT, FULL), ("tanpi", DOUBLE, FULL),
    ("pow", DOUBLE, FULL), ("sinpi", FLOAT, without(FULL, mode="rtn")), ("cbrt", FLOAT, EMBEDDED),
    ("hypot", HALF, FULL), ("ilogb", FLOAT, FULL), ("lgamma_r", FLOAT, FULL), ("lgamma", DOUBLE, FULL),
    ("exp2", FLOAT, FLUSHING), ("sub", HALF, FLUSHING), ("fma", DOUBLE, without(FULL, mode="rtz")),
    ("sin", FLOAT, RELAXED), ("remquo", DOUBLE, FULL),
)  # fmt: skip
SECONDS = 60  # of processor time that a look may take: on a busy machine it takes longer by the clock


@np.errstate(all="ignore")
def calls(name, form, law):
    """Calls of a row, structured and random; half of the results are wrong, in many ways."""
    item = Item(builtin(name), form)
    fixed, drawn = structured(item), numbered.drawn(item, 0, np.arange(200))
    values = tuple(np.concatenate([a[:: max(len(a) // 200, 1)], b]) for a, b in zip(fixed, drawn, strict=True))
    outputs = item.builtin.outputs
    blank = tuple(np.zeros(len(values[0]), np.int32 if p.type == "intn" else form.dtype) for p in outputs)
    truths = Batch.of(item, values, blank, law).truth
    rng = np.random.default_rng(5)
    return item, values, tuple(spoiled_result(rng, truth.rounded, form) for truth in truths), law


def in_parts(item, values, results, law):
    """The tally of every other call, then of the rest, with the errors known from the first part."""
    places, tally = np.arange(len(values[0])), Tally()
    for some in (places[::2], places[1::2]):
        known = known_from(tally)
        args = tuple(v[some] for v in values), tuple(r[some] for r in results)
        tally += judge(item, *args, law, some, known.floor, known.stretches)
    return tally


class Tallies:
    """What the judge says of rows, by enclosures wherever they tell anything."""

    def __init__(self, rows=ROWS):
        self._pairs = [pair for row in rows for pair in self._of(calls(*row))]

    def _of(self, row):
        """Calls, and the same ones tidied, each with the tally of the reference."""
        found = row, self._tidy(row)
        return [(each, repr(judge(*each[:-1], replace(each[-1], oracle="mpfr")))) for each in found]

    @staticmethod
    def _tidy(row):
        """The same calls where a few results are wrong, so that most of what is measured is of right ones."""
        item, values, results, law = row
        truths = Batch.of(item, values, results, law).truth
        some = np.arange(len(values[0])) % 37 == 5
        return (
            item,
            values,
            tuple(
                np.where(some, result, truth.rounded).astype(result.dtype)
                for truth, result in zip(truths, results, strict=True)
            ),
            law,
        )

    def notices(self):
        """Whether a tally is not that of the reference."""
        before = compiled_loop.can_serve, certain_failures.FEW, worst.MANY
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            compiled_loop.can_serve = lambda *_: False
            return any(self._is_off(few) for few in (0, 64))
        except Exception:  # noqa: BLE001 - whatever a fault makes of a judge
            return True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            compiled_loop.can_serve, certain_failures.FEW, worst.MANY = before

    def _is_off(self, few):
        """Whether it is so where ``few`` calls, and no more, go to the reference at once."""
        certain_failures.FEW = worst.MANY = few
        return any(repr(judge(*row)) != wanted or repr(in_parts(*row)) != wanted for row, wanted in self._pairs)


def main():
    """Plant what the command line asks for."""
    signal.signal(signal.SIGPROF, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    run(MODULES, {"tallies": Tallies().notices}, lambda _: ("tallies",), lambda _: ())


if __name__ == "__main__":
    main()
