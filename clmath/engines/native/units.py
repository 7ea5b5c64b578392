"""Join texts that are compiled together: most kernels take less time to compile than a compiler to start."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["units"]

SIZE = 1 << 17  # characters: a second for the compiler, and units enough for the processors of a large machine


def units(texts: Mapping[str, str], header: str) -> dict[str, str]:
    """Join texts whose names begin with the same word and an underscore, and their contents with ``header``."""
    found = {}
    joined: dict[str, list[str]] = {}  # by word, texts of ``SIZE`` characters together, or of one longer text
    for name, content in sorted(texts.items()):
        word, parted, _ = name.partition("_")
        if not (parted and content.startswith(header)):
            found[name] = content
            continue
        shares, text = joined.setdefault(word, [""]), content.removeprefix(header)
        if shares[-1] and len(shares[-1]) + len(text) > SIZE:
            shares.append("")
        shares[-1] += text
    return found | {f"{word}_{i}.c": f"{header}{text}" for word, some in joined.items() for i, text in enumerate(some)}
