"""Stable names of OpenCL devices: parts of their own names, which do not change when drivers come and go."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["Known", "meant", "plain_name", "unique_part"]

_MARKS = re.compile(r"\((?:r|tm|c)\)", re.IGNORECASE)
_BETWEEN = re.compile(r"[^a-z0-9.+]+")
_GENERAL = frozenset({  # words that hardly identify a device
    "at", "basic", "core", "cpu", "device", "generation", "gpu", "graphics", "opencl", "processor", "pthread", "the",
    "with",
})  # fmt: skip
_LONG = 3  # digits of a number that may be a model's, not a place


class Known(NamedTuple):
    """A platform or device: its name, and text that distinguishes it from another of the same name."""

    name: str
    more: str = ""


def plain_name(text: str) -> str:
    """Return ``text`` as one word that needs no quotes, of small letters, digits, points and dashes: 'nvidia-h200'."""
    return _BETWEEN.sub("-", _MARKS.sub("", text).lower()).strip("-")


def meant(text: str, known: Sequence[Known]) -> list[int]:
    """Return the places in ``known`` that a number, or a part of a name, may mean; all places if ``text`` is empty.

    Exact names win, else names that contain the text as whole words, else anywhere, else only together with their
    distinguishing text.
    """
    if text.isdecimal() and (int(text) < len(known) or len(text) < _LONG):
        return [int(text)] if int(text) < len(known) else []
    part = plain_name(text)
    if not part:
        return [] if text else list(range(len(known)))
    names = [plain_name(one.name) for one in known]
    whole = [f"{name}-{plain_name(one.more)}" for name, one in zip(names, known, strict=True)]
    tests = (
        [part == name for name in names],
        [f"-{part}-" in f"-{name}-" for name in names],
        [part in name for name in names],
        [part in name for name in whole],
    )
    return next(([i for i, fits in enumerate(test) if fits] for test in tests if any(test)), [])


def unique_part(place: int, known: Sequence[Known], *, first: bool = False) -> str:
    """Return the shortest part of the name of ``known[place]`` that means only it and identical devices.

    ``first``: whether the first words of the name, a vendor's rather than a model's, are tried first.
    """
    alike = [i for i, one in enumerate(known) if one == known[place]]
    own = _runs(plain_name(known[place].name).split("-")) if first else ()
    parts = (p for p in (*own, *_parts(known[place])) if meant(p, known) == alike)
    return next(parts, plain_name(known[place].name)) or str(place)


def _parts(one: Known) -> Iterator[str]:
    """Yield parts of a name, the most telling first: a model, a word, several words, and the distinguishing text."""
    words = plain_name(one.name).split("-")
    telling = [word for word in words if word not in _GENERAL and not word.isdecimal()]
    yield from (part for part in _models(words) if not part.isdecimal())
    yield from reversed(telling)
    yield from _runs(words)
    whole = plain_name(f"{one.name} {one.more}").split("-")
    yield from (run for run in _runs(whole) if run not in words)


def _models(words: Sequence[str]) -> Iterator[str]:
    """Yield models such as h200, i7, gtx-1080: words with a digit, numbers with the word before, but no clock rates."""
    for before, word in zip(["", *words], words, strict=False):
        if re.search(r"\d", word) and not word.endswith("hz") and word not in _GENERAL:
            if not word.isdecimal():
                yield word
            elif len(word) >= _LONG and before:
                yield f"{before}-{word}"


def _runs(words: Sequence[str]) -> Iterable[str]:
    """Return consecutive words, short runs first; single numbers are left out, since they are places."""
    runs = ("-".join(words[i : i + n]) for n in range(1, len(words) + 1) for i in range(len(words) - n + 1))
    return (run for run in runs if not run.isdecimal())
