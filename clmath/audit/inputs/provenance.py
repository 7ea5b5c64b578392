"""Facts that determine inputs and verdicts, apart from the target: versions, the plan, and the digests of tables."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterator

import numpy as np

import clmath
from clmath.audit.inputs import hard, row_inputs
from clmath.audit.plan.plan import Plan
from clmath.spec import editions, files

TABLES = ("builtins.toml", "families.toml", hard.TABLE)  # in addition to the tables of every edition


def made_by(plan: Plan) -> dict[str, dict[str, object]]:
    """Return, for a report, all that determines inputs and verdicts apart from the target."""
    return {
        "versions": _versions(),
        "plan": {
            "functions": list(dict.fromkeys(row.name for row in plan.functions)),
            "types": [form.name for form in plan.formats],
            "widths": list(plan.widths),
            "edition": plan.edition,
            "profile": plan.profile,
            "inputs": plan.inputs,
            **({"part": "{}/{}".format(*plan.part)} if plan.has_parts else {}),
            "seed": plan.seed,
            "oracle": plan.oracle,
            **({} if plan.local_search else {"second look": False}),
        },
        "tables": {name: files.digest(name) for name in _tables(plan)},
    }


def _tables(plan: Plan) -> Iterator[str]:
    """Yield the tables that verdicts and inputs depend on, of all editions, since each row is judged by all."""
    yield from TABLES
    judging = dict.fromkeys((plan.edition, *editions.known()))
    yield from dict.fromkeys(name for edition in judging for name in editions.tables(edition))


def _versions() -> dict[str, object]:
    import gmpy2

    return {
        "clmath": clmath.__version__,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "gmpy2": gmpy2.version(),
        "mpfr": gmpy2.mpfr_version(),
        "mpmath": importlib.metadata.version("mpmath"),
        "platform": platform.platform(),
        "inputs": str(row_inputs.VERSION),
    }
