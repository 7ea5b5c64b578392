"""The tutorials, followed as they are printed: every block runs, and shows what the page says that it shows."""

from __future__ import annotations

import pytest

from tests.readme.printed import PAGES, TUTORIALS, Follower


@pytest.mark.slow
@pytest.mark.parametrize("page", TUTORIALS)
def test_a_tutorial(page, tmp_path):
    pytest.importorskip("hypothesis")
    follower = Follower(tmp_path)
    follower.follow(PAGES[page])
    assert follower.compared == TUTORIALS[page]


def test_every_tutorial_is_followed():
    assert {page for page in PAGES if page.startswith("docs/tutorials/")} == {*TUTORIALS, "docs/tutorials/index.md"}
