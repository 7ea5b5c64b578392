"""``clmath audit MODULE:f --reference MODULE:g``: inputs and verdict of ``conformance_test(f, reference=g)``."""

from __future__ import annotations

import pytest

from clmath.testing import conformance_test
from tests.cases import for_each

pytest.importorskip("mpmath")

SOURCE = """
import os, time
import mpmath
import numpy as np

def softplus(x):
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0)

def naive(x):
    return np.log(1 + np.exp(x))

def of_an_argument(x):
    return mpmath.log1p(mpmath.exp(x))

def power(x, y):
    return x**y

def of_two(x, y):
    return mpmath.mpf(x) ** y

def middle(x):
    return np.mean(x, axis=-1)

def of_vectors(x):
    return mpmath.fsum(x) / len(x)

def ignores_strides(x):
    return softplus(x[::-1] if x.strides and x.strides[0] < 0 else x)

def crashes(x):
    os.abort()

def hangs(x):
    time.sleep(60)
"""


@pytest.fixture(autouse=True)
def target(tmp_path, monkeypatch):
    (tmp_path / "any_target.py").write_text(SOURCE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)


def audit(clm, function, reference, *options):
    return clm("audit", f"any_target:{function}", "--reference", f"any_target:{reference}", *options)


@for_each(
    "function, reference, options",
    [
        ("softplus", "of_an_argument", ["--domain=-50,50", "--limit", "4 ulp"]),
        ("naive", "of_an_argument", ["--domain=-50,50", "--limit", "absolute 1e-15 or relative 1e-9"]),
        ("power", "of_two", ["--domain", "0.5,4;-8,8", "--limit", "2 ulp", "--types", "float"]),
        ("middle", "of_vectors", ["--domain=1,8", "--limit", "8 ulp", "--signature", "(n)->()"]),
    ],
)
def test_correct_function_passes(clm, function, reference, options):
    status, out, err = audit(clm, function, reference, *options)
    assert (status, err) == (0, "")
    assert ": pass\n" in out
    assert f"worst {out.partition('worst ')[2].partition(' ulp')[0]} ulp at any_target.{function}(" in out


def test_results_must_be_correctly_rounded_without_a_limit(clm):
    status, out, _ = audit(clm, "softplus", "of_an_argument", "--domain=-50,50")
    assert status == 1
    assert "limit: correctly rounded\nreplay: import numpy as np; import any_target; print(any_target.softplus(" in out


def test_failures_equal_the_test_kits(clm):
    import any_target

    status, out, _ = audit(clm, "naive", "of_an_argument", "--domain=-50,50", "--limit", "4 ulp")
    test = conformance_test(any_target.naive, reference=any_target.of_an_argument, domain=(-50, 50), limit=4)
    with pytest.raises(AssertionError) as failed:
        test()
    assert status == 1
    told = out.partition("double: fail\n")[2].strip()
    assert told.replace("import any_target; ", "").replace("any_target.", "") == str(failed.value).replace(
        "any_target.", ""
    )


def test_function_that_ignores_strides_fails(clm):
    status, out, _ = audit(clm, "ignores_strides", "of_an_argument", "--domain=-50,50", "--limit", "4 ulp")
    assert status == 1
    assert "depends on the layout of the arguments in memory: they were an array from its end" in out


@for_each("function, options", [("crashes", []), ("hangs", ["--timeout", "1"])])
def test_crash_or_endless_call_is_not_judged(clm, function, options):
    status, _, err = audit(clm, function, "of_an_argument", *options)
    assert status == 2
    assert f"the process of any_target:{function} was killed" in err


@for_each(
    "words, remedy",
    [
        ("any_target:naive --limit 4", "leave it out, or add --reference MODULE:CALLABLE"),
        ("any_target:naive --reference any_target:of_two --limit 4", "write --limit '4 ulp'"),
        ("any_target:naive --reference any_target:of_two --domain 4", "write --domain=-50,50"),
        ("any_target:naive --reference any_target:of_two --domain 4,x", "'x' is not a number; write 0.5"),
        ("any_target:naive --reference any_target:none", "write MODULE:CALLABLE"),
        ("any_target:naive --reference any_target:of_two --functions sin", "--functions is for audits of built-ins"),
        ("libm --reference any_target:of_two", "write MODULE:CALLABLE before it"),
        ("any_target:naive --reference any_target:of_an_argument --domain 2,1", "the lower one first"),
        ("any_target:naive --reference any_target:of_an_argument --types quad", "'quad' is not one of 'half'"),
    ],
)
def test_wrong_request_names_its_remedy(clm, words, remedy):
    status, _, err = clm("audit", *words.split())
    assert status == 2
    assert remedy in err
    assert len(err.splitlines()) == 1
