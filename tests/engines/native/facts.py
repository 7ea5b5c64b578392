"""Facts that are read from the bytes of a compiled library, of Linux, Windows or macOS."""

import struct
from typing import NamedTuple


class Facts(NamedTuple):
    """The format and architecture of a library, and the names of symbols and of other libraries."""

    kind: str
    machine: str
    exported: set
    needed: set
    libraries: set


def facts_of(data):
    """The facts of a library, by its bytes."""
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
    """The names that a library exports; each edge of the trie appends its text to the prefix."""
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
