"""Every section of the specifications has existing names, or a reason for having none."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import clmath

SCRIPT = Path(__file__).resolve().parents[2] / "tables" / "cover.py"
if not SCRIPT.exists():
    pytest.skip("an installed clmath has no such script", allow_module_level=True)
with pytest.MonkeyPatch.context() as patch:
    patch.syspath_prepend(SCRIPT.parent)  # scripts import each other
    cover = importlib.import_module("cover")

TEXTS = cover.sections()
LISTED = [(name, number) for name, text in TEXTS.items() for number in text["titles"]]
OTHER_TEXTS = {"FP_CONTRACT", "FP_FAST_FMA", "cl_khr_extended_bit_ops", "cl_khr_integer_dot_product", "shuffle"}


def faults(text, rows, *, main):
    """Return the faults in one text's part of the table."""
    titles, without = text["titles"], cover.reasons(text)
    found = [f"{n} is no section" for n in (*text.get("names", {}), *without) if n not in titles]
    for number in titles:
        names = cover.names_of(number, text, rows, main=main)
        parent = cover.is_parent(number, titles)
        if not parent and bool(names) == (number in without):
            found.append(f"{number} has {names} and {without.get(number)}")
        found += [f"{number}: no {n}" for n in text.get("names", {}).get(number, ()) if not hasattr(clmath, n)]
    return found


def test_table_has_five_texts():
    assert list(TEXTS) == ["OpenCL C++ 1.0", "cl_khr_fp16", "FP_CONTRACT", "Macros and limits", "SELECT_ROUNDING_MODE"]
    assert len(TEXTS["OpenCL C++ 1.0"]["titles"]) == 238


@pytest.mark.parametrize("name", TEXTS)
def test_section_has_either_existing_names_or_a_reason(name):
    assert faults(TEXTS[name], cover.rows_by_section(), main=name == cover.MAIN) == []


def test_sections_of_rows_are_listed():
    assert cover.rows_by_section().keys() - TEXTS[cover.MAIN]["titles"].keys() == OTHER_TEXTS


def test_every_section_has_a_line_in_the_page():
    text = cover.source()
    assert text.count("\n## ") == len(TEXTS)
    for name, number in LISTED:
        title = TEXTS[name]["titles"][number]
        assert f"| {number} | {title} |" in text or f"| **{number}** | **{title}** |" in text


def test_faults_are_found():
    text = {"titles": {"1": "One", "2": "Two", "2.1": "Below"}, "names": {"2.1": ["sine"]}, "without": {"why": ["3"]}}
    assert faults(text, {}, main=False) == ["3 is no section", "1 has [] and None", "2.1: no sine"]
    both = {"titles": {"1": "One"}, "names": {"1": ["sin"]}, "without": {"why": ["1"]}}
    assert faults(both, {}, main=False) == ["1 has ['sin'] and why"]


def test_headings_in_code_are_ignored():
    markdown = "## 1. One\n``` c\n## 2. no\n```\n#### 2.1.1. \\<header\\>\n##### below\n"
    assert cover.headings(markdown) == {"1": "One", "2.1.1": "<header>"}
