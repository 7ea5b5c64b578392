"""Short help fits a screen, names every option, and says where the full help is."""

from __future__ import annotations

from clmath.cli import _parser
from tests.cases import for_each

COMMANDS = sorted(next(a.choices for a in _parser()._actions if a.choices))
SCREEN = 55


@for_each("command", COMMANDS)
def test_help_fits_a_screen_and_names_every_option(clm, command, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    status, out, err = clm(command, "--help")
    assert (status, err) == (0, "")
    assert len(out.splitlines()) <= SCREEN
    assert out.startswith(f"usage: clmath {command}")
    whole = clm(command, "--help-all")[1]
    options = {
        word.strip(",")
        for word in whole.split()
        if word.startswith("--") and word.strip(",").replace("-", "").isalpha()
    }
    assert [option for option in options - {"--help-all"} if option not in out] == []


def test_short_help_says_where_the_full_help_is(clm, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    short, whole = clm("audit", "--help")[1], clm("audit", "--help-all")[1]
    assert "'clmath audit --help-all' says all of it." in short
    assert len(whole.splitlines()) > len(short.splitlines())
    assert "one unrelated value among similar" in whole
    assert all(len(line) <= 80 for line in short.partition("\nTARGET, the implementation under test")[0].splitlines())


@for_each(
    "command, older, name",
    [
        ("report", "--subject", "--target"),
        ("explain", "--subjects", "--targets"),
        ("check", "--second-look", "--local-search"),
    ],
)
def test_older_name_of_an_option_is_read_with_a_note(capsys, command, older, name):
    options = _parser().parse_args([command, "one", f"{older}=libm"])
    assert vars(options)[name.strip("-").replace("-", "_")] == "libm"
    assert capsys.readouterr().err == f"clmath {command}: {older} is now {name}\n"
