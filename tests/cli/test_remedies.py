"""The remedies that the command line prints are followed, on the command that printed them: it is not refused again."""

import re
import shlex

import pytest

from tests.cases import for_each

QUICK = "--inputs 8 --jobs 1"
REFUSED = [  # commands that name their remedy in words that can be followed
    "audit numpy --functions , --inputs 8",
    "audit clmath --functions , --chapters integer --types uchar --inputs 8",
    "audit clmath --functions clz --chapters , --types uchar --inputs 8",
    "audit numpy --functions floor --chapters= --inputs 8",
    "audit numpy --functions sin --chapters common --inputs 8",
    "audit clmath --functions clz --chapters math --types uchar --inputs 8",
    "audit clmath --functions clz --types , --inputs 8",
    "audit numpy --functions floor --types , --inputs 8",
    "audit libm --functions floor --types half --inputs 8",
    "audit numpy --functions clz --types float --inputs 8 --chapters integer",
    "audit numpy --functions tgamma --types float --inputs 8",
    "audit clmath --functions M_E_H --types half --widths 2 --inputs 8 --chapters constants",
    "audit numpy --functions floor --inputs 8 --widths wide",
    "audit numpy --functions floor --inputs 8 --widths 0",
    "audit clmath --functions floor --types half --inputs 8 --widths 0",
    "audit numpy --functions floor --inputs 8 --widths ,",
    "audit numpy --functions floor --inputs 8 --widths 4",
    "audit numpy --functions floor --inputs 8 --widths 1,5",
    "audit numpy --functions floor --inputs 8 --seed 99999999999999999999999",
    "audit numpy --functions floor --inputs 8 --seed -1",
    "audit numpy --functions floor --inputs 8 --seed x",
    "audit numpy --functions floor --inputs 8 --jobs 0",
    "audit numpy --functions floor --inputs 8 --timeout soon",
    "audit numpy --functions floor --inputs 8 --timeout 1e30",
    "audit numpy --functions floor --inputs 8 --part 0/0",
    "audit numpy --functions floor --types float --inputs 262144 --part 9/8",
    "audit numpy --functions floor --types float --inputs 262144 --part 1/64",
    "audit numpy --functions floor --inputs 8 --profile Full",
    "audit numpy --functions floor --inputs 8 --oracle Mpfr",
    "audit numpy --functions floor --inputs 8 --judge hots",
    "audit numpy --functions flor --inputs 8",
    "audit numpy --functions floor --inputs 8 --types flaot",
    "audit numpy --functions floor --inputs 8 --chapters maths",
    "audit numpy --functions floor --inputs 8 --mode RTE",
    "audit numpy --functions floor --inputs 8 --flushes ,",
    "audit numpy --functions floor --inputs 8 --flushes flaot",
    "audit numpy --functions floor --inputs 8 --json ''",
    "audit numpy --functions floor --inputs 8 --json there.json",
    "audit numpy --functions floor --inputs 8 --resume",
    "audit numpy --functions floor --inputs 8 --force",
    "audit numpy --functions floor --inputs 8 --json new.json --resume --force",
    "audit numpy --functions floor --inputs 8 --bits",
    "audit numpy --functions floor --replay 1.5 --json new.json",
    "audit numpy --functions floor --inputs 8 --dask tcp://127.0.0.1:8786 --jobs 2",
    "audit numpy --functions floor --inputs 8 --build-options=-cl-mad-enable",
    "audit library: --functions floor --inputs 8",
    "audit --merge there.json --functions floor",
    "audit --merge part1.json",
    "audit --merge part1.json part2.json --force",
    "audit --merge part1.json part2.json --json part1.json",
    "audit --merge part1.json part2.json --json there.json",
    "inputs --functions floor --inputs 8 --out ''",
    "inputs --functions floor --inputs 8 --out .",
    "inputs --functions clz --types float --inputs 8 --out new",
    "report there.json --subject libm",
    "report several.json --cts-json cts.json",
    "report there.json --junit there.json",
    "report there.json --known-failures known.txt",
    "report there.json --known-failures bound.txt",
    "diff there.json other.json",
    "list --chapter Math",
    "show floor --edition opencl-c++1.0",
]


