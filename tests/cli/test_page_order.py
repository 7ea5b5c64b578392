"""The HTML page begins with failures, says where it is logarithmic, and stays small with many cases."""

import html
import re
from dataclasses import replace

import pytest

from clmath.audit.counting.spread import stretch_of
from clmath.audit.plan.item import Item
from clmath.audit.records import several_reports
from clmath.audit.reports import page as pages
from clmath.audit.reports import terminal
from clmath.audit.reports.charts import ALL, Axis, error_chart
from clmath.audit.reports.known_failures import by_severity, largest_failure, needing_attention
from clmath.audit.reports.outcome import Outcome, Whole
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin

pytestmark = pytest.mark.slow


def outcome(path):
    (one,) = several_reports.read(path, "test").reports.values()
    return Outcome(one.head, one.rows, terminal.replay_of(one.head))


@pytest.fixture(scope="module")
def wrong(reports):
    return outcome(reports[0])


@pytest.fixture(scope="module")
def text(wrong):
    return pages.page(Whole.of(wrong))


def headings(text):
    return re.findall(r"<h2>(.*?)</h2>", text)


def test_page_begins_with_failures(wrong, text):
    failing = needing_attention(wrong.verdicts)
    first, *others = headings(text)
    assert first == f"What does not pass: {len(failing)} cases, the most severe first"
    assert others == ["Summary", "Rows", "The other cases", "To do it again"]
    before = text.partition("<h2>Summary")[0]
    names = re.findall(r'<details id="row-\d+"[^>]*><summary>(.*?) <span class="\w+">(.*?)</span>', before)
    assert [name for name, _ in names] == [str(v.item) for v in failing]
    for verdict, (_, said) in zip(failing, names, strict=True):
        assert html.unescape(said) == f"{verdict.status}: {verdict.reason}"
        worst = largest_failure(verdict)
        assert re.search(re.escape(f"{worst.got:#018x}"[2:]), before)
        command = wrong.replay.command(verdict.item, worst)
        assert (
            f'<p class="replay"><code>{command}</code><button type="button" hidden="hidden">Copy</button></p>' in text
        )


def test_severity_follows_the_error(wrong):
    sizes = [abs(largest_failure(v).error) for v in by_severity(wrong.verdicts) if v.status == "fail"]
    assert len(sizes) > 3
    assert sizes == sorted(sizes, reverse=True)


def test_chapter_that_passes_is_folded(wrong):
    good = replace(wrong, verdicts=[v for v in wrong.verdicts if v.status == "pass"])
    assert '<details class="chapter" data-chapter="math"' in pages.page(Whole.of(wrong))
    opened = re.findall(r"<details class=\"chapter\"[^>]*>", pages.page(Whole.of(wrong)))
    folded = re.findall(r"<details class=\"chapter\"[^>]*>", pages.page(Whole.of(good)))
    assert [tag.endswith('open="open">') for tag in opened] == [True]
    assert [tag.endswith('open="open">') for tag in folded] == [False]
    assert headings(pages.page(Whole.of(good)))[0] == "Summary"


def test_totals_count_all_cases(wrong, text):
    (foot,) = re.findall(r"<tfoot>(.*?)</tfoot>", text)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", foot)
    assert cells[:3] == ["total", "", str(len(wrong.verdicts))]
    assert str(sum(v.tally.tried for v in wrong.verdicts)) in cells


def many(found, count):
    """Return ``count`` cases, repeated from a report with other widths and with errors in every binade."""
    worst = tuple((stretch, 0.5 + stretch % 37) for stretch in range(1 << 9))
    rows = []
    for number in range(count):
        round, place = divmod(number, len(found.verdicts))
        verdict = found.verdicts[place]
        spread = replace(verdict.tally.spread, worst=tuple(worst for _ in verdict.item.measured))
        item = replace(verdict.item, vector=1 + round)
        rows.append(replace(verdict, item=item, tally=replace(verdict.tally, spread=spread)))
    return replace(found, verdicts=rows)


