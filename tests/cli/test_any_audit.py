"""``clmath audit MODULE:f --reference MODULE:g``: inputs and verdict of ``conformance_test(f, reference=g)``."""

from __future__ import annotations

import json
import time

import pytest

import clmath
from clmath.testing import conformance_test
from tests.cases import for_each

pytest.importorskip("mpmath")

SOURCE = """
import os, subprocess, time
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

def crashes_at_three(x):
    if np.any(x == 3):
        os.abort()
    return 2 * x

def hangs_at_three(x):
    if np.any(x == 3):
        time.sleep(60)
    return 2 * x

crashes_alone = np.vectorize(crashes_at_three, otypes="d")

def crashes_when_many(x):
    if x.size > 5:
        os.abort()
    return 2 * x

def hangs(x):
    time.sleep(60)

def in_place(x):
    return np.multiply(x, 2, out=x)

def prints(x):
    print("float: pass")
    return 2 * x

def takes_memory(x):
    kept = np.ones(1 << 27)
    time.sleep(2)
    return 2 * x

def takes_the_connection(x):
    import gc
    from multiprocessing.connection import Connection
    for one in gc.get_objects():
        if isinstance(one, Connection):
            one.send_bytes(b"['judged', {}]")
    return 2 * x

elementwise = np.vectorize(lambda x: 2 * x, otypes="e")

def exits(x):
    raise SystemExit

def starts_a_process(x):
    subprocess.Popen(["sleep", "30"])
    return 2 * x

def doubled(x):
    return 2 * x

def hangs_as_reference(x):
    while True:
        pass

def unknown_name(x):
    return nothing

def returns_none(x):
    return None

def first(x):
    return [2 * x[0]]
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


def test_verdicts_are_written_as_json(clm, tmp_path):
    words = ["--domain=-50,50", "--limit", "2 ulp", "--types", "float,double", "--json", "report.json"]
    status, out, _ = audit(clm, "softplus", "of_an_argument", *words)
    report = json.loads((tmp_path / "report.json").read_text())
    failed, passed = report.pop("types")
    assert (status, report) == (
        1,
        {
            "clmath": clmath.__version__,
            "target": "any_target:softplus",
            "reference": "any_target:of_an_argument",
            "domain": "-50,50",
            "signature": None,
            "limit": "2 ulp",
        },
    )
    assert failed == {"type": "float", "status": "fail", "failure": out.partition("float: fail\n")[2].split("\n\n")[0]}
    assert (passed["type"], passed["status"]) == ("double", "pass")
    assert f"{passed['inputs']} inputs tried, worst {passed['worst_ulp']:.4g} ulp at {passed['call']}\n" in out


def test_report_of_before_is_kept_without_force(clm, tmp_path):
    (tmp_path / "report.json").write_text("kept")
    words = ["--domain=-1,1", "--types", "half", "--json", "report.json"]
    status, out, err = audit(clm, "doubled", "doubled", *words)
    assert (status, out) == (2, "")
    assert err.endswith("report.json exists; write it anew with --force, or name another\n")
    assert audit(clm, "doubled", "doubled", *words, "--force")[0] == 0
    assert '"status": "pass"' in (tmp_path / "report.json").read_text()


def test_failures_equal_the_test_kits(clm):
    import any_target

    status, out, _ = audit(clm, "naive", "of_an_argument", "--domain=-50,50", "--limit", "4 ulp")
    test = conformance_test(any_target.naive, reference=any_target.of_an_argument, domain=(-50, 50), limit=4)
    with pytest.raises(AssertionError) as failed:
        test()
    assert status == 1
    reported = out.partition("double: fail\n")[2].strip()
    assert reported.replace("import any_target; ", "").replace("any_target.", "") == str(failed.value).replace(
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
    "function, options, said",
    [
        ("crashes_at_three", [], "; with any_target.crashes_at_three(0x1.8p+1 = 3.0) [0x4008000000000000]"),
        ("crashes_alone", [], "; with any_target.crashes_alone(0x1.8p+1 = 3.0) [0x4008000000000000]"),
        ("hangs_at_three", ["--timeout", "1"], "; with any_target.hangs_at_three(0x1.8p+1 = 3.0)"),
        ("crashes_when_many", [], "; no single input of "),
    ],
)
def test_input_that_crashes_is_named(clm, function, options, said):
    status, _, err = audit(clm, function, "doubled", "--domain=-4,4", *options)
    assert status == 2
    assert said in err


def test_function_that_writes_into_its_argument_fails(clm):
    status, out, _ = audit(clm, "in_place", "doubled", "--domain=-1,1", "--types", "half")
    assert status == 1
    assert out.endswith("half: fail\nany_target.in_place writes into its argument 1, whose values are its caller's: "
                        "work on a copy\n")  # fmt: skip


def test_function_of_np_vectorize_is_called_on_no_large_array(clm):
    status, out, _ = audit(clm, "elementwise", "doubled", "--domain=-1,1", "--types", "half")
    assert (status, out.count("half: pass")) == (0, 1)


@pytest.mark.parametrize("function", ["prints", "starts_a_process"])
def test_output_and_children_of_the_function_do_not_reach_the_terminal(clm, function):
    begun = time.monotonic()
    status, out, err = audit(clm, function, "doubled", "--domain=-1,1", "--types", "half")
    assert (status, err, out.count("pass")) == (0, "", 1)
    assert time.monotonic() - begun < 25


@for_each(
    "function, reference, options, fact",
    [
        ("exits", "doubled", [], "raised SystemExit"),
        ("takes_memory", "doubled", ["--memory", "0.5"], "any_target:takes_memory took more than 0.5 GB (--memory)"),
        ("takes_the_connection", "doubled", [], "wrote into its connection to the audit"),
        ("doubled", "unknown_name", [], "NameError: name 'nothing' is not defined"),
        ("doubled", "returns_none", [], "the reference raises AttributeError"),
        ("doubled", "hangs_as_reference", ["--timeout", "1"], "has taken more than 1 seconds (--timeout)"),
        ("doubled", "first", ["--signature", "(n)->(n)"], "the reference returned 1 numbers for one call, and 2 are"),
    ],
)
def test_reference_or_function_without_results_is_not_judged(clm, function, reference, options, fact):
    status, _, err = audit(clm, function, reference, "--domain=-1,1", *options)
    assert status == 2
    assert fact in err


@for_each(
    "words, remedy",
    [
        ("any_target:naive --limit 4", "leave it out, or add --reference MODULE:CALLABLE"),
        ("any_target:naive --reference any_target:of_two --limit 4", "write --limit '4 ulp'"),
        ("any_target:naive --reference any_target:of_two --domain 4,", "'' is not a number"),
        ("any_target:naive --reference any_target:of_two --domain 4", "write --domain=-50,50"),
        ("any_target:naive --reference any_target:of_two --domain 4,x", "'x' is not a number; write 0.5"),
        ("any_target:naive --reference any_target:none", "write MODULE:CALLABLE"),
        ("any_target:naive --reference any_target:of_two --functions sin", "--functions is for audits of built-ins"),
        ("any_target:naive --reference any_target:of_two --inputs 500", "--inputs is for audits of built-ins"),
        ("any_target:naive --reference any_target:of_two --memory x", "--memory x is not a number of GB"),
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
