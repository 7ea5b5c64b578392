"""Inject a fault into a function of the package for one test, by replacing a part of its source."""

from __future__ import annotations

import inspect
import textwrap


def plant(monkeypatch, function, before, after):
    """Replace ``before`` by ``after`` in the source of ``function``, for all its users, until the test ends.

    ``before`` must occur in the source exactly once.
    """
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(before) == 1, (function.__qualname__, before)
    whole = compile(text.replace(before, after), function.__code__.co_filename, "exec")
    (code,) = (c for c in whole.co_consts if getattr(c, "co_name", "") == function.__name__)
    monkeypatch.setattr(function, "__code__", code)
