"""Generated pages of the site: they show the tables, the parser's options and the reports; broken links are found."""

from __future__ import annotations

import argparse
import csv
import inspect
import io
import os
import re
from types import SimpleNamespace

import pytest

import clmath
from benchmarks.atlas.compact import Device
from benchmarks.atlas.groups import DEVICES
from clmath.kernels import ACCURATE
from clmath.spec import editions
from clmath.spec.limits import limit
from clmath.spec.special_values import special_values
from tests.cases import for_each
from website import (
    atlas,
    builtin,
    command_line,
    copied,
    curve,
    further,
    links,
    measured,
    names,
    pages,
    proven,
    published,
)
from website.markdown import escaped

pytestmark = pytest.mark.slow
SOME = ("sin", "pow", "lgamma_r", "clamp", "convert_uchar_sat_rte", "popcount", "vload_half", "read_srgb", "as_int")


@pytest.fixture(scope="module")
def every():
    return measured.rows()


def test_every_built_in_is_listed():
    named = builtin.named()
    assert len(named) > 350
    listed = builtin._list()
    assert [name for name in named if f"`{name}`" not in listed] == []
    assert {rows[0].chapter for rows in named.values()} > set(builtin.LISTED)


@for_each("name", SOME)
def test_page_of_a_built_in_has_declaration_limits_and_special_values(name):
    rows = builtin.named()[name]
    text = builtin._page(name, rows)
    assert f"clmath.{name}(" in text
    assert all(row.declaration in text for row in rows)
    for row in (row for row in rows if row.chapter in {"math", "common", "geometric"}):
        for edition in editions.known():
            assert all(f"`{special_value.text}`" in text for special_value in special_values(name, edition))
            assert all(escaped(limit(name, form, edition=edition).text) in text for form in row.formats)


def named_as(phase, kernel):
    """Return the phase and the function of a certificate; pow, powr and pown have one function that narrows."""
    return f"accurate.{ACCURATE.kernels[kernel].narrow.__name__}" if phase == "narrowing" else f"{phase}.{kernel}"


def test_pages_of_built_ins_state_exactly_the_proven_kernels():
    """A kernel is called proven if and only if it has a certificate."""
    certificates = (copied.ROOT / "tables" / "certificates").glob("*/*.json")
    math = {name: rows for name, rows in builtin.named().items() if rows[0].chapter == "math"}
    lines = [line for name, rows in math.items() for line in builtin._page(name, rows).splitlines()]
    proven_kernels = {line.split("`")[1] for line in lines if "[proven by machine](proofs.md)" in line}
    kernels = {".".join(name.split(".")[2::2]) for name in proven_kernels}
    assert kernels == {named_as(path.parent.name, path.stem) for path in certificates}


def test_page_has_the_examples_of_the_docstring(monkeypatch):
    """Measured errors are left out, since they require reading every report."""
    monkeypatch.setattr(builtin, "_errors", lambda name: iter(()))  # noqa: ARG005
    text = builtin._page("sin", builtin.named()["sin"])
    lines = [line.strip() for line in clmath.sin.__doc__.splitlines() if ">>>" in line]
    assert lines
    assert all(line in text for line in lines)


def test_every_function_has_a_page():
    found = further.pages()
    built_in = {f"{name}.md" for name in builtin.named()}
    aliases = re.compile(r"(convert|as|vload|vloada|vstore|vstorea)_?\w*")
    public = [
        name for name in clmath.__all__ if inspect.isroutine(getattr(clmath, name)) and not aliases.fullmatch(name)
    ]
    assert [name for name in public if f"{name}.md" not in built_in | set(found)] == []
    assert "clmath.select_rounding_mode(" in found["select_rounding_mode.md"] or "select_rounding_mode" not in public


def test_command_line_page_has_every_option():
    text = command_line.page()
    for name, parser in command_line.commands().items():
        assert f"## clmath {name}\n" in text
        for action in parser._actions:
            assert all(option in text for option in action.option_strings if action.help is not argparse.SUPPRESS)


