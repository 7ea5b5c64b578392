"""Test methods that should find a faulty built-in, each at its default size."""

from __future__ import annotations

import functools
import warnings
from typing import TYPE_CHECKING, Any

import hypothesis as hy
import numpy as np

import clmath
from benchmarks.detection.faults import Faulty, tuple_of
from clmath.audit.inputs import layout
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.errors import UnknownNameError
from clmath.testing import conformance_test, strategies
from clmath.testing.aliases import CONVERSION
from clmath.testing.terms import NothingAskedError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.detection.faults import Fault
    from clmath.audit.plan.item import Item

__all__ = ["DOORS", "DRAWN"]

DRAWN = 100  # examples: Hypothesis' default


def by_audit(fault: Fault, seed: int) -> bool:
    """Whether an audit of the built-in fails, on vectors if the fault is in a component."""
    item = fault.item
    plan = Plan.of([item.builtin], [item.form], jobs=1, seed=seed, widths=(item.vector,))
    others = [one for one in plan.items() if one != item]
    return any(verdict.status == "fail" for verdict in audit(plan, Faulty(fault), done=others))


def by_test(fault: Fault, _: int) -> bool | None:
    """Whether ``conformance_test`` fails, or None if it does not apply."""
    if not _is_asked(fault.item):
        return None
    try:
        test = conformance_test(_function(fault), fault.item.builtin.name, types=[fault.item.form.name])
    except (NothingAskedError, UnknownNameError):  # it takes no bfloat16
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            test()
    except AssertionError:
        return True
    return False


def by_strategies(fault: Fault, seed: int) -> bool | None:
    """Whether a call that the strategies generate gets a wrong result, or None if they do not apply."""
    if not _is_asked(fault.item):
        return None
    right, faulty = getattr(clmath, fault.item.builtin.name), _function(fault)
    with np.errstate(all="ignore"):
        return any(_differ(right(*args), faulty(*args)) for args in _examples(fault.item, seed))


def _is_asked(item: Item) -> bool:
    """Whether the test kit tests the item: no load or store, no vector of a scalar built-in, no further signature."""
    name = item.builtin.name
    return item.vector == 1 and item.builtin.chapter != "memory" and item.builtin.called == name


def _examples(item: Item, seed: int) -> list[tuple[Any, ...]]:
    target = CONVERSION.fullmatch(item.builtin.name)
    if target and item.builtin.chapter == "conversions":
        strategy = strategies.conversions(item.form.name, target["type"]).map(lambda x: (x,))
    else:
        strategy = strategies.arguments(item.builtin.name, item.form.name)
    generated: list[tuple[Any, ...]] = []

    @hy.seed(seed)
    @hy.settings(max_examples=DRAWN, database=None, deadline=None, suppress_health_check=list(hy.HealthCheck))
    @hy.given(strategy)
    def generate(args: tuple[Any, ...]) -> None:
        generated.append(tuple(np.asarray(a)[np.newaxis] for a in args))

    generate()
    return generated


def _function(fault: Fault) -> Callable[..., Any]:
    """Return the faulty function as the test kit calls it; results of other types and widths are right."""
    right, wanted = getattr(clmath, fault.item.builtin.name), _shapes(fault.item)

    def function(*args: Any) -> Any:
        arrays = tuple(np.asarray(a) for a in args)
        if tuple((a.dtype, a.shape[1:]) for a in arrays) != wanted:
            return right(*args)
        found = tuple_of(fault.results(right, arrays))
        return found if len(found) > 1 else found[0]

    return function


@functools.cache
def _shapes(item: Item) -> tuple[tuple[Any, tuple[int, ...]], ...]:
    arrays = layout.arguments(item, tuple(np.zeros(1, t) for t in layout.dtypes(item)))
    return tuple((a.dtype, a.shape[1:]) for a in arrays)


def _differ(one: Any, other: Any) -> bool:
    """Whether the first results differ in bits; all NaNs are equal."""
    a, b = (np.ascontiguousarray(tuple_of(r)[0]) for r in (one, other))
    same = a.view(f"u{a.itemsize}") == b.view(f"u{b.itemsize}")
    return not bool(np.all(same | ((a != a) & (b != b))))


DOORS: Mapping[str, Callable[[Fault, int], bool | None]] = {
    "audit": by_audit,
    "conformance_test": by_test,
    "strategies": by_strategies,
}
