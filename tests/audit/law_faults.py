"""Plants faults in both laws of judging, one at a time, and counts those that the cases and the rows here notice.

``python -m tests.audit.law_faults [MODULE ...]`` plants all of them, in the order of the text, and lists what stays
unnoticed. A fault is a condition left out, turned round or moved by one, a branch never taken, a number changed.
"""

from __future__ import annotations

import ast
import copy
import importlib
import inspect
import signal
import sys
import textwrap
from types import FunctionType
from typing import TYPE_CHECKING

import numpy as np

from clmath import ladder
from clmath.audit.counting.spread import BINS
from clmath.audit.device_judge.flushed import flushed_results
from clmath.audit.inputs import numbered
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.screen import screened
from clmath.audit.law import batch as batches
from clmath.audit.law import conformity
from clmath.audit.law.batch import Batch, Call
from clmath.audit.law.deviation import steps
from clmath.audit.law.findings import findings
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.audit.both_laws import CASES, FULL, RELAXED, by_exact_values, device_says, in_lanes, without

if TYPE_CHECKING:
    from collections.abc import Iterator

IN_LANES = ("lane_measure", "lane_limits", "lane_errors", "lane_flushing", "lane_missing")
BY_EXACT_VALUES = ("conformity", "prescribed", "flushing", "batch", "findings")
MODULES = (
    *(f"clmath.audit.lanes.{name}" for name in IN_LANES),
    *(f"clmath.audit.law.{name}" for name in BY_EXACT_VALUES),
)
FLUSHING, DIRECTED = without(FULL, flushes=True), without(FULL, mode="rtz")
ROWS = (
    ("exp", FLOAT, FULL), ("exp", DOUBLE, FULL), ("pow", FLOAT, FULL), ("atan2", DOUBLE, FULL), ("tanpi", FLOAT, FULL),
    ("tgamma", HALF, FULL), ("hypot", FLOAT, DIRECTED), ("pow", FLOAT, RELAXED), ("ilogb", FLOAT, FULL),
    ("exp2", FLOAT, FLUSHING), ("fma", DOUBLE, FULL), ("lgamma_r", FLOAT, FULL), ("sub", HALF, FULL),
    ("lgamma", DOUBLE, FULL), ("half_sin", FLOAT, FULL), ("native_log", FLOAT, FULL), ("atan2", FLOAT, RELAXED),
    ("powr", FLOAT, FULL), ("sinpi", FLOAT, RELAXED), ("degrees", FLOAT, DIRECTED), ("degrees", DOUBLE, DIRECTED),
    ("exp", DOUBLE, DIRECTED), ("tgamma", DOUBLE, FULL), ("mad", HALF, FULL), ("mad", DOUBLE, FULL),
    ("rootn", HALF, FULL),
)  # fmt: skip
SECONDS = 60  # that a look may take


def faults_of(tree: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """(what is done, the whole text with one fault), for every place of a function."""
    for place, node in enumerate(ast.walk(tree)):
        for told, change in changes(node):
            whole = copy.deepcopy(tree)
            change(next(found for k, found in enumerate(ast.walk(whole)) if k == place))
            yield f"line {getattr(node, 'lineno', 0)}: {told}", whole


def changes(node):
    """(what it is, what makes it) of every fault at one place."""
    turned = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right) if not is_number(left, right):
            for side, part in (("right", left), ("left", right)):
                yield f"{side} side of '{ast.unparse(node)}' left out", lambda n, part=part: become(n, part)
        case ast.Compare(ops=[op]) if type(op) in turned:
            yield f"'{ast.unparse(node)}' turned", lambda n: setattr(n, "ops", [turned[type(n.ops[0])]()])
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
            yield f"'{ast.unparse(node)}' not negated", lambda n: become(n, operand)
        case ast.Call(func=ast.Name(id="select"), args=[_, yes, no]):
            yield f"always {ast.unparse(no)}", lambda n: become(n, no)
            yield f"always {ast.unparse(yes)}", lambda n: become(n, yes)
        case ast.IfExp(body=body, orelse=other):
            yield f"always {ast.unparse(other)}", lambda n: become(n, other)
            yield f"always {ast.unparse(body)}", lambda n: become(n, body)