@pytest.mark.slow
@pytest.mark.parametrize("status", ["as they are", "fail"])
def test_page_of_3600_cases_stays_small(wrong, status):
    whole = many(wrong, 3600)
    assert len(whole.verdicts) == 3600
    if status == "fail":
        worst = next(v for v in whole.verdicts if v.status == "fail")
        rows = [replace(v, status="fail", tally=replace(worst.tally, spread=v.tally.spread)) for v in whole.verdicts]
        whole = replace(whole, verdicts=[r for r in rows if len(r.item.columns) == len(worst.item.columns)])
    text = pages.page(Whole.of(whole))
    assert len(text.encode()) < 3_000_000
    assert text.count("data-row=") == len(whole.verdicts)
    assert re.search(r"\d+ (more cases do not pass|cases with smaller errors are only in the tables)", text)
    links = set(re.findall(r'href="#(row-\d+)"', text))
    assert links == set(re.findall(r'<details id="(row-\d+)"', text))


@pytest.mark.parametrize(
    ("name", "form", "ends"),
    [("tgamma", FLOAT, ("−43", "35.1")), ("asin", FLOAT, ("−1", "1")), ("exp", DOUBLE, ("−746", "710"))],
)
def test_axis_spans_the_tried_inputs(name, form, ends):
    item = Item(builtin(name), form)
    stretches = [stretch_of("-0x1p-100", form), stretch_of("-0x1p-2", form)] if form == FLOAT else []
    chart = error_chart(item, "x", [(s, 1.0) for s in stretches if s >= 0] or [(0, 0.5)], {ALL: 4.0})
    labels = [element.text for element in chart.iter("text")]
    assert set(ends) <= set(labels)
    assert "limit 4 ulp" in labels


def test_axis_has_a_place_for_inputs_beyond_the_domain():
    item = Item(builtin("asin"), FLOAT)
    beyond = stretch_of("0x1p+20", FLOAT)
    assert Axis.of(item, [beyond]).places[beyond] == Axis.of(item, [beyond]).count - 1


def test_peaks_are_labelled():
    item = Item(builtin("sin"), FLOAT)
    peaks = {"0x1p+3": 1.25, "0x1p+100": 0.75, "-0x1p+90": 7.5}
    chart = error_chart(item, "x", [(stretch_of(text, FLOAT), error) for text, error in peaks.items()], {ALL: 4.0})
    labels = [element.text for element in chart.iter("text") if element.get("class") == "peak"]
    assert labels == ["7.5", "1.25", "0.75"]
    beyond = [path for path in chart.iter("path") if path.get("class") == "beyond"]
    assert len(beyond) == 1
    assert beyond[0].get("d").count("M") == 1


def test_page_shows_targets_side_by_side(wrong, reports):
    right = outcome(reports[1])
    text = pages.page(Whole({"wrong": wrong, "right": right}, together=True))
    matrix = text.partition('<table class="matrix">')[2].partition("</table>")[0]
    assert re.findall(r"<th [^>]*>(.*?)</th>", matrix) == ["built-in", "type", "wrong", "right"]
    lines = [re.sub(r"<a[^>]*>|</a>", "", line) for line in re.findall(r"<tr>(<td.*?)</tr>", matrix)]
    assert len(lines) == len({v.item for v in (*wrong.verdicts, *right.verdicts)})
    (tgamma,) = [re.findall(r"<td[^>]*>(.*?)</td>", line) for line in lines if line.startswith("<td>tgamma<")]
    errors = [next(v for v in one.verdicts if v.item.builtin.name == "tgamma") for one in (wrong, right)]
    words = [terminal.error_text(v.worst_error) + (" fail" if v.status == "fail" else "") for v in errors]
    assert tgamma == ["tgamma", "double", *words]
    assert " fail" in tgamma[2]


def luminance(color):
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_have_enough_contrast(text, theme):
    """Contrast ratios that WCAG requires: 4.5 for text, 3 for charts."""
    colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", re.findall(r":root \{(.*?)\}", text, re.DOTALL)[theme]))
    assert len(colors) == 10
    for ground in ("ground", "raised"):
        for name in ("ink", "soft", "good", "bad", "open", "limit"):
            assert contrast(colors[name], colors[ground]) >= 4.5, (name, ground)
        assert contrast(colors["bar"], colors[ground]) >= 3.0


def test_charts_have_descriptive_titles(wrong):
    text = pages.page(Whole.of(many(wrong, len(wrong.verdicts))))
    titles = re.findall(r'<svg [^>]*role="img"[^>]*><title>(.*?)</title>', text)
    assert len(titles) == text.count('role="img"') > len(wrong.verdicts)
    assert all("logarithmic" in title for title in titles)
    assert any(re.search(r"up to [\d.e+]+ ulp, from -?0x\S+ on; limit", title) for title in titles)
