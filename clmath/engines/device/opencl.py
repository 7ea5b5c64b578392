"""An OpenCL device as a machine for the engine; whoever passes a device object has pyopencl installed."""

from __future__ import annotations

import os
import re
import threading
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.engines.device.engine import Device
from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.source import header
from clmath.locks import once

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyopencl

    from clmath.engines.device.source import Language, Source

GROUP = 64  # one work-group size for all launches: PoCL compiles a kernel anew for each
DOUBLE = "cl_khr_fp64"


class Built(NamedTuple):
    """A kernel and its program: some drivers drop a program with the last handle on it, although its kernels remain."""

    kernel: pyopencl.Kernel
    program: Any


class OpenCLMachine:
    """A ``pyopencl.Device``.

    ``options``: build options of programs; none may loosen arithmetic. ``preamble``: the header of the language, which
    tests replace by a broken one. ``context``: the context of buffers that others made, by default one of its own.
    ``seconds``: how long entries have run on the device, without copies.
    """

    language: Language = "opencl"

    def __init__(
        self,
        device: pyopencl.Device,
        options: Sequence[str] = (),
        preamble: str | None = None,
        context: pyopencl.Context | None = None,
    ) -> None:
        import pyopencl

        self.name = f"{device.platform.name.strip()}: {device.name.strip()}"
        if DOUBLE not in device.extensions.split():
            raise UnfitDeviceError(
                f"{self.name} has no double ({DOUBLE}), in which kernels compute; use another device"
            )
        self._cl, self._device, self._options = pyopencl, device, list(options)
        self._preamble = header("opencl") if preamble is None else preamble
        self.seconds = 0.0
        self._lock = threading.Lock()  # the arguments of a launch belong to its kernel object
        try:
            self._context = pyopencl.Context([device]) if context is None else context
            self._queue = pyopencl.CommandQueue(
                self._context, device, properties=pyopencl.command_queue_properties.PROFILING_ENABLE
            )
        except pyopencl.Error as error:
            raise UnfitDeviceError(f"{self.name} cannot be opened: {_line(error)}") from None

    def build(self, source: Source) -> Built:
        """The entry of ``source``, compiled."""
        cl = self._cl
        program = cl.Program(self._context, f"{self._preamble}\n{source.text}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                program.build(self._options)
            return Built(cl.Kernel(program, source.entry), program)
        except cl.Error as error:
            raise UnfitDeviceError(f"{self.name}: the program does not compile: {build_log(error)}") from None

    def put(self, array: np.ndarray) -> object:
        """A buffer with the bytes of ``array``."""
        flags = self._cl.mem_flags.READ_WRITE | self._cl.mem_flags.COPY_HOST_PTR
        return self._cl.Buffer(self._context, flags, hostbuf=array)

    def room(self, size: int) -> object:
        """A buffer of ``size`` bytes."""
        return self._cl.Buffer(self._context, self._cl.mem_flags.READ_WRITE, size)

    def counter(self) -> object:
        """A buffer with an unsigned int, 0."""
        return self.put(np.zeros(1, np.uint32))

    def get(self, buffer: Any, array: np.ndarray, first: int = 0) -> None:
        """Fill ``array`` from ``buffer``."""
        self._cl.enqueue_copy(self._queue, array, buffer, src_offset=first, is_blocking=True)

    def set(self, buffer: Any, array: np.ndarray, first: int) -> None:
        """Write ``array`` into ``buffer``."""
        self._cl.enqueue_copy(self._queue, buffer, array, dst_offset=first, is_blocking=True)

    def run(self, entry: object, elements: int, *args: Any) -> None:
        """Run ``entry`` for so many ``elements``, rounded up to whole groups, and wait for its end."""
        assert isinstance(entry, Built), entry
        group = min(GROUP, self._device.max_work_group_size)
        with self._lock:
            entry.kernel.set_args(*args)
            event = self._cl.enqueue_nd_range_kernel(
                self._queue, entry.kernel, (-(-elements // group) * group,), (group,)
            )
        event.wait()
        self.seconds += (event.profile.end - event.profile.start) * 1e-9


def engine_of(context: pyopencl.Context, device: pyopencl.Device) -> Device:
    """Return the engine for buffers of ``context`` on ``device``, calibrated on first use.

    UnfitDeviceError in a process that was forked since then, in which the device's queues would wait for ever.
    """
    engine, process = _opened(context, device)
    if os.getpid() != process:
        fact = "was opened before this process was forked, and works in the first alone"
        raise UnfitDeviceError(f"{engine.machine.name} {fact}; start processes with 'spawn'")
    return engine


@once
def _opened(context: pyopencl.Context, device: pyopencl.Device) -> tuple[Device, int]:
    """Return the engine, and the process that opened it."""
    return Device(OpenCLMachine(device, context=context)), os.getpid()


def build_log(error: Exception) -> str:
    """Return a driver's message about a program that does not compile, without parts that differ from run to run.

    Such parts are the address of the device, which pyopencl adds, the names of PoCL's temporary files, and the number
    that Intel's compiler gives each program of a process.
    """
    failed, *lines = str(error).splitlines()
    kept = [line for line in lines if line.strip() and not line.startswith("Build on <")]
    return build_output("\n".join([" - ".join(dict.fromkeys(failed.split(" - "))), *kept]))


def build_output(log: str) -> str:
    """Return a compiler's output without the names that it gives a program in this run, and the folder of pyopencl."""
    unplaced = re.sub(r' -I "?[^"\n]*?pyopencl/cl"?(?=[\s)]|$)', "", log.strip())
    unnamed = re.sub(r"[^\s=]*/tempfile_\w+", "program", unplaced)
    return re.sub(r"^\d+(?=:\d+:\d+: )", "program", unnamed, flags=re.MULTILINE)


def _line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
