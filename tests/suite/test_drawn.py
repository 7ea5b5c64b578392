"""Rows that are drawn: what a mark names is in each run, every row is in one of them, and what is asked for runs."""

from __future__ import annotations

import itertools
import math
import random
import re

import pytest

from clmath.audit.plan.plan import CHAPTERS
from tests import sampling, summary, times
from tests.about import KINDS_OF_NAMES

pytest_plugins = ["pytester"]

IGNORED = ["-Wignore::pytest.PytestAssertRewriteWarning"]  # this process has imported it already
FILE = """
import pytest

@pytest.mark.drawn("name form", "mode")
@pytest.mark.parametrize("mode", ["rte", "rtz", "rtp"])
@pytest.mark.parametrize("form", ["half", "float"])
@pytest.mark.parametrize("name", ["sin", "cos", "tan", "exp"])
def test_drawn(name, form, mode):
    assert (name, mode) != ("exp", "rtz")

@pytest.mark.parametrize("row", range(3))
def test_whole(row):
    pass
"""
FAILING = {"test_drawn[exp-half-rtz]", "test_drawn[exp-float-rtz]"}


@pytest.fixture
def nodes(pytester):
    """Runs pytest: the tests that ran, by the ends of their names, and what it printed."""

    def call(*options, text=FILE, name="test_it"):
        pytester.makepyfile(**{name: text})
        result = pytester.runpytest_inprocess("-p", "tests.sampling", "-v", *IGNORED, *options)
        printed = result.stdout.str() + result.stderr.str()
        return set(re.findall(r"::(\S+) (?:PASSED|FAILED)", printed)), printed

    return call


@pytest.fixture
def draw(pytester):
    """The function of a file that gives that of a seed: the tests that its draw takes, by the ends of their names."""

    def drawing(text=FILE):
        file = pytester.makepyfile(test_it=text)
        items, _ = pytester.inline_genitems("-p", "tests.sampling", "--all", *IGNORED, file)
        groups, facts = sampling.grouped(items), {item: sampling.facts_of(item) for item in items}
        return lambda seed: {item.name for item in facts.keys() - sampling.left_out(groups, facts, seed)}

    return drawing


# words that tests of planted faults are called by, and tests that are called so and plant none
FAULTY = re.compile(
    r"_(planted|caught|noticed|mistake|crash(es)?|hangs|dies|wrong|spoilt|broken)(_|$)|_is_killed|(is|are)_off_"
)
NO_FAULTS = {
    "tests/cli/test_offline_lab.py::test_wrong_usage_is_an_error_of_one_line",
    "tests/export/test_command.py::test_wrong_words",
    "tests/audit/test_audit_regimes.py::test_what_is_due_is_off_by_nothing_but_its_rounding",
    "tests/audit/test_law_faults.py::test_faults_that_change_nothing_can_be_planted",
    "tests/engines/device/test_trace.py::test_a_wrong_kind_is_refused",
    "tests/names/test_messages.py::test_a_wrong_type_is_refused_by_the_parameters_name_and_the_remedy_works",
    "tests/regressions/test_wrong_options.py::test_the_remedy_of_a_wrong_option_works",
    "tests/spec/test_limits.py::test_undefined_arguments_have_no_wrong_result",
    "tests/suite/test_drawn.py::TestRuns::test_no_planted_fault_is_left_out",
}


class TestTheDraw:
    """Of sets of combinations."""

    ROWS = tuple({("name form", n, f), ("mode", m)} for n, f, m in itertools.product(range(9), range(3), range(4)))

    def test_every_combination_is_in_every_draw(self):
        for seed in range(200):
            taken = sampling.drawn(self.ROWS, random.Random(seed))
            assert set().union(*(self.ROWS[place] for place in taken)) == set().union(*self.ROWS)
            assert 27 <= len(taken) <= 27 + 4

    def test_every_row_is_in_some_draw(self):
        draws = [sampling.drawn(self.ROWS, random.Random(seed)) for seed in range(100)]
        assert set().union(*draws) == set(range(len(self.ROWS)))

    def test_there_are_as_many_rows_as_asked_for(self):
        assert len(sampling.drawn(self.ROWS, random.Random(1), 60)) == 60
        assert len(sampling.drawn(self.ROWS, random.Random(1), 600)) == len(self.ROWS)

    def test_as_many_as_take_a_time(self):
        rows, seconds = [set()] * 40, [1.0] * 30 + [8.0] * 10
        draws = [sampling.drawn(rows, random.Random(seed), 0, 22.0, seconds) for seed in range(200)]
        spent = [sum(seconds[place] for place in taken) for taken in draws]
        assert all(18.0 <= all_of_them <= 26.0 for all_of_them in spent)
        assert 21.0 < sum(spent) / len(spent) < 23.0
        assert set().union(*draws) == set(range(40))


