"""Output of kernels: one work-item prints call after call, and the output of this process is read back."""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator

import numpy as np

from clmath.audit.opencl.kernel import extensions, pragmas, program_text
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.printed_rows import (
    LITERAL,
    RETURNED,
    components_in,
    formats_of,
    given,
    has_several,
    passed,
    stored_texts,
)
from clmath.audit.protocol.target import TargetError

_TOGETHER = 256  # calls: in the full profile, a device stores at least a MiB of their output
_STDOUT = 1
_PRINTED = re.compile(rb"\{(\d+)\|(.*?)\|\}\n", re.DOTALL)
_MARRED = re.compile(rb"(\{\d.*?\|\})\n", re.DOTALL)


def printed_texts(
    item: ExactItem, run: Callable[[list[np.ndarray]], object], args: tuple[np.ndarray, ...]
) -> np.ndarray:
    """Return the text that each call prints; empty for a call whose line is missing.

    ``run`` runs the kernel on some calls, to its end. TargetError if none of the text reaches the output of this
    process.
    """
    result = np.zeros(len(args[0]), item.result.dtype)
    for start in range(0, len(result), _TOGETHER):
        part = slice(start, start + _TOGETHER)
        with captured() as output:
            run([np.ascontiguousarray(a[part]) for a in args])
        lines, others = printed_lines(bytes(output), len(result[part]))
        os.write(_STDOUT, others)
        if not lines:
            fact = "nothing that the kernel prints reaches the standard output of the process"
            raise TargetError(f"{item}: {fact}: it cannot be judged")
        texts = (lines.get(call, b"").decode("latin-1") for call in range(len(result[part])))
        result[part] = stored_texts(list(texts))
    return result


def printed_lines(output: bytes, calls: int) -> tuple[dict[int, bytes], bytes]:
    """Return the text that each call printed, by its number, and the output that belongs to no call.

    If the number before the text is damaged in the line of every call, the whole line counts as its text.
    """
    lines, kind = {int(call): text for call, text in _PRINTED.findall(output)}, _PRINTED
    whole = [] if lines else _MARRED.findall(output)
    if len(whole) == calls:
        lines, kind = dict(enumerate(whole)), _MARRED
    return lines, kind.sub(b"", output)


@contextlib.contextmanager
def captured() -> Iterator[bytearray]:
    """Collect standard output of this process, and of libraries in it; complete when the block ends."""
    written = bytearray()
    with tempfile.TemporaryFile() as output:
        _flush()
        kept = os.dup(_STDOUT)
        os.dup2(output.fileno(), _STDOUT)
        try:
            yield written
        finally:
            _flush()
            os.dup2(kept, _STDOUT)
            os.close(kept)
            output.seek(0)
            written += output.read()


def _flush() -> None:
    sys.stdout.flush()
    with contextlib.suppress(OSError, TypeError, AttributeError):
        ctypes.CDLL(None).fflush(None)


def print_source(item: ExactItem) -> str:
    """Return the program text: its kernel takes the number of calls, and a buffer for each argument."""
    *values, _ = item.builtin.inputs
    numbers, formats = [f"in{k}[i]" for k in range(len(values))], formats_of(item.builtin, item.form.name)
    buffers = [f"__global const {type} *in{k}" for k, type in enumerate(item.arguments)]
    cases = [f"    case {k}: {_statement(item, f, numbers)} break;" for k, f in enumerate(formats)]
    first = "if (get_global_id(0)) return;"
    body = [first, "for (uint i = 0; i < n; i++)", f"    switch (in{len(values)}[i]) {{", *cases, "    }"]
    return program_text(buffers, body, pragmas(extensions(item)))


def _statement(item: ExactItem, format: str, numbers: list[str]) -> str:
    if has_several(item.builtin):
        return _several(format, ["i", *(_literal(value) for value in passed(numbers, format))])
    components = given(numbers, format)
    value = ", ".join(components) if components else _literal(LITERAL)
    value = f"({item.form.name}{components_in(format)})({value})" if components[1:] else value
    return f'printf("{{%u|{format}|}}\\n", i, {value});'


def _several(format: str, values: list[str]) -> str:
    """Return a call that prints a format; if it has ``RETURNED``, a second call prints the result of the first."""
    before, returned, after = format.partition(RETURNED)
    if not returned:
        return f'printf("{{%u|{format}|}}\\n", {", ".join(values)});'
    return f'{{ int r = printf("{{%u|{before}", {", ".join(values)}); printf("%d{after}|}}\\n", r); }}'


def _literal(value: str) -> str:
    return f'"{LITERAL}"' if value == LITERAL else value
