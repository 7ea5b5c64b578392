"""Facts about the device in an offline host's folder, combined with options of ``clmath check``."""

import re
import shutil

import pytest

from tests.cases import for_each

pytestmark = pytest.mark.slow

WORDS = ["--functions", "mul,div", "--types", "float", "--inputs", "64"]


@pytest.fixture(scope="module")
def made(tmp_path_factory, filled):
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("facts") / "lab"
    assert main(["inputs", *WORDS, "--out", str(folder)]) == 0
    filled(folder)
    return folder


@pytest.fixture
def lab(made, tmp_path):
    return shutil.copytree(made, tmp_path / "lab")


DIVIDES = "CORRECTLY_ROUNDED_DIVIDE_SQRT"


def facts(kind, config="", options=""):
    modes = "DENORM INF_NAN ROUND_TO_NEAREST ROUND_TO_ZERO"
    return f"kind: {kind}\nfloat config: {modes} {config}\nbuild options: {options}\nend: all facts\n"


@for_each(
    "device, words, fact",
    [
        (facts("opencl"), ["--flushes", "half,float"], "--flushes float contradicts .* with DENORM"),
        (facts("dsp"), ["--flushes", "float"], "--flushes float contradicts .* with DENORM"),
        (facts("dsp"), ["--no-infinities", "float"], "--no-infinities float contradicts .*INF_NAN"),
        (facts("dsp"), ["--mode", "rtp"], "--mode rtp contradicts .* without ROUND_TO_INF"),
        (facts("dsp"), ["--mode", "half=rtz,float=rtp"], "--mode half=rtz,float=rtp contradicts .*_INF"),
        (facts("opencl"), ["--mode", "rtz"], "--mode rtz contradicts .* in its own mode, rte"),
        (facts("opencl"), ["--exact-divide"], f"--exact-divide contradicts .* without {DIVIDES}"),
        (facts("opencl", DIVIDES), ["--exact-divide"], "--exact-divide contradicts .* without -cl-fp32"),
    ],
)
def test_options_that_contradict_the_facts_are_refused(clm, lab, device, words, fact):
    (lab / "results/device.txt").write_text(device)
    status, out, err = clm("check", str(lab), *words)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert re.match(rf"clmath check: {fact}.*; leave {words[0]} out, or correct the file if it is wrong", err)


@pytest.mark.parametrize(
    "device, words",
    [
        ("", ["--mode", "rtz", "--flushes", "float", "--no-infinities", "float", "--exact-divide"]),
        (facts("dsp"), ["--mode", "rtz", "--exact-divide"]),
        (
            "kind: opencl\nfloat config: ROUND_TO_NEAREST\nend: all facts\n",
            ["--flushes", "float", "--no-infinities", "float"],
        ),
        ("kind: opencl\nfloat config: ROUND_TO_ZERO\nend: all facts\n", ["--mode", "rtz"]),
        (facts("opencl", DIVIDES, "-cl-fp32-correctly-rounded-divide-sqrt"), ["--exact-divide"]),
    ],
    ids=range(5),
)
def test_options_add_to_the_facts(clm, lab, device, words):
    (lab / "results/device.txt").write_text(device)
    status, out, _ = clm("check", str(lab), "--jobs", "1", *words)
    rounds_so = "rtz" in words
    assert status == rounds_so
    assert f"declared: {' '.join(words)}\n" in out
    if rounds_so:
        line = next(line for line in out.splitlines() if line.strip().startswith("clmath audit files:"))
        assert " ".join(words) in line
        assert clm(*line.split()[1:])[0] == 1


@for_each(
    "text, fact",
    [
        (facts("opencl")[:-16], "is cut off: its last line, 'end: all facts', is missing; copy it again"),
        ("kind: dsp\n\x80\x04]q\x00.\n", "has a line '"),
        ("kind: dsp\nhalf config\n", "has a line 'half config'; write one line 'name: value' for each fact"),
        (": dsp\n", "has a line ': dsp'; "),
        ("kind: dsp\nkind: opencl\n", "has two lines 'kind'; "),
        (
            "kind: dsp\nprofile: big\n",
            "says profile 'big', which is not one of full, embedded, relaxed",
        ),
        ("x" * (1 << 21), "has more than 1048576 bytes"),
    ],
)
def test_damaged_facts_are_refused(refusal, lab, text, fact):
    (lab / "results/device.txt").write_bytes(text.encode("latin-1"))
    err = refusal("check", str(lab))
    assert err.startswith(f"clmath check: {lab / 'results/device.txt'} {fact}")
