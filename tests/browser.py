"""Load pages in Chromium, if it is installed."""

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
    """Return the output of Chromium for a page; its profile is in ``folder``."""
    command = [CHROMIUM, *OPTIONS, f"--user-data-dir={folder}", *options, address]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def with_probe(page, script):
    """Return the page with ``script`` at its end, which adds texts to ``out`` for ``probed``; scripts may run."""
    shown = 'document.body.innerHTML = ""; document.body.textContent = "PROBED " + out.join(" | ") + " DEBORP";'
    open_policy = re.sub(r"<meta http-equiv[^>]*>", "", page)
    return open_policy.replace("</body>", f"<script>{{\nconst out = [];\n{script}\n{shown}\n}}</script></body>")


def probed(address, folder, *options):
    """Return the texts in ``out`` of a page with a probe."""
    dom = browsed(address, folder, "--dump-dom", *options)
    return html.unescape(re.search("PROBED (.*) DEBORP", dom)[1]).split(" | ")
