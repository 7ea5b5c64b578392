"""The tutorials, followed as they are printed: every block runs, and shows what the page says that it shows."""

from __future__ import annotations

import pytest

from tests.readme.printed import PAGES, TUTORIALS, Follower, is_shown, renewed


@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial(page, tmp_path):
    pytest.importorskip("hypothesis")
    follower = Follower(tmp_path)
    follower.follow(PAGES[page])
    assert follower.compared == TUTORIALS[page]


def test_every_tutorial_is_followed():
    assert {page for page in PAGES if page.startswith("docs/tutorials/")} == {*TUTORIALS, "docs/tutorials/index.md"}


def test_what_is_shown_is_renewed_line_by_line():
    wanted = " cbrt   2 ulp   3.667   64819 sampled   fail 514\n...\n  got 0x1p+3, -3 ulp\n  a ... b\n"
    got = "head\n cbrt   2 ulp   3.667   64820 sampled   fail 515\nbetween\n  got 0x1p+4, -3 ulp\n  a x b\nend\n"
    after = renewed(wanted, got)
    assert after == " cbrt   2 ulp   3.667   64820 sampled   fail 515\n...\n  got 0x1p+4, -3 ulp\n  a ... b\n"
    assert is_shown(f"...\n{after}...\n", got)


def test_a_line_that_is_not_printed_any_more_is_told_of():
    with pytest.raises(ValueError, match="nothing like this line is printed any more"):
        renewed("a line of old\n", "something else\n")