class TestRuns:
    """Of pytest with the plugin."""

    @pytest.mark.parametrize("seed", [3, 11])
    def test_what_runs_is_what_a_draw_takes(self, nodes, draw, seed):
        assert nodes(f"--seed={seed}")[0] == draw()(seed)

    def test_what_the_mark_names_is_in_every_run_and_the_rest_in_some(self, draw):
        taken = draw(FILE.replace(', "exp"]', "]"))
        runs = [{node for node in taken(seed) if "drawn" in node} for seed in range(20)]
        for run in runs:
            rows = [node[len("test_drawn[") : -1].split("-") for node in run]
            assert {tuple(row[:2]) for row in rows} == set(itertools.product(["sin", "cos", "tan"], ["half", "float"]))
            assert {row[2] for row in rows} == {"rte", "rtz", "rtp"}
            assert len(rows) <= 9
        assert len(set().union(*runs)) == 18

    def test_of_many_values_a_quarter_is_in_every_run_and_all_in_some(self, draw):
        text = (
            "import pytest\npytestmark = pytest.mark.drawn('test case', 'way')\n"
            "@pytest.mark.parametrize('case', range(9))\n@pytest.mark.parametrize('way', range(7))\n"
            "def test_a(way, case): pass\n"
            "@pytest.mark.parametrize('case', range(100, 104))\ndef test_b(case): pass\n"
        )
        taken = draw(text)
        runs = [taken(seed) for seed in range(100)]
        for run in runs:
            rows = [node[len("test_a[") : -1].split("-") for node in run if node.startswith("test_a")]
            assert 3 <= len({case for _, case in rows}) <= 9
            assert {way for way, _ in rows} == {str(way) for way in range(7)}
            assert len(rows) <= 10
            assert len(run) == len(rows) + 4
        assert len(set().union(*runs)) == 63 + 4

    def test_tests_without_a_mark_run_whole(self, nodes):
        assert sum("whole" in node for node in nodes()[0]) == 3

    def test_of_a_test_of_many_rows_without_a_mark_a_part_runs(self, nodes, draw):
        text = (
            "import pytest\n@pytest.mark.parametrize('mode', ['rte', 'rtz'])\n"
            "@pytest.mark.parametrize('row', range(20))\ndef test_it(row, mode): pass\n"
            "@pytest.mark.planted('fault')\n@pytest.mark.parametrize('fault', range(20))\n"
            "def test_fault(fault): pass\n"
        )
        taken = draw(text)
        runs = [taken(seed) for seed in range(250)]
        assert nodes("--seed=1", text=text)[0] == taken(1)
        for run in runs:
            assert sum(node.startswith("test_fault") for node in run) == 20
            assert {mode for mode in ("rte", "rtz") for node in run if mode in node} == {"rte", "rtz"}
            assert len(run) == 20 + math.ceil(40 * sampling.PART)
        assert len(set().union(*runs)) == 60
        assert len(nodes("--all", text=text)[0]) == 60

    def test_all_is_all(self, nodes):
        ran, printed = nodes("--all")
        assert len(ran) == 27
        assert "deselected" not in printed
        assert "every row is run (--all)" in printed

    def test_all_but_a_draw_is_the_rest(self, nodes):
        drawn, _ = nodes("--seed=5")
        others, printed = nodes("--all", "--but=5")
        assert not drawn & others
        assert drawn | others == nodes("--all")[0]
        assert "every row is run (--all) but those that --seed 5 draws" in printed

    def test_the_seed_is_new_in_every_run_and_printed_and_repeats_one(self, nodes):
        first, printed = nodes()
        (seed,) = re.findall(r"--seed (\d+)", printed)
        assert nodes("--seed", seed)[0] == first
        assert len({re.search(r"--seed (\d+)", nodes("--collect-only")[1])[1] for _ in range(3)}) == 3

    def test_workers_draw_the_same(self, nodes):
        pytest.importorskip("xdist")
        alone, _ = nodes("--seed=7")
        _, printed = nodes("--seed=7", "-n2")
        assert set(re.findall(r"(?:PASSED|FAILED) \S*?::(\S+)", printed)) == alone

    def test_workers_draw_the_same_of_values_that_they_print_otherwise(self, nodes):
        pytest.importorskip("xdist")
        text = (
            "import os, pytest\n"
            "class Case:\n"
            "    def __init__(self, number): self.number = number\n"
            "    def __repr__(self): return f'{hash((os.getpid(), self.number))}'\n"
            "@pytest.mark.drawn('case')\n@pytest.mark.parametrize('case', [*map(Case, range(40))])\n"
            "def test_it(case): pass\n"
        )
        _, printed = nodes("--seed=7", "-n2", text=text)
        assert "Different tests were collected" not in printed
        assert len(set(re.findall(r"(?:PASSED|FAILED) \S*?::(\S+)", printed))) in {10, 11}

    @pytest.mark.parametrize("node", ["test_drawn[tan-half-rtz]", "test_drawn[exp-float-rtp]"])
    def test_a_node_id_runs_whatever_the_seed(self, nodes, node):
        for seed in range(5):
            assert nodes(f"--seed={seed}", f"test_it.py::{node}")[0] == {node}

    def test_a_test_that_is_given_by_name_runs_whole(self, nodes):
        assert len(nodes("test_it.py::test_drawn")[0]) == 24

    def test_what_failed_runs_again_whatever_the_seed(self, nodes):
        failed, _ = nodes("--all")
        assert len(failed) == 27
        for seed in range(5):
            assert nodes(f"--seed={seed}", "--lf")[0] == FAILING

    def test_the_draw_is_among_what_other_options_leave(self, nodes):
        for seed in range(5):
            ran, _ = nodes(f"--seed={seed}", "-k", "sin and half")
            assert len(ran) == 3

    def test_a_parameter_that_no_test_has_is_refused(self, nodes):
        _, printed = nodes(text=FILE.replace('"name form", "mode"', '"name from"'))
        assert "the mark drawn names ['from'], and no test has such a parameter" in printed

    def test_tests_with_one_mark_are_drawn_together(self, nodes, draw):
        text = "import pytest\npytestmark = pytest.mark.drawn('name')\n" + "".join(
            f"@pytest.mark.parametrize('name', range(20))\ndef test_{test}(name): pass\n" for test in "abc"
        )
        for ran in map(draw(text), range(5)):
            assert {node[:6] for node in ran} == {"test_a", "test_b", "test_c"}
            assert len({node[7:] for node in ran}) >= 5
            assert 5 <= len(ran) <= 8
        in_each = nodes("--seed=1", text=text.replace("'name')\n@", "'test name')\n@", 1))[0]
        assert all(sum(node.startswith(f"test_{test}") for node in in_each) in {5, 6} for test in "abc")

    def test_attributes_and_elements_of_parameters(self, nodes):
        text = (
            "import pytest\nfrom types import SimpleNamespace\n"
            "CASES = [(SimpleNamespace(name=name), k) for name in 'abc' for k in range(9)]\n"
            "@pytest.mark.drawn('case.0.name')\n@pytest.mark.parametrize('case', CASES)\n"
            "def test_it(case): print('ran', case[0].name)\n"
        )
        _, printed = nodes("-s", text=text)
        assert len(re.findall(r"ran \w", printed)) == 3
        assert {*re.findall(r"ran (\w)", printed)} == set("abc")

    def test_one_value_at_a_time_of_what_takes_long(self, draw):
        text = (
            "import pytest\n@pytest.mark.drawn('name', one='level')\n"
            "@pytest.mark.parametrize('level', ['v2', 'v3', 'v4'])\n@pytest.mark.parametrize('name', ['a', 'b', 'c'])\n"
            "def test_it(name, level): pass\n"
        )
        assert {frozenset(run) for run in map(draw(text), range(12))} == {
            frozenset(f"test_it[{name}-{level}]" for name in "abc") for level in ("v2", "v3", "v4")
        }

    def test_some_of_the_tests_of_a_file(self, draw):
        text = "import pytest\npytestmark = pytest.mark.drawn(share=0.5)\n" + "".join(
            f"def test_{test}(): pass\n" for test in "abcdef"
        )
        runs = list(map(draw(text), range(12)))
        assert {len(run) for run in runs} == {3}
        assert len(set().union(*runs)) == 6

    @pytest.mark.parametrize("how", ["share=0.1", "'case', rows=1", "one='way'"])
    def test_no_planted_fault_is_left_out(self, draw, how):
        text = (
            f"import pytest\npytestmark = pytest.mark.drawn({how})\n"
            "@pytest.mark.planted('fault')\n@pytest.mark.parametrize('case', range(3))\n"
            "@pytest.mark.parametrize('way', 'xyz')\n@pytest.mark.parametrize('fault', ['off', 'lost', 'twice'])\n"
            "def test_it(fault, way, case): pass\n"
            "@pytest.mark.planted()\n@pytest.mark.parametrize('way', 'xyz')\ndef test_other(way): pass\n"
        )
        for ran in map(draw(text), range(5)):
            assert {fault for fault in ("off", "lost", "twice") for node in ran if fault in node} == {
                "off",
                "lost",
                "twice",
            }
            assert any(node.startswith("test_other") for node in ran)
            assert len(ran) <= 12

    def test_no_name_is_left_out_though_the_mark_does_not_say_so(self, draw):
        text = FILE.replace('"name form", "mode"', "").replace('["half", "float"]', '["half", "memory"]')
        for ran in map(draw(text), range(5)):
            run = [node for node in ran if "drawn" in node]
            words = set(" ".join(run).replace("[", "-").replace("]", "-").split("-"))
            assert {"sin", "cos", "tan", "exp", "half", "memory", "rte", "rtz", "rtp"} <= words
            assert len(run) <= 9

    def test_values_within_a_test(self, nodes):
        text = "".join(f"def test_{number}(some): print('ran', *some(range(9), 2))\n" for number in range(20))
        runs = [re.findall(r"ran([ \d]+)", nodes("-s", f"--seed={seed}", text=text)[1]) for seed in range(2)]
        assert [len(run) for run in runs] == [20, 20]
        assert runs[0] != runs[1]
        values = [found.split() for run in runs for found in run]
        assert {len(found) for found in values} == {2}
        assert set().union(*values) == set("012345678")
        assert "ran 0 1 2 3 4 5 6 7 8" in nodes("-s", "--all", text=text)[1]


