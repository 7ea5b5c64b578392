"""The command line: audit, inputs, check, report, diff, schema, eval, explain, show, list, devices, export."""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import re
import shlex
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import clmath
from clmath.audit.protocol.printable import message_of, printable
from clmath.cli import brief, shown, streams
from clmath.errors import ClmathError, guess, not_one_of
from clmath.spec.builtins import JUDGED
from clmath.spec.editions import DEFAULT
from clmath.spec.families import chapters
from clmath.stopping import stoppable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["main"]

BAD_INPUT = 2
CHAPTERS = (*JUDGED, *chapters())
_SUBJECT = """
SUBJECT is one of
  opencl[:PLATFORM[:DEVICE]]  a live device; numbers or parts of names, as 'clmath devices' lists them; all of them:
                              opencl:all, those of one platform: opencl:PLATFORM:all
  libm | library:PATH[:NAMES] the host's C library, or any other with functions like sin and sinf; NAMES says how
                              they are called, with * for sinf: library:libsleef.so:Sleef_*_u10
  numpy | scipy | clmath      NumPy's ufuncs, scipy.special, clmath itself
  torch | jax | cupy[:DEVICE] PyTorch, JAX, CuPy; on a device of theirs: torch:cuda:0, jax:gpu, cupy:1
  files:FOLDER[:SECOND]       results that came back from a lab, with --replay ('clmath check' judges them all)
  MODULE:CALLABLE             f(name, *arrays), an object with functions named as the built-ins, or one of them:
                              numpy:sin
Exit status: 0 conforms, 1 does not, 2 could not be judged (a row the specification leaves open does not count);
of several subjects 1 where one does not conform, else 2 where one could not be audited or judged.
"""
_AUDITS = ("inputs", "check")  # commands that are parts of an audit, and share its code
_EDITION = "edition of the specification: a name that 'clmath show' prints, or the folder of another"
_VALUES = "Values are decimals, hex floats (0x1.8p+1), inf or nan; integers for int parameters; vectors lane by lane."


def _listed(rest: Sequence[str], args: Sequence[str], known: Mapping[str, argparse.Action]) -> str:
    """The end of a message, where the values of an option that takes several stand apart from its first one."""
    for option, first, second in zip(args, args[1:], args[2:], strict=False):
        if second == rest[0] and option in known and known[option].metavar in {"NAMES", "N,N"}:
            values = ",".join([first, *itertools.takewhile(lambda word: not word.startswith("-"), rest)])
            return f"; did you mean '{option} {values}'?"
    return ""


