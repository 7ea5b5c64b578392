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
from clmath.cli import brief, shown
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
_TARGET = """
TARGET, the implementation under test, is one of
  opencl[:PLATFORM[:DEVICE]]  a live device, as 'clmath devices' lists it; several: opencl:all or opencl:PLATFORM:all
  libm | library:PATH[:NAMES] the host's C library, or any other; NAMES has * for sinf: library:libsleef.so:Sleef_*_u10
  numpy | scipy | clmath | torch | jax | cupy   packages; on one of their devices: torch:cuda:0, jax:gpu, cupy:1
  files:FOLDER[:SECOND]       results of an offline run, with --replay ('clmath check' judges all results)
  MODULE:CALLABLE             f(name, *arrays), an object with functions named as built-ins, or one of them: numpy:sin
Exit status: 1 if a target does not conform, else 2 if one could not be judged, else 0. Unspecified cases do not count.
"""
_AUDITS = ("inputs", "check")  # commands that are parts of an audit, and share its code
_EDITION = "edition of the specification; a name that 'clmath show' prints, or the folder of another"
_VALUES = (
    "Values are decimals, hex floats (0x1.8p+1), inf or nan; integers for int parameters; for vectors the components"
    " one by one."
)


def _listed(rest: Sequence[str], args: Sequence[str], known: Mapping[str, argparse.Action]) -> str:
    """Return the end of a message, if the values of an option that takes several are separated by blanks."""
    for place, (option, second) in enumerate(zip(args, args[2:], strict=False)):
        if second == rest[0] and option in known and known[option].metavar in {"NAMES", "N,N"}:
            values = itertools.takewhile(lambda word: not word.startswith("-"), args[place + 1 :])
            return f"; did you mean '{option} {','.join(values)}'?"
    return ""


class _OlderName(argparse.Action):
    """An older name of an option, which does the same; a note on standard error says the name of today."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: object, option: str | None = None
    ) -> None:
        print(f"{parser.prog}: {option} is now {self.const}", file=sys.stderr)
        setattr(namespace, self.dest, values)


def _add_renamed(command: argparse.ArgumentParser, name: str, older: str, *, metavar: str, help: str) -> None:
    """Add an option whose ``older`` name is still read."""
    dest = name.strip("-").replace("-", "_")
    command.add_argument(name, dest=dest, metavar=metavar, help=help)
    command.add_argument(older, dest=dest, action=_OlderName, const=name, help=argparse.SUPPRESS)


class _Parser(argparse.ArgumentParser):
    """A parser that reports wrong usage like any other error: one line with the call, the fact and the remedy."""

    def __init__(self, **kwargs: Any) -> None:
        layout = argparse.RawDescriptionHelpFormatter
        super().__init__(formatter_class=layout, allow_abbrev=False, add_help=False, **kwargs)
        brief.add_help(self)
        # -0x1p-3 and -inf are values, not options
        self._negative_number_matcher = re.compile(r"-(\d|\.\d|inf|nan)", re.IGNORECASE)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but each command refuses unknown arguments itself, and names its own help."""
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            known = {name: action for action in self._actions for name in action.option_strings}
            is_option = rest[0].startswith("-")
            offered = guess(rest[0].partition("=")[0], list(known)) if is_option else _listed(rest, args or (), known)
            self.error(f"unrecognized arguments: {' '.join(rest)}{offered}")
        return found, rest

    def _check_value(self, action: argparse.Action, value: object) -> None:
        """Refuse a value that is not among the choices, and offer the nearest."""
        if action.choices is None or value in action.choices:
            return
        known = list(action.choices)
        if action.option_strings:
            raise not_one_of(self.prog, action.option_strings[-1], value, known)
        self.error(f"{value!r} is not a known command{guess(value, known)}")

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Return values as argparse does, but refuse '--' as a value, which argparse drops."""
        if action.option_strings and "--" in arg_strings:
            self.error(f"argument {action.option_strings[0]}: '--' is not a value of it")
        return super()._get_values(action, arg_strings)

    def error(self, message: str) -> NoReturn:
        end = "" if message.endswith("?") else ";"
        raise ClmathError(f"{self.prog}: {message}{end} '{self.prog} --help' shows the usage")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command ``argv`` (None: the process's own); return the exit status, never a traceback for bad input."""
    shown.ensure_open()
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
        _complain(_with_call(f"internal error: {_reported(stop)}; please report it", options))
    except KeyboardInterrupt:
        _complain(_with_call("interrupted", options))
    except BrokenPipeError:  # the reader, e.g. a pager, has closed it
        shown.discard_output()
        return BAD_INPUT if options is not None and options.module == "audit" else 0
    except Exception as error:  # noqa: BLE001 - status 1 is for targets that do not conform, not for our errors
        _complain(_with_call(_unforeseen(error), options))
    return BAD_INPUT


