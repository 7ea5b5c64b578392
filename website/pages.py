"""All generated files, by their path below ``docs``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from website import atlas, builtin, command_line, copied, further, names, proven

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["generated"]


def generated() -> Mapping[str, str]:
    """Return all generated pages and downloads; the same repository gives the same ones."""
    return {
        **copied.pages(),
        "command-line.md": command_line.page(),
        "names.md": names.page(),
        **builtin.pages(),
        **further.pages(),
        "testing-reference.md": further.testing(),
        "proofs.md": proven.page(),
        **atlas.files(),
    }
