"""Measure every float of every built-in on a device, and write the compact file that the site shows.

    python -m benchmarks.atlas measure opencl:NVIDIA h200 --seconds 300
    python -m benchmarks.atlas measure opencl:NVIDIA h200 --profile relaxed --groups float,pairs --inputs 2^30
    python -m benchmarks.atlas compact h200 build/atlas/h200-*/*.json
    python -m benchmarks.atlas compact glibc-2.36 report.json --date 2026-11-22 --machine "16 cores; Linux"

The first command writes a report of ``clmath audit`` for each group of built-ins to ``build/atlas/h200-full``, and
dates, machine and commands to ``runs.json`` in the same folder. It resumes a run that was stopped, by ``--seconds`` or
otherwise. To measure a report anew, remove its file. SUBJECT is any target of ``clmath audit``.

The third command takes the figures of reports into ``benchmarks/atlas/devices/h200.json``. If that file has a built-in
already, the figures of more inputs are kept. Date and machine come from the ``runs.json`` next to a report, or from
options.
"""

from __future__ import annotations

import argparse
import datetime as dt
import math
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.atlas import runs
from benchmarks.atlas.compact import Device
from benchmarks.atlas.groups import DEVICES, EVERY, GROUPS, REPORTS
from benchmarks.atlas.measure import Measured, measure
from clmath import errors
from clmath.audit.records import reading
from clmath.spec.editions import PROFILES
from clmath.stopping import stoppable

if TYPE_CHECKING:
    from collections.abc import Mapping

CALL = "benchmarks.atlas"
STOPPED = 3  # exit status of an incomplete run; 2 is a usage error


def _parser() -> argparse.ArgumentParser:
    known = "; ".join(f"{group.name}: {group.title}" for group in GROUPS.values())
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.atlas", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_subparsers(dest="what", required=True)
    one = what.add_parser("measure", help="audit a target, group by group")
    one.add_argument("target", metavar="SUBJECT", help="as 'clmath audit' takes it: opencl:NVIDIA, libm")
    one.add_argument("name", metavar="NAME", help="a short name for it: h200; folders are called NAME-PROFILE")
    one.add_argument("--folder", type=Path, default=REPORTS, help="the folder of all reports (default: build/atlas)")
    one.add_argument("--profile", choices=[p.replace(" ", "-") for p in PROFILES], default="full")
    one.add_argument("--groups", default=",".join(GROUPS), help=f"groups in order (default: all). {known}")
    one.add_argument("--inputs", default="", help="random inputs of each built-in that is not exhaustive: 2^30")
    one.add_argument("--seconds", type=float, default=math.inf, help="stop after this time; the next run resumes")
    one.add_argument("--more", default="", help="further options of 'clmath audit', such as '--judge device'")
    one.add_argument("--commit", default=None, help="of the repository (default: from Git)")
    compact = what.add_parser("compact", help="take the figures of reports into the compact file of a device")
    compact.add_argument("name", metavar="NAME", help="a short name for the device: glibc-2.36")
    compact.add_argument("reports", nargs="+", type=Path, metavar="REPORT", help="written by 'clmath audit --json'")
    compact.add_argument("--devices", type=Path, default=DEVICES, help="the folder of all compact files")
    compact.add_argument("--date", default="", help="of the audit: 2026-11-22 (default: the report file's date)")
    compact.add_argument("--machine", default="", help="that ran the audit (default: this machine)")
    compact.add_argument("--commit", default="", help="of the repository at the audit (default: from Git)")
    return parser


def _measured(options: argparse.Namespace) -> int:
    groups = []
    for name in options.groups.split(","):
        if name not in GROUPS:
            raise errors.not_one_of(CALL, "--groups", name, tuple(GROUPS))
        groups.append(GROUPS[name])
    folder = options.folder.resolve() / f"{options.name}-{options.profile}"
    known = {} if options.commit is None else {"commit": options.commit}
    one = Measured(options.target, folder, options.profile, options.inputs, tuple(shlex.split(options.more)), **known)
    with stoppable():
        return 0 if measure(one, groups, options.seconds) else STOPPED


def _compact(options: argparse.Namespace) -> int:
    file = options.devices / f"{options.name}.json"
    device = Device.load(file)
    for path in (path for path in options.reports if path.name != runs.FILE):
        read = reading.read(path, CALL)
        device.add(read, _run(path, read.head, options))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(device.text(), encoding="utf-8", newline="\n")
    return 0


def _run(path: Path, head: Mapping[str, Any], options: argparse.Namespace) -> dict[str, str]:
    """Return date, machine, inputs, commit and command of the audit that wrote a report."""
    known = [run for run in runs.read(path.parent) if run.group == path.stem]
    made = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC).date().isoformat()
    here = known[-1] if known else runs.now(path.stem, 0.0, 0, runs.commit(), "")
    plan = head["plan"]
    words = ["clmath", "audit", head["subject"]["asked"], "--types", ",".join(plan["types"])]
    return {
        "date": options.date or (known[-1].date[:10] if known else made),
        "machine": options.machine or here.machine,
        "inputs": "all inputs" if plan["inputs"] == EVERY else f"{plan['inputs']} random inputs, seed {plan['seed']}",
        "commit": options.commit or here.commit,
        "command": shlex.join([*words, "--inputs", str(plan["inputs"]), "--profile", str(plan["profile"])]),
    }


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[a-z0-9][a-z0-9.-]*", name):
        fact = f"NAME {name!r} is not of small letters, digits, dots and hyphens"
        raise errors.ClmathError(f"{CALL}: {fact}; write h200, or pocl-3.1")


def main() -> int:
    """Measure a device, or write its compact file."""
    parser = _parser()
    options = parser.parse_args()
    try:
        _check_name(options.name)
        return {"measure": _measured, "compact": _compact}[options.what](options)
    except KeyboardInterrupt:
        return STOPPED
    except errors.ClmathError as error:
        parser.error(str(error))


if __name__ == "__main__":
    sys.exit(main())