def _run(options: argparse.Namespace) -> int:
    if options.module is None:
        _parser().print_help()
        _print_engines()
        return 0
    return int(importlib.import_module(f"clmath.cli.{options.module}").run(options))


def _print_engines() -> None:
    """Print which engine computes arrays, and how to get others."""
    from clmath.engines import choice

    print("\nengines:")
    for name, text in choice.states().items():
        print(f"  {name:<8}{text}")


def _unforeseen(error: Exception) -> str:
    """Return the message on an exception other than ClmathError: standard output cannot be written, or a bug."""
    if isinstance(error, OSError) and error.errno in shown.UNWRITABLE and error.filename is None:
        shown.discard_output()
        return f"standard output cannot be written: {error.strerror}"
    return f"internal error: {_reported(error)}; please report it"


def _reported(error: BaseException) -> str:
    """Return the exception on one line, with the place where it was raised."""
    *_, last = traceback.extract_tb(error.__traceback__)
    place = f"{Path(last.filename).name}, line {last.lineno}, in {last.name}"
    return f"{message_of(error)} ({place})"


def _joined(words: Sequence[str]) -> list[str]:
    """Return the words with '--replay -1' as '--replay=-1': the word after these options is a value despite a dash."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("--build-options", "--replay"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _checked(words: Sequence[str]) -> Sequence[str]:
    """Return the words; refuse words that no system passes to a command, but a script may, such as with NUL."""
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
    """Return the message with the command in front, if an inner function named only itself, or ``clmath audit``."""
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
    """Return the message with the option's name in place of the name of a parameter in Python: type='x'."""
    name, equals, rest = message.partition("=")
    for option in (name, f"{name}s", *(("mode",) if name == "rounding" else ())):
        if equals and hasattr(options, option):
            return f"--{option.replace('_', '-')}={rest}"
    return message


def _complain(message: str) -> None:
    shown.complain(printable(message))


