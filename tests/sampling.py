"""Which rows of the long tables of tests a run takes: drawn anew for each run, unless ``--all`` is given.

``@pytest.mark.drawn("name", "form", "mode")``, on a test, a class or as a file's ``pytestmark``, lets rows of
parametrised tests be left out. It says what may not be: every value of ``name``, of ``form`` and of ``mode``, and
always every test, occur in each run among the tests of the file that have this mark; of what has ``VALUES`` values or
more, as names have, a quarter of them do, others in each run. What it does not name may be left out, and so may pairs:
``"rung fault"``, in one text, is about every combination of a rung and a fault that occurs, for which runs take many
more rows. ``test`` stands for the test function: ``"test mode"`` keeps every mode in each test. ``edge.name`` is an
attribute of a parameter, ``case.0`` an element of one. Further arguments of the mark:

- ``rows=20`` adds rows until there are as many.
- ``one="level"``: rows of one value of this parameter alone are taken, whose fixture takes long, another in each run.
- ``share=0.3`` takes tests until they have that share of the time that all with the same mark take, of whatever file,
  so that test functions may be left out, too: for tests that each audit a device or start processes, and take seconds.
  ``SHARES`` gives one to tests without a mark, by where they are.

Of the tests that ``long.txt`` lists, because each takes long, a run takes the share ``LONG``, of test functions too,
whatever else their mark says; ``tests/times.py`` measures them. So it does of those in files of ``SHARING``, which
count with what they share. The time of others counts as ``times.LEAST``. Of what is left, a test of ``MANY`` rows or
more runs with the part ``PART`` of them, among which is each format, mode, engine and chapter that its rows have. In
folders of ``WHOLE`` each row is a fault that was found.

``@pytest.mark.planted("case")`` says that each value of ``case`` is a fault that is planted in something right, which
the test has to catch; without a name, each test is about one. No fault is ever left out. Nor is what ``tests/about.py``
knows by name: where a built-in, format, mode, engine or chapter has rows and none of them is drawn, one is put back.

Rows are taken in an order that ``--seed`` decides, each if it has a combination that the ones before it lack: any may
come first, so that repeated runs come to all. A test that is given by its node id, and with ``--lf`` one that failed,
runs whatever the seed. The fixture ``some`` draws values within a test.
"""

from __future__ import annotations

import functools
import math
import random
import secrets
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import times
from tests.about import about

SEED = pytest.StashKey[int]()


class Row(NamedTuple):
    """A test by its node id, what it is about, by kind and name, and whether it runs."""

    nodeid: str
    facts: frozenset[tuple[str, str]]
    runs: bool


ROWS = pytest.StashKey[list[Row]]()
GROUPS = pytest.StashKey[dict]()  # what is drawn together: a mark's words, and tests
FACTS = pytest.StashKey[dict]()  # what each test is about

LONG = 0.001  # the share of long tests that a run takes

MANY = 4  # rows of a test without a mark, from which on a run takes a part of them
PART = 0.03
WHOLE = ("tests/regressions",)

VALUES = 8  # of what a mark names: from as many on, a run has a quarter of them

SHARED = "tests with a share"

# tests that judge many inputs or start processes, by their file or folder: the share that a run takes
SHARES = {
    "tests/audit/device_judge/test_lane_measure.py": 0.0125,
    "tests/audit/test_audit_cluster.py": 0.0625,
    "tests/audit/test_audit_compiled.py": 0.0125,
    "tests/audit/test_audit_correct.py": 0.0125,
    "tests/audit/test_audit_regimes.py": 0.0125,
    "tests/audit/test_audit_swept.py": 0.02,
    "tests/engines/device": 0.0125,
    "tests/readme/test_tutorials.py": 0.0125,
    "tests/testing/test_strategies.py": 0.01,
    "tests/regressions/test_many_rows_that_crash.py": 0.0625,
}

# files whose tests share what takes so many seconds to make: each of them counts among the long ones
SHARING = {"tests/engines/native/test_build.py": 5.0, "tests/engines/native/test_wheels.py": 20.0}

# tests that do more where all rows are run, or where kernels are compiled for all levels: --but leaves out none
DEEPER = ("tests/certify/test_certificates.py", "tests/certify/test_pairs.py", "tests/engines/native")

_MARKS = (
    "drawn(*combinations, rows=0, one='', share=0): some of the rows are run, drawn anew in each run",
    "planted(*names): each value of these parameters is a planted fault, which no draw leaves out",
)


def pytest_addoption(parser):
    group = parser.getgroup("rows of clmath's own tests")
    group.addoption("--all", action="store_true", dest="all_rows", help="run every row: none is left out by a draw")
    group.addoption("--seed", type=int, metavar="N", dest="rows_seed", help="draw the rows that --seed N has drawn")
    group.addoption("--but", type=int, metavar="N", help="with --all: leave out what --seed N has drawn, and was run")


