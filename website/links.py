"""Checks a site that was built: every link leads somewhere, and nothing is fetched from elsewhere.

python -m website.links build/site
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

__all__ = ["faults", "main"]

_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
_NOT_FETCHED = {"canonical", "prev", "next", "alternate"}  # relations of <link> that load nothing


@dataclass
class _Page(HTMLParser):
    """Return the links of a page, the files that it loads, and its anchors."""

    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attrs}
        self.anchors |= {known[name] for name in ("id", "name") if name in known}
        if tag == "a" and "href" in known:
            self.links.append(known["href"])
        if tag in _FETCHED and _FETCHED[tag] in known and known.get("rel") not in _NOT_FETCHED:
            self.loaded.append(known[_FETCHED[tag]])


def faults(site: Path) -> list[str]:
    """One line for each link that leads nowhere, and for each thing that another machine would have to send."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        where = path.relative_to(site).as_posix()
        found += [f"{where}: loads {url}" for url in page.loaded if urlsplit(url).netloc]
        links = [url for url in (*page.links, *page.loaded) if not urlsplit(url).scheme and not urlsplit(url).netloc]
        found += [f"{where}: {url} {why}" for url in dict.fromkeys(links) if (why := _why_not(url, path, pages, site))]
    return found


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _why_not(url: str, path: Path, pages: dict[Path, _Page], site: Path) -> str:
    """Why a link leads nowhere; empty where it leads somewhere."""
    parts = urlsplit(url)
    base = site if parts.path.startswith("/") else path.parent
    target = (base / unquote(parts.path).lstrip("/")).resolve() if parts.path else path.resolve()
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return "leads nowhere"
    anchor = unquote(parts.fragment)
    page = pages.get(target)
    return f"has no place {anchor!r}" if anchor and page and anchor not in page.anchors else ""


def main() -> int:
    """Print all faults; 1 where there are some."""
    found = faults(Path(sys.argv[1]).resolve())
    print("\n".join(found) or "every link leads somewhere, and nothing is loaded from elsewhere")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