def test_names_page_has_names_of_libraries():
    text = names.page()
    assert "| `clmath.acos` | `arccos` |" in text
    assert "gammaln" in text


def test_atlas_has_the_figures_of_compact_files(every):
    facts = {(f["built-in"], f["type"], f["subject"], f["profile"]): f for f in map(atlas.facts, every)}
    assert len(facts) == len(every) > 1000
    device = Device.load(DEVICES / "h200.json")
    for (profile, type, name), row in device.rows.items():
        fact = facts[name, type, "h200", profile]
        assert (fact["tried"], fact["failed"]) == (row["tried"], row.get("failed", 0))
        assert fact["worst ulp"] == (abs(row["error"]) if "error" in row else None)
        assert fact["limit"] == device.limits[row["limit"]][0]
    assert facts["sin", "float", "h200", "full"]["exhaustive"]
    lines = list(csv.DictReader(io.StringIO(atlas._csv(every))))
    assert [line["built-in"] for line in lines] == [row.name for row in every]


def test_atlas_page_has_worst_inputs_and_dates(every):
    text = atlas._builtin("sin", "float")
    for row in (row for row in every if (row.name, row.type) == ("sin", "float")):
        assert f"](../{row.target.slug}.md)" in text
        assert row.worst_call in text
        assert row.date in text
    assert "0x1.8f5c76p+21 [0x4a47ae3b]" in text
    assert "clmath eval sin 0x1.8f5c76p+21 --type float" in text


def test_targets_have_titles():
    titles = {target.slug: target.title for target in measured.targets()}
    assert titles["h100"] == "NVIDIA CUDA: NVIDIA H100 80GB HBM3"
    assert titles["h100-torch"] == "torch:cuda:0 on NVIDIA H100 80GB HBM3"
    assert titles["jax-cpu"] == "jax on cpu"


def test_atlas_page_states_why_a_curve_is_missing():
    sections = dict(part.split("}", 1) for part in atlas._builtin("sqrt", "float").split("{#")[1:])
    assert "No error beyond half an ulp was found" in sections["glibc-2-39"]
    assert "errors by binade were not kept" in atlas._builtin("sin", "float").split("{#h200-relaxed}")[1].split("{#")[0]


def test_curve_has_a_title_and_a_caption():
    (row, *_) = measured.curves("sin", "double")
    (figure,) = curve.figures(row)
    assert "<title>" in figure
    assert row.verdict.limit in figure
    assert "largest error over x" in figure


def test_published_figures_are_compared_with_measured_errors():
    text = published.page()
    beyond, within = text.split("## Measured errors beyond")[1].split("## Measured errors within")
    assert "[tgamma](tgamma/float.md#h200)" in beyond
    assert "[sin](sin/float.md#h200)" in within
    for target in ("glibc-2.36", "glibc-2.39"):  # agrees with another search to the last digit
        (line,) = (line for line in within.splitlines() if f"[exp](exp/double.md#{target.replace('.', '-')})" in line)
        assert "| 0.510359 | 0.510 | `-0x1.49f33ad2c1c58p+9 [" in line


@for_each(
    ("claimed", "error", "exceeds"),
    [
        ("2", 2.5, False),
        ("2", 2.51, True),
        ("66.5", -67.1, True),
        ("0.510359", 0.5103594, False),
        ("0.510359", 0.5103596, True),
        ("3.67", -3.674, False),
        ("3.67", -3.676, True),
    ],
)
def test_error_exceeds_a_published_figure_by_more_than_half_its_last_digit(claimed, error, exceeds):
    row = SimpleNamespace(verdict=SimpleNamespace(worst_error=error))
    assert published._exceeds(row, claimed) is exceeds


