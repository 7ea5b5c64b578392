"""Run a test on a table of cases in a loop; a failure names the case."""

from __future__ import annotations

import functools
import inspect

import pytest

SHOWN = 5  # failing cases whose tracebacks are shown


def for_each(names, values):
    """Return a decorator that runs a test for all ``values`` of the parameters ``names``, as one test.

    Takes the names and values of ``pytest.mark.parametrize``; stacked decorators give the product. Cases share the
    test's fixtures, except that each has a ``monkeypatch`` context and a ``tmp_path`` of its own.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    table = [_case(names, value) for value in values]
    if not table:
        raise ValueError(f"for_each({names}): there are no cases, so that the test could not fail")

    def decorated(test):
        previous = getattr(test, "cases", None)
        cases = (
            table
            if previous is None
            else [(f"{a}, {b}", x | y, why or also) for a, x, why in table for b, y, also in previous]
        )
        inner = test if previous is None else test.__wrapped__

        @functools.wraps(test)
        def looped(*args, **fixtures):
            _run_all(inner, cases, args, fixtures)

        looped.cases, looped.__wrapped__ = cases, inner
        signature = inspect.signature(inner)
        given = {name for _, case, _ in cases for name in case}
        kept = [parameter for name, parameter in signature.parameters.items() if name not in given]
        looped.__signature__ = signature.replace(parameters=kept)
        return looped

    return decorated


def some(values, count):
    """Return ``count`` evenly spaced values with the first and the last, or all values if there are fewer."""
    values = list(values)
    if count >= len(values):
        return values
    return [values[round(place * (len(values) - 1) / max(1, count - 1))] for place in range(count)]


def _case(names, value):
    """Return the label of a case, its arguments by name, and the reason to skip it or None."""
    param = value if _is_param(value) else pytest.param(*(value if len(names) > 1 else (value,)))
    case = dict(zip(names, param.values, strict=True))
    label = param.id or ", ".join(f"{name}={_short(known)}" for name, known in case.items())
    why = next((mark.kwargs["reason"] for mark in param.marks if mark.name == "skipif" and mark.args[0]), None)
    return label, case, why


def _is_param(value):
    return type(value).__name__ == "ParameterSet"


def _short(value):
    text = getattr(value, "__name__", None) or repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _run_all(test, cases, args, fixtures):
    failed, skipped = [], []
    for number, (label, case, why_not) in enumerate(cases):
        try:
            if why_not:
                pytest.skip(why_not)
            _run(test, number, args, fixtures | case)
        except pytest.skip.Exception as why:
            skipped.append(why)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - raised below
            error.add_note(f"case: {label}")
            failed.append(error)
    if len(failed) == 1:
        raise failed[0]
    if failed:
        raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases fail; the first {SHOWN}", failed[:SHOWN])
    if skipped and len(skipped) == len(cases):
        raise skipped[0]


def _run(test, number, args, given):
    if "tmp_path" in given:
        given = given | {"tmp_path": given["tmp_path"] / str(number)}
        given["tmp_path"].mkdir()
    if "monkeypatch" in given:
        with given["monkeypatch"].context() as patch:
            test(*args, **given | {"monkeypatch": patch})
    else:
        test(*args, **given)
