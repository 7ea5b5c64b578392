"""Injects faults into the acceptance criteria, one mutant at a time, and counts how many are caught.

``python -m tests.audit.mutants --sample 100 --seed 28`` takes 100 mutants, the same ones each time, and prints a score;
names of modules restrict it to these. If no check catches a mutant, the quick test files of its module are run. A
mutant leaves out one side of a condition, turns or moves a comparison, or always takes one branch. Its name consists of
the function, the change, and a number if a function has several places of the same text. ``equivalent_mutants.toml``
lists the mutants that change no visible result, each with the reason.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import copy
import hashlib
import importlib
import inspect
import os
import resource
import sys
import textwrap
import tomllib
from collections import Counter
from dataclasses import dataclass
from multiprocessing.pool import ThreadPool
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LISTED = Path(__file__).with_name("equivalent_mutants.toml")
QUICK = {  # modules, with the test files that take seconds and are run on mutants that no check catches
    "acceptance.acceptable": ["test_sets.py"],
    "acceptance.batch": ["test_audit_reasons.py", "test_audit_spread.py"],
    "acceptance.criteria": ["test_audit_single_calls.py", "test_audit_editions.py", "test_audit_declared.py"],
    "acceptance.findings": [
        "test_audit_reasons.py",
        "test_audit_spread.py",
        "test_audit_tally.py",
        "test_audit_run.py",
    ],
    "acceptance.limits": ["test_sets.py", "test_rules_by_exact_values.py"],
    "acceptance.relaxed": ["device_judge/test_elementwise_formulas.py"],
    "acceptance.sets": ["test_sets.py", "test_rules_by_exact_values.py"],
    "acceptance.values": [
        "test_sets.py",
        "test_enclosed_values.py",
        "test_bounds_on_errors.py",
        "test_audit_spread.py",
    ],
    "counting.spread": ["test_audit_spread.py", "test_audit_tally.py"],
    "device_judge.measuring": ["device_judge/test_measuring.py"],
    "judge.piece": ["test_fast_judging.py", "test_compiled_loop.py"],
    "judge.regimes": ["test_ranges.py", "test_compiled_loop.py"],
    "judge.screen": ["test_fast_judging.py"],
    "screens.one_float": ["screens/test_one_float.py", "test_compiled_loop.py"],
}
MODULES = [f"clmath.audit.{module}" for module in QUICK]
TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
# names and attributes that hold bits, not conditions
BITS = ("magnitude", "MAGNITUDE", "ENDS", "FRACTION", "LOW_BITS", "WORD", "sign")


@dataclass(frozen=True)
class Mutant:
    """A function with one change: the line, a description of the change, and the changed code."""

    function: FunctionType
    line: int
    change: str
    code: CodeType

    @property
    def name(self) -> str:
        return f"{self.function.__module__}.{self.function.__qualname__}: {self.change}"

    def __str__(self) -> str:
        return f"{self.name} (line {self.line})"

    @contextlib.contextmanager
    def injected(self) -> Iterator[None]:
        """Have the function run the changed code."""
        sound, self.function.__code__ = self.function.__code__, self.code
        try:
            yield
        finally:
            self.function.__code__ = sound


def mutants_of(function: FunctionType) -> Iterator[Mutant]:
    """Yield every mutant of a function."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    tree.body[0].decorator_list = []
    _leave_out_annotations(tree)
    times: Counter[str] = Counter()
    for line, change, whole in _changed_trees(tree):
        code = compile(ast.fix_missing_locations(whole), function.__code__.co_filename, "exec")
        (found,) = (c for c in code.co_consts if getattr(c, "co_name", "") == function.__name__)
        times[change] += 1
        if found.co_freevars == function.__code__.co_freevars:
            number = f", place {times[change]}" if times[change] > 1 else ""
            yield Mutant(function, first + line - 1, change + number, found)


def _leave_out_annotations(tree: ast.AST) -> None:
    """Remove annotations: they are never evaluated, so that a change in them is equivalent."""
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign | ast.arg):
            node.annotation = ast.Constant(None)
        elif isinstance(node, ast.FunctionDef):
            node.returns = None


def _changed_trees(tree: ast.AST) -> Iterator[tuple[int, str, ast.AST]]:
    """Yield (line, description of the change, changed tree of the function) for every mutant."""
    for place, node in enumerate(ast.walk(tree)):
        for reported, change in _changes(node):
            whole = copy.deepcopy(tree)
            change(next(found for k, found in enumerate(ast.walk(whole)) if k == place))
            yield getattr(node, "lineno", 0), reported, whole


def _changes(node):
    """Yield (description of the change, function that makes it) for every mutant of one node."""
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right) if not _are_bits(left, right):
            for side, part in (("right", left), ("left", right)):
                yield f"{side} side of '{ast.unparse(node)}' left out", lambda n, part=part: _become(n, part)
        case ast.BoolOp(values=values):
            for part in values:
                rest = [other for other in values if other is not part]
                yield (
                    f"'{ast.unparse(part)}' left out of '{ast.unparse(node)}'",
                    lambda n, rest=rest: _become(n, ast.BoolOp(n.op, rest) if len(rest) > 1 else rest[0]),
                )
        case ast.Compare(ops=[op]) if type(op) in TURNED:
            yield f"'{ast.unparse(node)}' turned", lambda n: setattr(n, "ops", [TURNED[type(n.ops[0])]()])
        case ast.UnaryOp(op=ast.Invert() | ast.Not(), operand=operand):
            yield f"'{ast.unparse(node)}' not negated", lambda n: _become(n, operand)
        case ast.Call(func=ast.Name(id="select"), args=[_, yes, no]) | ast.IfExp(body=yes, orelse=no):
            yield f"always {ast.unparse(no)}", lambda n: _become(n, no)
            yield f"always {ast.unparse(yes)}", lambda n: _become(n, yes)


