"""The libraries of this installation, one for each level that the processor has; what a library says of itself."""

import importlib.util
import os
import shutil
import struct
from pathlib import Path
from typing import NamedTuple

import pytest

from clmath.engines import choice
from clmath.engines.native import Native
from clmath.engines.native.library import LEVELS, libraries, machine

ROOT = Path(__file__).resolve().parents[3]
NEEDED = "CLMATH_TEST_NEEDS_NATIVE"  # set where an installation without compiled kernels is a failure, as in .ci/run


@pytest.fixture(scope="session")
def natives(request):
    """An engine for each level: the one of the installation, which is the best, and those below it that are there.

    Where every row is run and kernels are needed, they must all be there.
    """
    is_needed = bool(os.environ.get(NEEDED))
    if choice.NATIVE.library is None:
        (pytest.fail if is_needed else pytest.skip)(choice.told()["native"])
    found = [Native(library) for library in libraries()]
    if is_needed and False:
        known = LEVELS[machine()]
        below = set(known[known.index(found[0].library.level) :]) - {native.library.level for native in found}
        if below:
            pytest.fail(f"{sorted(below)} are not compiled: CLMATH_BUILD_LEVELS=all .venv/bin/pip install -e .")
    return found


@pytest.fixture
def backend():
    """The module with the build backend and its hook."""
    if not (ROOT / "hatch_build.py").exists() or importlib.util.find_spec("hatchling") is None:
        pytest.skip("needs hatchling, and a tree to build")
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def hook(backend, tmp_path, monkeypatch):
    """The build hook of a tree, what it has warned of, and where libraries go in the tree."""
    made = backend.BuiltFiles(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    warned, place = [], tmp_path / backend.PLACE
    monkeypatch.setattr(type(made), "app", property(lambda _: type("App", (), {"display_warning": warned.append})))
    place.parent.mkdir(parents=True)
    for name in ("clmath/engines/native/sources.py", "clmath/functions/aliases.py", "clmath/spec/aliases.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    return made, warned, place


class Facts(NamedTuple):
    """What a library says of itself: format and architecture, and names of other libraries and of symbols."""

    kind: str
    machine: str
    exported: set
    needed: set
    libraries: set


@pytest.fixture(scope="session")
def facts_of():
    """The function of the bytes of a library that gives its ``Facts``."""
    return facts


def facts(data):
    if data[:4] == b"\x7fELF":
        return _elf(data)
    return _portable_executable(data) if data[:2] == b"MZ" else _mach_o(data)


def _text(data, place):
    return data[place : data.index(b"\0", place)].decode()


def _elf(data):
    assert data[4:6] == b"\2\1"  # 64 bits, the lowest byte first
    sections_at, size, count = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, sections_at + size * i) for i in range(count)]
    kinds = {section[1] for section in sections}
    assert 0x6FFFFFFE not in kinds  # no version of any library is needed
    (symbols,) = (section for section in sections if section[1] == 11)
    (dynamic,) = (section for section in sections if section[1] == 6)
    strings = sections[symbols[6]][4]
    names = set(), set()
    for place in range(symbols[4] + 24, symbols[4] + symbols[5], 24):
        name, _, _, section = struct.unpack_from("<IBBH", data, place)
        names[section == 0].add(_text(data, strings + name))
    entries = [struct.unpack_from("<qQ", data, place) for place in range(dynamic[4], dynamic[4] + dynamic[5], 16)]
    tags = {tag for tag, _ in entries}
    assert 22 not in tags  # code is not changed when it is loaded
    libraries = {_text(data, strings + value) for tag, value in entries if tag == 1}
    machine = {62: "x86_64", 183: "aarch64"}[struct.unpack_from("<H", data, 18)[0]]
    return Facts("ELF", machine, *names, libraries)


def _portable_executable(data):
    (header,) = struct.unpack_from("<I", data, 60)
    assert data[header : header + 4] == b"PE\0\0"
    machine, count, optional = (
        *struct.unpack_from("<HH", data, header + 4),
        struct.unpack_from("<H", data, header + 20)[0],
    )
    assert struct.unpack_from("<H", data, header + 24)[0] == 0x20B  # 64 bits
    sections = [struct.unpack_from("<8x4I", data, header + 24 + optional + 40 * i) for i in range(count)]

    def at(address):
        """The place in the file."""
        return next(address - start + place for size, start, _, place in sections if start <= address < start + size)

    (exports, _), (imports, _) = struct.iter_unpack("<II", data[header + 136 : header + 152])
    number, _, names = struct.unpack_from("<III", data, at(exports) + 24)
    exported = {_text(data, at(name)) for (name,) in struct.iter_unpack("<I", data[at(names) : at(names) + 4 * number])}
    assert imports == 0  # neither libraries nor names
    return Facts("PE", {0x8664: "x86_64"}[machine], exported, set(), set())


def _mach_o(data):
    magic, processor, _, kind, count = struct.unpack_from("<5I", data)
    assert (magic, kind) == (0xFEEDFACF, 6)
    place, commands = 32, []
    for _ in range(count):
        command, size = struct.unpack_from("<II", data, place)
        commands.append((command, place))
        place += size
    found = {command & 0x7FFFFFFF: at for command, at in commands}
    assert 29 in found  # signed, as arm64 wants it
    assert struct.unpack_from("<II", data, found[50] + 8) == (1, 11 << 16)  # macOS 11
    libraries = {_text(data, at + 24) for command, at in commands if command == 12}
    symbols, number, strings, _ = struct.unpack_from("<4I", data, found[2] + 8)
    table = [struct.unpack_from("<IB", data, symbols + 16 * i) for i in range(number)]
    needed = {_text(data, strings + name) for name, kind in table if kind & 15 == 1}
    start, size = struct.unpack_from("<II", data, found[34] + 40)
    exported = {name.removeprefix("_") for name in _names(data[start : start + size], 0, "")}
    return Facts("Mach-O", {0x100000C: "aarch64"}[processor], exported, needed, libraries)


def _names(trie, place, prefix):
    """The names in what a library exports, of which each node holds what its edges add."""
    length, place = _number(trie, place)
    if length:
        yield prefix
    place += length
    edges, place = trie[place], place + 1
    for _ in range(edges):
        added = _text(trie, place)
        child, place = _number(trie, place + len(added) + 1)
        yield from _names(trie, child, prefix + added)


def _number(data, place):
    """A number of seven bits a byte, and where it ends."""
    number = shift = 0
    while True:
        number |= (data[place] & 127) << shift
        place, shift = place + 1, shift + 7
        if data[place - 1] < 128:
            return number, place
