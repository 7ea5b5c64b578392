"""The JSON that OpenCL-CTS writes if CL_CONFORMANCE_RESULTS_FILENAME is set: a result for each of its tests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.reports.outcome import Outcome, Whole

__all__ = ["cts"]


def cts(whole: Whole) -> str:
    """Return one test for all cases of a built-in, as in OpenCL-CTS: 'fail' if one fails, 'skip' if one is missing.

    A test is 'skip', too, if nothing of it was judged. A known failure is a failure, since OpenCL-CTS does not have
    known failures. All results belong to one device.
    """
    (outcome,) = whole.outcomes.values()
    rows = outcome.grouped(lambda verdict: _test_of(verdict, outcome))
    results = {name: _result(verdicts) for name, verdicts in rows.items()}
    return json.dumps({"cmd": "clmath_audit", "results": results}, indent="\t") + "\n"


def _test_of(verdict: Verdict, outcome: Outcome) -> str:
    """Return the test of OpenCL-CTS to which a case belongs."""
    names, builtin = files.load("cts_tests.toml"), verdict.item.builtin
    built = outcome.head["subject"].get("build options", "").split()
    if names["option"]["option"] in built and verdict.item.form.name in names["option"]["types"]:
        special: str = names["option"]["named"].get(builtin.called, "")
        if special:
            return special
    return str(names["named"].get(builtin.called) or names["prefix"].get(builtin.chapter, "") + builtin.called)


def _result(verdicts: Sequence[Verdict]) -> str:
    if any(v.status == "fail" or (v.status == "not judged" and not v.left_open) for v in verdicts):
        return "fail"
    if any(v.status == "missing" for v in verdicts):
        return "skip"
    return "pass" if any(v.status == "pass" for v in verdicts) else "skip"
