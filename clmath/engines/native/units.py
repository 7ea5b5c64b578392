"""Which texts are compiled together: to start a compiler takes longer than to compile what most kernels are."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["units"]

SIZE = 1 << 18  # characters: a second or two for the compiler, and units enough for the processors of a large machine
_NAMED = re.compile(r"^(?:FUNCTION|LOOP|static const) \w+ (\w+)", re.MULTILINE)  # what only one text sees


def units(texts: Mapping[str, str], header: str) -> dict[str, str]:
    """``texts``, those joined whose names begin with the same word, an underscore, and their contents with ``header``.

    Functions stay what they are; a name that several files of a unit define gets the number of the file in it.
    """
    found = dict(texts)
    for word in sorted({name.partition("_")[0] for name, content in texts.items() if content.startswith(header)}):
        names = sorted(name for name in texts if name.startswith(f"{word}_") and texts[name].startswith(header))
        for number, some in enumerate(_shares(names, texts)):
            joined = [found.pop(name).removeprefix(header) for name in some]
            found[f"{word}_{number}.c"] = "\n".join([header, *_apart(joined)])
    return found


def _shares(names: list[str], texts: Mapping[str, str]) -> Iterator[list[str]]:
    """``names`` in parts, each of texts that are ``SIZE`` long together, or of one that is longer."""
    share: list[str] = []
    for name in names:
        if share and sum(len(texts[one]) for one in [*share, name]) > SIZE:
            yield share
            share = []
        share.append(name)
    if share:
        yield share


def _apart(texts: list[str]) -> Iterator[str]:
    """Each of ``texts`` with names of its own for what others define too."""
    named = [sorted(set(_NAMED.findall(text))) for text in texts]
    count = Counter(name for names in named for name in names)
    for number, (names, text) in enumerate(zip(named, texts, strict=True)):
        shared = [name for name in names if count[name] > 1]
        yield "\n".join(f"#define {name} {name}_of_{number}" for name in shared)
        yield text
        yield "\n".join(f"#undef {name}" for name in shared)
