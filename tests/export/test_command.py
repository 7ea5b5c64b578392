"""Command ``clmath export``: files that it writes, reproducibly, and errors with remedies."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from clmath.cli import main
from clmath.export import LANGUAGES, exportable, files, request_of
from clmath.kernels import FAST
from clmath.kernels.whole import arithmetic
from tests.cases import for_each

NUMBERS = "what is exported takes and gives numbers, correctly rounded, and"
SMALL = ("ilogb,cbrt", "--types", "half")


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("language", ["c", *(pytest.param(one, marks=pytest.mark.slow) for one in LANGUAGES[1:])])
def test_export_is_reproducible(clm, tmp_path, language):
    assert clm("export", *SMALL, "--language", language, "--out", tmp_path / "one")[0] == 0
    words = ["export", *SMALL, "--language", language, "--out", str(tmp_path / "two")]
    code = f"import sys; from clmath.cli import main; sys.exit(main({words!r}))"
    environment = os.environ | {"PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_library_has_its_files_and_licences(clm, tmp_path):
    status, out, _ = clm("export", *SMALL, "--out", tmp_path / "made" / "library")
    folder = tmp_path / "made" / "library"
    assert status == 0
    assert out.startswith(f"{folder}: 2 functions in {len(contents(folder))} files")
    assert {"clmath.h", "clmath_cbrt.c", "clmath_ilogb.c", "README.md", "tests/test.c"} <= contents(folder).keys()
    assert os.listdir(tmp_path / "made") == ["library"]  # noqa: PTH208 - lists hidden files, too
    spdx = b"SPDX-License-Identifier: MIT OR Apache-2.0 WITH LLVM-exception"
    assert all(spdx in text.partition(b"\n")[0] for name, text in contents(folder).items() if name[-2:] in {".c", ".h"})
    assert (folder / "LICENSE-MIT").read_text().startswith("MIT License\n")
    licence = (folder / "LICENSE-APACHE").read_text()
    assert (Path(__file__).parents[2] / "LICENSE").read_text().strip() in licence
    assert "LLVM Exceptions to the Apache 2.0 License" in licence
    assert os.stat(folder).st_mode & 0o755 == 0o755  # noqa: PTH116


def test_list_shows_all_built_ins_and_globs_match(clm):
    status, out, _ = clm("export", "--list")
    assert status == 0
    names, _, rest = out.rstrip("\n").rpartition("\n")
    assert rest == f"{len(exportable())} built-ins, in half, float and double; as c, opencl, cuda"
    assert set(names.split()) == {row.name for row in exportable()}
    assert set(names.split()) >= {*FAST.kernels, *arithmetic.__all__} - {"mad_in_steps", "mix_in_steps"}
    assert set(names.split()) >= {"lgamma_r", "mad", "fabs", "copysign", "fmod", "remquo", "nextafter", "frexp", "modf"}
    assert [row.name for row in request_of("t", "exp*, sin,exp", "double", "c").builtins] == [
        "sin",
        "exp",
        "exp2",
        "exp10",
        "expm1",
    ]
    assert request_of("t", "all", "double,half", "c").builtins == exportable()
    assert [str(form) for form in request_of("t", "all", "double, half", "c").formats] == ["half", "double"]


@for_each(
    "words, message",
    [
        (["sinn"], "'sinn' is not a known built-in; did you mean 'sin'?"),
        (["sin,nonsense"], "'nonsense' is not a known built-in; 'clmath export --list' shows what can be exported"),
        (["x*"], "'x*' is not a known built-in"),
        (["divide"], "'divide' is not a known built-in; NumPy's divide gives"),
        (["half_sin"], f"{NUMBERS} half_sin is less accurate; write sin: 'clmath export --list' shows what can be"),
        (["native_divide"], f"{NUMBERS} native_divide is less accurate; write div:"),
        (["sin,dot"], f"{NUMBERS} dot takes vectors; leave it out: 'clmath export --list' shows what can be"),
        (["nan"], f"{NUMBERS} nan takes an encoding; leave it out:"),
        (["mad_sat"], f"{NUMBERS} mad_sat is of the integer chapter; leave it out:"),
        ([","], "',' names no built-in; write sin,exp, or all"),
        (["sin", "--types", "floot"], "--types='floot' is not one of 'half', 'float', 'double'; did you mean 'float'?"),
        (["sin", "--types", ""], "--types '' names nothing; write --types half,float,double"),
        (["sin", "--language", "opencl-c"], "--language='opencl-c' is not one of 'c', 'opencl', 'cuda'"),
        (["sin", "--out", ""], "--out names no folder; write --out clmath_c"),
        ([], "no built-in is named; write 'clmath export sin,exp --out DIR', or --list"),
    ],
)
def test_invalid_words_are_refused(clm, tmp_path, words, message):
    out = [] if "--out" in words else ["--out", tmp_path / "new"]
    status, _, err = clm("export", *words, *out)
    assert status == 2
    assert err.startswith(f"clmath export: {message}")
    assert not list(tmp_path.iterdir())


def test_readme_states_formulas(clm, tmp_path):
    assert clm("export", "mad,mix,fabs", "--types", "half", "--out", tmp_path / "new")[0] == 0
    text = (tmp_path / "new" / "README.md").read_text()
    assert "- `mad` is `a * b + c`, rounded once.\n" in text
    assert "- `mix` is `x + (y - x) * a`:\n  every operation is rounded, but a product and its sum at once.\n" in text
    assert "- `fabs` keeps the payload of a NaN.\n" in text
    assert "clmath_mix_h_interval" not in text


def test_readme_states_tested_inputs(clm, tmp_path):
    words = ("sin,convert_double,pow", "--types", "half,float")
    assert clm("export", *words, "--out", tmp_path / "new")[0] == 0
    text = (tmp_path / "new" / "README.md").read_text()
    assert "Tried in every mode: all halves; all floats with `sin`; a sample of floats with `convert_double`." in text
    assert clm("export", "pow", "--types", "double", "--out", tmp_path / "other")[0] == 0
    assert "Tried" not in (tmp_path / "other" / "README.md").read_text()


@pytest.mark.parametrize("name", ["sin", "mad"])
def test_readme_lists_each_fact_on_a_line(clm, tmp_path, name):
    assert clm("export", name, "--types", "float", "--out", tmp_path / "new")[0] == 0
    text = (tmp_path / "new" / "README.md").read_text().partition("## What is right\n\n")[2].partition("\n## ")[0]
    assert "\n- Half and float are complete" in text
    assert not re.search(r"\. - |\n\n[^-]", text)


def test_folder_with_other_files_is_refused(clm, tmp_path):
    (tmp_path / "mine").write_text("kept")
    for words in ([], ["--force"]):
        status, _, err = clm("export", *SMALL, "--out", tmp_path, *words)
        assert status == 2
        assert f"--out {tmp_path} holds 'mine', and is not an exported library to replace; name a new folder" in err
    assert contents(tmp_path) == {"mine": b"kept"}
    assert clm("export", *SMALL, "--out", tmp_path / "mine")[2].endswith("mine is a file; name a new folder\n")


def test_force_replaces_a_library(clm, tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    assert clm("export", *SMALL, "--out", folder)[0] == 0
    (folder / "built.o").write_text("old")
    before = contents(folder)
    status, _, err = clm("export", "fabs", "--types", "half", "--out", folder)
    assert status == 2
    assert "holds an exported library; replace it, and all in it, with --force" in err
    assert contents(folder) == before
    assert clm("export", "cbrt", "--types", "half", "--out", folder, "--force")[0] == 0
    assert not {"clmath_ilogb.c", "built.o"} & contents(folder).keys()
    assert [path.name for path in tmp_path.iterdir()] == ["library"]


def test_full_disk_keeps_the_previous_library(clm, tmp_path, monkeypatch):
    folder = tmp_path / "library"
    assert clm("export", *SMALL, "--out", folder)[0] == 0
    before, write = contents(folder), Path.write_text

    def full(path, *given, **options):
        if path.name == "README.md":
            raise OSError(28, "No space left on device")
        return write(path, *given, **options)

    monkeypatch.setattr(Path, "write_text", full)
    status, _, err = clm("export", *SMALL, "--out", folder, "--force")
    assert status == 2
    assert f"--out {folder} cannot be written: No space left on device; name a new folder where you may write" in err
    assert contents(folder) == before
    assert [path.name for path in tmp_path.iterdir()] == ["library"]


def test_unwritable_folder_is_refused(clm):
    place = Path("/proc/clmath_export")
    if not place.parent.is_dir():
        pytest.skip("every place can be written here")
    status, _, err = clm("export", *SMALL, "--out", place)
    assert status == 2
    assert f"clmath export: --out {place} cannot be written: " in err


def test_failed_export_writes_nothing(tmp_path, monkeypatch):
    import clmath.export

    def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr(clmath.export, "files", broken)
    assert main(["export", *SMALL, "--out", str(tmp_path / "new")]) == 2
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_function_names_are_unique_across_files(language):
    """No function is defined twice, since several files may be included in one program."""
    found = files(request_of("t", "sin,sincos,ilogb", "half,double", language))
    names = [
        n
        for text in found.values()
        for n in re.findall(r"^(?:FUNCTION|SEPARATE|CLMATH_API) \w+ (\w+)\(.*\{$", text, re.MULTILINE)
    ]
    assert len(names) == len(set(names)) > 20