def pytest_configure(config):
    for mark in _MARKS:
        config.addinivalue_line("markers", mark)
    shared = getattr(config, "workerinput", {}).get("rows_seed")
    given = config.getoption("rows_seed")
    config.stash[SEED] = next(seed for seed in (shared, given, secrets.randbits(32)) if seed is not None)


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """All workers of pytest-xdist draw the same rows."""
    node.workerinput["rows_seed"] = node.config.stash[SEED]


def how(config):
    """How the rows of this run were chosen, in words."""
    if config.getoption("all_rows"):
        but = config.getoption("but")
        return "every row is run (--all)" + ("" if but is None else f" but those that --seed {but} draws")
    return f"rows are drawn by --seed {config.stash[SEED]}; --all runs every one"


def pytest_report_header(config):
    return how(config)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config, items):
    asked = Asked(config)
    if asked.for_whole_files:
        refuse_unknown(items)
    done = yield  # what -m and -k leave is drawn from
    groups = config.stash[GROUPS] = grouped(items)
    facts = config.stash[FACTS] = {item: facts_of(item) for item in items}
    away, but = set(), config.getoption("but")
    if not config.getoption("all_rows"):
        away = {item for item in left_out(groups, facts, config.stash[SEED]) if not asked.for_item(item)}
    elif but is not None:
        away = {*items} - left_out(groups, facts, but) - {item for item in items if item.nodeid.startswith(DEEPER)}
    config.stash[ROWS] = [Row(item.nodeid, facts[item], item not in away) for item in items]
    config.hook.pytest_deselected(items=[item for item in items if item in away])
    items[:] = [item for item in items if item not in away]
    return done


def left_out(groups, facts, seed):
    """The tests that the draw of a seed leaves out: none is the only one that is about something."""
    away = _not_drawn(groups, seed)
    kept = set().union(*(about for item, about in facts.items() if item not in away))
    others = sorted(away, key=lambda item: item.nodeid)
    order = random.Random(f"{seed} facts").sample(others, len(others))
    for item in sorted(order, key=lambda item: all(kind != "planted faults" for kind, _ in facts[item])):
        if facts[item] - kept:  # faults come back first, for they bring back most of the rest
            away.remove(item)
            kept |= facts[item]
    return away


def _not_drawn(groups, seed):
    away, long = set(), times.listed()
    for name, (words, members) in groups.items():
        order = random.Random(f"{seed} {name}")
        places = _of_one_value(words.one, members, order)
        rows = quartered([words.combinations_of(members[place]) for place in places], order)
        seconds = [_seconds(members[place], long) for place in places]
        least = max(words.rows, math.ceil(words.part * len(places)))
        taken = {places[place] for place in drawn(rows, order, least, words.share * sum(seconds), seconds)}
        away.update(item for place, item in enumerate(members) if place not in taken)
    return away


def _seconds(item, long):
    """How long a test takes, with what it may be the first to make."""
    return max(long.get(_function(item), times.LEAST), SHARING.get(item.nodeid.partition("::")[0], 0.0))


def facts_of(item):
    """What a test is about, by kind and name: built-ins and the like, and the fault that is planted in it."""
    return frozenset({*about(parameters(item).values()), *(("planted faults", fault) for fault in _faults(item))})


def _faults(item):
    """The fault that a test is about, if it is about one: the test's name, and the values that tell it from others."""
    mark = item.get_closest_marker("planted")
    if mark is None:
        return []
    params = parameters(item)
    return [
        " ".join([_function(item), *(_value(params, name) for name in mark.args if name.partition(".")[0] in params)])
    ]


def _function(item):
    return times.function(item.nodeid)


def _of_one_value(name, members, order):
    """The places of tests that have one value, drawn, of the parameter that is called so, or have no such parameter."""
    values = [_value(parameters(item), name) if name in parameters(item) else None for item in members]
    known = list(dict.fromkeys(value for value in values if value is not None))
    one = order.choice(known) if known else None
    return [place for place, value in enumerate(values) if value in {None, one}]


@functools.cache
def _wanted(combinations, shared):
    """The names of each combination; every test occurs where no share is taken."""
    return (*([] if shared else [("test",)]), *(tuple(text.split()) for text in combinations))


class Words(NamedTuple):
    """What a mark says."""

    combinations: tuple[str, ...]
    rows: int = 0
    one: str = ""
    share: float = 0.0
    part: float = 0.0  # of the rows, where there is no mark

    def combinations_of(self, item):
        """The combinations of values that a row has, of those that are named; without a mark what it is about."""
        if self.part:
            return {fact for fact in about(parameters(item).values()) if fact[0] != "built-ins"}
        params = {**parameters(item), "test": _function(item)}
        return {
            (names, *(_value(params, name) for name in names))
            for names in _wanted(self.combinations, bool(self.share))
            if all(name.partition(".")[0] in params for name in names)
        }

    def names(self):
        return {name for text in (*self.combinations, self.one) for name in text.split()}


