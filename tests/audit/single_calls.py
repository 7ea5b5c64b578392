"""Judge single calls, written as numbers: which results are wrong, right or unspecified."""

from __future__ import annotations

import numpy as np

from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.audit.inputs.layout import dtypes
from clmath.audit.judge.piece import fails, judge
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import item_named

FULL = Criteria("full", "rte", flushes=False)
BITS = ExactCriteria("full", "rte", flushes=False)


def column(value, dtype):
    """Return a number, or a list of numbers, as an array; a NumPy number of the type keeps its bits."""
    if isinstance(value, np.generic) and value.dtype == dtype:
        return np.array([value])
    with np.errstate(all="ignore"):
        return np.atleast_1d(np.array(value)).astype(dtype)


def item_of_call(name, type, args):
    """Return the case of a call; vectors are lists, or the numbers of their components one after the other."""
    if args and isinstance(args[0], list):
        return item_named(name, str(type), len(args[0]))
    item = item_named(name, str(type))
    is_vector = item.builtin.widths and not isinstance(item, ExactItem)
    return item_named(name, str(type), len(args) // len(item.builtin.inputs)) if is_vector else item


def tally(name, type, args, results, criteria=None):
    """Return the judge's tally of equal calls with these results; several results of one call are a tuple."""
    item = item_of_call(name, type, args)
    numbers = [n for a in args for n in (a if isinstance(a, list) else [a])] or [0]  # a macro has a column, too
    values = [column(n, t) for n, t in zip(numbers, dtypes(item), strict=True)]
    rows = [r if isinstance(r, tuple) else (r,) for r in results]
    given = tuple(
        np.concatenate([column(row[k], t).reshape(shape) for row in rows])
        for k, (t, shape) in enumerate(item.layout(1))
    )
    calls = item, tuple(np.repeat(v, len(rows)) for v in values), given
    if isinstance(item, ExactItem):
        return judge(*calls, criteria or BITS)
    found = judge(*calls, criteria or FULL)
    assert fails(*calls, criteria or FULL) == bool(found.failed)
    return found


def outcome(name, type, args, result, criteria=None):
    """Return the outcome of one call: "wrong", "unspecified" or "right"."""
    found = tally(name, type, args, [result], criteria)
    return "wrong" if found.failed else "unspecified" if found.unjudged else "right"


def check(name, type, args, criteria=None, *, wrong=(), right=(), unspecified=()):
    """Assert that wrong results fail, that right ones pass, and that unspecified ones are not judged."""
    for results, due in ((wrong, (1, 1)), (right, (0, None)), (unspecified, (0, 0))):
        if not _is_as_due((name, type, args), results, criteria, due):
            amiss = [r for r in results if not _is_as_due((name, type, args), [r], criteria, due)]
            raise AssertionError(f"{name} {type} {args}: {amiss or results}, judged {'alone' if amiss else 'together'}")


def _is_as_due(call, results, criteria, due):
    """Whether the numbers of failing and of judged results are ``due`` (per result; None for any number)."""
    found = tally(*call, results, criteria) if results else None
    return found is None or all(
        count is None or seen == count * len(results)
        for seen, count in zip((found.failed, found.judged), due, strict=True)
    )
