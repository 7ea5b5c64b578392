"""Conversions of random bit patterns in every mode, compared with NumPy's astype and with gfloat."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

import clmath
from benchmarks.contest import Contestant, contest, faster
from benchmarks.contestants import optional
from benchmarks.sections import Section
from clmath.numbers.formats import FORMATS, Format
from clmath.numbers.rounding import MODES, round_real

if TYPE_CHECKING:
    from benchmarks.contest import Truth
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.rounding import Rounding

__all__ = ["SECTION"]

FORMS = {f.name: f for f in FORMATS}
DTYPES = {"uchar": "u1", "int": "i4", "long": "i8", "ulong": "u8"} | {f.name: f.dtype.str for f in FORMATS}
PAIRS = (
    ("double", "half"),
    ("float", "half"),
    ("long", "half"),
    ("double", "float"),
    ("int", "float"),
    ("long", "float"),
    ("ulong", "float"),
    ("long", "double"),
    ("half", "float"),
    ("float", "uchar"),
    ("double", "int"),
    ("double", "long"),
)
# targets in ns per element, for 10^6 elements on one core
TARGETS = {("double", "half"): "15", ("double", "float"): "6 directed", ("long", "float"): "10 directed"}
GFLOAT_FORMATS = {"half": "format_info_binary16", "float": "format_info_binary32"}
GFLOAT_MODES = {"rte": "TiesToEven", "rtz": "TowardZero", "rtp": "TowardPositive", "rtn": "TowardNegative"}
JUDGED = 2000  # few, since the exact values are rounded one at a time in Python


def _encodings(source: str, lanes: int) -> np.ndarray:
    """Return random bit patterns of a type."""
    dtype = np.dtype(DTYPES[source])
    bits = np.random.default_rng(1).integers(0, 1 << 8 * dtype.itemsize, lanes, f"u{dtype.itemsize}")
    return bits.view(dtype)


def _truth(values: np.ndarray, form: Format) -> Truth:
    def truth(mode: Rounding, lanes: int) -> np.ndarray:
        return np.array([round_real(x, form, mode) for x in values[:lanes].tolist()], form.dtype)

    return truth


def _ours(values: np.ndarray, target: str, mode: Rounding) -> Contestant:
    run = functools.partial(clmath.convert, values, target, rounding=mode)
    return Contestant(run, len(values), mode=mode if target in FORMS else None)


def _by_astype(values: np.ndarray, target: str) -> Contestant:
    run = functools.partial(values.astype, DTYPES[target])
    return Contestant(run, len(values), mode="rte" if target in FORMS else None)


def _by_gfloat(values: np.ndarray, target: str, mode: Rounding) -> Contestant | None:
    """Return gfloat's rounding to half or float, whose results stay in double, or None if it does not apply."""
    gfloat, formats = optional("gfloat"), optional("gfloat.formats")
    if gfloat is None or target not in GFLOAT_FORMATS or values.dtype.kind != "f":
        return None
    info, direction = getattr(formats, GFLOAT_FORMATS[target]), gfloat.RoundMode[GFLOAT_MODES[mode]]
    wide = values.astype(np.float64)
    run = functools.partial(gfloat.round_ndarray, info, wide, direction)
    return Contestant(run, len(values), lambda results: results.astype(DTYPES[target]), mode)


def _row(source: str, target: str, options: Options) -> Row:
    with np.errstate(invalid="ignore"):
        values = _encodings(source, options.lanes)
        contestants: dict[str, Contestant | None] = {m: _ours(values, target, m) for m in MODES}
        contestants["astype"] = _by_astype(values, target)
        contestants |= {f"gfloat {m}": _by_gfloat(values, target, m) for m in ("rte", "rtz")}
        truth = _truth(values, FORMS.get(target, FORMATS[0]))
        found = contest(contestants, truth, min(options.judged, JUDGED), options.runs)
    return {
        "conversion": f"{source} to {target}",
        **found,
        "target": TARGETS.get((source, target)),
        "rte : astype": faster(found["rte"], found["astype"]),
    }


def _jobs(options: Options) -> list[Job]:
    names = [f.name for f in options.forms]
    return [
        functools.partial(_row, source, target, options)
        for source, target in PAIRS
        if "bits" in options.inputs and (source in names or target in names)
    ]


SECTION = Section(
    "conversions",
    "Conversions of random bit patterns: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    ("conversion", *MODES, "target", "astype", "gfloat rte", "gfloat rtz", "rte : astype"),
    _jobs,
)