def _parser() -> _Parser:
    parser = _Parser(prog="clmath", description="The numerics of OpenCL C, and an auditor of its implementations.")
    parser.add_argument("--version", action="version", version=f"clmath {clmath.__version__}")
    parser.set_defaults(module=None)  # the module of a command is imported only when it runs
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", parser_class=_Parser)
    _add_audit(commands)
    _add_lab(commands)
    command = commands.add_parser("devices", help="list the targets on this machine, and which of them work")
    command.set_defaults(module="devices")
    command = commands.add_parser("eval", help="show the exact value of one call, and its roundings", epilog=_VALUES)
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows, or sprintf")
    command.add_argument("values", metavar="VALUE", nargs="*", help="the arguments, in the order of the declaration")
    command.add_argument(
        "--type",
        help="the type of gentype: half, float, double, int ... (default: float, or one that holds the values)",
    )
    command.add_argument("--rounding", help="show only this mode: rte, rtz, rtp or rtn")
    command.add_argument("--bits", action="store_true", help="floating-point values are encodings, as in 0x40490fdb")
    command.set_defaults(module="evaluate")
    command = commands.add_parser(
        "explain",
        help="show one call on one screen: exact value, neighbours, limits, and results of libraries",
        epilog=_VALUES + " BUILT-IN may be a line of OpenCL-CTS' math_brute_force instead, in quotes: 'ERROR: sin4: 4.5"
        " ulp error at ...', or - for a log on standard input. Its results and expected values are judged, too.",
    )
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows, or a line of OpenCL-CTS")
    command.add_argument("values", metavar="VALUE", nargs="*", help="the arguments, in the order of the declaration")
    command.add_argument(
        "--type", help="the type of gentype: half, float, double ... (default: float, or one that holds the values)"
    )
    command.add_argument("--bits", action="store_true", help="floating-point values are encodings, as in 0x40490fdb")
    _add_renamed(
        command,
        "--targets",
        "--subjects",
        metavar="NAMES",
        help="the targets whose results are shown: numpy,libm,opencl:PLATFORM:DEVICE and other TARGETs of clmath audit,"
        " math for Python's module, ival for CORE-MATH by the package crival (default: all that are installed)",
    )
    command.set_defaults(module="explain")
    command = commands.add_parser("show", help="show declaration, limits and special values of a built-in")
    command.add_argument("name", metavar="BUILT-IN", help="a name that 'clmath list' shows")
    command.add_argument("--edition", metavar="EDITION", help=f"show only this {_EDITION} (default: all editions)")
    command.add_argument(
        "--report", metavar="FILE", help="also plot the error by binade from this report of 'audit --json'"
    )
    command.set_defaults(module="show")
    command = commands.add_parser("list", help="list all built-ins by section")
    command.add_argument("--chapter", help=f"list only one of {', '.join(CHAPTERS)}")
    command.set_defaults(module="listing")
    command = commands.add_parser("report", help="show reports of 'audit --json' again, and write them to other files")
    many = "reports that clmath audit --json has written; several are shown, and written, as one run"
    command.add_argument("report", metavar="FILE", nargs="+", help=many)
    only = "show only this target of a report of several"
    _add_renamed(command, "--target", "--subject", metavar="TARGET", help=only)
    _add_outputs(command)
    command.add_argument("--log", metavar="FILE", help="read date, command line, seconds and compiler logs from here")
    command.set_defaults(module="rereport")
    command = commands.add_parser(
        "diff",
        help="list what became worse from one report to another",
        epilog="Exit status: 0 if nothing became worse, 1 if something did, 2 if the reports cannot be compared.",
    )
    command.add_argument("old", metavar="OLD", help="a report that clmath audit --json has written")
    command.add_argument("new", metavar="NEW", help="a second report: of a new driver, or of another device")
    command.set_defaults(module="diff")
    _add_export(commands)
    command = commands.add_parser("schema", help="print the JSON Schema of reports")
    command.set_defaults(module="schema")
    return parser


def _add_export(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "export",
        help="write sources of correctly rounded built-ins in C, OpenCL C or CUDA C",
        description="Write a library of correctly rounded built-ins in C, OpenCL C or CUDA C that needs nothing else.",
        epilog="Half and float are complete. For double, functions on arrays list the few undecided elements, and"
        " functions on numbers round the middle of the enclosure.",
    )
    add = command.add_argument
    add("names", metavar="NAMES", nargs="?", help="names or globs: sin,cos,exp*; all for everything that --list shows")
    add("--types", metavar="NAMES", default="half,float,double", help="half, float, double (default: all three)")
    add("--language", metavar="c|opencl|cuda", default="c", help="the language of the sources (default: c)")
    add("--out", metavar="DIR", help="the folder to write; it must be new or empty")
    add("--force", action="store_true", help="replace the exported library in --out DIR")
    add("--list", action="store_true", help="list the built-ins that can be exported")
    command.set_defaults(module="export")


def _add_outputs(command: argparse.ArgumentParser) -> None:
    add = command.add_argument
    add("--junit", metavar="FILE", help="write JUnit XML to this file (for continuous integration)")
    add("--csv", metavar="FILE", help="write one line for each case to this file (for spreadsheets)")
    add("--html", metavar="FILE", help="write one self-contained page (tables, charts, failures)")
    add("--cts-json", metavar="FILE", help="write results as OpenCL-CTS does (pass, fail or skip for each test)")
    add(
        "--known-failures",
        metavar="FILE",
        help="a list of cases that are known to fail; one line each: 'tgamma float: REASON' or 'sin float4 <= 28 ulp:"
        " REASON'. They do not fail the run. A listed case fails the run if it passes, if its error exceeds the one in"
        " its line, or if its line has an error and the case fails for another reason. Lines after '[TARGET]' concern"
        " only that target",
    )
    shown.add_options(command)