OTHERS = [("a kind", outcome) for outcome in ("xfailed", "failed", "error", "skipped")]


class TestTheTable:
    """Of a run: what was tested against what."""

    @pytest.fixture
    def told(self, nodes, pytester):
        """The tests that ran, and the lines of the table."""

        def call(*options, name="tests/test_it"):
            (pytester.path / "tests").mkdir(exist_ok=True)
            ran, printed = nodes("-p", "tests.summary", *options, name=name)
            return ran, printed.partition("what was tested against what")[2].splitlines()

        return call

    @pytest.fixture
    def table(self, told):
        return lambda *options, **named: told(*options, **named)[1]

    @pytest.mark.parametrize("seed", [3, 8])
    def test_it_counts_what_ran_and_what_there_is(self, told, seed):
        ran, lines = told(f"--seed={seed}")
        failed = len(ran & FAILING)
        assert 8 <= len(ran) < 27
        assert f"{len(ran) - failed:6} of     27  tests{f', {failed} failed' if failed else ''}" in lines
        assert "covered: 4 of 4 built-ins, 2 of 2 formats, 3 of 3 modes, 1 of 1 chapters" in lines
        assert "OpenCL device: no test needed one" in lines
        drawn = f"rows are drawn by --seed {seed}; --all runs every one"
        assert f"{len(ran)} of 27 tests were run: {drawn}" in lines

    def test_it_counts_what_failed(self, table):
        lines = table("--all")
        assert "    25 of     27  tests, 2 failed" in lines
        assert "27 of 27 tests were run: every row is run (--all)" in lines

    def test_there_is_none_of_tests_that_are_not_of_clmath(self, table):
        assert table("--all", name="test_mine") == []

    def test_a_run_whose_workers_did_not_end_claims_no_number_of_tests(self):
        told = {"rows": {}, "known": [], "met": [], "device": ""}
        lines = list(summary.lines({("a kind", "passed"): 3} | dict.fromkeys(OTHERS, 0), told, "rows are drawn"))
        assert "     3 of      ?  a kind" in lines
        assert lines[-1] == "3 tests were run before the end, of how many no worker has told: rows are drawn"

    def test_workers_tell_the_same(self, table):
        pytest.importorskip("xdist")
        assert table("--seed=5", "-n2")[:5] == table("--seed=5")[:5]


