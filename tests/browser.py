"""Pages in a real browser, where Chromium is installed."""

from __future__ import annotations

import html
import re
import shutil
import subprocess

import pytest

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)
OPTIONS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
           "--disable-background-networking", "--disable-component-update", "--disable-sync"]  # fmt: skip

needs_chromium = pytest.mark.skipif(not CHROMIUM, reason="no Chromium here")


def browsed(address, folder, *options):
    """What Chromium prints of a page, with a profile of its own in ``folder``."""
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={folder}", *options, address]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def with_probe(page, script):
    """The page with a script at its end that makes ``out``: what ``probed`` finds of it. Scripts are let run."""
    told = 'document.body.innerHTML = ""; document.body.textContent = "PROBED " + out.join(" | ") + " DEBORP";'
    open_policy = re.sub(r"<meta http-equiv[^>]*>", "", page)
    return open_policy.replace("</body>", f"<script>{{\nconst out = [];\n{script}\n{told}\n}}</script></body>")


def probed(address, folder, *options):
    """The texts that a page with a probe tells."""
    dom = browsed(address, folder, "--dump-dom", *options)
    return html.unescape(re.search("PROBED (.*) DEBORP", dom)[1]).split(" | ")
