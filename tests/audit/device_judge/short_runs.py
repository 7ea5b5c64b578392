"""All floats in more parts than they have, each of shorter runs: an eighth of the inputs, from all over the format."""

from __future__ import annotations

from clmath.audit.device_judge import device, question, row_on_device, source
from clmath.audit.inputs import floats, numbered
from clmath.audit.plan import plan
from clmath.audit.running import swept

SHORTER = 8
PARTS = plan.PARTS

_MORE = [(module, "PARTS") for module in (plan, floats, question)]
_FEWER = [(module, "RUN") for module in (floats, question, source, swept)]
_FEWER += [(module, "PIECE") for module in (question, source)]
_FEWER += [
    (plan, "PIECE"),
    (numbered, "PIECE"),
    (device, "HEAD"),
    (device, "FIRST"),
    (row_on_device, "FIRST"),
    (swept, "BLOCK"),
    (swept, "FEW"),
]


def shorten(monkeypatch):
    """Runs begin at the same floats, so that as many are in a part; pieces of random inputs are as short.

    A launch begins with fewer, too.
    """
    for module, name in _MORE:
        monkeypatch.setattr(module, name, getattr(module, name) * SHORTER)
    for module, name in _FEWER:
        monkeypatch.setattr(module, name, getattr(module, name) // SHORTER)


def part_of(text):
    """The part ``text`` of all floats; where runs are short, what these leave of it."""
    k, n = map(int, text.split("/"))
    more = plan.PARTS // PARTS
    return f"{(k - 1) * more + 1}/{n * more}"