def _add_audit(commands: argparse._SubParsersAction[_Parser]) -> None:
    command = commands.add_parser(
        "audit",
        help="judge a device or library by the specification",
        description="Judge each TARGET by the tables of the specification, against exact values.",
        epilog=_TARGET + _VALUES,
    )
    add = command.add_argument
    add(
        "targets",
        metavar="TARGET",
        nargs="*",
        help="the implementation to audit (default: the first OpenCL device that works, else libm); several are audited"
        " one after the other, and have one report",
    )
    _add_inputs_asked(command)
    add(
        "--merge",
        metavar="FILE",
        nargs="+",
        help="join the reports of all parts, without an audit; --json FILE is the file for the joined report",
    )
    _add_judging(command)
    add(
        "--judge",
        metavar="auto|host|device",
        default="auto",
        help="where large runs are judged: host or device (default: auto, the faster one). Large runs have exhaustive"
        " inputs, or 262144 random ones or more. device is the OpenCL device that is audited, if it computes as the"
        " host does. The host makes the final decision, so that both give the same report. --log FILE records who"
        " judged each case",
    )
    _add_declared(
        command,
        "TARGET",
        "rte); an OpenCL device with cl_khr_select_fprounding_mode is set to this mode for its operators",
        "none)",
    )
    add("--build-options", metavar="TEXT", default="", help="for the OpenCL compiler, e.g. '-cl-mad-enable'")
    add(
        "--replay",
        metavar="V,V",
        action="append",
        help="try only this input (repeat the option for more inputs); needs --functions",
    )
    add("--bits", action="store_true", help="the values of --replay are encodings")
    _add_reference(command)
    command.set_defaults(module="audit", has_local_search=True, around=None, then=None)


def _add_reference(command: argparse.ArgumentParser) -> None:
    """Add the options of an audit of a function that need not be a built-in."""
    add = command.add_argument
    add(
        "--reference",
        metavar="MODULE:CALLABLE",
        help="judge TARGET, any Python function, by this function of mpmath's numbers instead of the specification; its"
        " type is double, or those of --types",
    )
    add(
        "--limit",
        metavar="LIMIT",
        help="with --reference: '4 ulp', 'absolute 1e-6', 'relative 1e-6', several of them with 'or' between them, or"
        " 'correctly rounded' (the default)",
    )
    add(
        "--domain",
        metavar="A,B",
        help="with --reference: the least and the greatest value of the arguments, or such a pair for each argument,"
        " '0,1;-8,8' (default: all finite numbers)",
    )
    add(
        "--signature",
        metavar="TEXT",
        help="with --reference: '(n)->()' or '(n)->(n)' for functions of vectors on the last axis",
    )


def _add_declared(command: argparse.ArgumentParser, target: str, mode: str, rest: str) -> None:
    """Add the options that describe a target without a driver; ``mode`` and ``rest`` end the help with the defaults."""
    add = command.add_argument
    add(
        "--mode",
        metavar="MODE",
        help=f"how {target} rounds; rte, rtz, rtp or rtn, or half=rtz,float=rte (default: {mode}",
    )
    add("--flushes", metavar="NAMES", help=f"types of which {target} may flush subnormals (default: {rest}")
    add("--no-infinities", metavar="NAMES", help=f"types without infinities and NaN on {target} (default: {rest}")
    add("--exact-divide", action="store_true", help="float division and sqrt are correctly rounded")


