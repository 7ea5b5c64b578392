"""Shorter parts of all floats: each keeps an eighth of its inputs, from the whole format."""

from __future__ import annotations

from clmath.audit.device_judge import device, question, source
from clmath.audit.inputs import exhaustive, random, row_inputs
from clmath.audit.plan import plan
from clmath.audit.running import swept

SHORTER = 8
PARTS = plan.PARTS

_MORE = [(module, "PARTS") for module in (plan, exhaustive, question)]
_FEWER = [(module, "RUN") for module in (exhaustive, question, source, swept)]
_FEWER += [(module, "PART") for module in (question, source)]
_FEWER += [
    (plan, "PIECE"),
    (random, "PIECE"),
    (question, "PIECE"),
    (row_inputs, "PIECE"),
    (device, "HEAD"),
    (device, "FIRST"),
    (swept, "BLOCK"),
    (swept, "FEW"),
]


def shorten(monkeypatch):
    """Shorten runs and chunks to an eighth: runs begin at the same floats, so a part has equally many of them.

    A launch begins with fewer inputs, too.
    """
    for module, name in _MORE:
        monkeypatch.setattr(module, name, getattr(module, name) * SHORTER)
    for module, name in _FEWER:
        monkeypatch.setattr(module, name, getattr(module, name) // SHORTER)


def part_of(text):
    """The part ``text`` of all floats, or the corresponding part if runs are short."""
    k, n = map(int, text.split("/"))
    more = plan.PARTS // PARTS
    return f"{(k - 1) * more + 1}/{n * more}"