def followed(words, message):
    """The command with what the end of the message says to do; a test fails that meets other words."""
    remedy = message.strip().rpartition("; ")[2]
    if found := re.search(r"did you mean '(.*?)'", message):
        (wrong,) = re.findall(r"'([^']*)' is not (?:a known|one of)", message)
        return [word.replace(wrong, found[1]) for word in words]
    if found := re.match(r"(?:write|add|take it up with) (--[\w-]+)(?: ([^\s,]+))?", remedy):
        if found[2] is None or found[1] not in words:
            kept = [word for word in words if word.partition("=")[0] != found[1]]
            return [*kept, *filter(None, [found[1], {"FILE": "new.json"}.get(found[2], found[2])])]
        at = words.index(found[1])
        return [*words[: at + 1], found[2], *words[at + 2 :]]
    if found := re.search(r"(?:leave|or leave) (--[\w-]+(?: (?:and|or) --[\w-]+)?)(?: out| '.*' out)", remedy):
        first = re.findall(r"--[\w-]+", found[1])[: 2 if " and " in found[1] else 1]
        return without(words, first)
    if found := re.match(r"write (\S+)$", remedy):
        return [found[1] if "1/" in found[1] and word == words[words.index("--part") + 1] else word for word in words]
    return []


def without(words, options):
    """The command less these options and their values."""
    kept, skips = [], False
    for word in words:
        if word.partition("=")[0] in options:
            skips = "=" not in word and word not in {"--force", "--resume", "--bits"}
        elif skips:
            skips = False
        else:
            kept.append(word)
    return kept


BY_HAND = {  # remedies in words that need a name, or leave a choice
    "there.json --subject libm": ("choose one of numpy", "report there.json --subject numpy"),
    "several.json --cts-json": (
        "clmath report FILE --subject SUBJECT --cts-json cts.json",
        "report several.json --subject libm --cts-json cts.json",
    ),
    "--junit there.json": ("name a new one", "report there.json --junit new.xml"),
    "known.txt": ("write floor float: why it fails", "report there.json --known-failures known2.txt"),
    "bound.txt": ("write floor float <= 28 ulp: why it fails", "report there.json --known-failures bound2.txt"),
    "diff there.json other.json": ("audit the same --functions and --types", "diff there.json several.json"),
    "--resume --force": ("give one of them", "audit numpy --functions floor --inputs 8 --json new.json --force"),
    "--dask": ("give one of them", "audit numpy --functions floor --inputs 8 --jobs 2"),
    "--build-options": ("leave them out", "audit numpy --functions floor --inputs 8"),
    "audit library:": ("write library:libm.so.6", "audit library:libm.so.6 --functions floor --inputs 8"),
    "--merge there.json --functions": ("leave --functions out", "audit --merge part1.json part2.json"),
    "audit --merge part1.json": ("name those of all parts", "audit --merge part1.json part2.json"),
    "part2.json --force": ("--json whole.json", "audit --merge part1.json part2.json --force --json whole.json"),
    "--json part1.json": ("name another file", "audit --merge part1.json part2.json --json new.json"),
    "part2.json --json there.json": ("--force", "audit --merge part1.json part2.json --json there.json --force"),
    "--out .": ("name a new one", "inputs --functions floor --inputs 8 --out new"),
    "--part 1/64": ("ask for part 1/4", "audit numpy --functions floor --types float --inputs 262144 --part 1/4"),
    "--mode RTE": ("'rte'", "audit numpy --functions floor --inputs 8 --mode rte"),
    "--bits": ("add --replay V, or leave it out", "audit numpy --functions floor --inputs 8"),
    "--edition": ("opencl-c++-1.0", "show floor --edition opencl-c++-1.0"),
}


REPORTS = {  # of a subject, of another row, of several subjects, of parts
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
def report(tmp_path_factory):
    """The report of that name, audited when it is first asked for."""
    from clmath.cli import main

    folder = tmp_path_factory.mktemp("remedies")

    def audited(name):
        path = folder / name
        if not path.exists():
            assert main(["audit", *REPORTS[name].split(), "--json", str(path)]) == 0
        return path.read_bytes()

    return audited


@pytest.fixture
def place(report, tmp_path, monkeypatch):
    """Goes to a folder with lists of known failures and the reports that commands name."""

    def at(*commands):
        monkeypatch.chdir(tmp_path)
        for name, line in KNOWN.items():
            (tmp_path / name).write_text(f"{line}\n")
        for name in REPORTS:
            if any(name in command for command in commands):
                (tmp_path / name).write_bytes(report(name))

    return at


@for_each("line", REFUSED)
def test_what_a_refusal_says_to_do_helps(clm, place, capfd, line):
    words, hand = shlex.split(line), [entry for part, entry in BY_HAND.items() if part in line]
    place(line, *(command for _, command in hand))
    capfd.readouterr()
    status, _, err = clm(*words)
    assert (status, err.count("\n")) == (2, 1)
    if hand:
        remedy, command = max(hand, key=lambda entry: len(entry[0]) if entry[0] in err else 0)
        assert remedy in err
        again = shlex.split(command)
    else:
        again = followed(words, err)
        assert again, err
    status, _, err = clm(*again)
    assert (status in {0, 1}, err) == (True, ""), again