def _add_inputs_asked(command: argparse.ArgumentParser) -> None:
    """Add the options that choose the inputs of an audit."""
    add = command.add_argument
    add("--functions", metavar="NAMES", help="names or globs: sin,cos,native_* (default: all of --chapters)")
    add("--chapters", metavar="NAMES", help=f"{', '.join(CHAPTERS)}, or all (default: math)")
    add(
        "--types",
        metavar="NAMES",
        help="half, float, double, char, uint ... (default: all types of OpenCL C); bfloat16",
    )
    add(
        "--widths",
        metavar="N,N",
        default="1",
        help="vector widths: any of 1, 2, 3, 4, 8, 16, or all (default: 1, scalars). They apply to built-ins that"
        " compute component by component, in math, common, integer, relational, operators, conversions,"
        " reinterpretation, contraction. Each vector holds similar values, one unrelated value among similar ones, or"
        " only unrelated values. Geometric built-ins, any, all, loads and stores always have all of their widths",
    )
    add(
        "--inputs",
        metavar="quick|N|exhaustive",
        default="quick",
        help="number of random inputs of each case (default: quick), in addition to the structured ones. quick is"
        " 32768; a number is 5000 or 2^34, at most 2^40. For one argument, a hundred and more inputs are spaced over"
        " each binade in which results are informative; they replace at most three random inputs in four. total:2000"
        " means 2000 inputs in all, half of them structured, without a local search around the worst one. exhaustive"
        " means all 2^32 floats of one argument and all 2^32 pairs of halfs (one half is always tried with all its"
        " values), and quick for other arguments",
    )
    add(
        "--part",
        metavar="K/N",
        default="1/1",
        help="audit only part K of N; for exhaustive inputs, or 262144 random ones or more. Each part has inputs from"
        " the whole range; parts of random inputs have no local search around the worst one",
    )
    add(
        "--seed",
        metavar="S",
        default="0",
        help="the seed of the random inputs; the same seed gives the same inputs (default: 0)",
    )
    add(
        "--edition",
        metavar="EDITION",
        default=DEFAULT,
        help=f"{_EDITION} (default: {DEFAULT})",
    )


def _add_judging(command: argparse.ArgumentParser) -> None:
    """Add the options that say how an audit judges, and where its report goes."""
    add = command.add_argument
    add("--profile", help="full, embedded, relaxed or relaxed-embedded (default: the profile of the device, else full)")
    add(
        "--oracle",
        default="auto",
        help="library for exact values: mpfr, mpmath or auto (mpfr for results that kernels leave undecided; the"
        " default)",
    )
    add("--json", metavar="FILE", help="write the report to this file (it is kept up to date during the audit)")
    _add_outputs(command)
    add(
        "--log",
        metavar="FILE",
        help="append the facts that differ between runs (date, command line, seconds and compiler log of every case) to"
        " this file, as lines of JSON",
    )
    add("--resume", action="store_true", help="continue the audit in --json FILE")
    add("--force", action="store_true", help="overwrite the report in --json FILE")
    add(
        "--timeout",
        metavar="SECONDS",
        default="60",
        help="time limit for a batch of inputs on TARGET; five times that for loading it and for compiling a built-in"
        " (default: 60)",
    )
    add(
        "--memory",
        metavar="GB",
        help="memory limit for TARGET (with all processes that it starts, compilers included; default: a quarter of"
        " this machine's memory, at most 4). A case that exceeds it is not judged",
    )
    add(
        "--jobs",
        "--workers",
        metavar="N",
        help="number of processes that judge results (on this machine; default: one per core)",
    )
    add("--dask", metavar="ADDRESS", help="judge on a Dask cluster (its scheduler listens at tcp://HOST:PORT)")


def _add_lab(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the two commands of an offline run: the audit of a device that clmath cannot reach."""
    command = commands.add_parser(
        "inputs",
        help="write the inputs of an audit, for an offline run on another machine",
        description="Write inputs, OpenCL C kernels and a host in C into a folder, for a machine without Python.",
    )
    _add_inputs_asked(command)
    command.add_argument("--out", metavar="DIR", required=True, help="the folder to write; it must be new")
    command.set_defaults(module="inputs")
    command = commands.add_parser(
        "check",
        help="judge the results that an offline run has brought back",
        description="Judge a device's results for the folder that 'clmath inputs' wrote, as 'clmath audit' would.",
        epilog="The exit status is the same as for 'clmath audit'.",
    )
    command.add_argument(
        "folders",
        metavar="DIR",
        nargs="+",
        help="the folder with the results; then the folder of --local-search, if there is one",
    )
    command.add_argument("--edition", metavar="EDITION", help=f"{_EDITION} (default: the edition of the inputs)")
    _add_judging(command)
    _add_declared(
        command,
        "the device",
        "as in results/device.txt, else rte); options may not contradict that file",
        "as in results/device.txt)",
    )
    _add_renamed(
        command,
        "--local-search",
        "--second-look",
        metavar="NEW",
        help="write a further folder for a local search; its inputs are around the worst input of each case, where a"
        " live audit searches at its end. When the device has run it, 'clmath check DIR NEW' judges both",
    )
    command.set_defaults(module="check", judge="host")
