"""Audits of clmath's functions with an injected fault, which changes their results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath

if TYPE_CHECKING:
    from collections.abc import Callable

MAY_BE_DEFAULT = [  # a rounding mode, a type, a profile, and whether it may be the default mode: 4.1, and cl_khr_fp16
    ("rtz", "float", "embedded", True),
    ("rtz", "half", "full", True),
    ("rtz", "float", "full", False),
    ("rtz", "double", "embedded", False),
    ("rtp", "float", "embedded", False),
    ("rtn", "half", "full", False),
]


def unchanged(result, *_):
    """Return the result without a fault."""
    return result


@dataclass(frozen=True)
class Faulty(Clmath):
    """clmath with a fault: the results of the built-in ``wrong``, by default of any, are ``change(result, *args)``.

    ``on_vectors``: whether calls on scalars are correct. ``claims``, ``flushing``, ``options``: the declared mode, the
    names of flushed formats, and build options.
    """

    change: Callable[..., object] = unchanged
    wrong: str = ""
    on_vectors: bool = False
    claims: str = "rte"
    flushing: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    name = "faulty"

    def flushes(self, form):
        return form.name in self.flushing

    def mode(self, form):  # noqa: ARG002 - the protocol's signature
        return self.claims

    def build_options(self):
        return self.options

    def evaluate(self, row, form, args):
        with np.errstate(all="ignore"), clmath.select_rounding_mode(self.claims):
            result, *reported = super().evaluate(row, form, args)
            if self.wrong not in {"", row.name} or (self.on_vectors and result.ndim == 1):
                return (result, *reported)
            changed = np.asarray(self.change(result, *args))
            return (np.array(np.broadcast_to(changed, result.shape)).astype(result.dtype), *reported)


def verdicts(target, functions, types, **options):
    """Return the verdicts of an audit without local search, in this process."""
    options = {"inputs": 500, "jobs": 1, "local_search": False} | options
    return list(audit(Plan.of(functions, types, **options), target))
