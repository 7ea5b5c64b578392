"""Implement the fixtures of the pytest plugin, and the table of worst errors that pytest prints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pytest

from clmath import errors
from clmath.audit.counting.tally import ulps_text
from clmath.functions.accuracy import limit, ulp_error
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_named, format_of
from clmath.spec.builtins import builtin, builtins
from clmath.testing.assertions import assert_ulp
from clmath.testing.conformance import conformance_test
from clmath.testing.terms import NothingAskedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.callables import AnyFunction

Cell: TypeAlias = "tuple[str, str]"
Row: TypeAlias = "list[str | float]"
"""Built-in, type, worst error in ulp, limit: what JSON and pytest-xdist can carry."""


@dataclass(frozen=True)
class UlpRecorder:
    """The fixture ``ulp``: measures results and remembers the worst error of each built-in and type for the summary."""

    record: Callable[[Row], None]

    def __call__(
        self, actual: object, name_or_exact: object, args: tuple[object, ...] = (), *, limit: float | None = None
    ) -> NDArray[np.float64]:
        """Return the errors of ``actual`` as ``clmath.ulp_error`` does; AssertionError if one exceeds ``limit``."""
        __tracebackhide__ = True
        found = ulp_error(actual, name_or_exact, args)
        name = name_or_exact if isinstance(name_or_exact, str) else "result"
        form = _form(actual)
        if found.size:
            worst = found.flat[int(np.argmax(np.abs(found)))]
            self.record([name, form, float(worst), "" if limit is None else f"{limit} ulp"])
        if limit is not None:
            assert_ulp(actual, name_or_exact, args, limit=limit)
        return found


@dataclass(frozen=True)
class Conformance:
    """The fixture ``conformance``: a built-in and a type, for which an implementation is tested."""

    name: str
    type: str
    record: Callable[[Row], None]

    def __call__(self, function: AnyFunction, **options: Any) -> None:
        """Run ``clmath.testing.conformance_test`` of ``function`` with its keywords; the worst error is recorded.

        Skipped, with the reason, where the specification sets no limit to errors, as for ``native_sin``.
        """
        __tracebackhide__ = True
        try:
            test = conformance_test(function, self.name, types=[SCALARS[self.type]], **options)
        except NothingAskedError as error:
            pytest.skip(str(error))
        try:
            test()
        finally:
            found = test.tested.worst  # type: ignore[attr-defined]
            if found:
                self.record([self.name, self.type, *max(found.values(), key=lambda worst: abs(worst[0]))])


def chosen(names: Sequence[str], types: Sequence[str]) -> list[Cell]:
    """Return the built-ins and types of the tests: by default the whole math chapter, and all types.

    UnknownNameError for an unknown name or type, and if the built-ins have none of the types.
    """
    call = "conformance"
    rows = [builtin(n, call) for n in names] or [r for r in builtins().values() if r.chapter == "math"]
    forms = [format_named(t, call) for t in types]
    cells = [(r.name, f.name) for r in rows for f in r.formats if not forms or f in forms]
    if not cells:
        raise errors.UnknownNameError(f"{call}: none of {', '.join(names)} is defined for {', '.join(types)}")
    return cells


def table(rows: Sequence[tuple[str, str, str, float, str]]) -> list[str]:
    """Return the lines of the summary from (test, built-in, type, error, limit): the worst first, one for each test."""
    worst: dict[tuple[str, ...], tuple[float, str]] = {}
    for test, name, type, error, allowed in rows:
        key = (name, type, test)
        if key not in worst or abs(error) > abs(worst[key][0]):
            worst[key] = (error, allowed)
    order = sorted(worst.items(), key=lambda item: (-abs(item[1][0]), item[0]))
    cells = [("built-in", "type", "worst error", "limit", "test")]
    cells += [(n, t, ulps_text(e), a or _allowed(n, t), test) for (n, t, test), (e, a) in order]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]


def _allowed(name: str, type: str) -> str:
    """Return the limit of the full profile, if there is one."""
    known = name in builtins() and type in [f.name for f in builtins()[name].formats]
    return limit(name, SCALARS[type]).text if known else ""


def _form(actual: object) -> str:
    first = actual[0] if isinstance(actual, tuple) else actual
    form = format_of(np.dtype(getattr(first, "dtype", np.float64)))
    return form.name if form else "double"
