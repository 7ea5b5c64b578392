"""The HTML page: its content, escaping of text from devices, and behaviour in a real browser."""

import base64
import hashlib
import re
import textwrap
from html.parser import HTMLParser

import numpy as np
import pytest

from clmath.audit.counting.tally import Tally, Verdict
from clmath.audit.plan.item import Item
from clmath.audit.reports.charts import ALL, allowed
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from clmath.spec.limits import limit
from tests.browser import browsed, needs_chromium, probed, with_probe

HOSTILE = '</pre></script><script>document.title="owned"</script><img src=x onerror=alert(1)> & "quoted" \x1b[2J'
LAB = f"""
    import numpy as np
    import clmath

    HOSTILE = {HOSTILE!r}

    class Hostile:
        __name__ = HOSTILE

    def off(name, *args):
        value = np.array(getattr(clmath, name)(*args))
        if name == "ceil":
            raise RuntimeError(HOSTILE)
        print(HOSTILE)
        return np.where(args[0] > 1, np.nextafter(value, np.asarray(np.inf, value.dtype)), value)
"""
WORDS = ["--functions", "floor,exp,ceil,pow,native_sin", "--types", "float,half", "--inputs", "64", "--jobs", "1"]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    from clmath.__main__ import main

    folder = tmp_path_factory.mktemp("page_lab")
    (folder / "page_lab.py").write_text(textwrap.dedent(LAB))
    known = folder / "known.txt"
    known.write_text(f"exp float: passes\nfloor half: {HOSTILE.replace(chr(27), '')}\n")
    path = folder / "page.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert main(["audit", "page_lab:off", *WORDS, "--html", str(path), "--known-failures", str(known)]) == 1
    return path


