"""MkDocs' hooks: they add generated pages and downloads to those of ``docs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from website import copied, home, pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

__all__ = ["on_files", "on_page_markdown", "on_post_page"]

_DIALOG = 'data-md-component="search" role="dialog"'  # the theme gives it no name, which screen readers say


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Return all files: the pages of ``docs`` and the generated ones."""
    for path, content in pages.generated().items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: object) -> str:
    """A page with its links to files of the repository made to hold on the site; the first page with its examples."""
    if page.file.src_uri == "index.md":
        markdown = home.completed(markdown)
    return copied.with_links_of_the_site(markdown, page.file.src_uri)


def on_post_page(output: str, **_: object) -> str:
    """A page whose dialog of the search has a name."""
    return output.replace(_DIALOG, f'{_DIALOG} aria-label="Search"')
