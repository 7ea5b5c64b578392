"""Texts that are compiled together: none is lost."""

import pytest

from clmath.engines.native import text
from clmath.engines.native.build import SIZE, units
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
    return text.texts(text.native_kernels()[:: request.param], {one: wholes()[one] for one in few})


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
        "one_0.c": f"{HEADER}int y;",
    }