class _Parser(argparse.ArgumentParser):
    """Wrong usage is an error like any other: one line that says the call, the fact and the remedy."""

    def __init__(self, **kwargs: Any) -> None:
        layout = argparse.RawDescriptionHelpFormatter
        super().__init__(formatter_class=layout, allow_abbrev=False, add_help=False, **kwargs)
        brief.add_help(self)
        # -0x1p-3 and -inf are values, not options
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse has it, but that a command itself refuses what it does not know, and names its own help."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            known = {name: action for action in self._actions for name in action.option_strings}
            is_option = rest[0].startswith("-")
            offered = guess(rest[0].partition("=")[0], list(known)) if is_option else _listed(rest, args or (), known)
            self.error(f"unrecognized arguments: {' '.join(rest)}{offered}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Refuse what is no choice, and offer the nearest."""
        if action.choices is None or value in action.choices:
            return
        known = list(action.choices)
        if action.option_strings:
            raise not_one_of(self.prog, action.option_strings[-1], value, known)
        self.error(f"{value!r} is not a known command{guess(value, known)}")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """As argparse has it, which drops '--' where it is a value, too, and then gives a list."""
        if action.option_strings and "--" in arg_strings:
            self.error(f"argument {action.option_strings[0]}: '--' is no value of it")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith("?") else ";"
        raise ClmathError(f"{self.prog}: {message}{end} '{self.prog} --help' shows the usage")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command ``argv`` (None: the process's own); the exit status, never a traceback for bad input."""
    streams.ensure_open()
    options = None
    try:
        with stoppable():
            words = _joined(sys.argv[1:] if argv is None else _checked(argv))
            options = _parser().parse_args(words)
            options.command = shlex.join(["clmath", *words])
            options.alone = argv is None  # nothing else runs in this process
            status = _run(options)
            sys.stdout.flush()
            return status
    except ClmathError as error:
        _complain(_with_call(" ".join(str(error).split()), options))
    except SystemExit as stop:
        if options is None and not stop.code:  # --help and --version
            return 0
        _complain(_with_call(f"internal error: {_told(stop)}; please report it", options))
    except KeyboardInterrupt:
        _complain(_with_call("interrupted", options))
    except BrokenPipeError:  # the reader, a pager say, has gone
        streams.discard_output()
        return BAD_INPUT if options is not None and options.module == "audit" else 0
    except Exception as error:  # noqa: BLE001 - status 1 says that a subject does not conform, and is not for our errors
        _complain(_with_call(_unforeseen(error), options))
    return BAD_INPUT


def _run(options: argparse.Namespace) -> int:
    if options.module is None:
        _parser().print_help()
        _print_engines()
        return 0
    return int(importlib.import_module(f"clmath.cli.{options.module}").run(options))


def _print_engines() -> None:
    """Which engine computes arrays, and what would bring others."""
    from clmath.engines import choice

    print("\nengines:")
    for name, text in choice.told().items():
        print(f"  {name:<8}{text}")


def _unforeseen(error: Exception) -> str:
    """What is said of an exception that is no ClmathError: of standard output, if it is that, else of our mistake."""
    if isinstance(error, OSError) and error.errno in streams.UNWRITABLE and error.filename is None:
        streams.discard_output()
        return f"standard output cannot be written: {error.strerror}"
    return f"internal error: {_told(error)}; please report it"


def _told(error: BaseException) -> str:
    """The exception on one line, with the place where it was raised."""
    *_, last = traceback.extract_tb(error.__traceback__)
    place = f"{Path(last.filename).name}, line {last.lineno}, in {last.name}"
    return f"{message_of(error)} ({place})"


def _joined(words: Sequence[str]) -> list[str]:
    """The words with '--replay -1' as '--replay=-1': what follows these options is a value though it has a dash."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("--build-options", "--replay"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _checked(words: Sequence[str]) -> Sequence[str]:
    """Words that no system hands to a command, but a script may, and that are no names of files."""
    for word in words:
        try:
            if b"\0" not in os.fsencode(word):
                continue
        except UnicodeEncodeError:
            pass
        call = f"clmath {words[0]}" if words[0].isidentifier() and words[0] != word else "clmath"
        raise ClmathError(f"{call}: {word!a} has a character that no command line can have; leave it out")
    return words


def _with_call(message: str, options: argparse.Namespace | None) -> str:
    """The message, beginning with the command where an inner function named only itself, or ``clmath audit``."""
    if options is not None and options.module in _AUDITS:
        message = message.removeprefix("clmath audit: ")
    if options is None:
        return message if message.startswith("clmath") else f"clmath: {message}"
    command = {"evaluate": "eval", "listing": "list", "rereport": "report"}.get(options.module, options.module)
    call = f"clmath {command}: "
    if message.startswith("clmath") and not message.startswith(call):
        return message
    return call + _with_option(message.removeprefix(call).removeprefix(f"{command}: "), options)


def _with_option(message: str, options: argparse.Namespace) -> str:
    """The message with the option's name, where what it begins with is the name of a parameter in Python: type='x'."""
    name, equals, rest = message.partition("=")
    for option in (name, f"{name}s", *(("mode",) if name == "rounding" else ())):
        if equals and hasattr(options, option):
            return f"--{option.replace('_', '-')}={rest}"
    return message


def _complain(message: str) -> None:
    streams.complain(printable(message))


def _parser() -> _Parser:
    parser = _Parser(prog="clmath", description="The numerics of OpenCL C, and an auditor of its implementations.")
    parser.add_argument("--version", action="version", version=f"clmath {clmath.__version__}")
    parser.set_defaults(module=None)  # a command's own is imported only when it runs
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _add_audit(commands)
    _add_lab(commands)
    command = commands.add_parser("devices", help="what can be audited here")
    command.set_defaults(module="devices")
    command = commands.add_parser("eval", help="the exact value of one call, and its roundings", epilog=_VALUES)
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows, or sprintf")
    command.add_argument("values", metavar="VALUE", nargs="*", help="the arguments, in the order of the declaration")
    command.add_argument(
        "--type", help="of gentype: half, float, double, int ... (default: float, or another that holds the values)"
    )
    command.add_argument("--rounding", help="only this mode: rte, rtz, rtp or rtn")
    command.add_argument("--bits", action="store_true", help="floating-point values are encodings, as in 0x40490fdb")
    command.set_defaults(module="evaluate")
    command = commands.add_parser(
        "explain",
        help="one call on one screen: exact value, neighbours, limits, and what libraries return",
        epilog=_VALUES + " BUILT-IN may be a line of OpenCL-CTS' math_brute_force instead, in quotes: 'ERROR: sin4: 4.5"
        " ulp error at ...', or - for a log on standard input: what was got and expected there is judged, too.",
    )
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows, or a line of OpenCL-CTS")
    command.add_argument("values", metavar="VALUE", nargs="*", help="the arguments, in the order of the declaration")
    command.add_argument(
        "--type", help="of gentype: half, float, double ... (default: float, or another that holds the values)"
    )
    command.add_argument("--bits", action="store_true", help="floating-point values are encodings, as in 0x40490fdb")
    command.add_argument(
        "--subjects",
        metavar="NAMES",
        help="whose results are shown: numpy,libm,opencl:PLATFORM:DEVICE and other SUBJECTs of clmath audit, math for"
        " Python's module, ival for CORE-MATH by the package crival (default: all that is installed)",
    )
    command.set_defaults(module="explain")
    command = commands.add_parser("show", help="declaration, limits and edges of a built-in")
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows")
    command.add_argument("--edition", metavar="EDITION", help=f"only this {_EDITION} (default: all that are known)")
    command.add_argument(
        "--report", metavar="FILE", help="draw the error by binade that this report of 'audit --json' has, too"
    )
    command.set_defaults(module="show")
    command = commands.add_parser("list", help="all built-ins by section")
    command.add_argument("--chapter", help=f"only one of {', '.join(CHAPTERS)}")
    command.set_defaults(module="listing")
    command = commands.add_parser("report", help="show reports of 'audit --json' again, and write them to other files")
    many = "reports that clmath audit --json has written; several are shown, and written, as of one run"
    command.add_argument("report", metavar="FILE", nargs="+", help=many)
    command.add_argument("--subject", metavar="SUBJECT", help="of reports of several subjects only this one")
    _add_outputs(command)
    command.add_argument("--log", metavar="FILE", help="take date, command line, seconds and compiler logs from here")
    command.set_defaults(module="rereport")
    command = commands.add_parser(
        "diff",
        help="what became worse from one report to another",
        epilog="Exit status: 0 where nothing became worse, 1 where something did, 2 where reports cannot be compared.",
    )
    command.add_argument("old", metavar="OLD", help="a report that clmath audit --json has written")
    command.add_argument("new", metavar="NEW", help="another one: of a new driver, or of another device")
    command.set_defaults(module="diff")
    _add_export(commands)
    command = commands.add_parser("schema", help="the JSON Schema of reports")
    command.set_defaults(module="schema")
    return parser


def _add_export(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "export",
        help="write sources of correctly rounded built-ins in C, OpenCL C or CUDA C",
        description="Write a library of correctly rounded built-ins in C, OpenCL C or CUDA C that needs nothing else.",
        epilog="Half and float are complete; of doubles functions on arrays list the few that are left undecided,"
        " and those on numbers round the middle of the enclosure.",
    )
    add = command.add_argument
    add("names", metavar="NAMES", nargs="?", help="names or globs: sin,cos,exp*; all for all that --list shows")
    add("--types", metavar="NAMES", default="half,float,double", help="half, float, double (default: all three)")
    add("--language", metavar="c|opencl|cuda", default="c", help="that of the sources (default: c)")
    add("--out", metavar="DIR", help="the folder to write, which is new or empty")
    add("--force", action="store_true", help="replace the exported library that --out DIR holds")
    add("--list", action="store_true", help="show what can be exported")
    command.set_defaults(module="export")


def _add_outputs(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--junit", metavar="FILE", help="write JUnit XML here, for continuous integration")
    add("--csv", metavar="FILE", help="write one line for each row here, for spreadsheets")
    add("--html", metavar="FILE", help="write a page here that needs nothing else: tables, charts, failures")
    add("--cts-json", metavar="FILE", help="write results here as OpenCL-CTS does, pass, fail or skip for each test")
    add(
        "--known-failures",
        metavar="FILE",
        help="rows that are known to fail, a line 'tgamma float: REASON' or 'sin float4 <= 28 ulp: REASON' each; they"
        " do not fail the run, but one that passes does, and one that fails by more ulp than are named, or for a reason"
        " that is no error in ulp; lines after '[SUBJECT]' are of that subject alone",
    )
    shown.add_options(command)


def _add_audit(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "audit",
        help="judge a device or library by the specification",
        description="Judge each SUBJECT by the tables of the specification, against exact values.",
        epilog=_SUBJECT + _VALUES,
    )
    add = command.add_argument
    add(
        "subjects",
        metavar="SUBJECT",
        nargs="*",
        help="what to audit (default: the first OpenCL device that works, else libm); several are audited one after the"
        " other, and have one report",
    )
    _add_inputs_asked(command)
    add(
        "--merge",
        metavar="FILE",
        nargs="+",
        help="audit nothing: join the reports of all parts; with --json FILE, write the report of the whole there",
    )
    _add_judging(command)
    add(
        "--judge",
        metavar="auto|host|device",
        default="auto",
        help="who looks at exhaustive inputs first, or at 262144 random ones or more: this host, or the OpenCL device"
        " that SUBJECT is, once it is found to compute as the host does; the host has the last word, so that both give"
        " the same report; --log FILE tells who did of each row"
        " (default: auto, whichever is faster)",
    )
    _add_declared(
        command,
        "SUBJECT",
        "rte); an OpenCL device with cl_khr_select_fprounding_mode is told to round its operators so",
        "none)",
    )
    add("--build-options", metavar="TEXT", default="", help="for the OpenCL compiler, e.g. '-cl-mad-enable'")
    add("--replay", metavar="V,V", action="append", help="try only this input (again: another one); needs --functions")
    add("--bits", action="store_true", help="the values of --replay are encodings")
    command.set_defaults(module="audit", has_second_look=True, around=None, then=None)


def _add_declared(command: argparse.ArgumentParser, subject: str, mode: str, rest: str) -> None:
    """What is said of a subject that has no driver to ask; ``mode`` and ``rest``: what holds where nothing is."""
    add = command.add_argument
    add(
        "--mode",
        metavar="MODE",
        help=f"how {subject} rounds: rte, rtz, rtp or rtn, or half=rtz,float=rte (default: {mode}",
    )
    add("--flushes", metavar="NAMES", help=f"types whose subnormals {subject} may flush to zero (default: {rest}")
    add("--no-infinities", metavar="NAMES", help=f"types of which {subject} has no infinities and NaN (default: {rest}")
    add("--exact-divide", action="store_true", help=f"float division and sqrt of {subject} are correctly rounded")


def _add_inputs_asked(command: argparse.ArgumentParser) -> None:
    """Which inputs an audit has."""
    add = command.add_argument
    add("--functions", metavar="NAMES", help="names or globs: sin,cos,native_* (default: all of --chapters)")
    add("--chapters", metavar="NAMES", help=f"{', '.join(CHAPTERS)}, or all (default: math)")
    add("--types", metavar="NAMES", help="half, float, double, char, uint ... (default: all that there are)")
    add(
        "--widths",
        metavar="N,N",
        default="1",
        help="of the vectors on which built-ins are called that compute lane by lane, those of math, common, integer,"
        " relational, operators, conversions, reinterpretation, contraction: any of 1, 2, 3, 4, 8, 16, or all there are"
        " (default: 1, scalars); each vector holds neighbouring arguments, a stranger among neighbours, or arguments"
        " that are all unlike; geometric built-ins, any, all, loads and stores always have all of theirs",
    )
    add(
        "--inputs",
        metavar="quick|N|exhaustive",
        default="quick",
        help="random inputs of each row, besides the structured ones: quick are 32768; or a number, 5000, 2^34, at"
        " most 2^40; of one argument a hundred and more are spaced over each binade where results tell something, in"
        " the place of at most three random ones in four; total:2000: 2000 inputs in all, half of them structured,"
        " without a second look; exhaustive: all 2^32 floats of one argument (all halfs are"
        " tried anyway), quick for several arguments and for double (default: quick)",
    )
    add(
        "--part",
        metavar="K/N",
        default="1/1",
        help="of exhaustive inputs, or of 262144 random ones or more, only part K of N; each part has inputs from the"
        " whole range, and of random ones no second look",
    )
    add(
        "--seed",
        metavar="S",
        default="0",
        help="of the random inputs; the same seed gives the same inputs (default: 0)",
    )
    add(
        "--edition",
        metavar="EDITION",
        default=DEFAULT,
        help=f"{_EDITION} (default: {DEFAULT})",
    )


def _add_judging(command: argparse.ArgumentParser) -> None:
    """How an audit judges, and where its report goes."""
    add = command.add_argument
    add("--profile", help="full, embedded, relaxed or relaxed-embedded (default: what the device says, else full)")
    add(
        "--oracle",
        default="auto",
        help="what computes the exact values: mpfr, mpmath, or auto: mpfr where kernels do not decide",
    )
    add("--json", metavar="FILE", help="write the report here, and keep it up to date while the audit goes on")
    _add_outputs(command)
    add(
        "--log",
        metavar="FILE",
        help="append to this file, as lines of JSON, what differs between runs: date, command line, seconds and"
        " compiler log of every row",
    )
    add("--resume", action="store_true", help="continue the audit that --json FILE holds")
    add("--force", action="store_true", help="write --json FILE anew though there is a report already")
    add(
        "--timeout",
        metavar="SECONDS",
        default="60",
        help="for a batch of inputs on SUBJECT; loading it, and compiling a built-in, five times that (default: 60)",
    )
    add(
        "--memory",
        metavar="GB",
        help="that SUBJECT and what it starts may take, compilers included; if it takes more, the row is not judged"
        " (default: a quarter of this machine's memory, at most 4)",
    )
    add(
        "--jobs",
        "--workers",
        metavar="N",
        help="processes of this machine that judge what SUBJECT returns (default: one a core)",
    )
    add("--dask", metavar="ADDRESS", help="have a Dask cluster judge, whose scheduler listens at tcp://HOST:PORT")


def _add_lab(commands: argparse._SubParsersAction[_Parser]) -> None:
    """The two halves of an audit of a device that clmath cannot reach."""
    command = commands.add_parser(
        "inputs",
        help="write the inputs of an audit for a device elsewhere",
        description="Write inputs, OpenCL C kernels and a host in C into a folder, for a lab that needs no Python.",
    )
    _add_inputs_asked(command)
    command.add_argument("--out", metavar="DIR", required=True, help="the folder to write, which is new")
    command.set_defaults(module="inputs")
    command = commands.add_parser(
        "check",
        help="judge the results that came back from a device elsewhere",
        description="Judge what a device made of the folder that 'clmath inputs' wrote, as 'clmath audit' would.",
        epilog="Exit status: that of 'clmath audit'.",
    )
    command.add_argument(
        "folders",
        metavar="DIR",
        nargs="+",
        help="the folder, with its results; then that of the second look, if there was one",
    )
    command.add_argument("--edition", metavar="EDITION", help=f"{_EDITION} (default: that of the inputs)")
    _add_judging(command)
    _add_declared(
        command,
        "the device",
        "what results/device.txt says, else rte); options may not contradict that file",
        "what results/device.txt says)",
    )
    command.add_argument(
        "--second-look",
        metavar="NEW",
        help="write a further folder, whose inputs lie around the worst result of each row, as a live audit tries them"
        " at its end; when it has been run, 'clmath check DIR NEW' judges both",
    )
    command.set_defaults(module="check", judge="host")
