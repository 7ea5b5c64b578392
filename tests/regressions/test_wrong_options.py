"""Invalid options, which once ended in tracebacks and internal errors, or named the help of another command."""

import os

import pytest

from clmath import errors
from clmath.audit.plan.plan import Plan
from clmath.audit.records import record
from clmath.audit.records.reading import Read
from clmath.audit.running.workers import checked_address
from clmath.audit.targets.host import Host
from clmath.cli.diff import differing_facts
from tests.cases import for_each

QUICK = ["audit", "numpy", "--functions", "floor", "--types", "float", "--inputs", "4", "--jobs", "1"]
LONG = "x" * 300
VALUED = ["functions", "chapters", "types", "widths", "inputs", "part", "seed", "edition", "profile", "oracle", "json",
          "junit", "csv", "html", "cts-json", "known-failures", "log", "timeout", "jobs", "judge", "mode", "flushes",
          "no-infinities", "dask", "merge"]  # fmt: skip


@pytest.fixture
def refused(clm, tmp_path, monkeypatch):
    """Function that runs an invalid command and returns its one-line error; no file is written."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")

    def call(*words):
        status, out, err = clm(*words)
        assert (status, out, err.count("\n")) == (2, "", 1)
        assert "internal error" not in err
        assert sorted(path.name for path in tmp_path.iterdir()) == ["file"]
        return err

    return call


@for_each("option", VALUED)
def test_two_dashes_are_refused_as_a_value(refused, option):
    assert "; 'clmath audit --help' shows the usage" in refused(*QUICK, f"--{option}=--")


@for_each("option", ["csv", "json", "known-failures"])
@for_each("name", [LONG, "file/x", "no/such/x", ""])
def test_impossible_path_is_refused(refused, option, name):
    err = refused(*QUICK, f"--{option}={name}")
    assert err.startswith(f"clmath audit: --{option}")


@for_each("option", ["csv", "json"])
def test_report_does_not_replace_a_pipe(clm, tmp_path, option):
    """Reports used to replace a device file if its folder was writable."""
    os.mkfifo(tmp_path / "pipe")
    status, out, err = clm(*QUICK, f"--{option}", tmp_path / "pipe", "--force" if option == "json" else "--jobs=1")
    assert (status, out) == (2, "")
    assert "file" in err
    assert (tmp_path / "pipe").is_fifo()
    assert [path.name for path in tmp_path.iterdir()] == ["pipe"]


def test_report_is_written_through_a_link(clm, tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to(tmp_path / "folder" / "rows.csv")
    assert clm(*QUICK, "--csv", tmp_path / "link.csv")[0] == 0
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "folder" / "rows.csv").read_text().startswith("subject,")


@pytest.mark.parametrize("text", ["9" * 30, "1e9"])
def test_too_long_timeout_is_refused(refused, text):
    assert f"--timeout {text} is more than 10000000 seconds; write --timeout 60" in refused(*QUICK, "--timeout", text)


@pytest.mark.parametrize("word", ["a\0b", "\ud800"])
def test_invalid_character_is_refused(refused, word):
    assert "has a character that no command line can have; leave it out" in refused(*QUICK, "--json", word)


WRONG_ADDRESSES = ["nonsense", "", ":", "http://x", "x://y:1", "tcp://", "tcp://:8786", "host:", "host:0", "host:65536"]
WRONG_ADDRESSES += ["tcp://[::", "a b:1", "host:8786/x", "tcp://host:8786\n", "inproc://x"]


@for_each("address", WRONG_ADDRESSES)
def test_wrong_scheduler_address_is_refused_before_any_work(refused, address):
    """Dask's client used to end with a traceback after 40 seconds."""
    err = refused(*QUICK[:-2], "--dask", address)
    assert "no scheduler answers there: it is not HOST:PORT; name one as tcp://HOST:8786" in err


@for_each("address", ["tcp://HOST:8786", "127.0.0.1:8786", "tls://a.b:1", "tcp://[::1]:65535", "wss://x-y:99"])
def test_scheduler_address_is_accepted(address):
    assert checked_address(address, "test") == address


@for_each("command", ["report", "diff", "list", "show", "schema", "devices", "eval", "check", "inputs"])
def test_unknown_option_names_the_help_of_its_command(refused, command):
    needed = {"diff": ["x", "y"], "inputs": ["--out", "x"], "report": "x", "show": "x", "eval": "x", "check": "x"}
    err = refused(command, *needed.get(command, []), "--nonsense", "r.json")
    assert err.startswith(f"clmath {command}: unrecognized arguments: --nonsense")
    assert f"; 'clmath {command} --help' shows the usage" in err


class Spaced(Host):
    """Device whose names have blanks as drivers write them; hosts write a single blank for several."""

    def __init__(self, name, version, options):
        self.name = name
        self._facts = {"platform version": version, "build options": options}

    def describe(self):
        return self._facts


def test_devices_that_differ_in_blanks_are_equal():
    plan = Plan.of(["sin"], ["float"])
    live = record.header(plan, Spaced("a  b", " OpenCL 3.0  PoCL\t1 ", "-DX='a  b'"), plan.items())
    lab = record.header(plan, Spaced("a b", "OpenCL 3.0 PoCL 1", "-DX='a  b'"), plan.items())
    assert live == lab
    assert live["subject"]["build options"] == "-DX='a  b'"
    earlier = {**live, "subject": {**live["subject"], "platform version": "OpenCL 3.0  PoCL 1"}}
    assert list(differing_facts(Read(earlier, {}, ()), Read(lab, {}, ()))) == []
    other = {**live, "subject": {**live["subject"], "platform version": "OpenCL 3.0 PoCL 2"}}
    assert len(list(differing_facts(Read(other, {}, ()), Read(lab, {}, ())))) == 1


def test_refused_address_is_reported_for_the_calling_command():
    with pytest.raises(errors.ClmathError, match=r"^clmath check: --dask nonsense: "):
        checked_address("nonsense", "clmath check")