def _are_bits(*sides):
    return any(isinstance(s, ast.Constant) or ast.unparse(s).split(".")[-1] in BITS for s in sides)


def _become(node, other):
    node.__class__, node.__dict__ = other.__class__, copy.deepcopy(other).__dict__


def functions_of(module: str) -> Iterator[FunctionType]:
    """Yield the functions of a module, including cached ones, and the methods of its classes."""
    loaded = importlib.import_module(module)
    for value in vars(loaded).values():
        function = inspect.unwrap(value) if callable(value) else value
        if isinstance(function, FunctionType) and function.__code__.co_filename == loaded.__file__:
            yield function
        elif inspect.isclass(value) and value.__module__ == module:
            for member in vars(value).values():
                inner = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
                if isinstance(inner, FunctionType) and inner.__code__.co_filename == loaded.__file__:
                    yield inner


def mutants_in(modules: list[str]) -> list[Mutant]:
    """Return all mutants of some modules."""
    return [mutant for module in modules for function in functions_of(module) for mutant in mutants_of(function)]


def sampled(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return ``count`` of the mutants; the order of a seed does not depend on which mutants exist."""
    order = sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed} {mutant.name}".encode()).hexdigest())
    return order[:count]


def equivalent() -> dict[str, str]:
    """Return the reasons why listed mutants are equivalent, by their names."""
    found = tomllib.loads(LISTED.read_text(encoding="utf-8"))["mutant"]
    return {mutant["name"]: mutant["reason"] for mutant in found}


def is_caught(check: Callable[[], None]) -> bool:
    """Whether a check fails."""
    try:
        check()
    except Exception:  # noqa: BLE001 - a fault may raise any error
        return True
    return False


class FirstFailure:
    """A pytest plugin that keeps the name of the first failing test."""

    name = ""

    def pytest_runtest_logreport(self, report):
        if report.failed and not self.name:
            self.name = report.nodeid

    pytest_collectreport = pytest_runtest_logreport


def caught_by(mutant: Mutant, checks: dict[str, Callable[[], None]], tests: list[str]) -> str:
    """Return the check or test that catches a mutant in a process of its own, or an empty string if none does."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        os.write(writing, _caught_here(mutant, checks, tests).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        found = pipe.read()
    _, status = os.waitpid(child, 0)
    return "a crash, or no end" if status else found


def _caught_here(mutant, checks, tests):
    limit = 900 if tests else 60  # seconds
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    _forget()
    with mutant.injected(), Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        for name, check in checks.items():
            if is_caught(check):
                return name
        first = FirstFailure()
        given = ["-x", "-q", "-p", "no:cacheprovider", "-m", "not exhaustive", *tests]
        failed = bool(tests) and pytest.main(given, [first]) != pytest.ExitCode.OK
        return (first.name or "pytest") if failed else ""


def _forget() -> None:
    """Empty every cache of the audit and of the specification: they may hold results of the unchanged code."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("clmath.audit", "clmath.spec.")):
            for value in list(vars(module).values()):
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def checks_of(module: str, checks: dict[str, Callable[[], None]]) -> dict[str, Callable[[], None]]:
    """Return the checks that are run on the mutants of a module, quick ones first."""
    package, name = module.split(".")[-2:]
    asked = ["tallies"] if package == "judge" else ["formulas", "laws"] if name == "relaxed" else ["laws"]
    asked = ["loops"] if name in {"one_float", "regimes"} else asked
    asked += ["tallies"] if name in {"batch", "findings"} else []
    return {check: checks[check] for check in asked}


def main() -> None:
    """Try the mutants selected on the command line, print which check catches each, and print the score."""
    from tests.audit.checks import AllCriteria, Formulas, Loops, Tallies

    parser = argparse.ArgumentParser(description="Inject faults into the criteria of judging; say how many are caught.")
    parser.add_argument("modules", nargs="*", default=MODULES, help="which modules (default: all of the criteria)")
    parser.add_argument("--sample", type=int, metavar="N", help="only so many mutants")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", metavar="TEXT", default="", help="only mutants in whose names this text occurs")
    parser.add_argument("--jobs", type=int, default=1, help="mutants that are tried at a time")
    asked = parser.parse_args()
    mutants = [mutant for mutant in mutants_in(asked.modules) if asked.only in mutant.name]
    chosen = sampled(mutants, asked.sample, asked.seed) if asked.sample else mutants
    print(f"{len(chosen)} of {len(mutants)} mutants, seed {asked.seed}", flush=True)
    checks = {
        "laws": AllCriteria().check,
        "tallies": Tallies().check,
        "formulas": Formulas().check,
        "loops": Loops().check,
    }
    for check in checks.values():
        check()  # without a mutant, no check may fail
    reasons, counts = equivalent(), Counter[str]()

    def tried(mutant: Mutant) -> str:
        module = mutant.function.__module__.removeprefix("clmath.audit.")
        return caught_by(mutant, checks_of(module, checks), [f"tests/audit/{file}" for file in QUICK[module]])

    for mutant, who in zip(chosen, ThreadPool(asked.jobs).imap(tried, chosen), strict=True):
        kind = "caught" if who else "equivalent" if mutant.name in reasons else "NOT CAUGHT"
        counts[kind] += 1
        print(f"{kind}{': ' * bool(who)}{who}: {mutant}", flush=True)
    judged = counts.total() - counts["equivalent"]
    print(f"score: {counts['caught']} of {judged} caught; {counts['equivalent']} equivalent", flush=True)


if __name__ == "__main__":
    main()
