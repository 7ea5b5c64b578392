"""Errors by region of two arguments: they equal the reference's, however the inputs are split."""

import json

import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.audit.counting.spread import REGIONS, has_regions, region_of, region_texts, side_shift
from clmath.audit.isolation.choosing import target_named
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.records import several_reports
from clmath.audit.records.record import verdict_of, written
from clmath.audit.reports import terminal
from clmath.audit.reports.outcome import Outcome, Whole
from clmath.audit.reports.page import page
from clmath.audit.reports.sections import heat_map, levels
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import ulp_errors
from clmath.spec.builtins import builtin
from tests.audit.checks import moved
from tests.cases import for_each


def judged(name, form, args, results):
    item = Item(builtin(name), form)
    plan = Plan.of([name], [form], inputs=1, jobs=1)
    return item, judge(item, args, results, criteria_of(item, plan, target_named("clmath")))


def off(name, form, args):
    """Return results with a pattern of errors, in numbers; most of them are correct."""
    right = getattr(clmath, name)(*args)
    steps = np.resize(np.array([0, 0, 1, 0, 3, 0, 0, 0, -1, 0, 0], np.int64), right.shape)
    steps = np.where(np.isfinite(right) & (right != 0), steps, 0)
    return moved(form, right, steps)


def pairs(form, count=2000):
    rng = np.random.default_rng(27)
    x = rng.uniform(0.2, 60.0, count).astype(form.dtype)
    y = (rng.uniform(-1.0, 1.0, count) * 2.0 ** rng.integers(-12, 2, count)).astype(form.dtype)
    return x, y


@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("name", ["pow", "atan2", "hypot"])
def test_errors_by_region_equal_the_references(name, form):
    args = pairs(form)
    args = tuple(np.abs(a) for a in args) if name == "pow" else args
    results = off(name, form, args)
    _, tally = judged(name, form, args, (results,))
    (exact,) = reference.enclose(name, args, form)
    errors = np.abs(ulp_errors(results, exact, form))
    wrong = np.flatnonzero(results != getattr(clmath, name)(*args))
    sides = [(form.bits(a[wrong]) >> side_shift(form)).astype(int) for a in args]
    largest = {}
    for region, error in zip(sides[0] * REGIONS + sides[1], errors[wrong], strict=True):
        largest[int(region)] = max(largest.get(int(region), 0.0), float(error))
    found = dict(tally.spread.regions)
    assert found.keys() == largest.keys()
    assert len(found) > 1
    for region, error in largest.items():
        assert error <= found[region] <= 1.1 * error
        assert float(f"{found[region]:.1e}") == found[region]


def test_regions_have_names():
    for form in (HALF, FLOAT, DOUBLE):
        texts = {region_texts(region, form) for region in range(REGIONS**2)}
        assert len(texts) == REGIONS**2
        assert all(region_of(*region_texts(region, form), form) == region for region in range(0, REGIONS**2, 7))
    assert region_texts(0, FLOAT) == ("0x0p+0", "0x0p+0")
    with pytest.raises(ValueError, match="0x1p\\+3"):
        region_of("0x1p+3", "0x0p+0", FLOAT)
    assert has_regions(Item(builtin("pow"), FLOAT))
    assert not has_regions(Item(builtin("sin"), FLOAT))
    assert not has_regions(Item(builtin("pown"), FLOAT))


@pytest.fixture
def written_report(clm, tmp_path):
    path = tmp_path / "pairs.json"
    words = ["--functions", "pow,atan2,sin", "--types", "float", "--inputs", "500", "--jobs", "1", "--json", path]
    assert clm("audit", "numpy", *words)[0] == 0
    return path


def test_reports_contain_regions_and_are_read_again(clm, written_report):
    rows = json.loads(written_report.read_text())["rows"]
    assert [bool(row.get("worst by region")) for row in rows] == [True, True, False]
    for row in rows:
        again = verdict_of(row)
        assert written(again).items() <= row.items()
    assert clm("report", written_report, "--quiet")[0] == 0
    assert clm("diff", written_report, written_report)[0] == 0
    text = written_report.read_text()
    first = next(iter(rows[0]["worst by region"]))
    written_report.write_text(text.replace(f'"{first}": {{', '"0x1p+3": {', 1))
    status, _, err = clm("report", written_report)
    assert status == 2
    assert "case pow float is not a case of a report" in err


def test_page_maps_errors_by_region(written_report):
    (one,) = several_reports.read(written_report, "test").reports.values()
    text = page(Whole.of(Outcome(one.head, one.rows, terminal.replay_of(one.head))))
    assert text.count('<svg class="heat"') == 2
    assert "Error in ulp over x and y, by regions of their exponents" in text
    assert all(name in text for name in levels())


def test_errors_beyond_the_limit_have_another_colour():
    item = Item(builtin("pow"), FLOAT)
    regions = tuple((region_of(*texts, FLOAT), error) for texts, error in (
        (("0x1p+1", "0x1p+1"), 0.75), (("-0x1p+1", "0x1p+1"), 3.5), (("0x1p+1", "-0x1p+1"), 20.0)))  # fmt: skip
    chart = heat_map(item, regions, {-1: 16.0})
    generated = {path.get("class"): path.get("d").count("M") for path in chart.iter("path")}
    assert generated == {"within level-1": 1, "within level-3": 1, "beyond": 1}
    title = chart.find("title").text
    assert "over x (to the right) and y (upwards)" in title
    assert "up to 20 ulp from 0x1p+1, -0x1p+1 on" in title
