"""Remedies printed by the command line work: the commands that follow them are accepted."""

import shlex

import pytest

from clmath.cli import main
from tests.cases import for_each

FLOOR = "audit numpy --functions floor --inputs 8"
CLZ = "audit clmath --functions clz --types uchar --inputs 8"
MERGED = "audit --merge part1.json part2.json"
REFUSED = {  # a command, the remedy in its message, and the command after the remedy
    "eval sin 0x40490fdb": ("write 0x40490fdbp0", "eval sin 0x40490fdbp0"),
    "eval sin 0x40490fda": ("add --bits", "eval sin 0x40490fda --bits"),
    "eval half_sin 1 --type double": ("use --type float", "eval half_sin 1 --type float"),
    "eval sin one": ("(0.5), a hex float (0x1.8p+1), inf or nan", "eval sin 0x1.8p+1"),
    "eval ldexp 1 1.5": ("write 3, -1 or 0x7f", "eval ldexp 1 0x7f"),
    "eval power 2 3": ("did you mean 'pow'?", "eval pow 2 3"),
    "eval sin 1 --rounding RTZ": ("did you mean 'rtz'?", "eval sin 1 --rounding rtz"),
    "eval sin 1 --type flaot": ("did you mean 'float'?", "eval sin 1 --type float"),
    "show maximum": ("'fmax' is the other one then", "show fmax"),
    "show floor --edition opencl-c++1.0": ("'opencl-c++-1.0'", "show floor --edition opencl-c++-1.0"),
    "list --chapter Math": ("did you mean 'math'?", "list --chapter math"),
    "audit numpy --functions , --inputs 8": ("write --functions sin,cos", "audit numpy --functions sin,cos --inputs 8"),
    "audit numpy --functions flor --inputs 8": ("did you mean 'floor'?", FLOOR),
    f"{FLOOR} --chapters=": ("write --chapters math", f"{FLOOR} --chapters math"),
    f"{FLOOR} --chapters maths": ("did you mean 'math'?", f"{FLOOR} --chapters math"),
    f"{FLOOR} --chapters common": ("write --chapters math", f"{FLOOR} --chapters math"),
    f"{CLZ} --chapters math": ("write --chapters integer", f"{CLZ} --chapters integer"),
    f"{FLOOR} --types ,": ("write --types half,float,double", f"{FLOOR} --types half,float,double"),
    f"{FLOOR} --types flaot": ("did you mean 'float'?", f"{FLOOR} --types float"),
    "audit libm --functions floor --types half --inputs 8": (
        "leave --types out or write --types float,double",
        "audit libm --functions floor --types float,double --inputs 8",
    ),
    "audit numpy --functions tgamma --types float --inputs 8": (
        "leave --functions out for all",
        "audit numpy --types float --inputs 8",
    ),
    f"{FLOOR} --widths wide": ("write --widths 1", f"{FLOOR} --widths 1"),
    "audit clmath --functions floor --types half --inputs 8 --widths 0": (
        "write --widths 2",
        "audit clmath --functions floor --types half --inputs 8 --widths 2",
    ),
    f"{FLOOR} --widths ,": ("write --widths 1,4", f"{FLOOR} --widths 1,4"),
    f"{FLOOR} --flushes ,": ("write --flushes half,float", f"{FLOOR} --flushes half,float"),
    f"{FLOOR} --no-infinities ,": ("write --no-infinities half,float", f"{FLOOR} --no-infinities half,float"),
    f"{FLOOR} --judge hots": ("did you mean 'host'?", f"{FLOOR} --judge host"),
    f"{CLZ} --chapters ,": ("write --chapters integer", f"{CLZ} --chapters integer"),
    f"{CLZ} --functions , --chapters integer": ("write --functions clz,ctz", f"{CLZ} --functions clz,ctz"),
    f"{CLZ} --types ,": ("write --types char,uchar", f"{CLZ} --types char,uchar"),
    "inputs --functions clz --types float --inputs 8 --out new": (
        "leave --types or --widths out",
        "inputs --functions clz --inputs 8 --out new",
    ),
    "audit numpy --functions floor --types float --inputs 262144 --part 1/64": (
        "ask for part 1/4",
        "audit numpy --functions floor --types float --inputs 262144 --part 1/4",
    ),
    f"{FLOOR} --force": ("add --json FILE", f"{FLOOR} --force --json new.json"),
    f"{FLOOR} --seed 99999999999999999999999": ("write --seed ", f"{FLOOR} --seed 3"),
    f"{FLOOR} --seed x": ("write --seed 1", f"{FLOOR} --seed 1"),
    f"{FLOOR} --jobs 0": ("write --jobs 2", f"{FLOOR} --jobs 2"),
    f"{FLOOR} --timeout soon": ("write --timeout 60", f"{FLOOR} --timeout 60"),
    f"{FLOOR} --part 0/0": ("write 1/1", f"{FLOOR} --part 1/1"),
    f"{FLOOR} --profile Full": ("did you mean 'full'?", f"{FLOOR} --profile full"),
    f"{FLOOR} --oracle Mpfr": ("did you mean 'mpfr'?", f"{FLOOR} --oracle mpfr"),
    f"{FLOOR} --mode RTE": ("'rte'", f"{FLOOR} --mode rte"),
    f"{FLOOR} --flushes flaot": ("did you mean 'float'?", f"{FLOOR} --flushes float"),
    f"{FLOOR} --json ''": ("write --json report.json", f"{FLOOR} --json report.json"),
    f"{FLOOR} --json there.json": ("--force", f"{FLOOR} --json there.json --force"),
    f"{FLOOR} --resume": ("add --json FILE", f"{FLOOR} --resume --json new.json"),
    f"{FLOOR} --json new.json --resume --force": ("give one of them", f"{FLOOR} --json new.json --force"),
    f"{FLOOR} --bits": ("add --replay V, or leave it out", FLOOR),
    "audit numpy --functions floor --replay 1.5 --json new.json": (
        "leave --json out",
        "audit numpy --functions floor --replay 1.5",
    ),
    f"{FLOOR} --dask tcp://127.0.0.1:8786 --jobs 2": ("give one of them", f"{FLOOR} --jobs 2"),
    f"{FLOOR} --build-options=-cl-mad-enable": ("leave them out", FLOOR),
    "audit library: --functions floor --inputs 8": (
        "write library:libm.so.6",
        "audit library:libm.so.6 --functions floor --inputs 8",
    ),
    "audit --merge part1.json": ("name those of all parts", MERGED),
    "audit --merge there.json --functions floor": ("leave --functions out", MERGED),
    f"{MERGED} --force": ("--json whole.json", f"{MERGED} --force --json whole.json"),
    f"{MERGED} --json part1.json": ("name another file", f"{MERGED} --json new.json"),
    f"{MERGED} --json there.json": ("--force", f"{MERGED} --json there.json --force"),
    "inputs --functions floor --inputs 8 --out ''": (
        "write --out lab",
        "inputs --functions floor --inputs 8 --out lab",
    ),
    "inputs --functions floor --inputs 8 --out .": ("name a new one", "inputs --functions floor --inputs 8 --out new"),
    "report there.json --target libm": ("choose one of numpy", "report there.json --target numpy"),
    "report several.json --cts-json cts.json": (
        "clmath report FILE --target TARGET --cts-json cts.json",
        "report several.json --target libm --cts-json cts.json",
    ),
    "report there.json --junit there.json": ("name a new one", "report there.json --junit new.xml"),
    "report there.json --known-failures known.txt": (
        "write floor float: why it fails",
        "report there.json --known-failures known2.txt",
    ),
    "report there.json --known-failures bound.txt": (
        "write floor float <= 28 ulp: why it fails",
        "report there.json --known-failures bound2.txt",
    ),
    "diff there.json other.json": ("audit the same --functions and --types", "diff there.json several.json"),
}
QUICK = "--inputs 8 --jobs 1"
REPORTS = {  # of a target, of another function, of several targets, of parts
    "there.json": f"numpy --functions floor {QUICK}",
    "other.json": f"numpy --functions trunc {QUICK}",
    "several.json": f"numpy libm --functions floor {QUICK}",
    "part1.json": "numpy --functions floor --types float --inputs 262144 --part 1/2",
    "part2.json": "numpy --functions floor --types float --inputs 262144 --part 2/2",
}
KNOWN = {
    "known.txt": "floor float:",
    "known2.txt": "exp float: why it fails",
    "bound.txt": "floor float <= 28: x",
    "bound2.txt": "exp float <= 28 ulp: x",
}


