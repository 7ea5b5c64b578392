"""Builds what git does not hold: the compiled kernels, without which NumPy runs, and the stub of the aliases.

The build backend is hatchling's: this module hands it on, and asks for what compiles only where something is to be.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hatchling.build
from hatchling.build import *  # noqa: F403 - whatever a build backend has
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType

PLACE = "clmath/engines/native/built"
STUB = "clmath/functions/aliases.pyi"
COMPILING = (
    "numpy>=2.0",  # the kernels are traced, and what they do is compiled
    "ziglang>=0.13; sys_platform == 'linux' and (platform_machine == 'x86_64' or platform_machine == 'aarch64')",
    "ziglang>=0.17; sys_platform == 'win32' and platform_machine == 'AMD64'",  # of macOS it wants the latest versions
)
RUNS = "import ctypes, sys; sys.exit(not ctypes.CDLL(sys.argv[1]).clmath_fits())"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """What hatchling and compiling need."""
    return [*hatchling.build.get_requires_for_build_wheel(config_settings), *COMPILING]


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """The same; half a gigabyte less where a clone has what would be compiled."""
    needed = () if is_up_to_date(Path.cwd()) else COMPILING
    return [*hatchling.build.get_requires_for_build_editable(config_settings), *needed]


def is_up_to_date(root: Path) -> bool:
    """Whether a clone has what an installation would compile: of its sources as they are, for this processor."""
    if os.environ.get("CLMATH_BUILD_LEVELS") or os.environ.get("CLMATH_BUILD_PLATFORM"):
        return False
    sources = sources_of(root)
    try:
        note = sources.Note.of(root / PLACE)
    except (OSError, ValueError):  # there is none, or something else
        return False
    known = (note.digest, note.wanted, note.node) == (sources.digest(), "best", platform.node())
    return known and _serves(root / PLACE / note.libraries)


def sources_of(root: Path) -> ModuleType:
    """The module of clmath that knows the sources, alone: the package around it needs NumPy."""
    return _module_of(root / "clmath/engines/native/sources.py")


def stub_of(root: Path) -> str:
    """Return the stub by which type checkers and editors know the aliases."""
    makers = (root / STUB).with_suffix(".py").read_text(encoding="utf-8")
    return _module_of(root / "clmath/spec/aliases.py").stub(makers)


def _module_of(path: Path) -> ModuleType:
    """Load one file of clmath without the package around it."""
    spec = importlib.util.spec_from_file_location(f"_clmath_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _serves(library: Path) -> bool:
    """Whether it runs on this processor, and there is no other one for such machines.

    Asked in a process of its own: a damaged one ends that, and Windows replaces none that is loaded.
    """
    if list(library.parent.glob(f"{library.name.rpartition('_')[0]}_*")) != [library]:
        return False
    command = [sys.executable, "-c", RUNS, library]
    return not subprocess.run(command, capture_output=True, check=False).returncode  # noqa: S603 - our own


class BuiltFiles(BuildHookInterface):
    """The stub, and libraries: in a wheel for this system and every level of its architecture, else for this processor.

    CLMATH_BUILD_LEVELS: "all", "best" (that for this processor), or levels with commas between. CLMATH_BUILD_PLATFORM:
    the wheel is made for one of ``clmath.engines.native.build.PLATFORMS``, or not at all. Objects are kept in the
    folder CLMATH_BUILD_CACHE, else in ``build``: what has not changed is not compiled again. A clone that is up to
    date keeps its library, unless one of the two says what to compile.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stub and compile; that compiling fails is told, and costs nothing but speed."""
        Path(self.root, STUB).write_text(stub_of(Path(self.root)), encoding="utf-8", newline="\n")
        asked = os.environ.get("CLMATH_BUILD_PLATFORM", "")
        if asked and version != "editable":
            self._include(*self._built(asked), build_data)
            return
        try:
            if version == "editable":
                self._bring_up_to_date(Path(self.root))
                return
            found, _ = self._built()
        except Exception as error:  # noqa: BLE001 - whatever it is, clmath works without
            self.app.display_warning(f"kernels are not compiled, and NumPy runs them: {error}")
            return
        self._include(found, sysconfig.get_platform().replace("-", "_").replace(".", "_"), build_data)

    def _include(self, found: list[Path], tag: str, build_data: dict[str, Any]) -> None:
        build_data["force_include"].update({str(path): f"{PLACE}/{path.name}" for path in found})
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"

    def _built(self, asked: str = "", wanted: str = "all") -> tuple[list[Path], str]:
        """The libraries for a platform by name, else for this machine; the tag of a wheel with them."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or wanted
        sys.path.insert(0, self.root)
        try:
            from clmath.audit.judge.one_float import lane_functions
            from clmath.engines.native import build
        finally:
            sys.path.remove(self.root)
        folder = Path(self.root, "build", "native")
        objects = Path(os.environ.get("CLMATH_BUILD_CACHE") or folder / "objects")
        platform = build.PLATFORMS[asked] if asked else build.HERE
        found = build.build(folder / "libraries" / asked, objects, platform, wanted, lane_functions, tell=self._tell)
        return found, platform.tag

    def _tell(self, fact: str) -> None:
        """Print what has been done: pip shows it with -v."""
        print(f"clmath: {fact}", flush=True)

    def _bring_up_to_date(self, root: Path) -> None:
        """Have libraries where a clone looks for them, with what tells whether its files have changed since."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or "best"
        place, note = root / PLACE, sources_of(root).Note
        libraries = note.of(place).libraries if is_up_to_date(root) else self._placed(place, wanted)
        note.now(wanted, libraries).write(place)  # anew in any case: files may have been written again

    def _placed(self, place: Path, wanted: str) -> str:
        """Compile, and put what that gives in ``place``; the names, with spaces between."""
        found, _ = self._built(wanted=wanted)
        from clmath.engines.native import build

        place.mkdir(exist_ok=True)
        for path in set(place.glob(f"{build.HERE.machine}_*")) - {place / one.name for one in found}:
            path.unlink()  # of another level, and maybe of other kernels
        for path in found:
            shutil.copy(path, place / f"{path.name}.new")  # a process may have loaded the old one
            (place / f"{path.name}.new").replace(place / path.name)
        return " ".join(path.name for path in found)