class Parsed(HTMLParser):
    """Tags with their attributes, and the text outside script and style."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.raw, self.inside = [], "", {"script": "", "style": ""}, []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.inside.append(tag)

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        inside = self.inside[-1] if self.inside else ""
        if inside in self.raw:
            self.raw[inside] += data
        else:
            self.text += data


@pytest.mark.slow
def test_text_of_a_device_is_escaped(page):
    text = page.read_text()
    assert "\x1b" not in text
    found = Parsed(text)
    tags = [tag for tag, _ in found.tags]
    assert tags.count("script") == 1
    assert "img" not in tags
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    assert found.text.count("<img src=x onerror=alert(1)>") >= 3  # a reason, a note, the list of known failures
    assert "\\x1b[2J" in found.text


def test_page_needs_no_other_file(page):
    found = Parsed(page.read_text())
    links = [value for _, a in found.tags for name, value in a.items() if name in ("src", "href", "action", "srcset")]
    assert links
    assert all(link.startswith("#row-") for link in links)
    targets = {a["id"] for _, a in found.tags if a.get("id")}
    assert {link[1:] for link in links} <= targets
    (policy,) = (a["content"] for tag, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; ")
    for kind in ("script", "style"):
        digest = base64.b64encode(hashlib.sha256(found.raw[kind].encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert "url(" not in found.raw["style"]
    assert "@import" not in found.raw["style"]


def statuses(text):
    """Return the verdict of each case in the tables, by type and number."""
    lines = re.findall(r'<tr data-type="(\w+)" data-width="\d+" data-row="(\d+)">(.*?)</tr>', text)
    return {(type, int(row)): re.findall(r"<td[^>]*>([^<]*)</td>", cells)[-1] for type, row, cells in lines}


def test_page_shows_verdicts_failures_and_charts(page):
    found = Parsed(page.read_text())
    assert "does not conform" in found.text
    assert statuses(page.read_text()) == {
        ("half", 0): "known failure", ("half", 1): "fail", ("half", 2): "not judged", ("half", 3): "fail",
        ("float", 4): "fail", ("float", 5): "listed, but passes", ("float", 6): "not judged", ("float", 7): "fail",
        ("float", 8): "not judged",
    }  # fmt: skip
    for part in (
        "--replay=", "expected 0x1p+0 [0x3f800000]", "got      0x1.000002p+0 [0x3f800001], +2.000 ulp",
        "correctly rounded: ", "Error in ulp over x, both logarithmic", "Error in ulp over y",
        "bars logarithmic", "subject: name",
        "tables: editions/opencl-c++-1.0/limits.toml",
        "command line", "plan: seed", "known failure: ",
    ):  # fmt: skip
        assert part in found.text or part.removesuffix(": ") in found.text, part
    charts = [a.get("class") for tag, a in found.tags if tag == "svg"]
    assert charts.count("histogram") == 7  # all cases except ceil
    assert charts.count("errors") >= 6
    paths = [a for tag, a in found.tags if tag == "path"]
    assert any(a["class"] == "beyond" and a["d"] for a in paths)
    assert any(a["class"] == "within" and a["d"] for a in paths)
    assert all(a["d"] for a in paths)
    assert not [a for a in paths if "nan" in a["d"] or "inf" in a["d"]]


def verdict(name, form, components=0, profile="full"):
    found = limit(name, form, profile)
    return Verdict(Item(builtin(name), form, components), profile, found.text, found.source, "pass", Tally())


def test_limits_are_charted_by_binade():
    assert allowed(verdict("sin", FLOAT)) == {ALL: 4.0}
    assert allowed(verdict("pow", DOUBLE)) == {ALL: 16.0}
    assert allowed(verdict("fmod", HALF)) == {ALL: 0.5}
    assert allowed(verdict("native_sin", FLOAT)) == {}
    assert allowed(verdict("floor", FLOAT)) == {ALL: 0.5}
    growing = allowed(verdict("exp", FLOAT, profile="relaxed"))
    assert growing[127] >= 3 + 2  # [1, 2)
    assert growing[127 + 5] >= 3 + 64
    assert growing[100] == 3.0


PROBE = """
const form = document.querySelector("form");
const say = () => out.push(document.querySelector("#shown").textContent);
say();
form.elements.type.value = "half"; form.dispatchEvent(new Event("input")); say();
form.elements.status.value = "fail"; form.dispatchEvent(new Event("input")); say();
form.elements.text.value = "EXP"; form.dispatchEvent(new Event("input")); say();
out.push([...document.querySelectorAll("details[id]")].filter((d) => !d.hidden).length);
form.reset(); filter(); say();
location.hash = "#row-8"; reveal(); out.push(document.querySelector("#row-8").open);
const table = document.querySelector(".rows"), heads = table.tHead.rows[0].cells;
const column = () => [...table.tBodies[0].rows].map((row) => parseInt(row.cells[7].textContent)).join(",");
heads[7].querySelector("button").click(); out.push(column());
heads[7].querySelector("button").click(); out.push(column());
out.push(heads[7].getAttribute("aria-sort"));
out.push([...document.querySelectorAll(".replay button")].every((button) => !button.hidden));
out.push(document.title);
out.push(getComputedStyle(document.body).backgroundColor);
out.push(document.documentElement.scrollWidth <= innerWidth);
"""


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_browser_filters_the_page_and_follows_the_theme(page, tmp_path, theme):
    assert "9 of 9 cases" in browsed(page.as_uri(), tmp_path / "plain", "--dump-dom")  # the policy allows the script
    path = tmp_path / "probed.html"
    path.write_text(with_probe(page.read_text(), PROBE))
    dark = ["--force-dark-mode"] if theme == "dark" else []
    found = probed(path.as_uri(), tmp_path / theme, "--window-size=700,900", *dark)
    *counts, sections, whole, opened, down, up, order, copied, title, ground, fits = found
    numbers = [int(number) for number in down.split(",")]
    assert numbers == sorted(numbers, reverse=True) != sorted(numbers)
    assert [int(number) for number in up.split(",")] == sorted(numbers)
    assert (order, copied) == ("ascending", "true")
    assert counts == ["9 of 9 cases", "4 of 9 cases", "2 of 9 cases", "1 of 9 cases"]
    assert (sections, whole, opened) == ("1", "9 of 9 cases", "true")
    assert title.startswith("clmath audit: page_lab:off")
    assert np.mean([int(c) for c in re.findall(r"\d+", ground)]) > 200 if theme == "light" else True
    assert np.mean([int(c) for c in re.findall(r"\d+", ground)]) < 60 if theme == "dark" else True
    assert fits == "true"


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("dark", [[], ["--force-dark-mode"]], ids=["light", "dark"])
def test_browser_renders_the_page(page, tmp_path, dark):
    picture = tmp_path / "page.png"
    browsed(page.as_uri(), tmp_path / "profile", f"--screenshot={picture}", "--window-size=1200,1800", *dark)
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert len(data) > 30_000  # an empty page has a few thousand bytes


@pytest.mark.slow
@needs_chromium
def test_browser_filters_the_cases_of_several_targets(clm, tmp_path):
    path = tmp_path / "several.html"
    words = ["--functions", "floor,trunc", "--types", "float", "--inputs", "64", "--jobs", "1", "--html", path]
    assert clm("audit", "clmath", "numpy", *words)[0] == 0
    probe = """
    const form = document.querySelector("form"), shown = document.querySelector("#shown");
    out.push(shown.textContent);
    form.elements.target.value = "numpy"; form.dispatchEvent(new Event("input"));
    out.push(shown.textContent);
    """
    path.write_text(with_probe(path.read_text(), probe))
    assert probed(path.as_uri(), tmp_path / "profile") == ["4 of 4 cases", "2 of 4 cases"]
