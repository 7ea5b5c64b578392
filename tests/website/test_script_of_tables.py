"""Script of the site's tables, run in Chromium: sorting, filtering, and addresses that contain the filters."""

import functools
import http.server
import shutil
import threading
from pathlib import Path

import pytest

from tests.browser import needs_chromium, probed, with_probe

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "assets" / "tables.js"
ROWS = {
    "acos": "0.5",
    "sin": "1,234",
    "sinh": "",
    "exp": "1.2e+01",
    "cos": "-3",
    "atanh": ">7.000",
    "tan": "",
    "log": "0.25",
    "asin": "7",
}
LINES = "".join(
    f"<tr><td>{name}</td><td>{number}<br><small>79.17 %</small></td><td>{len(name)}</td></tr>"
    for name, number in ROWS.items()
)
HEAD = "<tr><th>function</th><th>h200</th><th>intel</th></tr>"
PAGE = f"""<!doctype html><html><head><meta charset="utf-8"></head><body><div class="sortable matrix">
<table><thead>{HEAD}</thead><tbody>{LINES}</tbody></table></div><script src="tables.js"></script></body></html>"""
COMMON = """
const table = document.querySelector("table"), heads = table.tHead.rows[0].cells, form = document.querySelector("form");
const names = () => [...table.tBodies[0].rows].filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
const lines = () => out.push(names().join(" "));
const press = (column) => heads[column].querySelector("button").click();
"""
pytestmark = [
    pytest.mark.slow,
    needs_chromium,
    pytest.mark.skipif(not SCRIPT.exists(), reason="an installed clmath has no site"),
]


class Handler(http.server.SimpleHTTPRequestHandler):
    """Server without log messages."""

    def log_message(self, *_):
        """Write nothing."""


@pytest.fixture
def evaluated(tmp_path):
    """Function that runs a script at the end of the served page and returns its texts; it may change the address."""
    handler = functools.partial(Handler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def call(script, asked=""):
            (tmp_path / "page.html").write_text(with_probe(PAGE, COMMON + script), encoding="utf-8")
            shutil.copy(SCRIPT, tmp_path)
            return probed(f"http://127.0.0.1:{server.server_port}/page.html{asked}", tmp_path / "profile")

        yield call
        server.shutdown()


def test_rows_are_sorted_by_cell(evaluated):
    """Numbers are compared as numbers; empty cells come last in both directions."""
    up, down, order, names = evaluated(
        "press(1); lines(); press(1); lines(); out.push(heads[1].getAttribute('aria-sort')); press(0); lines();"
    )
    assert up == "cos log acos atanh asin exp sin sinh tan"
    assert down == "sin exp atanh asin acos log cos sinh tan"
    assert order == "descending"
    assert names == " ".join(sorted(ROWS))


def test_address_contains_filters_of_rows_and_columns(evaluated):
    found, address, shown, whole = evaluated(
        """
        const field = form.querySelector("input[type=search]"), box = form.querySelector("input[value=h200]");
        field.value = "SIN"; field.dispatchEvent(new Event("input")); lines();
        box.checked = false; box.dispatchEvent(new Event("change"));
        out.push(location.search, [...heads].map((head) => !head.hidden).join(" "));
        box.checked = true; box.dispatchEvent(new Event("change"));
        field.value = ""; field.dispatchEvent(new Event("input")); out.push(`all ${location.search}`);
        """
    )
    assert found == "sin sinh asin"
    assert address == "?lines=SIN&show=intel"
    assert shown == "true false true"
    assert whole == "all "


def test_address_with_filters_applies_them(evaluated):
    found, shown = evaluated(
        "lines(); out.push([...heads].map((head) => !head.hidden).join(' '));", "?lines=os&show=intel"
    )
    assert (found, shown) == ("acos cos", "true false true")
