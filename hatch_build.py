"""Compiles the kernels when clmath is installed from its sources; without a C compiler NumPy runs them."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "clmath/engines/native/built"


class NativeLibrary(BuildHookInterface):
    """Wheels get libraries for this system and every level of its architecture, clones that for this processor.

    CLMATH_BUILD_LEVELS: "all", "best" (that for this processor), or levels with commas between. CLMATH_BUILD_PLATFORM:
    the wheel is made for one of ``clmath.engines.native.build.PLATFORMS``, or not at all. Objects are kept in the
    folder CLMATH_BUILD_CACHE, else in ``build``: what has not changed is not compiled again.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; a failure is told, and costs nothing but speed."""
        asked = os.environ.get("CLMATH_BUILD_PLATFORM", "")
        if asked and version != "editable":
            self._include(*self._built(asked), build_data)
            return
        try:
            found, _ = self._built(wanted="best" if version == "editable" else "all")
            if version == "editable":
                self._place(found)
                return
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
            from clmath.audit.judge.screen_text import lane_functions
            from clmath.engines.native import build
        finally:
            sys.path.remove(self.root)
        folder = Path(self.root, "build", "native")
        objects = Path(os.environ.get("CLMATH_BUILD_CACHE") or folder / "objects")
        platform = build.PLATFORMS[asked] if asked else build.HERE
        found = build.build(folder / "libraries" / asked, objects, platform, wanted, lane_functions)
        return found, platform.tag

    def _place(self, found: list[Path]) -> None:
        """Put the libraries where a clone looks for them, with what tells whether its files have changed since."""
        from clmath.engines.native import build

        place = Path(self.root, PLACE)
        place.mkdir(exist_ok=True)
        for path in set(place.glob(f"{build.HERE.machine}_*")) - {place / one.name for one in found}:
            path.unlink()  # of another level, and maybe of other kernels
        for path in found:
            shutil.copy(path, place / f"{path.name}.new")  # a process may have loaded the old one
            (place / f"{path.name}.new").replace(place / path.name)
        build.note_sources(place)
