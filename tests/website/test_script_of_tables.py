"""The script of the site's tables, in a real browser: sorting, choosing, and addresses that say what is chosen."""

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
    """One that says nothing."""

    def log_message(self, *_):
        """Nothing is written to the terminal."""


@pytest.fixture
def told(tmp_path):
    """What a script at the end of the page tells; the page has an address, which scripts may change."""
    handler = functools.partial(Handler, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()

        def call(script, asked=""):
            (tmp_path / "page.html").write_text(with_probe(PAGE, COMMON + script), encoding="utf-8")
            shutil.copy(SCRIPT, tmp_path)
            return probed(f"http://127.0.0.1:{server.server_port}/page.html{asked}", tmp_path / "profile")

        yield call
        server.shutdown()


def test_lines_are_sorted_by_what_cells_say(told):
    """Numbers as numbers, and empty cells at the end whichever way."""
    up, down, order, names = told(
        "press(1); lines(); press(1); lines(); out.push(heads[1].getAttribute('aria-sort')); press(0); lines();"
    )
    assert up == "cos log acos atanh asin exp sin sinh tan"
    assert down == "sin exp atanh asin acos log cos sinh tan"
    assert order == "descending"
    assert names == " ".join(sorted(ROWS))


def test_lines_and_columns_are_chosen_and_the_address_says_which(told):
    found, address, shown, whole = told(
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


def test_an_address_that_was_handed_on_shows_the_same(told):
    found, shown = told("lines(); out.push([...heads].map((head) => !head.hidden).join(' '));", "?lines=os&show=intel")
    assert (found, shown) == ("acos cos", "true false true")
