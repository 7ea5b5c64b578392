"""What MkDocs calls: the generated pages and downloads are added to those of ``docs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mkdocs.structure.files import File

from website import pages

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

__all__ = ["on_files"]


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """All files: those of ``docs``, and those that are generated."""
    for path, content in pages.generated().items():
        files.append(File.generated(config, path, content=content))
    return files
