"""The text of the programs that judge: one makes the arguments, one holds results against enclosures."""

from __future__ import annotations

from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.device_judge.lane_measure import measured, signals
from clmath.audit.device_judge.sweep import APART, PIECE, STEP
from clmath.audit.inputs import RUN
from clmath.audit.spread import BINS, shift
from clmath.engines.device import source
from clmath.engines.device.program import Tables
from clmath.engines.device.source import Source, printed
from clmath.engines.device.trace import trace

if TYPE_CHECKING:
    from clmath.audit.device_judge.asked import Asked
    from clmath.engines.device.program import Kind
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format

__all__ = ["POISON", "STRETCHES", "judging", "sweeping"]

STRETCHES = 512  # of the arguments of one row, at most
POISON = 0x5A5A5A5A  # a result before it is stored: 1.5e16


def sweeping(results: int) -> Source:
    """The program that writes encodings of floats and makes ``results`` buffers of results ready."""
    fill = {
        "results": ", ".join(f"GLOBAL Word *results{n}" for n in range(results)),
        "poisons": "\n    ".join(f"results{n}[INDEX] = {POISON:#x};" for n in range(results)),
        "piece_bits": PIECE.bit_length() - 1,
        "run_bits": RUN.bit_length() - 1,
        "step_bits": STEP.bit_length() - 1,
        "apart": APART,
        "last_run": f"{PIECE // RUN - 1:#x}",
        "last_of_run": f"{RUN - 1:#x}",
    }
    return Source("sweep", _template("sweep", fill), np.zeros(1))


def judging(asked: Asked) -> Source:
    """The program that judges the results of a row."""
    tables, kernel, form = Tables(), asked.kernel, asked.item.form
    types = [form.name] * len(asked.item.columns)
    fill = source.entry(kernel, types) | {
        "results": ", ".join(f"GLOBAL const Word *results{n}" for n in range(kernel.results))
        + "".join(f", GLOBAL Word *kept{n}" for n in range(kernel.results)),
        "kept": " ".join(f"kept{n}[place] = results{n}[i];" for n in range(kernel.results)),
        "measures": "\n        ".join(_measure(kernel, n) for n in range(kernel.results)),
    }
    functions = [
        source.reading(types, tables),
        source.enclosing_functions(kernel, tables),
        source.rounding_functions(kernel, form.name, tables),
        _measuring(asked, tables),
    ]
    text = "\n".join([*functions, _template("judge", fill | _stretches(len(types), form))])
    return Source("judge", text, tables.entries)


def _measuring(asked: Asked, tables: Tables) -> str:
    inputs: list[Kind] = ["double", "double", "double", "long", "long", "bool"]
    outputs: list[Kind] = ["bool", "bool", "bool", "long", "long", "long"]
    program = trace(measured, inputs, outputs, tables, asked.terms)
    return printed("signals", trace(signals, ["long"], ["bool"], tables)) + printed("measured", program)


def _measure(kernel: Kernel, n: int) -> str:
    """The block that measures the result numbered ``n``."""
    parts = ", ".join(source.parts_of(kernel, n))
    return _template("measure", {"n": n, "parts": parts, "refine": source.refining(kernel, n)}).strip()


def _stretches(arguments: int, form: Format) -> dict[str, Any]:
    """Where each argument lies, and whether its stretch has a larger error."""
    places = [f"best + {1 + n * STRETCHES} + stretch{n}" for n in range(arguments)]
    return {
        "stretches": "\n        ".join(
            f"const Word code{n} = ((GLOBAL const Word *)all_x{n})[i], stretch{n} = code{n} >> {shift(form)};"
            for n in range(arguments)
        ),
        "brings": "\n        ".join(
            f"signals((Long)code{n}, tables, &signal); brought |= signal;" for n in range(arguments)
        ),
        "unjudged": f"counts + {len(BINS)}",
        "uncounted": f"counts + {len(BINS) + 1}",
        "leads": " || ".join(f"most >= (Long)*({place})" for place in places),
        "raises": "\n            ".join(
            f"if (least > (Long)*({place})) RAISE({place}, (Word)least);" for place in places
        ),
    }


def _template(name: str, fill: dict[str, Any]) -> str:
    text = (Path(__file__).parent / "templates" / f"{name}.c").read_text(encoding="utf-8")
    return Template(text).substitute(fill)
