"""``clmath audit MODULE:f --reference MODULE:g``: any function, judged by a reference in a domain."""

from __future__ import annotations

import contextlib
import faulthandler
import functools
import json
import math
import multiprocessing
import os
import re
import signal
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

import numpy as np

from clmath import __version__, errors
from clmath.audit.isolation.limits import CHECKS, Limits, Watch
from clmath.audit.protocol.printable import printable
from clmath.audit.records import record
from clmath.audit.targets.function import imported
from clmath.audit.targets.lifetime import behind_another, die_with, out_of_reach
from clmath.cli.asked import names_of
from clmath.cli.audit_files import reserved
from clmath.cli.one_audit import CALL, bytes_of, seconds_of
from clmath.errors import ClmathError
from clmath.testing.any_function import Bounds, Outcome, forms_of, of_reference
from clmath.testing.failures import called

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format
    from clmath.testing.any_function import Arrays

_EXAMPLE = "write --limit '4 ulp', 'absolute 1e-6', 'relative 1e-6' or 'correctly rounded', with 'or' between them"
_NUMBER = r"[0-9][0-9.xa-f]*(?:[ep][+-]?[0-9]+)?"
_BOUND = re.compile(rf"(?P<ulp>{_NUMBER}) ulp|absolute (?P<absolute>{_NUMBER})|relative (?P<relative>{_NUMBER})")
_UNUSED = (  # options of audits of built-ins
    *("functions", "chapters", "replay", "junit", "csv", "html", "cts_json", "known_failures", "log"),
    *("resume", "dask", "mode", "flushes", "no_infinities", "build_options", "profile"),
    *("inputs", "widths", "part", "seed", "jobs", "judge", "merge", "quiet"),
)
_DEFAULTS = {"inputs": "quick", "widths": "1", "part": "1/1", "seed": "0", "judge": "auto"}
_LONGEST = 1 << 20  # bytes of a message
_MOST = 1 << 14  # numbers of a call that is content before it is made
_SEARCH = 60.0  # seconds for the search for the input that crashes the function, beyond one call

P = ParamSpec("P")
T = TypeVar("T")


class Request(NamedTuple):
    """A function and its reference, both as MODULE:CALLABLE, and the requirement in one format.

    ``given``: calls that are made one by one, whose results are not judged.
    """

    target: str
    reference: str
    domain: list[list[float]] | list[float] | None
    type: str
    bounds: Bounds
    signature: str
    seconds: float
    memory: float
    given: Arrays = ()

    @property
    def name(self) -> str:
        """The function's name in failures."""
        return self.target.replace(":", ".", 1)


def run(options: Namespace) -> int:
    """Judge the function in each format; return the exit status of the verdict."""
    _check(options)
    (target,) = options.targets
    bounds, domain = _bounds(options.limit), _domain(options.domain)
    limits = seconds_of(options.timeout), bytes_of(options.memory)
    with reserved(options, CALL) as path:
        inside = f", domain {options.domain}" if options.domain else ""
        print(printable(f"{target}\nreference {options.reference}{inside}, limit {bounds}"), flush=True)
        outcomes: dict[str, Outcome] = {}
        for type in names_of(options.types) if options.types else ["double"]:
            request = Request(target, options.reference, domain, type, bounds, options.signature or "", *limits)
            outcomes[type] = _in_a_child(request)
            print(printable(_line(type, outcomes[type])), flush=True)
            if path:
                record.put(path, _report(options, bounds, outcomes))
    return int(any(found.failure for found in outcomes.values()))


def _check(options: Namespace) -> None:
    """Raise ClmathError for options without a meaning next to --reference."""
    if len(options.targets) != 1 or ":" not in options.targets[0].strip(":"):
        raise errors.ClmathError(f"{CALL}: --reference is for one Python function; write MODULE:CALLABLE before it")
    given = next(
        (name for name in _UNUSED if getattr(options, name) not in (None, False, "", [], _DEFAULTS.get(name))), ""
    )
    if given:
        option = "--" + given.replace("_", "-")
        raise errors.ClmathError(f"{CALL}: {option} is for audits of built-ins; leave it out, or --reference")


