"""Program texts that are compiled as one: a compiler takes longer to begin than for what is in each."""

from __future__ import annotations

import functools
import re

import numpy as np

from clmath.engines.device.opencl import Built


class Together:
    """One program for all ``texts`` whose kernels take the same but for the type of the last buffer, its own or not.

    Its kernel is told which of them to run. ``compiled`` makes a program of a text.
    """

    def __init__(self, texts, compiled):
        self.groups, self.compiled = {}, functools.cache(compiled)
        for text in sorted(set(texts)):
            self.groups.setdefault(parameters(text)[0], []).append(text)

    def kernel(self, text):
        """The kernel of one of the texts."""
        together = self.groups[parameters(text)[0]]
        program = self.compiled(in_one_program(together))
        return Built(chosen(program, together.index(text)), program)


def parameters(text):
    """Those of a program's kernel but for the last one, and the type of that one, a buffer."""
    given, _, last = re.search(r"__kernel void call\((.*?)\)", text, re.DOTALL)[1].rpartition(",")
    return given, re.sub(r"\w+$", "", last.strip())


def in_one_program(texts):
    """One kernel for several, of which another one chooses; their samplers have names of their own."""
    given, _ = parameters(texts[0])
    names = ", ".join(re.findall(r"\w+(?=,|$)", given))
    parts = [
        re.sub(r"\b(way(?=\d)|nearest\b)", rf"\g<1>{k}_", text).replace("__kernel void call(", f"void call{k}(")
        for k, text in enumerate(texts)
    ]
    calls = [f"    if (taken == {k}) call{k}({names}, ({parameters(text)[1]})last);" for k, text in enumerate(texts)]
    head = f"__kernel void call({given}, __global void *last, int taken)"
    return "\n".join([*parts, head, "{", *calls, "}", ""])


def chosen(program, taken):
    """The kernel of such a program, which passes this number behind its arguments."""
    import pyopencl as cl

    class Chosen(cl.Kernel):
        def set_args(self, *args):
            super().set_args(*args, np.int32(taken))

    return Chosen(program, "call")
