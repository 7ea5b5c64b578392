"""Build the files that git leaves out: the compiled libraries, without which NumPy runs, and the stub of the aliases.

Every package of clmath that has a file ``library.toml`` has a compiled library. The build backend is hatchling's: this
module adds the files to it, and asks for a compiler only if something needs compiling.
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
from hatchling.build import *  # noqa: F403 - every hook of a build backend
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType

    from clmath.engines.native.sources import Package

STUB = "clmath/functions/aliases.pyi"
COMPILING = (
    "numpy>=2.0",  # tracing the kernels needs it
    "ziglang>=0.13; sys_platform == 'linux' and (platform_machine == 'x86_64' or platform_machine == 'aarch64')",
    "ziglang>=0.17; sys_platform == 'win32' and platform_machine == 'AMD64'",  # of macOS it wants the latest versions
)
RUNS = "import ctypes, sys; sys.exit(not ctypes.CDLL(sys.argv[1]).clmath_fits())"


def get_requires_for_build_wheel(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the packages that hatchling and the compiler need."""
    return [*hatchling.build.get_requires_for_build_wheel(config_settings), *COMPILING]


def get_requires_for_build_editable(config_settings: dict[str, Any] | None = None) -> list[str]:
    """Return the packages that an editable install needs: no compiler, half a gigabyte, if nothing needs compiling."""
    needed = () if is_up_to_date(Path.cwd()) else COMPILING
    return [*hatchling.build.get_requires_for_build_editable(config_settings), *needed]


def is_up_to_date(root: Path) -> bool:
    """Return whether a clone has the libraries of its present sources for this processor."""
    sources = sources_of(root)
    return all(_is_up_to_date(sources, package) for package in sources.packages())


def _is_up_to_date(sources: ModuleType, package: Package) -> bool:
    """Return whether one ``package`` has the library that an installation would compile."""
    if os.environ.get("CLMATH_BUILD_LEVELS") or os.environ.get("CLMATH_BUILD_PLATFORM"):
        return False
    try:
        note = sources.Note.of(package.built)
    except (OSError, ValueError):  # no note, or one of another version
        return False
    known = (note.digest, note.wanted, note.node) == (package.digest(), "best", platform.node())
    return known and _serves(package.built / note.libraries)


def sources_of(root: Path) -> ModuleType:
    """Load the module that lists the libraries' sources, without the package around it, which needs NumPy."""
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
    """Return whether ``library`` runs on this processor and is the only one for its architecture.

    A child process loads it: a damaged library ends that process, and Windows cannot replace a loaded library.
    """
    if list(library.parent.glob(f"{library.name.rpartition('_')[0]}_*")) != [library]:
        return False
    command = [sys.executable, "-c", RUNS, library]
    return not subprocess.run(command, capture_output=True, check=False).returncode  # noqa: S603 - our own


class BuiltFiles(BuildHookInterface):
    """Build the stub and the libraries: for every level of this architecture in a wheel, for this processor in a clone.

    CLMATH_BUILD_LEVELS: "all", "best" (that for this processor), or levels with commas between. CLMATH_BUILD_PLATFORM:
    the wheel is made for one of ``clmath.engines.native.build.PLATFORMS``, or not at all. Objects are kept in the
    folder CLMATH_BUILD_CACHE, else in ``build``: only changed texts are compiled again. A clone that is up to date
    keeps its libraries, unless one of the two variables is set.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the stub and compile. If compiling fails, a warning is shown, and clmath is only slower."""
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
        except Exception as error:  # noqa: BLE001 - clmath works without libraries
            self.app.display_warning(f"kernels are not compiled, and NumPy runs them: {error}")
            return
        self._include(found, sysconfig.get_platform().replace("-", "_").replace(".", "_"), build_data)

    def _include(self, found: dict[str, list[Path]], tag: str, build_data: dict[str, Any]) -> None:
        """Add the libraries of each package, by its folder, to the wheel."""
        places = {str(path): f"{folder}/built/{path.name}" for folder, paths in found.items() for path in paths}
        build_data["force_include"].update(places)
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{tag}"

    def _built(self, asked: str = "") -> dict[str, list[Path]]:
        """Compile the libraries of each package, by its folder, for a platform by name, else for this machine."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or "all"
        packages = sources_of(Path(self.root)).packages()
        return {package.folder: self._built_for(package, wanted, asked) for package in packages}

    def _built_for(self, package: Package, wanted: str, asked: str = "") -> list[Path]:
        """Compile the libraries of one package for the ``wanted`` levels."""
        build, folder = self._builder(), Path(self.root, "build", "native")
        objects = Path(os.environ.get("CLMATH_BUILD_CACHE") or folder / "objects")
        platform = build.PLATFORMS[asked] if asked else build.HERE
        place = folder / "libraries" / package.name / asked

        def tell(fact: str) -> None:  # pip shows it with -v
            print(f"{package.name}: {fact}", flush=True)

        return build.build(package.texts, place, objects, platform, wanted, tell=tell)

    def _builder(self) -> ModuleType:
        """Import the module that compiles from the tree that is built."""
        sys.path.insert(0, self.root)
        try:
            return importlib.import_module("clmath.engines.native.build")
        finally:
            sys.path.remove(self.root)

    def _bring_up_to_date(self, root: Path) -> None:
        """Put libraries where a clone looks for them, each with the note by which it finds out whether it is stale."""
        wanted = os.environ.get("CLMATH_BUILD_LEVELS") or "best"
        sources = sources_of(root)
        for package in sources.packages():
            is_kept = _is_up_to_date(sources, package)
            libraries = sources.Note.of(package.built).libraries if is_kept else self._placed(package, wanted)
            # written in any case: the times of files may have changed
            sources.Note.now(package, wanted, libraries).write(package.built)

    def _placed(self, package: Package, wanted: str) -> str:
        """Compile and place the libraries of a package; return their names, separated by spaces."""
        found, build, place = self._built_for(package, wanted), self._builder(), package.built
        place.mkdir(exist_ok=True)
        for path in set(place.glob(f"{build.HERE.machine}_*")) - {place / one.name for one in found}:
            path.unlink()  # of another level, and maybe of other kernels
        for path in found:
            shutil.copy(path, place / f"{path.name}.new")  # a process may have loaded the old one
            (place / f"{path.name}.new").replace(place / path.name)
        return " ".join(path.name for path in found)
