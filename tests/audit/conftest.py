"""Targets for tests of the audit: correctly rounded exact results, unchanged or with an injected fault."""
# ruff: noqa: ARG001, ARG002 - the signatures are the protocol's

from __future__ import annotations

import functools
import importlib.util
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.audit.acceptance.findings import conclude
from clmath.audit.inputs import structured
from clmath.audit.inputs.random import random_columns
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.plan import CHAPTERS, Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import Enclosure, round_enclosure
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item

Change = Callable[..., tuple[np.ndarray, ...]]
IN_STEPS = {"cross", "dot", "mad", "mix", "smoothstep"}  # formulas, each of whose operations clmath rounds


def unchanged(row, form, args, results):
    return results


@dataclass(frozen=True)
class Truthful:
    """Correct results in ``rounding`` (default: the declared mode), passed through ``change``."""

    change: Change = unchanged
    claims: str = "rte"
    rounding: str | None = None
    flushing: bool = False
    name: str = "truthful"
    options: tuple[str, ...] = ()

    def describe(self):
        return {"name": self.name}

    def formats(self):
        return FORMATS

    def defines(self, row, form):
        return form in row.formats

    def flushes(self, form):
        return self.flushing

    def mode(self, form):
        return self.claims

    def build_options(self):
        return self.options

    def evaluate(self, row, form, args):
        return self.change(row, form, args, rounded(row, form, args, self.rounding or self.claims))


@functools.lru_cache(maxsize=64)
def enclosed(name, form, *columns):
    """Return the exact values for columns of arguments; cached, because several targets need the same values."""
    return reference.enclose(name, tuple(np.frombuffer(column, dtype) for column, dtype in columns), form)


def rounded(row, form, args, mode):
    """Return the exact results, rounded: clmath's own, except for formulas that it computes in rounded steps.

    They take a fraction of the reference's time.
    """
    if row.name in IN_STEPS:
        return by_reference(row, form, args, mode)
    own = getattr(clmath, row.called)
    found = own(*args, **({"rounding": mode} if "rounding" in inspect.signature(own).parameters else {}))
    return found if isinstance(found, tuple) else (found,)


def by_reference(row, form, args, mode):
    """Return the exact results by the reference, rounded."""
    width = args[0].shape[-1] if row.widths else 0
    columns = tuple(np.ascontiguousarray(a[:, i]) for a in args for i in range(width)) if width else args
    known = enclosed(row.name, form, *((column.tobytes(), column.dtype.str) for column in columns))
    values = [round_enclosure(v, form, mode)[0] if isinstance(v, Enclosure) else v.copy() for v in known]
    results = []
    for output in row.outputs:
        taken = width if width and output.type == "gentype" else 1
        results.append(np.stack(values[:taken], -1) if width and output.type == "gentype" else values[0])
        values = values[taken:]
    return tuple(results)


@pytest.fixture(scope="session")
def truthful():
    return Truthful


@pytest.fixture(scope="session")
def evaluate():
    return rounded


@pytest.fixture(scope="session")
def refer():
    return by_reference


class EndedError(Exception):
    """Exception that ends an audit once it has shown the wanted failure; the argument is the verdict so far."""


@pytest.fixture(scope="session")
def until():
    """Return ``until(shows, plan, target, done)``: audit one case until ``shows(verdict)``, and return the verdict.

    For faults: no later result can undo a failure.
    """

    def ended(shows, plan, target, done=()):
        def look(begun):
            if begun.tally.failed:
                verdict = conclude(begun.item, criteria_of(begun.item, plan, target), begun.tally)
                if shows(verdict):
                    raise EndedError(verdict)

        try:
            (verdict,) = audit(plan, target, done=done, on_begun=look)
        except EndedError as early:
            (verdict,) = early.args
        return verdict

    return ended


def every_item():
    names = [row.name for row in builtins().values() if row.chapter in CHAPTERS]
    return Plan.of(names).items()


@pytest.fixture(scope="session")
def items():
    return every_item()


@functools.cache
def parts_of(item: Item) -> tuple[tuple[np.ndarray, ...], ...]:
    """Return all special values of an item, and some of its other structured inputs."""
    fixed = structured.structured(item)
    step = max(len(fixed[0]) // 200, 1)
    return structured.parts(item)["special_values"], tuple(f[::step].copy() for f in fixed)


@pytest.fixture(scope="session")
def contexts():
    """Open each context of devices once, because PoCL loads linked libraries again for each context."""
    from clmath.audit.opencl import devices

    opened = functools.cache(devices.pyopencl().Context)
    return lambda wanted: opened(tuple(wanted))


@pytest.fixture(scope="session")
def newest():
    """Return the newest language of a device; cached, because finding it compiles a program."""
    from clmath.audit.opencl import abilities

    return functools.cache(abilities.newest)


@pytest.fixture(scope="module", autouse=True)
def _opened_once(request):
    if importlib.util.find_spec("pyopencl") is None:
        yield
        return
    from clmath.audit.opencl import devices, opencl_target

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(devices.pyopencl(), "Context", request.getfixturevalue("contexts"))
        patch.setattr(opencl_target, "newest", request.getfixturevalue("newest"))
        yield


@pytest.fixture(scope="session")
def sample():
    """Return a few hundred inputs of an item: all special values, some structured inputs, some random ones."""

    def draw(item: Item, count: int = 96) -> tuple[np.ndarray, ...]:
        special_values, fixed = parts_of(item)
        random = random_columns(np.random.default_rng(1), item, count)
        return tuple(np.concatenate(column) for column in zip(special_values, fixed, random, strict=True))

    return draw
