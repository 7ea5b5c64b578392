"""Measures a device for the atlas, every float of every built-in, and writes the page of all that were measured.

    python -m benchmarks.atlas measure opencl:NVIDIA h200 --seconds 300
    python -m benchmarks.atlas measure opencl:NVIDIA h200 --profile relaxed --groups float,pairs --inputs 2^30
    python -m benchmarks.atlas keep report.json run.log glibc-2.36
    python -m benchmarks.atlas keep floats.json floats.log h100 --group floats --machine "16 cores; Linux"
    python -m benchmarks.atlas page

The first writes reports of ``clmath audit`` to ``tables/measured/h200-full``, one for each group of built-ins, and what
they do not say, such as dates, to ``runs.json`` there. It goes on where a run before was stopped, by ``--seconds`` or
otherwise. A report is measured anew when its file is removed. Any SUBJECT of ``clmath audit`` may be measured. The
third takes up the report and the log of an audit, errors by binade included, for the curves of the site.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import sys
from dataclasses import replace
from pathlib import Path

from benchmarks.atlas import runs
from benchmarks.atlas.groups import GROUPS, MEASURED, SAMPLED
from benchmarks.atlas.measure import Measured, measure
from benchmarks.atlas.page import page, reports
from benchmarks.atlas.thin import slim, thinned
from clmath import errors
from clmath.audit.records import record
from clmath.spec.profiles import PROFILES
from clmath.stopping import stoppable

PAGE = "README.md"
STOPPED = 3  # where more is left to do; 2 is a wrong call


def _parser() -> argparse.ArgumentParser:
    known = "; ".join(f"{group.name}: {group.title}" for group in GROUPS.values())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.atlas", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--folder", type=Path, default=MEASURED, help="of all reports (default: tables/measured)")
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("measure", help="measure a subject")
    one.add_argument("subject", metavar="SUBJECT", help="as 'clmath audit' takes it: opencl:NVIDIA, libm")
    one.add_argument("name", metavar="NAME", help="a short name for it: h200; folders are called NAME-PROFILE")
    one.add_argument("--profile", choices=[p.replace(" ", "-") for p in PROFILES], default="full")
    one.add_argument("--groups", default=",".join(GROUPS), help=f"in this order (default: all). {known}")
    one.add_argument("--inputs", default="", help="where not all can be tried: random inputs of each, 2^30")
    one.add_argument("--seconds", type=float, default=math.inf, help="stop after so long; the next run goes on")
    one.add_argument("--more", default="", help="further options of 'clmath audit', such as '--judge device'")
    one.add_argument("--commit", default=None, help="of the repository, where Git does not know it")
    keep = what.add_parser("keep", help="take up the report of an audit, errors by binade included")
    keep.add_argument(
        "report", type=Path, metavar="FILE", help="a report that 'clmath audit SUBJECT --json' has written"
    )
    keep.add_argument("log", type=Path, metavar="LOG", help="what --log of the same audit has written")
    keep.add_argument("name", metavar="NAME", help="a short name for the subject: glibc-2.36")
    keep.add_argument(
        "--group", default="math", help="a name for the audit, where a subject has several (default: math)"
    )
    keep.add_argument("--machine", default="", help="where the audit was made (default: this machine)")
    keep.add_argument("--commit", default="", help="of the repository that made it (default: what Git says)")
    pages = what.add_parser(
        "page", help="write the page of all reports, README.md in their folder; thin those that are not"
    )
    pages.add_argument("--check", action="store_true", help="write nothing; exit with 1 where it is not current")
    return parser


def _measured(options: argparse.Namespace) -> int:
    groups = []
    for name in options.groups.split(","):
        if name not in GROUPS:
            raise errors.not_one_of("benchmarks.atlas", "--groups", name, tuple(GROUPS))
        groups.append(GROUPS[name])
    _check_name(options.name)
    folder = options.folder.resolve() / f"{options.name}-{options.profile}"
    known = {} if options.commit is None else {"commit": options.commit}
    one = Measured(options.subject, folder, options.profile, options.inputs, tuple(shlex.split(options.more)), **known)
    with stoppable():
        return 0 if measure(one, groups, options.seconds) else STOPPED


def _keep(options: argparse.Namespace) -> int:
    """Put a report, and when and where it was made, into the folder of those with errors by binade."""
    for name in (options.name, options.group):
        _check_name(name)
    events = [json.loads(line) for line in options.log.read_text(encoding="utf-8").splitlines()]
    start, end = events[0], events[-1]
    folder = SAMPLED / options.name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{options.group}.json").write_text(slim(options.report), encoding="utf-8")
    seconds = sum(event["seconds"] for event in events if event["event"] == "row")
    rows = sum(event["event"] == "row" for event in events)
    made = runs.now(options.group, round(seconds, 1), rows, options.commit or runs.commit(), start["command"])
    runs.put(folder, replace(made, date=end["time"], machine=options.machine or made.machine))
    return 0


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        fact = f"NAME {name!r} is not of small letters, digits, dots and hyphens"
        raise errors.ClmathError(f"benchmarks.atlas: {fact}; write h200, or pocl-3.1")


def _page(options: argparse.Namespace) -> int:
    if not options.folder.is_dir():
        raise errors.ClmathError(
            f"benchmarks.atlas: --folder {options.folder} is not a folder; measure something first"
        )
    if not options.check:
        for report in reports(options.folder):
            record.put(report, thinned(report))
    file, text = options.folder / PAGE, page(options.folder)
    if options.check:
        return int(not file.exists() or file.read_text(encoding="utf-8") != text)
    file.write_text(text, encoding="utf-8")
    return 0


def main() -> int:
    """Measure, or write the page."""
    parser = _parser()
    options = parser.parse_args()
    try:
        return {"measure": _measured, "keep": _keep, "page": _page}[options.what](options)
    except KeyboardInterrupt:
        return STOPPED
    except errors.ClmathError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
