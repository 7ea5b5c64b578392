"""Write the folder of an offline run: inputs, kernels, a host in C, and a manifest of all files."""

from __future__ import annotations

import hashlib
import shutil
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np

from clmath import errors
from clmath.audit.inputs import layout, local_search, row_inputs, vectors
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.provenance import made_by
from clmath.audit.offline.folder import MANIFEST, Folder, Row, row_name, row_of, stored_dtype
from clmath.audit.offline.sources import Programs, calls_header
from clmath.audit.opencl.programs import padded
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.sampled_rows import sampling
from clmath.spec.families import is_sampled

_HERE = Path(__file__).parent
_COPIED = ("host.c", "cl12.h", "programs.h", "images.h", "library.c", "lab.h", "README.txt")
_LIVE = "printf"  # the chapter for which offline hosts have no calls


class Second(NamedTuple):
    """A local search: the digest of the folder with the first pass, and the arguments to sample around, by case."""

    after: str
    around: Mapping[Item, tuple[int, ...]]


def write(plan: Plan, folder: Path, call: str, second: Second | None = None) -> Folder:
    """Write the inputs of every case of ``plan``, or of a local search, into ``folder``, which is new.

    The manifest comes last: a folder without one is not complete. ClmathError if the folder is not empty, or something
    cannot be written.
    """
    refuse_taken(folder, call, "--out")
    items = _for_labs(plan.items() if second is None else tuple(second.around), folder, call)
    if second is None:
        _refuse_too_much(items, plan, folder, call)
    try:
        for place in ("inputs", "results"):
            (folder / place).mkdir(parents=True)
        for name in _COPIED:
            shutil.copyfile(_HERE / name, folder / name)
        shutil.copyfile(_HERE / "README.txt", folder / "results" / "README.txt")  # an empty folder may not be packed
        programs = Programs(items)
        _text(folder, "kernels.cl", programs.text())
        _text(folder, "calls.h", calls_header(items))
        rows = [_written(item, plan, folder, programs.kernel(item) + _texels(item, folder), second) for item in items]
        found = Folder(folder, made_by(plan), {row.name: row for row in rows}, second.after if second else "")
        _text(folder, "rows.txt", _rows_text(found))
        _text(folder, MANIFEST, found.text())
    except OSError as error:
        raise errors.ClmathError(
            f"{call}: {folder} cannot be written: {error.strerror}; name a folder on a disk that has room"
        ) from None
    return found


def _text(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, encoding="ascii", newline="\n")