@pytest.fixture(scope="module")
def reports(tmp_path_factory):
    """Texts of the reports and lists of known failures that the commands name."""
    folder = tmp_path_factory.mktemp("remedies")
    for name, words in REPORTS.items():
        assert main(["audit", *words.split(), "--json", str(folder / name)]) == 0
    return KNOWN | {name: (folder / name).read_text() for name in REPORTS}


@for_each("line", [line for line in REFUSED if not any(name in line for name in (*REPORTS, *KNOWN))])
def test_refusal_names_its_remedy(refusal, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "something").touch()
    err = refusal(*shlex.split(line))
    assert err.startswith(f"clmath {line.split()[0]}: ")
    assert REFUSED[line][0] in err


@pytest.mark.slow
@for_each("line", [*REFUSED][1::4])
def test_remedy_of_a_refusal_works(clm, reports, tmp_path, monkeypatch, line):
    helps(clm, reports, tmp_path, monkeypatch, line)


@pytest.mark.exhaustive
@for_each("line", [*REFUSED][::2])
def test_remedy_of_other_refusals_works(clm, reports, tmp_path, monkeypatch, line):
    helps(clm, reports, tmp_path, monkeypatch, line)


def helps(clm, reports, tmp_path, monkeypatch, line):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "something").touch()
    remedy, followed = REFUSED[line]
    for name, text in reports.items():
        if name in line + followed:
            (tmp_path / name).write_text(text)
    status, _, err = clm(*shlex.split(line))
    assert (status, err.count("\n"), remedy in err) == (2, 1, True), err
    status, _, err = clm(*shlex.split(followed))
    assert (status in {0, 1}, err) == (True, "")