class Asked:
    """Whether a test runs whatever the seed: its node id was given, or it failed and ``--lf`` or ``--ff`` is given."""

    def __init__(self, config):
        self.given = [_split(config, text) for text in config.args if "::" in text]
        again = config.getoption("lf", default=False) or config.getoption("failedfirst", default=False)
        self.failed = config.cache.get("cache/lastfailed", {}) if again and hasattr(config, "cache") else {}
        self.for_whole_files = not (self.given or again)

    def for_item(self, item):
        if item.nodeid in self.failed:
            return True
        place = item.nodeid.partition("::")[2]
        return any(path == item.path and _begins(place, start) for path, start in self.given)


def _split(config, text):
    path, _, place = text.partition("::")
    return Path(config.invocation_params.dir, path).resolve(), place


def _begins(place, start):
    return place == start or place.startswith((start + "::", start + "["))


def draw_of(item, long):
    """What a test is drawn among, and what the mark says, or the share of tests like it; None if it always runs."""
    file = item.nodeid.partition("::")[0]
    mark = item.get_closest_marker("drawn")
    words = None if mark is None else Words(mark.args, **mark.kwargs)
    shares = [words.share] if words else [share for place, share in SHARES.items() if item.nodeid.startswith(place)]
    if any(shares):
        return SHARED, words or Words((), share=shares[0])
    if _function(item) in long or file in SHARING:
        return "long tests", Words((), share=LONG)
    if words:
        return file, words
    if file.startswith(WHOLE) or item.get_closest_marker("planted") is not None or not parameters(item):
        return None
    return _function(item), Words((), part=PART)


def grouped(items):
    """The rows that are drawn together: those of one file with the same mark, all long tests, and those of a test."""
    groups, draws, long = {}, {}, times.listed()
    for item in items:
        name = _function(item)
        if name not in draws:  # the same for all of its rows
            draw = draw_of(item, long)
            draws[name] = draw and (f"{draw[0]} {tuple(draw[1])}", draw[1])
        if draws[name] is not None:
            key, words = draws[name]
            groups.setdefault(key, (words, []))[1].append(item)
    return {key: (words, members) for key, (words, members) in groups.items() if not words.part or len(members) >= MANY}


def refuse_unknown(items):
    """A parameter that no test of a whole file has is a mistake in the mark."""
    known = {}
    for item in items:
        mark = item.get_closest_marker("drawn")
        if mark is not None:
            file = item.nodeid.partition("::")[0]
            known.setdefault((file, Words(mark.args, **mark.kwargs)), {"test"}).update(parameters(item))
    for (file, words), names in known.items():
        unknown = {name.partition(".")[0] for name in words.names()} - names
        if unknown:
            raise pytest.UsageError(f"{file}: the mark drawn names {sorted(unknown)}, and no test has such a parameter")


def parameters(item):
    """The parameters of a test, none if it has no rows."""
    return item.callspec.params if hasattr(item, "callspec") else {}


def _value(params, name):
    """What tells a value of a parameter from others."""
    first, *rest = name.split(".")
    value = params[first]
    for part in rest:
        value = value[int(part)] if part.isdigit() else getattr(value, part)
    return value if isinstance(value, str) else repr(value)


def quartered(rows, order):
    """The rows with what a draw has to take of their combinations: of what has ``VALUES`` values or more, a quarter."""
    known = {}  # in the order of the rows, which is the same in all workers, as texts of values may not be
    for names, *values in (combination for row in rows for combination in sorted(row)):
        test = values[names.index("test")] if "test" in names else ""  # each of these has values of its own
        known.setdefault((names, test), {})[names, *values] = None
    kept = set()
    for found in known.values():
        kept.update(order.sample([*found], len(found) if len(found) < VALUES else math.ceil(len(found) / 4)))
    return [row & kept for row in rows]


def drawn(rows, order, least=0, time=0.0, seconds=()):
    """The places of the rows that a draw takes, of rows that are sets of combinations: each occurs in one of them.

    Others follow until there are ``least``, and until all take about as much ``time``, of the ``seconds`` of each.
    """
    seen, taken, others = set(), set(), []
    for place in order.sample(range(len(rows)), len(rows)):
        if rows[place] - seen:
            taken.add(place)
            seen |= rows[place]
        else:
            others.append(place)
    spent = sum(seconds[place] for place in taken) if time else 0.0
    for place in others:
        takes = seconds[place] if time else 0.0
        if len(taken) >= least and (not time or (taken and spent + takes / 2.0 > time)):
            break
        taken.add(place)
        spent += takes
    return taken


@pytest.fixture
def some(request):
    """``some(values, count)``: as many of them, drawn by the seed of the run, in their order; all with ``--all``."""

    def chosen(values, count):
        values = list(values)
        if request.config.getoption("all_rows") or count >= len(values):
            return values
        places = random.Random(f"{request.config.stash[SEED]} {request.node.nodeid}").sample(range(len(values)), count)
        return [values[place] for place in sorted(places)]

    return chosen