def refuse_taken(folder: Path, call: str, option: str) -> None:
    """Raise ClmathError unless the folder that ``option`` names is new, or empty."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise errors.ClmathError(f"{call}: {option} {folder} is not an empty folder; name a new one")
    except OSError as error:
        raise errors.ClmathError(
            f"{call}: {option} {folder} cannot be used: {error.strerror}; name a new folder"
        ) from None


def _for_labs(items: Sequence[Item], folder: Path, call: str) -> tuple[Item, ...]:
    """Return all cases except printf, for which a host has no calls; ClmathError if none is left."""
    left = tuple(item for item in items if item.builtin.chapter != _LIVE)
    if items and not left:
        raise errors.ClmathError(
            f"{call}: all that is asked for prints, for which hosts of an offline run have no calls: nothing would be "
            f"in {folder}: audit it on a live device, clmath audit opencl"
        )
    return left


def _refuse_too_much(items: Sequence[Item], plan: Plan, folder: Path, call: str) -> None:
    """Raise ClmathError if the disk lacks space for the inputs of the plan."""
    counted = [item for item in items if not layout.is_exhaustive(item)]  # the others are few calls
    needed = sum(row_inputs.weight(item, plan) * _bytes_of_call(item) for item in counted)
    place = next(parent for parent in folder.absolute().parents if parent.exists())
    free = shutil.disk_usage(place).free
    if needed > free:
        raise errors.ClmathError(
            f"{call}: {needed / 1e9:.1f} GB are needed with results, and the disk of {folder} has {free / 1e9:.1f} GB;"
            " ask for fewer functions or inputs, or for a part, --part 1/64"
        )


def _bytes_of_call(item: Item) -> int:
    given = sum(dtype.itemsize for dtype in layout.dtypes(item))
    return given + sum(dtype.itemsize for dtype, _ in item.layout(1))


def _pieces(item: Item, plan: Plan, around: tuple[int, ...]) -> Iterator[Columns]:
    """Return the inputs of a case; with ``around``, the inputs of its local search."""
    if around:
        return (local_search.columns(item, plan, around, piece) for piece in range(local_search.pieces(item, plan)))
    return (row_inputs.columns(item, plan, piece) for piece in range(row_inputs.chunks(item, plan)))


def _written(item: Item, plan: Plan, folder: Path, kernel: str, second: Second | None) -> Row:
    """Write the arguments of one case, chunk by chunk."""
    lengths, around = [], second.around[item] if second else ()
    files = [_File(folder / f"inputs/{row_name(item)}.{k}") for k in range(len(item.builtin.inputs))]
    for columns in _pieces(item, plan, around):
        given = vectors.stacked(item, layout.arguments(item, columns))
        lengths.append(len(given[0]))
        for file, parameter, array in zip(files, item.builtin.inputs, given, strict=True):
            file.add(padded(item, parameter.type, array))
    launches = tuple((len(list(group)), length) for length, group in groupby(lengths))
    return row_of(item, launches, [file.closed() for file in files], kernel, around)


def _texels(item: Item, folder: Path) -> str:
    """Write the image that a case reads with samplers; return its CRC-32 and file, or "" for other cases."""
    if not is_sampled(item.builtin):
        return ""
    name, texels = f"inputs/{row_name(item)}.texels", sampling(item.builtin, item.form.name).data
    data = texels.astype(stored_dtype(texels.dtype), copy=False).tobytes()
    (folder / name).write_bytes(data)
    return f" {zlib.crc32(data):08x} {name}"


class _File:
    """A file of arguments that is written chunk by chunk; its digests are known when it is closed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")
        self._sha256, self._crc32 = hashlib.sha256(), 0

    def add(self, array: np.ndarray) -> None:
        """Append the elements, little-endian."""
        data = array.astype(stored_dtype(array.dtype), copy=False).tobytes()
        self._file.write(data)
        self._sha256.update(data)
        self._crc32 = zlib.crc32(data, self._crc32)

    def closed(self) -> tuple[str, str]:
        """Return the SHA-256 and the CRC-32 of the file."""
        self._file.close()
        return self._sha256.hexdigest(), f"{self._crc32:08x}"


def _rows_text(folder: Folder) -> str:
    """Return the text of ``rows.txt``, which the host reads; cases that share a kernel are adjacent."""
    rows = sorted(
        folder.rows.values(), key=lambda row: row.kernel.split()[:2] if row.kernel.startswith("group") else []
    )
    needed = sorted({name for row in rows for name in row.needs})
    kernels = zlib.crc32((folder.path / "kernels.cl").read_bytes())
    lines = ["clmath rows 3", f"kernels {kernels:08x}", " ".join(["extensions", *needed]), *_lines(rows), "all rows"]
    return "".join(f"{line}\n" for line in lines)


def _lines(rows: Sequence[Row]) -> Iterator[str]:
    for row in rows:
        yield f"row {row.name}"
        if row.needs:
            yield " ".join(["needs", *row.needs])
        if row.kernel:
            yield row.kernel
        yield from (f"launches {count} {length}" for count, length in row.launches)
        for word, operands in (("argument", row.arguments), ("result", row.results)):
            for one in operands:
                size = np.dtype(one.dtype).itemsize
                yield f"{word} {size} {one.elements} {one.crc32} {one.file} {one.head}".rstrip()
        yield "end"