def test_curve_of_a_target_is_from_its_largest_audit():
    rows = [row for row in measured.curves("log", "float") if row.target.slug == "h100-cupy"]
    assert [row.verdict.tally.tried for row in rows] == [1 << 32]
    (row,) = (row for row in measured.rows() if (row.name, row.type, row.target.slug) == ("log", "float", "h100-cupy"))
    assert row.is_exhaustive
    assert "NVIDIA H100 80GB HBM3" in row.target.title
    assert "driver 580.159.04" in row.machine
    assert "log of float, largest error over x" in atlas._builtin("log", "float").split("{#h100-cupy}")[1]


def test_copied_pages_link_to_pages():
    pages = copied.pages()
    assert "(changelog.md)" in pages["contributing.md"]
    assert "](../" not in "".join(pages.values())


def site(folder, text, other="<h1 id='there'>x</h1>"):
    (folder / "a").mkdir()
    (folder / "index.html").write_text(text)
    (folder / "a" / "index.html").write_text(other)
    return folder


def test_valid_links_are_accepted(tmp_path):
    text = "<a href='a/#there'>x</a><a href='#up' id='up'>x</a><a href='https://example.org'>x</a>"
    assert links.faults(site(tmp_path, text)) == []


@for_each(
    ("text", "fault"),
    [
        ("<a href='b/'>x</a>", "index.html: b/ leads nowhere"),
        ("<a href='a/#nowhere'>x</a>", "index.html: a/#nowhere has no place 'nowhere'"),
        ("<a href='#nowhere'>x</a>", "index.html: #nowhere has no place 'nowhere'"),
        ("<img src='a.png'>", "index.html: a.png leads nowhere"),
        ("<script src='https://cdn.example.org/x.js'></script>", "index.html: loads https://cdn.example.org/x.js"),
        ("<link rel='stylesheet' href='//fonts.example.org/'>", "index.html: loads //fonts.example.org/"),
    ],
)
def test_broken_link_is_found(tmp_path, text, fault):
    assert links.faults(site(tmp_path, text)) == [fault]


def test_code_in_docstrings_is_formatted_as_code():
    assert (
        builtin.prose("``a_b`` and ``c\nd`` of 2*3_4, x < y\n\nnext")
        == "`a_b` and `c d` of 2\\*3\\_4, x &lt; y\n\nnext"
    )
    paged = [name for name, rows in builtin.named().items() if rows[0].chapter not in builtin.LISTED]
    assert [name for name in paged if "\\`" in "".join(builtin.documented(name))] == []


def test_links_are_valid_in_a_clone_except_to_generated_pages(monkeypatch):
    """Only links to a few pages that exist only on the site are broken in a clone; the text says so."""
    monkeypatch.setattr(builtin, "_page", lambda *_: "")  # only names of pages are needed
    monkeypatch.setattr(proven, "page", str)
    monkeypatch.setattr(atlas, "files", dict)
    generated, without = set(pages.generated()), []
    for file in (copied.ROOT / "docs").rglob("*.md"):
        targets = re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", file.read_text(encoding="utf-8"))
        without += [file.parent / target for target in targets if not (file.parent / target).exists()]
    left = {os.path.relpath(target, copied.ROOT / "docs") for target in without}
    assert left <= generated
    assert left == {"command-line.md", "names.md", "proofs.md", "sin.md", "testing-reference.md"}


@pytest.mark.parametrize(
    "page, text, wanted",
    [
        ("guide/a.md", "[t](../../tables/README.md#x) [u](b.md)", "[t](../tables.md#x) [u](b.md)"),
        ("index.md", "[a](../benchmarks/atlas/README.md)", "[a](atlas/index.md)"),
        ("guide/a.md", "[c](../../CONTRIBUTING.md)", "[c](../contributing.md)"),
    ],
)
def test_links_to_repository_files_become_links_to_pages(page, text, wanted):
    assert copied.with_links_of_the_site(text, page) == wanted
