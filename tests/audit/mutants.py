"""Plants faults in functions, one at a time: a condition left out or turned round, a bound moved, a branch never taken.

A fault is known by its function, by what is done, and, where a function has several places of the same text, by their
number. ``same_faults.toml`` lists those that change nothing that anybody could see, each with the reason.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib
import inspect
import os
import resource
import sys
import textwrap
import tomllib
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LISTED = Path(__file__).with_name("same_faults.toml")
SECONDS = 900  # of processor time that looking at a fault may take; longer is noticed, too: something has no end
TURNED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}


@dataclass(frozen=True)
class Fault:
    """One fault: the function it is in, the line of it, what is done, and the code of the function with it."""

    function: FunctionType
    line: int
    told: str
    code: CodeType

    @property
    def name(self) -> str:
        """What it is known by."""
        return f"{self.function.__module__}.{self.function.__qualname__}: {self.told}"

    def __str__(self) -> str:
        return f"{self.name} (line {self.line})"


def faults_of(tree: ast.AST) -> Iterator[tuple[int, str, ast.AST]]:
    """(line, what is done, the whole text with one fault), for every place of a function."""
    for place, node in enumerate(ast.walk(tree)):
        for told, change in changes(node):
            whole = copy.deepcopy(tree)
            change(next(found for k, found in enumerate(ast.walk(whole)) if k == place))
            yield getattr(node, "lineno", 0), told, whole


def changes(node):
    """(what it is, what makes it) of every fault at one place."""
    match node:
        case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr(), right=right) if not is_number(left, right):
            for side, part in (("right", left), ("left", right)):
                yield f"{side} side of '{ast.unparse(node)}' left out", lambda n, part=part: become(n, part)
        case ast.BoolOp(values=values):
            for part in values:
                rest = [other for other in values if other is not part]
                yield (
                    f"'{ast.unparse(part)}' left out of '{ast.unparse(node)}'",
                    lambda n, rest=rest: become(n, ast.BoolOp(n.op, rest) if len(rest) > 1 else rest[0]),
                )
        case ast.Compare(ops=[op]) if type(op) in TURNED:
            yield f"'{ast.unparse(node)}' turned", lambda n: setattr(n, "ops", [TURNED[type(n.ops[0])]()])
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
    names = ("magnitude", "MAGNITUDE", "ENDS", "FRACTION", "LOW_BITS", "WORD", "sign")
    return any(isinstance(s, ast.Constant) or ast.unparse(s).split(".")[-1] in names for s in sides)


def become(node, other):
    """Make one node of a tree another."""
    node.__class__, node.__dict__ = other.__class__, copy.deepcopy(other).__dict__


def functions_of(module):
    """The functions of a module, cached ones too, and the methods of its classes."""
    for value in vars(module).values():
        function = inspect.unwrap(value) if callable(value) else value
        if isinstance(function, FunctionType) and function.__code__.co_filename == module.__file__:
            yield function
        elif inspect.isclass(value) and value.__module__ == module.__name__:
            yield from methods_of(value)


def methods_of(cls):
    """Those of one class that its text has."""
    for value in vars(cls).values():
        inner = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
        if isinstance(inner, FunctionType) and inner.__code__.co_filename == sys.modules[cls.__module__].__file__:
            yield inner


def planted(function: FunctionType) -> Iterator[Fault]:
    """Every fault in a function."""
    lines, first = inspect.getsourcelines(function)
    tree = ast.parse(textwrap.dedent("".join(lines)))
    tree.body[0].decorator_list = []
    times: Counter[str] = Counter()
    for line, told, whole in faults_of(tree):
        code = compile(ast.fix_missing_locations(whole), function.__code__.co_filename, "exec")
        (found,) = (c for c in code.co_consts if getattr(c, "co_name", "") == function.__name__)
        times[told] += 1
        if found.co_freevars == function.__code__.co_freevars:
            number = f", place {times[told]}" if times[told] > 1 else ""
            yield Fault(function, first + line - 1, told + number, found)


def faults_in(modules: list[str]) -> list[Fault]:
    """All of some modules."""
    functions = [function for name in modules for function in functions_of(importlib.import_module(name))]
    return [fault for function in functions for fault in planted(function)]


def forget() -> None:
    """Empty every cache of the audit and of the specification: what is in them may be of other code."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("clmath.audit", "clmath.spec.")):
            for value in list(vars(module).values()):
                if callable(getattr(value, "cache_clear", None)):
                    value.cache_clear()


