"""The folder of an offline run that goes to the device and comes back: its manifest, and the files named in it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from clmath import errors
from clmath.audit.inputs import layout, vectors
from clmath.audit.inputs.row_inputs import VERSION
from clmath.audit.inputs.values import span
from clmath.audit.opencl.kernel import extensions
from clmath.audit.opencl.programs import padded
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import WIDTHS, item_named
from clmath.audit.protocol.printable import message_of, printable

FILES = "files of "  # prefix of the kind of targets that are result folders
SCHEMA = 2  # raised whenever a key changes its meaning
MANIFEST = "manifest.json"
_PARTS = ("versions", "plan", "tables")  # of a report, too
DEVICE = "results/device.txt"
_LARGEST = 1 << 26  # bytes of a manifest
_LONGEST = 1 << 20  # bytes of a text that a host writes


@dataclass(frozen=True)
class Operand:
    """A file of one argument or result: dtype, elements per call, size in bytes; for results also the first line."""

    file: str
    dtype: str
    elements: int
    bytes: int
    sha256: str = ""
    crc32: str = "0"
    head: str = ""

    @classmethod
    def of(cls, file: str, one: np.ndarray, calls: int, *digests: str, head: str = "") -> Self:
        """Return the operand of a file with values of ``calls``; ``one``: an array with the values of one call."""
        dtype, elements = stored_dtype(one.dtype).str, one.shape[-1] if one.ndim > 1 else 1
        start = len(head) + len(mark(dtype)) if head else 0
        sha256, crc32 = digests or ("", "0")
        return cls(file, dtype, elements, start + calls * one.nbytes, sha256, crc32, head)

    @property
    def size(self) -> int:
        """The number of bytes of one call."""
        return np.dtype(self.dtype).itemsize * self.elements

    @property
    def start(self) -> int:
        """The place where the values begin: a result has its head and its mark before them."""
        return len(self.head) + len(mark(self.dtype)) if self.head else 0


@dataclass(frozen=True)
class Row:
    """One case of the audit. ``launches``: pairs of the number of launches, and of the number of calls of each.

    ``lanes``: components of vectors, else 0; ``needs``: extensions of OpenCL; ``kernel``: how it is called, in the
    words of ``rows.txt``. ``around``: in a local search, the arguments around which the inputs are sampled.
    """

    name: str
    builtin: str
    type: str
    lanes: int
    calls: int
    launches: tuple[tuple[int, int], ...]
    needs: tuple[str, ...]
    kernel: str
    arguments: tuple[Operand, ...]
    results: tuple[Operand, ...]
    around: tuple[int, ...] = ()

    @property
    def item(self) -> Item:
        """The case of an audit."""
        return _item(self.builtin, self.type, self.lanes)

    @property
    def status(self) -> str:
        """The file in which a host reports the outcome."""
        return f"results/{self.name}.txt"


@dataclass(frozen=True)
class Folder:
    """The contents of a manifest: versions, plan and tables as in a report, and the cases by their names.

    ``after``: for a local search, the digest of the folder whose results it continues; else empty.
    """

    path: Path
    made: Mapping[str, Mapping[str, Any]]
    rows: Mapping[str, Row]
    after: str = ""

    @property
    def digest(self) -> str:
        """The SHA-256 of the manifest, which depends on inputs and plan."""
        return _digest(self._content())

    def text(self) -> str:
        """Return the manifest, with a digest of itself."""
        return json.dumps({**self._content(), "digest": self.digest}, indent=1) + "\n"

    def _content(self) -> dict[str, object]:
        rows = [asdict(row) for row in self.rows.values()]
        return {"schema": SCHEMA, **self.made, "after": self.after, "rows": rows}

    @classmethod
    def read(cls, path: Path, call: str) -> Folder:
        """Return the folder at ``path``; ClmathError if its manifest is missing, or was not written by clmath."""
        remedy = "name a folder that 'clmath inputs' wrote"
        if not os.path.exists(path / MANIFEST):  # noqa: PTH110 - False, not an exception, for a name that is too long
            fact = f"has no {MANIFEST}" if os.path.isdir(path) else "is not a folder"  # noqa: PTH112 - as above
            raise errors.ClmathError(f"{call}: {path} {fact}; {remedy}")
        text = _contents(path, MANIFEST, _LARGEST, call)
        if text[:1] in (b"", b"{") and not text.rstrip().endswith(b"}"):
            fact = "is cut off" if text else "is empty"
            raise errors.ClmathError(f"{call}: {path / MANIFEST} is not a manifest: it {fact}; copy the folder again")
        try:
            written = json.loads(text)
            if written["schema"] != SCHEMA:
                raise errors.ClmathError(
                    f"{call}: {path / MANIFEST} has schema {written['schema']!r}, this clmath reads {SCHEMA};"
                    " write the inputs again"
                )
            digest = written.pop("digest")
            rows = [_row(entry) for entry in written["rows"]]
            made = {part: dict(written[part]) for part in _PARTS}
            found = cls(path, made, {row.name: row for row in rows}, str(written["after"]))
            if not {*made["plan"]["widths"]} <= {*WIDTHS} or len(found.rows) < len(rows):
                raise ValueError("unknown widths, or a case twice")  # noqa: TRY301 - one message for all
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError) as error:
            raise errors.ClmathError(
                f"{call}: {path / MANIFEST} is not a manifest ({message_of(error)}); {remedy}"
            ) from None
        if digest != _digest(written):
            raise errors.ClmathError(
                f"{call}: {path / MANIFEST} was changed after it was written: its digest is another; take the original"
            )
        if (written := made["versions"].get("inputs")) not in (None, str(VERSION)):
            fact = f"has version {written} of the inputs of audits, this clmath has {VERSION}"
            remedy = "write the inputs again with 'clmath inputs', and run them"
            raise errors.ClmathError(f"{call}: {path} {fact}; {remedy}")
        return found


def row_name(item: Item) -> str:
    """Return the name of a case in file names and in C: sin_float, dot_double4; names differ in more than capitals."""
    name = re.sub(r"\W+", "_", str(item))
    return f"macro_{name}" if isinstance(item, ExactItem) and item.is_macro else name


def stored_dtype(dtype: np.dtype) -> np.dtype:
    """Return the dtype of values in files, which are little-endian."""
    return dtype.newbyteorder("<")


def mark(dtype: str) -> bytes:
    """Return an element that shows the byte order of the results behind it, e.g. 0x0102 or 0x01020304."""
    return bytes(range(np.dtype(dtype).itemsize, 0, -1))


def opened(folder: Path, name: str) -> int:
    """Return a descriptor of a plain file in ``folder``; OSError, with the reason, if it is a link or anything else."""
    for part in (folder / name).parents:
        if part == folder:
            break
        if part.is_symlink():
            raise OSError(0, f"{part.name} is a link, and may lead out of the folder")
    if (folder / name).is_symlink():
        raise OSError(0, "it is a link, and may lead out of the folder")
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    descriptor = os.open(folder / name, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(0, "it is not a plain file")
    return descriptor


def readable(error: OSError) -> str:
    """Return the remedy for a file that exists and cannot be opened."""
    return "put the file itself there" if error.errno == 0 else "see that you may read it"


def small_text(folder: Path, name: str, call: str) -> str | None:
    """Return a text that a host has written, safe to print, or None if the file does not exist."""
    if not os.path.lexists(folder / name):
        return None
    return printable(_contents(folder, name, _LONGEST, call).decode("utf-8", "backslashreplace"))


def _contents(folder: Path, name: str, most: int, call: str) -> bytes:
    try:
        with open(opened(folder, name), "rb") as file:
            data = file.read(most + 1)
    except OSError as error:
        raise errors.ClmathError(
            f"{call}: {folder / name} cannot be read: {error.strerror}; {readable(error)}"
        ) from None
    if len(data) > most:
        raise errors.ClmathError(
            f"{call}: {folder / name} has more than {most} bytes; it is not what clmath takes there"
        )
    return data


def _digest(written: Mapping[str, object]) -> str:
    text = json.dumps(written, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()


def row_of(
    item: Item,
    launches: tuple[tuple[int, int], ...],
    sums: Sequence[tuple[str, str]],
    kernel: str,
    around: tuple[int, ...] = (),
) -> Row:
    """Return the row of a case; ``sums``: the SHA-256 and the CRC-32 of the file of each argument."""
    name, row, calls = row_name(item), item.builtin, sum(count * length for count, length in launches)
    columns = tuple(np.zeros(item.vector, dtype) for dtype in layout.dtypes(item))
    given = vectors.stacked(item, layout.arguments(item, columns))
    arguments = tuple(
        Operand.of(f"inputs/{name}.{k}", padded(item, p.type, one), calls, *digests)
        for k, (p, one, digests) in enumerate(zip(row.inputs, given, sums, strict=True))
    )
    identity = hashlib.sha256("".join([name, *(a.sha256 for a in arguments)]).encode()).hexdigest()[:16]
    returned = [np.zeros(shape, dtype) for dtype, shape in item.layout(1)]
    results = tuple(
        Operand.of(
            f"results/{name}.{k}", padded(item, p.type, one), calls, head=f"clmath result 1 {name} {k} {identity}\n"
        )
        for k, (p, one) in enumerate(zip(row.outputs, returned, strict=True))
    )
    lanes = item.components if item.components > 1 else item.width
    needs = extensions(item)
    return Row(name, row.name, item.form.name, lanes, calls, launches, needs, kernel, arguments, results, around)


def _row(entry: Mapping[str, Any]) -> Row:
    """Return the row of an entry of a manifest; ValueError unless clmath would write the entry so."""
    item = _item(str(entry["builtin"]), str(entry["type"]), int(entry["lanes"]))
    launches = tuple((int(count), int(length)) for count, length in entry["launches"])
    sums = [(str(one["sha256"]), str(one["crc32"])) for one in entry["arguments"]]
    row = row_of(item, launches, sums, str(entry["kernel"]), tuple(map(int, entry["around"])))
    if json.loads(json.dumps(asdict(row))) != entry or not _may_be_around(row.around, item):
        raise ValueError(f"row {entry['name']!r} is not as clmath writes it")
    return row


def _item(name: str, type: str, lanes: int) -> Item:
    item = item_named(name, type)
    return replace(item, width=lanes) if item.builtin.widths else replace(item, vector=max(lanes, 1))


def _may_be_around(values: tuple[int, ...], item: Item) -> bool:
    """Whether inputs can be sampled around ``values``.

    These are the arguments of a call. For vectors, the number of its element and the arguments of all elements follow.
    """
    if not values:
        return True
    kinds = list(item.columns)
    if item.vector > 1:
        kinds += ["intn", *(kind for _ in range(item.vector) for kind in item.columns)]
    spans = [span(kind, item.form) for kind in kinds]
    return len(values) == len(kinds) and all(a <= v <= b for v, (a, b) in zip(values, spans, strict=True))
