"""Join texts that are compiled together: most kernels take less time to compile than a compiler to start."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["units"]

SIZE = 1 << 18  # characters: a second or two for the compiler, and units enough for the processors of a large machine
_NAMED = re.compile(r"^(?:FUNCTION|LOOP|static const) \w+ (\w+)", re.MULTILINE)  # names that are local to a text


def units(texts: Mapping[str, str], header: str) -> dict[str, str]:
    """Join texts whose names begin with the same word and an underscore, and their contents with ``header``.

    A name that several files of a unit define gets the number of the file as a suffix.
    """
    found = dict(texts)
    for word in sorted({name.partition("_")[0] for name, content in texts.items() if content.startswith(header)}):
        names = sorted(name for name in texts if name.startswith(f"{word}_") and texts[name].startswith(header))
        for number, some in enumerate(_shares(names, texts)):
            joined = [found.pop(name).removeprefix(header) for name in some]
            found[f"{word}_{number}.c"] = "\n".join([header, *_apart(joined)])
    return found


def _shares(names: list[str], texts: Mapping[str, str]) -> Iterator[list[str]]:
    """Split ``names`` into parts, each of texts of ``SIZE`` characters together, or of one longer text."""
    share: list[str] = []
    for name in names:
        if share and sum(len(texts[one]) for one in [*share, name]) > SIZE:
            yield share
            share = []
        share.append(name)
    if share:
        yield share


def _apart(texts: list[str]) -> Iterator[str]:
    """Rename the functions and tables in each text that other texts define too."""
    named = [sorted(set(_NAMED.findall(text))) for text in texts]
    count = Counter(name for names in named for name in names)
    for number, (names, text) in enumerate(zip(named, texts, strict=True)):
        shared = [name for name in names if count[name] > 1]
        yield "\n".join(f"#define {name} {name}_of_{number}" for name in shared)
        yield text
        yield "\n".join(f"#undef {name}" for name in shared)
