"""Plants a fault in a function of the package: one place of its text is written differently, for one test."""

from __future__ import annotations

import inspect
import textwrap


def plant(monkeypatch, function, before, after):
    """Let ``function``, wherever it is known, do until the test ends what its text says with ``after`` for ``before``.

    ``before`` must stand in the text once.
    """
    text = textwrap.dedent(inspect.getsource(function))
    assert text.count(before) == 1, (function.__qualname__, before)
    whole = compile(text.replace(before, after), function.__code__.co_filename, "exec")
    (code,) = (c for c in whole.co_consts if getattr(c, "co_name", "") == function.__name__)
    monkeypatch.setattr(function, "__code__", code)
