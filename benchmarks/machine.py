"""Facts of the machine and versions of the packages that a benchmark ran with."""

from __future__ import annotations

import datetime as dt
import os
import platform
from importlib import metadata
from pathlib import Path

__all__ = ["facts"]

PACKAGES = ("clmath", "numpy", "gmpy2", "mpmath", "scipy", "gfloat")


def facts() -> dict[str, str]:
    """Return date, processor, load, system and versions as texts."""
    return {
        "date": dt.datetime.now(dt.UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "processor": f"{_processor()}, {os.cpu_count()} cores, {platform.machine()}",
        "load": _load(),
        "system": f"{platform.system()}, {platform.python_implementation()} {platform.python_version()}",
        "versions": ", ".join(f"{p} {v}" for p in PACKAGES if (v := _version(p))) + _mpfr(),
    }


def _processor() -> str:
    """Return the name of the processor's model, and its numbers if they are known."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    known = {k.strip(): v.strip() for k, _, v in (line.partition(":") for line in lines)}
    numbers = [f"{word} {known[key]}" for word, key in (("family", "cpu family"), ("model", "model")) if key in known]
    return " ".join([known.get("model name", platform.processor() or "unknown"), f"({', '.join(numbers)})"])


def _load() -> str:
    """Return the number of processes that wanted a core in the minute before this run."""
    return f"{os.getloadavg()[0]:.1f} processes in the minute before" if hasattr(os, "getloadavg") else "unknown"


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _mpfr() -> str:
    try:
        import gmpy2
    except ImportError:
        return ""
    return f", {gmpy2.mpfr_version()}"
