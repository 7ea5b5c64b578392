"""The results of one case as a host left them: checked as a whole before any of them is used."""

from __future__ import annotations

import os
import weakref
import zlib
from collections.abc import Mapping, Sequence

import numpy as np

from clmath.audit.offline.folder import Folder, Operand, Row, mark, opened, readable, small_text
from clmath.audit.protocol.target import TargetError
from clmath.errors import ClmathError

COPY_AGAIN = "copy the folder again from the one that 'clmath inputs' wrote"
_BLOCK = 1 << 20  # bytes that are read at a time
_SHOWN = 2000  # characters of a host's text about a failed case
_KINDS = {  # beginnings of files that hold arrays in another way
    b"\x93NUMPY": "a file of np.save",
    b"\x80": "a pickle",
    b"PK": "a ZIP archive or a file of np.savez",
    b"\x1f\x8b": "compressed with gzip",
    b"\x89HDF": "a file of HDF5",
}


class Stored:
    """The inputs and results of one case; TargetError if they are not the expected files."""

    def __init__(self, folder: Folder, row: Row) -> None:
        self._folder, self._row = folder, row
        self._descriptors: dict[str, tuple[int, os.stat_result]] = {}
        weakref.finalize(self, _close, self._descriptors)
        self._next = 0  # the likely place of the next calls
        self._look_at_all(self._checksums())

    def results(self, args: Sequence[np.ndarray]) -> tuple[np.ndarray, ...] | None:
        """Return the results for ``args``, consecutive calls of the case, or None if it lacks such calls."""
        wanted = [
            np.ascontiguousarray(a.astype(np.dtype(o.dtype), copy=False)).tobytes()
            for a, o in zip(args, self._row.arguments, strict=True)
        ]
        count = len(args[0])
        place = self._next if self._holds(self._next, count, wanted) else self._found(count, wanted)
        if place is None:
            return None
        self._next = place + count
        return tuple(self._values(o, place, count) for o in self._row.results)

    def _look_at_all(self, checksums: Sequence[int]) -> None:
        """Open every file, and check that it is complete and belongs to the case."""
        for operand in (*self._row.arguments, *self._row.results):
            self._open(operand)
        for operand in self._row.arguments:
            if self._crc32(operand) != int(operand.crc32, 16):
                raise self._refused(operand, f"was changed after it was written; {COPY_AGAIN}")
        for operand, expected in zip(self._row.results, checksums, strict=False):
            if self._crc32(operand) != expected:
                raise self._refused(
                    operand, "is not what the host wrote: its CRC-32 is another; copy it again, or run the host again"
                )

    def _checksums(self) -> list[int]:
        """Return the CRC-32 of each result that the host has words; TargetError if it has words a failure."""
        try:
            text = small_text(self._folder.path, self._row.status, self._row.name)
        except ClmathError as error:
            raise TargetError(str(error)) from None
        if text is None:
            return []
        first, _, rest = text.partition("\n")
        word, *numbers = first.split() or [""]
        if word == "done" and all(_is_hex(n) for n in numbers):
            return [int(n, 16) for n in numbers]
        said = " ".join(rest.split())[:_SHOWN]
        facts = {
            "failed": said or "the host says that it failed",
            "absent": "the host says that there is no such function",
            "begun": "the host began it and did not end: it was stopped, the device hung or crashed;"
            " './host --again' tries it once more",
        }
        unknown = "does not begin with done, failed, absent or begun" if text.strip() else "is empty"
        fact = facts.get(word, f"{self._row.status} {unknown}; copy it again, or remove it and run the host again")
        raise TargetError(f"{self._row.name}: {fact}")

    def _open(self, operand: Operand) -> None:
        try:
            descriptor = opened(self._folder.path, operand.file)
        except FileNotFoundError:
            again = "run the host, and copy results back" if operand.head else COPY_AGAIN
            raise self._refused(operand, f"is missing; {again}") from None
        except OSError as error:
            raise self._refused(operand, f"cannot be read: {error.strerror}; {readable(error)}") from None
        facts = os.fstat(descriptor)
        self._descriptors[operand.file] = (descriptor, facts)
        if operand.head:
            self._check_head(operand, descriptor)
        if facts.st_size != operand.bytes:
            fact = "is cut off" if facts.st_size < operand.bytes else "is too long"
            again = "copy it again, or run the host again" if operand.head else COPY_AGAIN
            raise self._refused(operand, f"{fact}: it has {facts.st_size} bytes of {operand.bytes}; {again}")

    def _check_head(self, operand: Operand, descriptor: int) -> None:
        """Raise TargetError if the head of a file of results differs from the manifest."""
        begin = os.pread(descriptor, operand.start, 0)
        head, order = begin[: len(operand.head)], begin[len(operand.head) :]
        if operand.head.encode().startswith(begin):
            return  # empty, or cut off: its size will show it
        if head == operand.head.encode():
            if order == mark(operand.dtype):
                return
            if order == mark(operand.dtype)[::-1] and len(order) > 1:
                raise self._refused(operand, "is big-endian; write every element with its lowest byte first")
            if len(begin) < operand.start:
                return  # its size will show it
            raise self._refused(
                operand, f"has {order.hex()} and not {mark(operand.dtype).hex()} after its first line; see README.txt"
            )
        for start, kind in _KINDS.items():
            if begin.startswith(start):
                raise self._refused(operand, f"is {kind}, which is not read; write the bytes alone, as README.txt says")
        if not head.startswith(b"clmath result 1 "):
            raise self._refused(operand, "does not begin with its line of rows.txt; see README.txt")
        words = head.split(b"\n")[0].decode("ascii", "replace").split()
        if words[3:5] != operand.head.split()[3:5]:
            raise self._refused(
                operand, f"holds result {' '.join(words[4:5])} of {' '.join(words[3:4])}; put its own there"
            )
        raise self._refused(operand, "is of other inputs than these: it is from another run; run the host again")

    def _crc32(self, operand: Operand) -> int:
        crc, at = 0, 0
        while block := os.pread(self._descriptors[operand.file][0], _BLOCK, at):
            crc, at = zlib.crc32(block, crc), at + len(block)
        return crc

    def _bytes(self, operand: Operand, first: int, count: int) -> bytes:
        """Return the bytes of ``count`` calls from ``first`` on; TargetError if the file has changed meanwhile."""
        descriptor, before = self._descriptors[operand.file]
        parts, at, left = [], operand.start + first * operand.size, count * operand.size
        while left and (data := os.pread(descriptor, min(left, _BLOCK), at)):
            parts.append(data)
            at, left = at + len(data), left - len(data)
        now = os.fstat(descriptor)
        if left or (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise self._refused(operand, "was changed while it was judged; wait for the host, and judge it again")
        return b"".join(parts)

    def _values(self, operand: Operand, first: int, count: int) -> np.ndarray:
        stored = np.frombuffer(self._bytes(operand, first, count), operand.dtype)
        native = stored.astype(stored.dtype.newbyteorder("="))
        return native if operand.elements == 1 else native.reshape(count, operand.elements)

    def _holds(self, place: int, count: int, wanted: Sequence[bytes]) -> bool:
        """Whether the calls from ``place`` on have these arguments."""
        if place + count > self._row.calls:
            return False
        pairs = zip(self._row.arguments, wanted, strict=True)
        return all(self._bytes(o, place, count) == data for o, data in pairs)

    def _found(self, count: int, wanted: Sequence[bytes]) -> int | None:
        """Return the first place of calls with these arguments."""
        step = max(_BLOCK // max(o.size for o in self._row.arguments), 1)
        for start in range(0, self._row.calls, step):
            calls = min(step, self._row.calls - start)
            same = np.ones(calls, np.bool_)
            for o, data in zip(self._row.arguments, wanted, strict=True):
                block = np.frombuffer(self._bytes(o, start, calls), np.uint8).reshape(calls, o.size)
                same &= (block == np.frombuffer(data[: o.size], np.uint8)).all(axis=1)
            for place in np.flatnonzero(same).tolist():
                if self._holds(start + place, count, wanted):
                    return start + int(place)
        return None

    def _refused(self, operand: Operand, fact: str) -> TargetError:
        return TargetError(f"{self._row.name}: {self._folder.path / operand.file} {fact}")


def _is_hex(text: str) -> bool:
    return 0 < len(text) <= 8 and all(c in "0123456789abcdefABCDEF" for c in text)


def _close(descriptors: Mapping[str, tuple[int, os.stat_result]]) -> None:
    for descriptor, _ in descriptors.values():
        os.close(descriptor)
