"""Compile a library from its text, for each level of an architecture."""

from __future__ import annotations

import ctypes
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clmath.engines.native import loops, text
from clmath.engines.native.library import LEVELS, file_name, machine

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import TypeAlias

    Tell: TypeAlias = Callable[[str], object]

# the text's own operations: no product is contracted into a sum, no result is approximated, no error is noted in errno,
# and no loop becomes a call of C's library, which is not linked
OPTIONS = (
    *("-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fno-builtin"),
    *("-fno-strict-aliasing", "-fvisibility=hidden", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables", "-g0"),
)
SIZE = 1 << 17  # characters of texts that are compiled together: a second, much longer than a compiler takes to start
_TOLD = 10  # files after which progress is reported
_WIDE = "-mprefer-vector-width=512"  # compilers use only half of it by default; arithmetic is faster so
_PLAIN = {"aarch64": ("-mno-outline-atomics",)}  # else functions of the compiler's library are called, since gcc 9.4
_SINGLY = "+prefer_no_gather"  # for Zig's v4: reading entries of tables one by one is faster than gathering them
_SYSTEMS = {"linux": "linux-gnu", "win32": "windows-gnu", "darwin": "macos.11.0"}  # Zig's names
_LINKING = {"linux": ("-nostdlib", "-Wl,--build-id=none")}  # the library needs neither C's library nor any other
# Windows also needs code that touches each page of a large frame, and code that checks the processor on loading (a
# library for another processor does not load); the time stamp is left out
_LINKING_BY_ZIG = {
    "win32": ("-nostdlib", "-rtlib=compiler-rt", "-Wl,--entry=clmath_fits", "-Wl,-Brepro"),
    "darwin": ("-nostdlib",),
}
_ANY = {"x86_64": "x86-64", "aarch64": "armv8-a"}  # targets that every processor of an architecture runs
_OF_ZIG = {"x86-64": "x86_64", "armv8-a": "generic"}  # Zig's names of these targets


class BuildError(Exception):
    """A compiler failed."""


class Platform(NamedTuple):
    """The target of a library: an architecture of ``LEVELS``, and a system by its name in ``sys.platform``.

    ``tag``: of a wheel for all such machines, which can be made on any machine that has Zig's compiler.
    """

    machine: str
    system: str
    tag: str = ""

    @property
    def files(self) -> dict[str, str]:
        """The file name of the library of each level, the best level first."""
        return {level: file_name(level, self.machine, self.system) for level in LEVELS.get(self.machine, ())}


HERE = Platform(machine(), sys.platform)
# A library that needs no other one runs with every C library, musl too. 2.17 is the oldest version that a tag can name
# for aarch64; 11 is the first macOS on arm64.
PLATFORMS = {
    "linux-x86_64": Platform("x86_64", "linux", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"),
    "linux-aarch64": Platform("aarch64", "linux", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"),
    "windows-x86_64": Platform("x86_64", "win32", "win_amd64"),
    "macos-arm64": Platform("aarch64", "darwin", "macosx_11_0_arm64"),
}


@dataclass(frozen=True)
class Compiler:
    """A C compiler: its command, whether it is Zig's, and its target."""

    command: tuple[str, ...]
    is_zig: bool = False
    platform: Platform = HERE

    @cached_property
    def version(self) -> str:
        """The first line of its version message, which does not contain its path."""
        return _output([*self.command, "--version"], Path(tempfile.gettempdir())).partition("\n")[0]

    @property
    def target(self) -> tuple[str, ...]:
        """The option for the target system, independent of the version that runs here."""
        return ("-target", f"{self.platform.machine}-{_SYSTEMS[self.platform.system]}") if self.is_zig else ()

    @property
    def linking(self) -> tuple[str, ...]:
        """The options to link a library."""
        known = _LINKING | (_LINKING_BY_ZIG if self.is_zig else {})
        return (*self.target, "-shared", "-s", *known.get(self.platform.system, ()))

    @cached_property
    def _plain(self) -> tuple[str, ...]:
        """The options of its architecture that it knows; older compilers do not need the others."""
        wanted = _PLAIN.get(self.platform.machine, ())
        return wanted if self.is_zig else tuple(option for option in wanted if self._knows(option))

    def _knows(self, option: str) -> bool:
        """Return whether it compiles an empty file with ``option``."""
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "empty.c").touch()
            try:
                _output([*self.command, *self.target, option, "-c", "empty.c", "-o", "empty.o"], Path(scratch))
            except BuildError:
                return False
        return True

    @staticmethod
    def _of_zig(name: str) -> str:
        """Return Zig's name of the processor that C compilers call ``name``, with Zig's features."""
        return _OF_ZIG.get(name, name.replace("-", "_")) + _SINGLY * name.endswith("v4")

    def options(self, level: str) -> tuple[str, ...]:
        """Return the options to compile for ``level``; for every processor if it is empty."""
        name = f"x86-64-{level}" if level in LEVELS["x86_64"] else _ANY[self.platform.machine]
        march = self._of_zig(name) if self.is_zig else name
        position = ("-fPIC",) if self.platform.system != "win32" else ()  # all code is position-independent there
        wide = (_WIDE,) if level == "v4" else ()
        return (*self.target, f"-march={march}", *OPTIONS, *position, *self._plain, *wide)


def compilers(platform: Platform = HERE) -> list[Compiler]:
    """Return the compilers of the environment and of the machine; first Zig's, which writes the same bytes everywhere.

    Only Zig's compiles for other platforms than this one.
    """
    if platform.machine not in LEVELS:
        return []
    has_zig = platform.system in _SYSTEMS and importlib.util.find_spec("ziglang") is not None
    zig = [Compiler((_zig(), "cc"), is_zig=True, platform=platform)] if has_zig else []
    if platform != HERE:
        return zig
    paths = (path for path in map(shutil.which, ("clang", "gcc", "cc")) if path)
    return zig + [Compiler((path,)) for path in {Path(path).resolve(): path for path in paths}.values()]


def _zig() -> str:
    """Return the path of the compiler in the package ``ziglang``: to start it through Python takes too long."""
    import ziglang

    return str(Path(ziglang.__file__).with_name("zig.exe" if sys.platform == "win32" else "zig"))


def build(
    texts: Callable[[], Mapping[str, str]],
    folder: Path,
    objects: Path,
    platform: Platform = HERE,
    wanted: str = "all",
    *,
    tell: Tell | None = None,
) -> list[Path]:
    """Compile libraries into ``folder`` by the first compiler that works; BuildError if none does.

    ``texts`` writes the files of the text. ``wanted``: the levels with commas between, "all", or "best": the best one
    that this processor has. ``tell`` is called with the progress.
    """
    complaints = ["no C compiler works"]
    written: Mapping[str, str] = {}
    for using in compilers(platform):
        try:
            levels = _levels(wanted, using, objects)
            written = written or texts()
            return [library(using, level, written, folder, objects, tell=tell) for level in levels]
        except BuildError as error:
            complaints.append(str(error))
    raise BuildError("; ".join(complaints))


def _levels(wanted: str, using: Compiler, objects: Path) -> list[str]:
    """Return the levels that ``wanted`` names; BuildError for a level that the platform lacks."""
    known = list(using.platform.files)
    if wanted == "all" or (wanted == "best" and using.platform != HERE):
        return known
    if wanted == "best":
        return [next((level for level in known[:-1] if _fits(using, level, objects)), known[-1])]
    levels = wanted.split(",")
    if not set(levels) <= set(known):
        raise BuildError(f"CLMATH_BUILD_LEVELS is {wanted!r}: say best, all, or some of {','.join(known)}")
    return levels


def _fits(using: Compiler, level: str, objects: Path) -> bool:
    """Return whether this processor has a level: an empty library finds out."""
    objects.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=objects, ignore_cleanup_errors=True) as scratch:
        found = library(using, level, {}, Path(scratch), objects)
        return bool(ctypes.CDLL(str(found)).clmath_fits())


def library(
    using: Compiler, level: str, texts: Mapping[str, str], folder: Path, objects: Path, *, tell: Tell | None = None
) -> Path:
    """Make the library of ``texts`` for ``level`` in ``folder``; objects that are in ``objects`` already are reused."""
    folder, objects = folder.resolve(), objects.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    found = compiled(using, level, texts, objects, tell=tell)
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        linked = Path(scratch) / using.platform.files[level]
        paths = [str(objects / name) for name in found]
        _output([*using.command, *using.linking, *paths, "-o", linked.name], linked.parent, objects)
        return linked.replace(folder / linked.name)


def compiled(
    using: Compiler, level: str, texts: Mapping[str, str], objects: Path, *, tell: Tell | None = None
) -> list[str]:
    """Compile ``texts`` for ``level``; return the names of the objects in ``objects``."""
    objects.mkdir(parents=True, exist_ok=True)
    longest_first = sorted(units(texts, loops.header()).items(), key=_slowness, reverse=True)
    jobs = [(name, content, using.options(level)) for name, content in longest_first]
    jobs.append(("fits.c", text.fitting(level), using.options("")))
    made: list[str] = []
    with ThreadPoolExecutor(_processors()) as pool:
        for name in pool.map(lambda job: _compiled(using, objects, *job), jobs):
            made.append(name)
            if tell is not None and (len(made) % _TOLD == 0 or len(made) == len(jobs)):
                tell(f"{len(made)} of {len(jobs)} files are compiled for {level} of {using.platform.machine}")
    return made


def units(texts: Mapping[str, str], header: str) -> dict[str, str]:
    """Join texts whose names begin with the same word and an underscore, and their contents with ``header``."""
    found = {}
    joined: dict[str, list[str]] = {}  # by word, texts of ``SIZE`` characters together, or of one longer text
    for name, content in sorted(texts.items()):
        word, parted, _ = name.partition("_")
        if not (parted and content.startswith(header)):
            found[name] = content
            continue
        shares, text = joined.setdefault(word, [""]), content.removeprefix(header)
        if shares[-1] and len(shares[-1]) + len(text) > SIZE:
            shares.append("")
        shares[-1] += text
    return found | {f"{word}_{i}.c": f"{header}{text}" for word, some in joined.items() for i, text in enumerate(some)}


def _slowness(unit: tuple[str, str]) -> int:
    """Estimate the time to compile a text: a character of a whole built-in takes three times as long as another."""
    name, content = unit
    return len(content) * (3 if name.startswith(("whole", "rounding")) else 1)


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _compiled(using: Compiler, objects: Path, name: str, content: str, options: Sequence[str]) -> str:
    """Compile one text unless its object exists; return the object's name in ``objects``."""
    key = hashlib.blake2b("\0".join([using.version, *options, content]).encode(), digest_size=16).hexdigest()
    made = f"{Path(name).stem}_{key}.o"
    if not (objects / made).exists():
        with tempfile.TemporaryDirectory(dir=objects) as scratch:
            (Path(scratch) / name).write_text(content, encoding="utf-8")
            _output([*using.command, *options, "-c", name, "-o", made], Path(scratch), objects)
            (Path(scratch) / made).replace(objects / made)
    return made


def _output(command: Sequence[str], folder: Path, caches: Path | None = None) -> str:
    """Run a command in ``folder`` and return its output; Zig's caches are in ``caches``, else in ``folder``."""
    kept = str(((caches or folder) / "zig").resolve())
    environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": kept, "ZIG_LOCAL_CACHE_DIR": kept, "LC_ALL": "C"}
    try:
        done = subprocess.run(  # noqa: S603 - a compiler that clmath found
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
    except OSError as error:
        raise BuildError(f"{command[0]} does not run: {error}") from None
    if done.returncode:
        raise BuildError(f"{' '.join(command[:3])} fails: {done.stderr.strip()[-2000:]}")
    return done.stdout