def _bounds(text: str | None) -> Bounds:
    """Return the bounds that --limit names; without it, results must be correctly rounded."""
    if text is None or text.strip() == "correctly rounded":
        return Bounds(correctly_rounded=True)
    found = Bounds()
    for part in text.split(" or "):
        match = _BOUND.fullmatch(part.strip())
        if match is None:
            raise errors.ClmathError(f"{CALL}: --limit {text!r} is no limit; {_EXAMPLE}")
        ((kind, value),) = ((k, v) for k, v in match.groupdict().items() if v)
        if getattr(found, kind) is not None:
            raise errors.ClmathError(f"{CALL}: --limit {text!r} has two limits of a kind; leave one of them out")
        found = found._replace(**{kind: _number("--limit", value)})  # type: ignore[arg-type]
    return found


def _domain(text: str | None) -> list[list[float]] | list[float] | None:
    """Return the pairs of --domain, the least and the greatest value of each argument, or one pair for all."""
    if text is None:
        return None
    pairs = [[_number("--domain", end) for end in pair.split(",")] for pair in text.split(";")]
    if any(len(pair) != 2 for pair in pairs):
        raise errors.ClmathError(
            f"{CALL}: --domain {text!r} is not a pair of numbers for each argument; write --domain=-50,50 or '0,1;-8,8'"
        )
    return pairs if len(pairs) > 1 else pairs[0]


def _number(option: str, text: str) -> float:
    try:
        return float.fromhex(text) if "0x" in text.lower() else float(text)
    except ValueError:
        raise errors.ClmathError(f"{CALL}: {option}: {text!r} is not a number; write 0.5, 1e-6 or 0x1p-20") from None


def _report(options: Namespace, bounds: Bounds, outcomes: dict[str, Outcome]) -> str:
    """Return the request and the verdicts on the formats, as JSON."""
    asked = {name: getattr(options, name) for name in ("reference", "domain", "signature")}
    types = [
        {"type": type, "status": "fail", "failure": found.failure}
        if found.failure
        else {"type": type, "status": "pass", "inputs": found.judged, "worst_ulp": found.worst, "call": found.call}
        for type, found in outcomes.items()
    ]
    document = {"clmath": __version__, "target": options.targets[0], **asked, "limit": str(bounds), "types": types}
    return json.dumps(document, indent=1) + "\n"


def _line(type: str, found: Outcome) -> str:
    """Return the verdict on a format."""
    if found.failure:
        return f"\n{type}: fail\n{found.failure}"
    worst = f"worst {found.worst:.4g} ulp at {found.call}" if found.call else "no finite result"
    return f"\n{type}: pass\n{found.judged} inputs tried, {worst}"


class _LostError(errors.ClmathError):
    """The process of a function has ended; ``given``: the arguments of the call that was being made, if it is known."""

    def __init__(self, said: str, given: Arrays) -> None:
        super().__init__(said)
        self.given = given


def _in_a_child(request: Request) -> Outcome:
    """Judge in a process of its own; ClmathError if it is lost, with the input that does it if one is found."""
    try:
        return _outcome(request)
    except _LostError as lost:
        raise errors.ClmathError(f"{lost}{_culprit(request, lost.given)}") from None


def _culprit(request: Request, given: Arrays) -> str:
    """Return the end of a message about a lost process: the input that does it, or why none is named."""
    if not given:
        return ""
    try:
        _outcome(request._replace(given=given))
    except _LostError as lost:
        return f"; with {called(request.name, [a[0] for a in lost.given])}" if lost.given else ""
    except errors.ClmathError:
        return "; the search for the input that does it was given up because it took too long"
    return f"; no single input of {len(given[0])} does it"