class TestThisSuite:
    """The marks of these tests themselves."""

    @pytest.fixture
    def rows(self, request):
        return request.config.stash[sampling.ROWS]

    def test_no_draw_leaves_out_a_builtin_a_format_a_mode_an_engine_a_chapter_or_a_fault(self, request, some):
        groups, facts = (request.config.stash[key] for key in (sampling.GROUPS, sampling.FACTS))
        every = set().union(*facts.values())
        for seed in some(range(10), 1):
            away = sampling.left_out(groups, facts, seed)
            assert set().union(*(facts[item] for item in facts.keys() - away)) == every

    def test_what_is_called_a_fault_is_marked_as_planted(self, request):
        drawn = [item for _, members in request.config.stash[sampling.GROUPS].values() for item in members]
        unmarked = {times.function(item.nodeid) for item in drawn if item.get_closest_marker("planted") is None}
        found = {name for name in unmarked if FAULTY.search(name.partition("::")[2])} - NO_FAULTS
        assert not found, "a draw may leave these out: they need the mark planted, or plant nothing (NO_FAULTS)"

    def test_every_name_is_that_of_some_row(self, request, rows):
        if request.config.option.keyword or {summary.kind(row.nodeid) for row in rows} < set(summary.KINDS.values()):
            pytest.skip("not all tests are collected")
        met = set().union(*(row.facts for row in rows))
        for kind, least in {"built-ins": 200, "planted faults": 600}.items():
            assert sum(what == kind for what, _ in met) > least
        for kind, number in {"formats": 4, "modes": 4, "engines": 2, "chapters": len(CHAPTERS)}.items():
            assert sum(what == kind for what, _ in met) == number
        assert {what for what, _ in met} == set(KINDS_OF_NAMES)

    def test_shares_are_of_files_and_folders_that_there_are(self, request):
        places = (*sampling.SHARES, *sampling.SHARING, *sampling.WHOLE)
        assert [place for place in places if not (request.config.rootpath / place).exists()] == []

    def test_every_folder_has_words_for_its_kind_of_test(self, request, rows):
        assert [place for place in summary.KINDS if not (request.config.rootpath / place).is_dir()] == []
        without = {summary.kind(row.nodeid) for row in rows} - set(summary.KINDS.values())
        assert not without, f"KINDS of tests/summary.py has no words for the tests in {sorted(without)}"


