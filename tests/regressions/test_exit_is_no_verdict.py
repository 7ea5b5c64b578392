"""A subject that ends its process with status 0 does not conform by that; one that ends nothing is not blamed."""

import textwrap

import pytest

from clmath.__main__ import main

LAB = """
    import os
    import clmath

    def leaves(name, *args):
        os._exit(0)

    def stays(name, *args):
        return getattr(clmath, name)(*args)
"""


@pytest.mark.parametrize("name, status, words", [("leaves", 2, "could not be judged"), ("stays", 0, "conforms")])
def test_the_exit_of_a_subject_is_not_that_of_the_audit(  # noqa: PLR0917 - fixtures
    name, status, words, tmp_path, monkeypatch, capfd
):
    (tmp_path / "leaving_lab.py").write_text(textwrap.dedent(LAB))
    monkeypatch.chdir(tmp_path)
    rows = ["--functions", "fabs", "--types", "float", "--inputs", "8", "--jobs", "1"]
    assert main(["audit", f"leaving_lab:{name}", *rows]) == status
    out, err = capfd.readouterr()
    assert err == ""
    assert out.splitlines()[-1].endswith(f": {words}")
    assert ("ended its process with exit status 0; with x = " in out) is (name == "leaves")
