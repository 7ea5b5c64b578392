"""Find OpenCL devices that work: each is tried in a child process, so that a driver may crash or hang."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import platform
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO

from clmath.audit.opencl import devices, drivers, trial
from clmath.audit.opencl.trial import MARK, Answer, plain
from clmath.errors import ClmathError

SECONDS = 60.0  # for one child: a first contact with a driver takes seconds, a first compilation a few more
DYING = 1.0  # seconds to wait for the end of a child that was killed
_DYING: list[subprocess.Popen[bytes]] = []  # children that have not ended then: Python warns of one without a reference
# folders where drivers keep compiled programs: a kernel from there would hide that a compiler does not work; and where
# a child that is killed leaves its own files
_FOLDERS = ("XDG_CACHE_HOME", "POCL_CACHE_DIR", "CUDA_CACHE_PATH", "TMPDIR")


@dataclass(frozen=True)
class Outcome:
    """The result of trying one device, or of a platform or loader whose devices could not even be listed."""

    number: str  # opencl:PLATFORM:DEVICE in numbers, which depend on other drivers
    title: str = ""  # the platform's and the device's own names
    trouble: str = ""  # why it cannot be used, and the remedy; "" if it works
    broken: Mapping[str, str] = field(default_factory=dict)  # types that it claims to have and that fail, and why
    facts: Mapping[str, str] = field(default_factory=dict)
    stable: str = ""  # a name that does not depend on other drivers; "" if unknown

    @property
    def name(self) -> str:
        """The SUBJECT of an audit."""
        return self.stable or self.number

    def __str__(self) -> str:
        return f"{self.name} ({self.title})" if self.title else self.name


def everything() -> list[Outcome]:
    """Return every device in the loader's order, all tried at the same time."""
    found = listed()
    answers = iter(_answers([_question(one) for one in found if not one.trouble]))
    return [one if one.trouble else _outcome(one, next(answers)) for one in found]


def by_preference() -> Iterator[Outcome]:
    """Yield one device after the other, each tried when it is requested; PoCL's after all others."""
    for one in sorted(listed(), key=lambda one: devices.is_pocl(one.title)):
        yield one if one.trouble else _outcome(one, _ask(*_question(one)))


def device(text: str, call: str = "clmath audit") -> Outcome:
    """Try the device that ``text`` names, as ``find`` takes it; ClmathError if nothing fits."""
    answer = _ask("device", text)
    if "trouble" in answer and "facts" not in answer and _platforms()[1]:
        answer = _ask("device", text)
    if "refused" in answer:
        raise ClmathError(f"{call}: {answer['refused']}")
    return _outcome(Outcome(f"opencl:{text}"), answer)


def called(texts: Iterable[str]) -> list[list[str]]:
    """Return the stable names of the devices that each of ``texts`` may mean, as ``find`` takes them: one if unique."""
    return [answer.get("stable_names", []) for answer in _answers([("meant", text) for text in texts])]


def listed() -> list[Outcome]:
    """Return all devices, untried; in place of a driver's, a platform's or all devices, why they cannot be listed."""
    answer, left_out = _platforms()
    if "names" not in answer:
        return [*left_out, Outcome("opencl", trouble=_trouble(answer))]
    platforms = answer["names"]
    answers = _answers([("devices", str(number)) for number in range(len(platforms))])
    listed = [one for number, found in enumerate(answers) for one in _devices(number, platforms[number], found)]
    return [*left_out, *listed] or [Outcome("opencl", trouble=devices.none_found())]


def _platforms() -> tuple[Answer, list[Outcome]]:
    """Ask for the platforms; return the answer, and the drivers that cannot be loaded and are left out from now on.

    The request loads all drivers at once. If it fails, each is loaded alone, and once none, in case the loader fails.
    """
    answer = _ask("platforms")
    if "trouble" not in answer:
        return answer, []
    libraries = drivers.installed()
    tried = [drivers.only(()), *(drivers.only([library]) for library in libraries)]
    without, *alone = _answers([("platforms",)] * len(tried), tried)
    left_out = {lib: found for lib, found in zip(libraries, alone, strict=True) if "names" not in found}
    if "names" not in without or not left_out:
        return answer, []
    os.environ.update(drivers.only(lib for lib in libraries if lib not in left_out))
    return _ask("platforms"), [Outcome("opencl", lib, _trouble(a)) for lib, a in left_out.items()]


def _devices(number: int, title: str, answer: Answer) -> list[Outcome]:
    if "names" not in answer:
        return [Outcome(f"opencl:{number}", title, _trouble(answer))]
    return [
        Outcome(f"opencl:{number}:{i}", f"{title}: {name}", stable=stable)
        for i, (name, stable) in enumerate(zip(answer["names"], answer["stable_names"], strict=True))
    ]


