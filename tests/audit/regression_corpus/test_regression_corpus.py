"""A quick audit catches faults found in real libraries, with the right reason and place."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.audit.inputs import hard, layout, structured
from clmath.audit.plan.plan import Plan
from clmath.numbers.formats import format_named
from tests.audit.regression_corpus.exhibits import Exhibit, parsed
from tests.cases import for_each

TABLES = tomllib.loads(Path(__file__).with_name("bugs.toml").read_text(encoding="utf-8"))
BUGS = [bug | {"name": name} for name, bug in TABLES.items()]
for one in BUGS:
    one["function"], one["type"] = one["of"].split()
BUGS.sort(key=lambda bug: (bug.get("single", False), bug["function"], bug["type"]))
each = for_each("bug", [pytest.param(bug, id=bug["name"]) for bug in BUGS])


@pytest.fixture(scope="module")
def known():
    """``known(False)``: the audit does not try the calls named in reports; ``known(True)``: it does again.

    Bugs of one built-in follow each other, so that its inputs are made once.
    """
    lines, tried = hard.known_lines, [True]

    def none(item):
        return tuple(np.empty(0, t) for t in layout.dtypes(item))

    def switch(to):
        if tried != [to]:
            structured.parts.cache_clear()
            structured.structured.cache_clear()
            hard.known_lines, tried[:] = lines if to else none, [to]

    yield switch
    switch(True)


def is_shown(bug, verdict):
    """Whether a case fails for the reason, with at least the expected error."""
    reasons = [reason for reason, _ in verdict.tally.reasons]
    return any(bug["reason"] in reason for reason in reasons) and verdict.worst_error >= float(bug.get("worst", 0))


def caught(bug, seed, until):
    """Return the verdict of a quick audit without local search; it must fail for the reason and show the bug."""
    form = format_named(bug["type"], "test")
    target, profile = Exhibit(bug), bug.get("profile", "full")
    options = {"profile": profile, "jobs": 1, "seed": seed, "widths": target.widths, "local_search": False}
    plan = Plan.of([bug["function"]], [form], **options)
    others = [item for item in plan.items() if item.width != bug.get("lanes", 0)]
    verdict = until(lambda verdict: is_shown(bug, verdict), plan, target, others)
    assert verdict.status == "fail", verdict.reason
    assert is_shown(bug, verdict), (verdict.tally.reasons, verdict.worst_error)
    for example in verdict.tally.failures if verdict.item.vector == 1 else ():
        assert example.got in given(target, verdict.item, example.args)


def given(target, item, args):
    """Return the encodings of the target's results for stored arguments, at an even and at an odd index."""
    columns = tuple(
        np.array([a, a], t) if t == np.int32 else np.array([a, a], f"u{t.itemsize}").view(t)
        for a, t in zip(args, layout.dtypes(item), strict=True)
    )
    results = target.evaluate(item.builtin, item.form, layout.arguments(item, columns))
    return [int(r if r.dtype == np.int32 else r.view(f"u{r.itemsize}")) for result in results for r in result.ravel()]


@pytest.mark.slow
@each
def test_quick_audit_catches_the_bug(bug, known, until):
    """A bug of an interval is found without the calls that reports name."""
    known(bug.get("single", False))
    caught(bug, 0, until)


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(1, 5))
@each
def test_quick_audit_catches_the_bug_for_every_seed(bug, seed, known, until):
    known(bug.get("single", False))
    caught(bug, seed, until)


@pytest.mark.slow
@each
def test_faulty_built_in_gives_the_reported_results(bug):
    """The calls of the report give its results; elsewhere the results are clmath's."""
    target, form = Exhibit(bug), format_named(bug["type"], "test")
    kinds, types = [p.type for p in target.row.inputs], [p.type for p in target.row.outputs]
    for line in (*bug.get("shown", ()), *bug.get("calls", ())):
        call, reported = (part.split() for part in line.split(" -> "))
        args = parsed(call, kinds, form.dtype)
        results = target.evaluate(target.row, form, args)
        wanted = parsed(reported, types[: len(reported)], form.dtype)
        for got, want in zip(results, wanted, strict=False):
            assert got.tobytes() == want.tobytes() or (np.isnan(got) & np.isnan(want)).all(), (line, got)
        right = getattr(clmath, target.row.name)(*args)
        right = right if isinstance(right, tuple) else (right,)
        assert [r.tobytes() for r in right] != [r.tobytes() for r in results], line
