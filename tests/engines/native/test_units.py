"""Texts that are compiled together: none is lost, and none sees the names of another."""

import ctypes
import re

import pytest

from clmath.engines.native import build, text, whole_text
from clmath.engines.native.units import SIZE, units
from clmath.kernels.whole import wholes

HEADER = "/* one header */\n"


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(5, marks=pytest.mark.slow, id="of a fifth"),
        pytest.param(1, marks=pytest.mark.exhaustive, id="of all"),
    ],
)
def texts(request):
    labels = [label for label in wholes() if label.startswith("mix")]
    few = dict.fromkeys([*labels, *list(wholes())[:: request.param]])
    return text.texts(text.native_kernels()[:: request.param]) | whole_text.texts({one: wholes()[one] for one in few})


def test_every_file_is_in_one_unit(texts):
    found = units(texts, text.header())
    joined = "\n".join(found.values())
    for name, content in texts.items():
        assert joined.count(content.removeprefix(text.header())) == 1, name
    assert all(content.count(text.header()) == 1 for content in found.values())


def test_units_are_large_and_not_too_large(texts):
    found = units(texts, text.header())
    assert len(found) < len(texts) / 4
    longest = max(map(len, texts.values()))
    assert max(map(len, found.values())) < max(SIZE, longest) * 1.1


def test_a_change_of_one_file_changes_one_unit(texts):
    changed = texts | {"whole_mix_half.c": texts["whole_mix_half.c"] + "/* changed */\n"}
    before, after = units(texts, text.header()), units(changed, text.header())
    assert before.keys() == after.keys()
    assert sum(before[name] != after[name] for name in before) == 1


def test_files_of_other_names_and_contents_are_unchanged():
    known = {"main.c": f"{HEADER}int main;", "library.c": HEADER, "one_x.c": "no header", "one_y.c": f"{HEADER}int y;"}
    assert units(known, HEADER) == {
        "main.c": f"{HEADER}int main;",
        "library.c": HEADER,
        "one_x.c": "no header",
        "one_0.c": f"{HEADER}\n\nint y;\n",
    }


def test_names_of_several_files_are_kept_apart(tmp_path):
    """A library of three files, which all define the same names; a program would need C's library, which Zig makes."""
    if not build.compilers():
        pytest.skip("no C compiler is installed: pip install ziglang")
    header = "#define LOOP static\n#define FUNCTION static\n"
    files = {
        f"a_{name}.c": f"{header}static const int TABLES[] = {{{value}}};\n"
        f"FUNCTION int find(int x) {{ return x + TABLES[0]; }}\nLOOP int all_find(void) {{ return find({value}); }}\n"
        f"int {name}(void) {{ return all_find(); }}\n"
        for name, value in (("one", 1), ("two", 20), ("three", 300))
    }
    ((name, joined),) = units(files, header).items()
    assert name == "a_0.c"
    assert not re.search(r"^#undef (one|two|three)$", joined, re.MULTILINE)
    (tmp_path / "all.c").write_text(joined, encoding="utf-8")
    using = build.compilers()[0]
    build._output([*using.command, "-O2", "-shared", "-fPIC", "-nostdlib", "all.c", "-o", "all.so"], tmp_path)
    library = ctypes.CDLL(str(tmp_path / "all.so"))
    assert (library.one(), library.two(), library.three()) == (2, 40, 600)
