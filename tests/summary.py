"""What a run of the tests has tested against what: the table at its end."""

from __future__ import annotations

import functools
from collections import Counter

import pytest

from clmath.engines import choice
from tests import sampling
from tests.about import KINDS_OF_NAMES

DEVICE = pytest.StashKey[str]()  # the OpenCL device that tests have run on

# tests by where they are: the longest beginning of a path counts
KINDS = {
    "tests/audit/museum": "audits of faults that were found in real libraries: each is caught",
    "tests/audit/device_judge": "the judge on the device, against the judge on the host",
    "tests/audit": "audits of correct and of broken subjects: verdicts, inputs, limits, planted faults",
    "tests/benchmarks": "benchmarks and the atlas of measured devices, on few inputs",
    "tests/call": "arguments of calls, workers, and threads",
    "tests/certify": "proofs of kernels' bounds: a second checker, exact arithmetic, real errors, planted faults",
    "tests/cli": "the command line: audits, reports, hostile subjects",
    "tests/constants": "constants against their definitions",
    "tests/copies": "copies between buffers, against slices",
    "tests/conversion": "conversions against exact rounding",
    "tests/devices": "finding OpenCL devices, among fake drivers too",
    "tests/direct": "exact built-ins in NumPy, against the reference",
    "tests/engines/native": "compiled kernels against NumPy's engine, bit by bit",
    "tests/engines": "engines against each other, bit by bit",
    "tests/export": "exported C, CUDA and OpenCL, compiled, against clmath's own results",
    "tests/functions": "each built-in as NumPy's users call it: shapes, types, modes, engines, threads",
    "tests/groups": "sums, scans and ends of work-groups, against exact sums",
    "tests/image": "images against the text's formulas",
    "tests/integer": "integer built-ins against Python's integers",
    "tests/kernels": "kernels' bounds against MPFR",
    "tests/memory": "vloadn, vstoren and half's own, against exact rounding",
    "tests/names": "messages of errors and public names: remedies are tried",
    "tests/numbers": "formats and roundings against exact numbers",
    "tests/operators": "operators of OpenCL C, against its text",
    "tests/packaging": "wheels and installations",
    "tests/pragmas": "pragmas and modes in force",
    "tests/printf": "printf, against its text",
    "tests/readme": "README and CONTRIBUTING: what they say is tried",
    "tests/reference": "the reference: MPFR against mpmath, and hard inputs",
    "tests/regressions": "faults of clmath that were found before",
    "tests/relational": "relational built-ins against their definitions",
    "tests/spec": "tables of the specification against its text and the reference",
    "tests/suite": "the order of modules, the draw of rows, and this table",
    "tests/testing": "clmath.testing: strategies and assertions, and planted faults",
    "tests/website": "the site: its pages, links and commands",
    "clmath": "examples in docstrings",
}

_FACTS = pytest.StashKey[dict]()  # of the processes that ran tests


def is_ours(report):
    """Whether a test is of clmath, and not of a user who keeps tests in the clone."""
    return report.nodeid.startswith(("tests/", "clmath/"))


def kind(nodeid):
    """The words for the kind of a test; its folder where there are none."""
    return _kind_of_file(nodeid.partition("::")[0])


@functools.cache
def _kind_of_file(path):
    found = max((place for place in KINDS if path.startswith(place)), key=len, default=None)
    return KINDS[found] if found else path.rpartition("/")[0] or path


def facts(config):
    """What this process knows of its run, as xdist can carry it."""
    rows = config.stash.get(sampling.ROWS, [])
    return {
        "rows": dict(Counter(kind(row.nodeid) for row in rows)),
        "known": sorted(set().union(*(row.facts for row in rows))),
        "met": sorted(set().union(*(row.facts for row in rows if row.runs))),
        "device": config.stash.get(DEVICE, ""),
    }


def pytest_sessionfinish(session):
    output = getattr(session.config, "workeroutput", None)
    if output is not None:
        output["clmath_facts"] = facts(session.config)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node, error):  # noqa: ARG001 - the hook's name
    """What a worker of pytest-xdist knows: all have drawn the same rows, and one may have used the device."""
    told = getattr(node, "workeroutput", {}).get("clmath_facts")
    if told:
        before = node.config.stash.get(_FACTS, {})
        node.config.stash[_FACTS] = told | {"device": told["device"] or before.get("device", "")}


def pytest_terminal_summary(terminalreporter, config):
    told = config.stash.get(_FACTS, None) or facts(config)
    counted = Counter()
    for outcome in ("passed", "xfailed", "failed", "error", "skipped"):
        for report in filter(is_ours, terminalreporter.stats.get(outcome, ())):
            counted[kind(report.nodeid), outcome] += 1
    if counted:
        terminalreporter.write_sep("=", "what was tested against what")
        for line in lines(counted, told, sampling.how(config)):
            terminalreporter.write_line(line)


def lines(counted, told, how):
    """The table: a line for each kind of test, then what the tests were about, engines, devices, and all together."""
    places = {words: place for place, words in enumerate(KINDS.values())}
    yield "passed of    all tests that there are"
    for words in sorted({words for words, _ in counted}, key=lambda words: places.get(words, len(places))):
        passed = counted[words, "passed"] + counted[words, "xfailed"]
        others = {"failed": counted[words, "failed"] + counted[words, "error"], "skipped": counted[words, "skipped"]}
        rest = "".join(f", {number} {outcome}" for outcome, number in others.items() if number)
        yield f"{passed:6} of {told['rows'].get(words, '?'):>6}  {words}{rest}"
    known, met = (Counter(what for what, _ in map(tuple, told[which])) for which in ("known", "met"))
    if known:
        yield "covered: " + ", ".join(f"{met[what]} of {known[what]} {what}" for what in KINDS_OF_NAMES if known[what])
    yield f"engines: {', '.join(f'{name} ({fact})' for name, fact in choice.told().items())}"
    if not told["rows"]:
        yield f"{sum(counted.values())} tests were run before the end, of how many no worker has told: {how}"
        return
    yield f"OpenCL device: {told['device'] or 'no test needed one'}"
    yield f"{sum(counted.values())} of {sum(told['rows'].values())} tests were run: {how}"