def is_number(*sides):
    """Whether bits are looked at, not conditions."""
    names = ("magnitude", "MAGNITUDE", "ENDS", "FRACTION", "LOW_BITS", "sign")
    return any(isinstance(s, ast.Constant) or ast.unparse(s).split(".")[-1] in names for s in sides)


def become(node, other):
    """Make one node of a tree another."""
    node.__class__, node.__dict__ = other.__class__, copy.deepcopy(other).__dict__


def functions_of(module):
    """The functions of a module, and the methods of its classes."""
    for value in vars(module).values():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__:
            yield inspect.unwrap(value)
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            yield from methods_of(value)


def methods_of(cls):
    """Those of one class that its text has."""
    for value in vars(cls).values():
        inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if isinstance(inner, FunctionType) and inner.__code__.co_filename == sys.modules[cls.__module__].__file__:
            yield inner


def planted(function):
    """(what was planted, the code with it) for every fault in a function."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    tree.body[0].decorator_list = []
    for told, whole in faults_of(tree):
        code = compile(ast.fix_missing_locations(whole), function.__code__.co_filename, "exec")
        (found,) = (c for c in code.co_consts if getattr(c, "co_name", "") == function.__name__)
        if found.co_freevars == function.__code__.co_freevars:
            yield f"{function.__module__}.{function.__qualname__}, {told} (from {first})", found


class Look:
    """What the two laws say of all cases, and of rows with results of every kind; exact values are found once."""

    def __init__(self):
        self._truths, self._find = {}, batches.truths
        self._rows = [spoiled(*row) for row in ROWS]
        self._left = [len(left_open(*row)) for row in self._rows]

    def truths(self, item, values, *rest):
        """Those of a batch, remembered."""
        key = (item, *(v.tobytes() for v in values), rest[0])
        if key not in self._truths:
            self._truths[key] = self._find(item, values, *rest)
        return self._truths[key]

    def notices(self):
        """Whether anything is wrong."""
        flushed_results.cache_clear()
        batches.truths = self.truths
        signal.alarm(SECONDS)
        try:
            if any(self._is_off(case) for case in CASES):
                return True
            if any(len(left_open(*row)) > known for row, known in zip(self._rows, self._left, strict=True)):
                return True
            return any(differs(*row) or differs_on_a_device(*row) for row in self._rows)
        except Exception:  # noqa: BLE001 - whatever a fault makes of a law
            return True
        finally:
            signal.alarm(0)
            batches.truths = self._find

    def _is_off(self, case):
        return by_exact_values(case) != case.said or in_lanes(case) != case.by_lanes


def spoiled(name, form, law):
    """Calls of a row, results right and wrong in many ways."""
    item = Item(builtin(name), form)
    fixed = structured(item)
    drawn = numbered.drawn(item, 0, np.arange(150))
    values = tuple(np.concatenate([a[:: max(len(a) // 150, 1)], b]) for a, b in zip(fixed, drawn, strict=True))
    truths = Batch.of(item, values, tuple(values[:1]) * len(item.builtin.outputs), law).truth
    rng = np.random.default_rng(3)
    return item, law, values, tuple(spoiled_result(rng, truth.rounded, form) for truth in truths)


def spoiled_result(rng, right, form):
    """Right in half of the lanes."""
    kind = rng.integers(0, 20, len(right))
    if right.dtype.kind == "i":
        return np.where(kind < 4, right + 1, np.where(kind < 6, right + 128, right)).astype(np.int32)
    moved = form.bits(right).astype(np.int64) + np.array([1, -1, 2, -3, 17, 4000])[kind % 6]
    moved = form.from_bits(moved.view(np.uint64).astype(form.bits_dtype))
    strange = np.choose(kind % 5, [form.dtype.type(v) for v in (np.inf, -np.inf, np.nan, 0.0, form.smallest_subnormal)])
    return np.select([kind < 6, kind < 8, kind == 8], [moved, strange, -right], right).astype(form.dtype)


@np.errstate(all="ignore")
def left_open(item, law, values, results):
    """The calls that conform, and that lanes do not tell to."""
    batch, found = Batch.of(item, values, results, law), screened(Call.on(item, values, results, law))
    fails = np.any([codes != 0 for codes in conformity.codes_of(batch)], axis=0)
    return np.setdiff1d(np.flatnonzero(~fails), found.lanes[~found.doubtful])


@np.errstate(all="ignore")
def differs(item, law, values, results):
    """Whether lanes pass what fails, or are wrong about errors or about what is left open."""
    batch, found = Batch.of(item, values, results, law), screened(Call.on(item, values, results, law))
    fails = np.any([codes != 0 for codes in conformity.codes_of(batch)], axis=0)
    free = findings(batch, np.arange(len(fails)))._free().all(axis=-1)
    told = found.lanes[~found.doubtful]
    errors = np.zeros(len(fails)) - 1.0
    for k, truth in enumerate(batch.truth):
        if batch.is_real(k):
            errors = np.where(batch.is_counted(k), np.fmax(errors, np.abs(truth.errors(results[k]))), errors)
        else:
            errors = np.where(batch.is_counted(k), np.fmax(errors, 0.0), errors)
    least, most = found.least[~found.doubtful], found.most[~found.doubtful]
    counts, errors = errors[told] >= 0.0, errors[told]
    low, high, known = least[counts], most[counts] * (1.0 + 2.0**-30), errors[counts]
    return bool(
        fails[told].any()
        or (found.unjudged[0][~found.doubtful] != free[told]).any()
        or ((most >= 0.0) != counts).any()
        or (low > known * (1.0 + 2.0**-30)).any()
        or (high < known).any()
        or (high - low > 0.01 * np.maximum(known, 1.0)).mean() > 0.3
    )


@np.errstate(all="ignore")
def differs_on_a_device(item, law, values, results):
    """The same of what a device is told of a row with one result: errors in bins, what is open, missed or excused."""
    call = Call.on(item, values, results, law)
    (first, *others) = ladder.enclose(call.name, call.args, item.form)
    if others or not isinstance(first, ladder.Bounds):
        return False
    batch, (truth,) = Batch.of(item, values, results, law), Batch.of(item, values, results, law).truth
    sure, plain, (counts, far, least, most, is_open, *_, flushed, fails, missed) = device_says(call, first)
    codes, found = conformity.codes_of(batch)[0] != 0, findings(batch, np.arange(len(plain)))
    told, errors = (plain | missed) & sure & ~flushed, np.abs(truth.errors(results[0]))
    looked = told & batch.is_counted(0)
    ends = [0, *(1 << k for k in range(len(BINS) - 3))]
    upper = errors.view(np.int64) >> 32
    return bool(
        (codes != missed)[told].any()
        or (counts != batch.is_counted(0))[told].any()
        or (is_open != found._free()[:, 0])[told].any()
        or (least > upper)[looked].any()
        or (most.view(np.float64) * (1.0 + 2.0**-30) < errors)[looked].any()
        or (far != np.searchsorted(ends, steps(results[0], truth.rounded, item.form)))[looked].any()
        or (fails & ~codes & sure).any()
        or (flushed & ~found.flushed & sure).any()
    )


def main():
    """Plant them all."""
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    look, every = Look(), int(next((a[2:] for a in sys.argv if a.startswith("-n")), 1))
    assert not look.notices(), "something is wrong without any fault"
    wanted = [a for a in sys.argv[1:] if not a.startswith("-")] or MODULES
    for name in wanted:
        noticed = total = 0
        for function in functions_of(importlib.import_module(name)):
            for told, code in list(planted(function))[::every]:
                sound, function.__code__ = function.__code__, code
                found = look.notices()
                function.__code__ = sound
                noticed, total = noticed + found, total + 1
                if not found:
                    print(told, flush=True)
        print(f"{name}: {noticed} of {total} noticed", flush=True)


if __name__ == "__main__":
    main()
