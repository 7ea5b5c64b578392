"""Answers of a device: they come from a process that may be corrupted, so they are checked first."""

from __future__ import annotations

import json
import struct

import numpy as np

from clmath.audit.counting.spread import BINS
from clmath.audit.device_judge.question import Runs, Summary
from tests.cases import for_each

WORD = np.dtype(np.uint32)
FEW_BINS = (7, 2, *[0] * (len(BINS) - 2))


def runs(firsts, lengths):
    return {"firsts": np.array(firsts, np.uint64), "lengths": np.array(lengths, np.uint64)}


def summary(**changes):
    listed = runs([3, 9], [1, 1]) | {"results": (np.array([1, 2], np.uint32),)}
    listed |= {name: changes.pop(name) for name in listed if name in changes}
    return Summary(**({"elements": 16, "pace": 0.5, "counts": counted(), "runs": Runs(**listed)} | changes))


def counted(bins=FEW_BINS, uncounted=5, unjudged=(3, 4), flushed=2, failed=1):
    return (*bins, uncounted, *unjudged, flushed, failed)


def sent(one):
    return memoryview(b"".join(bytes(part) for part in one.packed()))


def test_packed_summary_is_unpacked():
    found = Summary.unpacked(sent(summary()), 16, [WORD], 2)
    assert found is not None
    assert (found.elements, found.counts, found.pace) == (16, summary().counts, 0.5)
    assert (found.bins[:2], found.decided, found.others) == ((7, 2), 14, ((3, 4), 2, 1))
    assert (found.runs.firsts.tolist(), found.runs.lengths.tolist()) == ([3, 9], [1, 1])
    assert found.runs.results[0].tolist() == [1, 2]


@for_each(
    "changes",
    [
        {"elements": 15},
        {"counts": (7, 2)},
        {"counts": counted(bins=(7, 2))},
        {"counts": counted(unjudged=(3, 15))},
        {"counts": counted(unjudged=(-3, 4))},
        {"counts": counted(unjudged=(3,))},
        {"counts": counted(uncounted=4)},
        {"counts": counted(flushed=6)},
        {"counts": counted(flushed=-1)},
        {"counts": counted(failed=3)},
        {"counts": counted(bins=(10, -1, *[0] * (len(BINS) - 2)))},
        runs([3, 3], [1, 1]),
        runs([9, 3], [1, 1]),
        runs([8, 9], [2, 0]),
        runs([3, 9], [2, 1]),
        runs([3, 9], [2, 0]),
        runs([3], [2]),
        runs([3, 16], [1, 1]),
        runs([3, 2**63], [1, 1]),
        runs([3, 9], [2**63 + 1, 2**63 + 1]),
        {"results": ()},
        {"results": (np.array([1], np.uint32),)},
    ],
)
def test_impossible_summary_is_refused(changes):
    assert Summary.unpacked(sent(summary(**dict(changes))), 16, [WORD], 2) is None


@for_each(
    "payload",
    [b"", b"\xff\xff\xff\xff", struct.pack("<I", 2) + b"{}", struct.pack("<I", 4) + json.dumps([[]]).encode()],
)
def test_malformed_bytes_are_refused(payload):
    assert Summary.unpacked(memoryview(payload), 16, [WORD], 2) is None
