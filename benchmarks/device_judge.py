"""Audits of 10^9 and more inputs that an OpenCL device judges itself: seconds and worst errors.

Run ``python -m benchmarks.device_judge NVIDIA`` from the root of the repository for all floats of every built-in of one
argument; add ``--types double --inputs 2^34`` for 2^34 random doubles of each built-in, or ``--functions
pow,powr,atan2,hypot --types float,double --inputs 2^36`` for pairs. ``--part 1/4096 --compare`` also judges a part on
the host; the exit status is 1 if the two reports differ in a byte.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import tempfile
import time
from pathlib import Path

from benchmarks import machine
from clmath import cli

NAMES = (
    "exp,exp2,exp10,expm1,log,log2,log10,log1p,sin,cos,tan,sinpi,cospi,tanpi,asin,acos,atan,asinpi,acospi,atanpi,"
    "sinh,cosh,tanh,asinh,acosh,atanh,cbrt,rsqrt,erf,erfc,tgamma,lgamma"
)


def audited(judge: str, options: argparse.Namespace, folder: Path) -> tuple[bytes, float]:
    """Audit with one judge, print the times of the rows, and return the report and the seconds.

    Exits with the audit's status if it writes no report; the audit has printed the reason.
    """
    report, log = folder / f"{judge}.json", folder / f"{judge}.log"
    words = ["audit", f"opencl:{options.device}", "--functions", options.functions, "--types", options.types]
    words += ["--inputs", options.inputs, "--part", options.part, "--judge", judge, *options.more.split()]
    started = time.perf_counter()
    with contextlib.redirect_stdout(sys.stderr):
        status = cli.main([*words, "--json", str(report), "--log", str(log), "--force"])
    seconds = time.perf_counter() - started
    if not report.is_file():
        sys.exit(status)
    rows = {(row["built-in"], row["type"]): row for row in json.loads(report.read_text(encoding="utf-8"))["rows"]}
    for line in log.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        if fact["event"] == "row":
            row = rows[fact["built-in"], fact["type"]]
            worst = row["worst"] or {"error": float("nan"), "args": ""}
            shown = f"{worst['error']:+11.3f} ulp at {' '.join(map(str, worst['args']))}"
            name, pace = f"{fact['built-in']} {fact['type']}", fact["seconds"] / max(row["tried"], 1) * 1e9
            print(f"{judge:6} {name:15} {fact['seconds']:8.2f} s {pace:8.3f} ns  {fact['status']:10} {shown}")
            if fact.get("judge", judge) != judge:
                print(f"       judged by {fact['judge']}")
    return report.read_bytes(), seconds


def main() -> int:
    """Audit; with ``--compare`` also compare the reports of both judges."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device_judge", description=__doc__)
    parser.add_argument("device", help="PLATFORM or PLATFORM:DEVICE, as in 'clmath audit opencl:...'")
    parser.add_argument("--functions", default=NAMES, help="comma-separated names (default: those of one argument)")
    parser.add_argument("--types", default="float", help="float,double")
    parser.add_argument("--inputs", default="exhaustive", help="random inputs: a number, or 2^34 (default: all)")
    parser.add_argument("--part", default="1/1", help="K/N, as for 'clmath audit'")
    parser.add_argument("--compare", action="store_true", help="have the host judge as well")
    parser.add_argument("--more", default="", help="further options of 'clmath audit'")
    options = parser.parse_args()
    print(json.dumps(machine.facts()))
    with tempfile.TemporaryDirectory() as folder:
        found, seconds = audited("device", options, Path(folder))
        print(f"device: {seconds:.1f} s in all")
        if not options.compare:
            return 0
        wanted, seconds = audited("host", options, Path(folder))
        print(f"host: {seconds:.1f} s in all; the reports are {'the same' if found == wanted else 'DIFFERENT'}")
        return int(found != wanted)


if __name__ == "__main__":
    sys.exit(main())