class TestTimes:
    """Which tests take long, and that a run takes a share of them."""

    def test_long_tests_are_drawn_together(self, nodes, draw, monkeypatch):
        monkeypatch.setattr(times, "listed", lambda: {f"test_it.py::test_{test}": 1.0 for test in "abcde"})
        text = "".join(f"def test_{test}(): pass\n" for test in "abcdefgh")
        runs = list(map(draw(text), range(25)))
        assert {len(run) for run in runs} == {4}  # of the long ones one
        assert all({"test_f", "test_g", "test_h"} < run for run in runs)
        assert len(set().union(*runs)) == 8
        assert len(nodes("--all", text=text)[0]) == 8

    def test_lines_of_files_that_were_not_run_stay(self):
        before = {"tests/a.py::test_gone": 3.0, "tests/b.py::test_other": 0.7}
        spent = {"tests/a.py::test_slow": [0.2, 1.0], "tests/a.py::test_quick": [0.01]}
        text = times.lines(before, spent)
        assert text == "0.6 tests/a.py::test_slow\n0.7 tests/b.py::test_other\n"
        assert times.known(text) == {"tests/a.py::test_slow": 0.6, "tests/b.py::test_other": 0.7}

    def test_they_are_tests_of_files_that_there_are(self, request):
        root = request.config.rootpath
        assert times.listed()
        for name in times.listed():
            file, *_, function = name.split("::")
            assert f"def {function}(" in (root / file).read_text(encoding="utf-8"), name