def _outcome(request: Request) -> Outcome:
    """Judge in a process of its own, which ends with this one, and whose children end with it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(theirs, request), daemon=True)
    with out_of_reach():
        child.start()
    theirs.close()
    try:
        return _answered(ours, child, request)
    except (TypeError, ValueError):
        raise errors.ClmathError(f"{CALL}: {request.target} wrote into its connection to the audit") from None
    finally:
        _kill(child)


def _answered(connection: Connection, child: BaseProcess, request: Request) -> Outcome:
    """Return the answer of the child; ClmathError if it refuses, was killed, or uses too much memory."""
    seconds = _SEARCH + request.seconds if request.given else math.inf
    watch = Watch(child.pid or -1, Limits(seconds, memory=request.memory))
    given: Arrays = ()
    said = (
        f"{CALL}: the process of {request.target} was killed: a call has crashed it, or has taken more than "
        f"{request.seconds:g} seconds (--timeout)"
    )
    while True:
        while not connection.poll(CHECKS):
            if child.exitcode is not None and not connection.poll():
                raise _LostError(said, given)  # a process that it started may still hold the other end
            if words := watch.exceeded():
                raise errors.ClmathError(f"{CALL}: {request.target} {words} (--memory)")
        try:
            kind, content = json.loads(connection.recv_bytes(_LONGEST))
        except (EOFError, OSError):
            raise _LostError(said, given) from None
        if kind == "judged":
            return Outcome(**content)
        if kind == "refused":
            raise errors.ClmathError(f"{CALL}: {content}")
        (form,) = forms_of(CALL, [request.type])
        given = tuple(np.frombuffer(bytes.fromhex(code), form.dtype).reshape(shape) for code, shape in content)


def _kill(child: BaseProcess) -> None:
    """End the child and everything in its process group."""
    if hasattr(os, "killpg") and child.pid:
        with contextlib.suppress(OSError):  # no group yet, or none any more
            os.killpg(child.pid, signal.SIGKILL)
    child.kill()
    child.join()


def _answer(connection: Connection, request: Request) -> None:
    """Send the outcome, or the text of an error, as JSON; in the child, whose output is dropped."""
    if hasattr(os, "setsid"):
        os.setsid()
        audit = multiprocessing.parent_process()
        assert audit is not None
        die_with(behind_another(audit.sentinel))
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    answer: tuple[str, object]
    try:
        answer = "judged", _judged(request, connection)._asdict()
    except ClmathError as error:
        answer = "refused", str(error).removeprefix(f"{CALL}: ")
    except BaseException as error:  # noqa: BLE001 - of the target's or the reference's module
        answer = "refused", f"{request.target} or its reference raised {type(error).__name__}: {error}"
    connection.send_bytes(json.dumps(answer).encode())


def _judged(request: Request, connection: Connection) -> Outcome:
    """Return the outcome for one format, in the child."""
    load, (form,) = _within(request.seconds, imported), forms_of(CALL, [request.type])
    function = load(request.target, CALL)[0]
    if isinstance(function, np.vectorize):  # it calls a function for each element, and is known to do so
        function.pyfunc = _reporting(connection, form, _within(request.seconds, function.pyfunc))
    else:
        function = _reporting(connection, form, _within(request.seconds, function))
    for k in range(len(request.given[0]) if request.given else 0):
        with contextlib.suppress(Exception):
            function(*(a[k : k + 1] for a in request.given))
    if request.given:
        return Outcome()
    reference = _within(request.seconds, load(request.reference, CALL)[0])
    (test,) = of_reference(
        function,
        reference,
        request.domain,
        [request.type],
        request.bounds,
        request.signature,
        request.name,
        call=CALL,
        module=request.target.partition(":")[0],
    )
    return test.outcome()


def _reporting(connection: Connection, form: Format, function: AnyFunction) -> AnyFunction:
    """Return the function, which tells its arguments before a call, and none after it, unless they are many."""

    def tell(args: Arrays) -> None:
        codes = [(np.asarray(a, form.dtype).tobytes().hex(), np.shape(a) or (1,)) for a in args]
        connection.send_bytes(json.dumps(("calls", codes)).encode())

    @functools.wraps(function)
    def telling(*args: np.ndarray) -> object:
        tell(args if sum(map(np.size, args)) <= _MOST else ())
        result = function(*args)
        tell(())
        return result

    return telling


def _within(seconds: float, function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with a time limit: longer calls end the process, even in C code."""
    silent = os.open(os.devnull, os.O_WRONLY)

    @functools.wraps(function)
    def limited(*args: P.args, **keywords: P.kwargs) -> T:
        faulthandler.dump_traceback_later(seconds, exit=True, file=silent)
        try:
            return function(*args, **keywords)
        finally:
            faulthandler.cancel_dump_traceback_later()

    return limited