def _question(one: Outcome) -> tuple[str, str]:
    return ("device", one.number.partition(":")[2])


def _outcome(one: Outcome, answer: Answer) -> Outcome:
    """Return ``one`` with the results of its child."""
    return Outcome(
        answer.get("number", one.number),
        answer.get("title", one.title),
        _trouble(answer),
        answer.get("broken", {}),
        answer.get("facts", {}),
        answer.get("stable", one.stable),
    )


def _trouble(answer: Answer) -> str:
    """Return the fact and the remedy, or "" without trouble; complaints of clmath itself have both."""
    trouble = answer.get("trouble", "").rstrip(".")
    return answer["refused"] if "refused" in answer else f"{trouble}; {_remedy()}" if trouble else ""


def _remedy() -> str:
    """Return a remedy that provides a working device: commands for drivers that are not yet installed."""
    commands, intel = [], drivers.intel()
    linux = sys.platform == "linux"
    if linux and not any(file for folder in drivers.folders() for file in folder.glob("pocl*.icd")):
        commands.append("apt install pocl-opencl-icd")
    if linux and platform.machine() == "x86_64" and intel is None:
        commands.append("pip install 'clmath[intel]'")
    remedy = f"run: {', or '.join(commands)}" if commands else "install a newer driver"
    if intel is not None and " " in str(intel):
        return f"Intel's runtime needs a folder without spaces in its path: make the environment there, or {remedy}"
    return remedy


def _ask(*question: str) -> Answer:
    """Return a child's answer, or {"trouble": the reason why it has no answer}."""
    return _answers([question])[0]


def _answers(
    questions: Sequence[Sequence[str]], environments: Iterable[Mapping[str, str]] = itertools.repeat({})
) -> list[Answer]:
    """Return the answers to all questions, each from a child with further variables; they work at the same time."""
    _DYING[:] = [process for process in _DYING if process.poll() is None]
    seconds = SECONDS * -(-len(questions) // (os.cpu_count() or 1))
    deadline = time.monotonic() + seconds
    with contextlib.ExitStack() as children:
        started = [children.enter_context(_child(*asked)) for asked in zip(questions, environments, strict=False)]
        return [answer(deadline) for answer in started]


@contextlib.contextmanager
def _child(question: Sequence[str], environment: Mapping[str, str]) -> Iterator[Callable[[float], Answer]]:
    """Start a process that answers a question; yield a function that returns the answer, given until when to wait.

    The process is killed at the end of the block, with the compilers that it may have started.
    """
    path = os.pathsep.join(os.path.abspath(folder) for folder in sys.path)  # noqa: PTH100 - the folders of this one
    with (
        tempfile.TemporaryFile() as out,  # files, not pipes: a process that outlives the child keeps nobody waiting
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryDirectory(prefix="clmath-", ignore_cleanup_errors=True) as folder,
    ):
        process = subprocess.Popen(  # noqa: S603 - a module of this package
            [sys.executable, "-P", "-m", trial.__name__, str(os.getpid()), *question],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env={**os.environ, **dict.fromkeys(_FOLDERS, folder), **environment, "PYTHONPATH": path},
            start_new_session=True,
        )
        try:
            yield functools.partial(_answer_of, process, out, err)
        finally:
            _kill(process)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a child and its group, and wait for its end, but not for long."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    try:
        process.wait(DYING)
    except subprocess.TimeoutExpired:  # inside the kernel it cannot be killed, and on a busy machine it takes time
        _DYING.append(process)


def _answer_of(process: subprocess.Popen[bytes], out: IO[bytes], err: IO[bytes], deadline: float) -> Answer:
    """Return a child's answer at its end; {"trouble": why} if it crashes, or has not ended at ``deadline``."""
    try:
        status = process.wait(max(deadline - time.monotonic(), 0.01))
    except subprocess.TimeoutExpired:
        return {"trouble": f"its driver hangs: no answer in {SECONDS:g} seconds"}
    answers = [line for line in _lines(out) if line.startswith(MARK)]
    if answers:
        found: Answer = json.loads(answers[-1].removeprefix(MARK))
        return found
    return {"trouble": _death(status, _lines(err))}


def _lines(file: IO[bytes]) -> list[str]:
    file.seek(0)
    return file.read().decode("utf-8", "replace").splitlines()


def _death(status: int, said: list[str]) -> str:
    """Return words for a child that ended without an answer."""
    try:
        how = f"its driver crashes ({signal.Signals(-status).name})"
    except ValueError:
        how = f"its driver ends the process (exit status {status})"
    last = plain(next((line for line in reversed(said) if line.strip()), ""))
    return f"{how}: {last}" if last else how