def explained() -> dict[str, str]:
    """The reasons of faults that change nothing, by their names."""
    found = tomllib.loads(LISTED.read_text(encoding="utf-8"))["fault"]
    return {fault["name"]: fault["reason"] for fault in found}


def drawn(seed: int, fault: Fault) -> str:
    """What sorts faults in the order in which a seed draws them: the same for a fault whatever else the text has."""
    return hashlib.sha256(f"{seed} {fault.name}".encode()).hexdigest()


class First:
    """A plugin of pytest that keeps the name of the first test that fails."""

    name = ""

    def pytest_runtest_logreport(self, report):
        """Keep it."""
        if report.failed and not self.name:
            self.name = report.nodeid

    def pytest_collectreport(self, report):
        """Of files that cannot be imported, too."""
        self.pytest_runtest_logreport(report)


def noticed_by(fault: Fault, looks: dict[str, Callable[[], bool]], tests: tuple[str, ...]) -> str:
    """Which look or test notices a fault, which is planted in a process of its own; empty if none does."""
    reading, writing = os.pipe()
    if not (child := os.fork()):
        os.close(reading)
        os.write(writing, plant(fault, looks, tests).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as told:
        found = told.read()
    _, status = os.waitpid(child, 0)
    return "a crash, or no end" if status else found


def plant(fault: Fault, looks: dict[str, Callable[[], bool]], tests: tuple[str, ...]) -> str:
    """What ``noticed_by`` says, in the process of the fault."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    fault.function.__code__ = fault.code
    forget()
    with Path(os.devnull).open("w", encoding="utf-8") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
        for name, look in looks.items():
            if look():
                return name
        first = First()
        given = ["-x", "-q", "-p", "no:cacheprovider", "--all", *tests]
        try:
            failed = bool(tests) and pytest.main(given, [first]) != pytest.ExitCode.OK
        except BaseException:  # noqa: BLE001 - whatever a fault makes of a test
            return traceback.format_exc(limit=1)
        return (first.name or "pytest") if failed else ""


def run(
    modules: tuple[str, ...],
    looks: dict[str, Callable[[], bool]],
    looks_at: Callable[[str], tuple[str, ...]],
    tests: Callable[[str], tuple[str, ...]],
) -> None:
    """Plant what the command line asks for, and say of each fault who notices it.

    ``looks``, by name: functions that say whether anything is wrong. ``looks_at``: those that are asked about a module;
    ``tests``: the test files that are run if none of them notices.
    """
    parser = argparse.ArgumentParser(description="Plant faults, and say which ones no test notices.")
    parser.add_argument("modules", nargs="*", default=modules, help="where (default: everywhere)")
    parser.add_argument("--draw", type=int, metavar="N", help="only so many, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the draw")
    parser.add_argument("--from", type=int, default=0, dest="first", metavar="K", help="begin with number K of these")
    parser.add_argument("--numbers", help="of these only the ones with such numbers, separated by commas")
    parser.add_argument(
        "--part", default="1/1", metavar="K/N", help="every Nth of these from number K, for N processes"
    )
    parser.add_argument("--quick", action="store_true", help="run no test files")
    parser.add_argument("--only", metavar="TEXT", help="only faults in whose names this text occurs")
    asked = parser.parse_args()
    places = [fault for fault in faults_in(list(asked.modules)) if (asked.only or "") in fault.name]
    chosen = sorted(places, key=lambda fault: drawn(asked.seed, fault))[: asked.draw] if asked.draw else places
    print(f"{len(chosen)} of {len(places)} faults, seed {asked.seed}", flush=True)
    if wrong := [name for name, look in looks.items() if look()]:
        raise SystemExit(f"without any fault {', '.join(wrong)} say that something is wrong")
    reasons, counts = explained(), Counter[str]()
    part, parts = map(int, asked.part.split("/"))
    numbers = set(map(int, asked.numbers.split(","))) if asked.numbers else range(asked.first, len(chosen))
    for number, fault in [pair for pair in enumerate(chosen) if pair[0] in numbers][part - 1 :: parts]:
        module = fault.function.__module__
        asking = {name: looks[name] for name in looks_at(module)}
        who = noticed_by(fault, asking, () if asked.quick else tests(module))
        kind = "noticed" if who else "explained" if fault.name in reasons else "NOT NOTICED"
        counts[kind] += 1
        wrongly = " (though it is listed as one that changes nothing)" * (kind == "noticed" and fault.name in reasons)
        print(f"{number} {kind}{': ' * bool(who)}{who}{wrongly}: {fault}", flush=True)
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())), flush=True)
