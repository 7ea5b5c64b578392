"""The loop that screens results in float agrees on each level with ``reported``, which works element by element."""

import shutil
import sys
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from clmath.audit.screens.loop import PACKAGE, Screens
from clmath.engines.native import sources
from clmath.engines.native.library import best, file_name, installed, machine
from clmath.engines.native.sources import packages
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import DOUBLE, FLOAT
from tests.audit.screens.driven import EXPORTED
from tests.audit.screens.screened import ROWS, Enclosed, altered, arguments, reported, requests
from tests.cases import for_each
from tests.engines.native.facts import facts_of


@pytest.fixture(scope="module")
def x():
    return arguments()


@pytest.mark.slow
@for_each("names", ROWS)
@np.errstate(all="ignore")
def test_loop_agrees_with_element_by_element_version(loops, names, x):
    """Counts, places and the next floor agree, for correct and for wrong results."""
    kernels, rng = ROWS[names], np.random.default_rng(7)
    for loop, library in loops:
        assert loop.serve(kernels)
        enclosed = Enclosed(library, kernels, x)
        for share, asked in zip((0.0, 0.1, 0.5, 1.0), requests(rng), strict=True):
            results = altered(rng, enclosed.right(), share)
            screen = asked.screen()
            found = loop.screened(kernels, x, results, screen)
            counts, others, leading, failed, out, floor = reported(kernels, enclosed, x, results, asked)
            assert screen.counts.tolist() == counts.tolist()
            assert [one.tolist() for one in found] == [others, leading]
            assert (screen.failed, screen.out, screen.floor) == (failed, out, floor)


def test_only_compiled_kernels_are_screened(loops):
    """Kernels of several arguments, kernels of double, and kernels for devices only are not screened."""
    loop, _ = loops[0]
    assert not any(loop.serve(kernels_of(name, FLOAT)) for name in ("pow", "hypot", "pown", "fma", "fmod"))
    assert not loop.serve(kernels_of("sin", DOUBLE))


def test_empty_arrays_have_no_findings(loops):
    none = np.empty(0, np.float32)
    for asked in requests(np.random.default_rng(1)):
        screen = asked.screen()
        found = loops[0][0].screened(kernels_of("sin", FLOAT), none, [none], screen)
        assert [one.size for one in found] == [0, 0]
        assert (screen.failed, screen.out, screen.counts.sum(), screen.floor) == (0, 0, 0, asked.floor)


def test_strided_and_readonly_arrays_are_screened(loops, x):
    """The loop reads such arrays without a copy."""
    (loop, _), kernels, (asked, *_) = loops[0], kernels_of("exp", FLOAT), requests(np.random.default_rng(2))
    with np.errstate(all="ignore"):
        result = np.exp(x)
    wide = np.zeros((x.size, 3), np.float32)
    wide[:, 0], wide[:, 2] = x, result
    wide.flags.writeable = False
    screens = asked.screen(), asked.screen()
    plain = loop.screened(kernels, x, [result], screens[0])
    strided = loop.screened(kernels, wide[:, 0], [wide[:, 2]], screens[1])
    assert all(np.array_equal(one, other) for one, other in zip(plain, strided, strict=True))
    assert np.array_equal(*(screen.counts for screen in screens))


@pytest.mark.slow
def test_edited_acceptance_rule_disables_screens_but_not_kernels(loops, tmp_path, monkeypatch):
    """A copy of the tree has one edited rule."""
    files = {package: package.files() for package in packages()}
    for path in {Path(name) for names in files.values() for name in names}:
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes((sources.ROOT / path).read_bytes())
    for package in files:
        shutil.copytree(package.built, tmp_path / package.folder / "built")
    monkeypatch.setattr(sources, "ROOT", tmp_path)
    rule = tmp_path / "clmath/audit/acceptance/limits.py"
    rule.write_text(rule.read_text(encoding="utf-8") + "#", encoding="utf-8")
    assert best(PACKAGE, partial(Screens, loops[0][1])) is None
    assert installed() is not None


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF")
def test_installed_library_exports_only_the_listed_names(loops):
    for _, library in loops:
        data = (PACKAGE.built / file_name(library.level)).read_bytes()
        assert facts_of(data) == ("ELF", machine(), EXPORTED, set(), set())
