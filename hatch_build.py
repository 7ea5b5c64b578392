"""Builds what git does not hold: the compiled libraries, without which NumPy runs, and the stub of the aliases.

Every package of clmath that has a file ``library.toml`` has a compiled library. The build backend is hatchling's: this
module hands it on, and asks for what compiles only where something is to be.
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

    from clmath.engines.native.sources import Package

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
    sources = sources_of(root)
    return all(_is_up_to_date(sources, package) for package in sources.packages())


def _is_up_to_date(sources: ModuleType, package: Package) -> bool:
    """Whether one ``package`` has the library that an installation would compile."""
    if os.environ.get("CLMATH_BUILD_LEVELS") or os.environ.get("CLMATH_BUILD_PLATFORM"):
        return False
    try:
        note = sources.Note.of(package.built)
    except (OSError, ValueError):  # there is none, or something else
        return False
    known = (note.digest, note.wanted, note.node) == (package.digest(), "best", platform.node())
    return known and _serves(package.built / note.libraries)


def sources_of(root: Path) -> ModuleType:
    """The module of clmath that knows the libraries' sources, alone: the package around it needs NumPy."""
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
            self._include(self._built(asked), self._builder().PLATFORMS[asked].tag, build_data)
            return
        try:
            if version == "editable":
                self._bring_up_to_date(Path(self.root))
                return
            found = self._built()
        except Exception as error:  # noqa: BLE001 - whatever it is, clmath works without
            self.app.display_warning(f"kernels are not compiled, and NumPy runs them: {error}")
            return
        self._include(found, sysconfig.get_platform().replace("-", "_").replace(".", "_"), build_data)

    def _include(self, found: dict[str, list[Path]], tag: str, build_data: dict[str, Any]) -> None:
        """Have the libraries of each package, by its folder, in the wheel."""
        places = {str(path): f"{folder}/built/{path.name}" for folder, paths in found.items() for path in paths}
        build_data["force_include"].update(places)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"

    def _built(self, asked: str = "") -> dict[str, list[Path]]:
        """The libraries of each package, by its folder, for a platform by name, else for this machine."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or "all"
        packages = sources_of(Path(self.root)).packages()
        return {package.folder: self._built_for(package, wanted, asked) for package in packages}

    def _built_for(self, package: Package, wanted: str, asked: str = "") -> list[Path]:
        """The libraries of one package, of the ``wanted`` levels."""
        build, folder = self._builder(), Path(self.root, "build", "native")
        objects = Path(os.environ.get("CLMATH_BUILD_CACHE") or folder / "objects")
        platform = build.PLATFORMS[asked] if asked else build.HERE
        place = folder / "libraries" / package.name / asked

        def tell(fact: str) -> None:  # pip shows it with -v
            print(f"{package.name}: {fact}", flush=True)

        return build.build(package.texts, place, objects, platform, wanted, tell=tell)

    def _builder(self) -> ModuleType:
        """The module that compiles, of the tree that is built."""
        sys.path.insert(0, self.root)
        try:
            return importlib.import_module("clmath.engines.native.build")
        finally:
            sys.path.remove(self.root)

    def _bring_up_to_date(self, root: Path) -> None:
        """Have libraries where a clone looks for them, with what tells whether its files have changed since."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or "best"
        sources = sources_of(root)
        for package in sources.packages():
            is_kept = _is_up_to_date(sources, package)
            libraries = sources.Note.of(package.built).libraries if is_kept else self._placed(package, wanted)
            # anew in any case: files may have been written again
            sources.Note.now(package, wanted, libraries).write(package.built)

    def _placed(self, package: Package, wanted: str) -> str:
        """Compile, and put what that gives where the package looks for it; the names, with spaces between."""
        found, build, place = self._built_for(package, wanted), self._builder(), package.built
        place.mkdir(exist_ok=True)
        for path in set(place.glob(f"{build.HERE.machine}_*")) - {place / one.name for one in found}:
            path.unlink()  # of another level, and maybe of other kernels
        for path in found:
            shutil.copy(path, place / f"{path.name}.new")  # a process may have loaded the old one
            (place / f"{path.name}.new").replace(place / path.name)
        return " ".join(path.name for path in found)
