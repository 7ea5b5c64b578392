"""Evaluate limits and special values on single results, given exact values that a test knows."""

import numpy as np

from clmath.audit.acceptance.batch import Batch, accepted, codes_of
from clmath.audit.acceptance.criteria import Requirement, requirement
from clmath.audit.acceptance.findings import are_acceptable, numbers_of_reasons
from clmath.audit.acceptance.sets import contains, prescribed, spans_hold
from clmath.audit.plan.item import Item
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Enclosure, round_enclosure
from clmath.spec.builtins import builtin


def within(  # noqa: PLR0917 - facts of a call
    limit, args, exact, actual, form, mode="rte", *, flushing=False, zero_sign="judged"
):
    """Whether a limit allows each of the results ``actual``; ``exact``: an Enclosure, or an array of ints."""
    width = args[0].shape[-1] if args[0].ndim > 1 else 0
    item = Item(builtin("normalize" if width else "remquo" if len(args) == 2 else "sin"), form, width)
    values = tuple(column for a in args for column in np.moveaxis(a, -1, 0)) if width else tuple(args)
    sign = "open" if flushing and width else zero_sign
    need = Requirement(
        form, MODE_NUMBERS[mode], limit.clauses, limit.parameters, zero_sign=sign, flushes=flushing, width=width
    )
    due = round_enclosure(exact, form, mode)[0] if isinstance(exact, Enclosure) else exact
    (found,) = accepted(Batch(item, None, limit, values, tuple(args), (actual,), (exact,), (due,)), need)
    return found.surely


@np.errstate(all="ignore")
def allowed_by(special_value, args, results, form):
    """Whether ``special_value`` allows each of ``results``; it must apply to all ``args``."""
    vectors = args[0].ndim > 1
    given = args if vectors else [a.astype(np.float64) for a in args]
    need = Requirement(form, MODE_NUMBERS["rte"], (), tuple(p.name for p in builtin(special_value.name).inputs))
    found = []
    for k, result in enumerate(results):
        is_integer, codes = result.dtype.kind == "i", codes_of(result, form)
        special_values = list(
            prescribed(given, [special_value], need, k, np.zeros(result.shape), is_integer=is_integer)
        )
        one = np.ones(result.shape, np.bool_)
        for p in special_values:
            one &= spans_hold(p.results, codes) if is_integer else contains(p.results, codes, form)
        found.append(one)
    return tuple(found)


def numbers_of(batch, *, flushing=False):
    """Return the number of each result's reason for failure, 0 if it is acceptable; an array for each result."""
    need = requirement(batch.item, batch.criteria, flushing=flushing)
    return numbers_of_reasons(batch, need, [~one.surely for one in accepted(batch, need)])


def are_waived(batch, *, any_zero=False):
    """Whether a flushing target may return the results of each call, with flushed arguments or not."""
    return are_acceptable(batch, requirement(batch.item, batch.criteria, flushing=True), any_zero=any_zero)
