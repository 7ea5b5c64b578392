"""An OpenCL device as a machine for the engine; pyopencl is installed where there is a device object to pass."""

from __future__ import annotations

import threading
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.source import header

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.machine import Run
    from clmath.engines.device.source import Language, Source

__all__ = ["OpenCLMachine"]

GROUP = 64  # one work-group size for all launches: PoCL compiles a kernel anew for each
DOUBLE = "cl_khr_fp64"


class OpenCLMachine:
    """A ``pyopencl.Device``; ``options``: what programs are built with, none that loosens arithmetic is right.

    ``preamble``: the header of the language, which tests replace by a broken one. ``seconds``: how long entries have
    run on the device, what is copied not counted.
    """

    language: Language = "opencl"

    def __init__(self, device: Any, options: Sequence[str] = (), preamble: str | None = None) -> None:
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
            self._context = pyopencl.Context([device])
            self._queue = pyopencl.CommandQueue(
                self._context, properties=pyopencl.command_queue_properties.PROFILING_ENABLE
            )
        except pyopencl.Error as error:
            raise UnfitDeviceError(f"{self.name} cannot be opened: {_line(error)}") from None

    def build(self, source: Source) -> Run:
        """The entry of ``source``, compiled, with its tables on the device."""
        cl = self._cl
        program = cl.Program(self._context, f"{self._preamble}\n{source.text}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                program.build(self._options)
            entry = cl.Kernel(program, source.entry)
        except cl.Error as error:
            log = "\n".join(line for line in str(error).splitlines() if line.strip())
            raise UnfitDeviceError(f"{self.name}: the program does not compile: {log}") from None
        tables = self._read(source.tables)

        def run(count: int, mode: int, sources: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]]) -> None:
            with self._lock:
                self._launch(entry, tables, count, mode, sources, targets)

        return run

    def _launch(  # noqa: PLR0917 - a kernel and its arguments
        self,
        entry: Any,
        tables: Any,
        count: int,
        mode: int,
        sources: Sequence[NDArray[Any]],
        targets: Sequence[NDArray[Any]],
    ) -> None:
        """Copy in, run, copy out."""
        cl = self._cl
        inputs = [self._read(source) for source in sources]
        outputs = [cl.Buffer(self._context, cl.mem_flags.WRITE_ONLY, target.nbytes) for target in targets]
        entry.set_args(np.uint64(count), np.int32(mode), tables, *inputs, *outputs)
        group = min(GROUP, self._device.max_work_group_size)
        event = cl.enqueue_nd_range_kernel(self._queue, entry, (-(-count // group) * group,), (group,))
        for target, buffer in zip(targets, outputs, strict=True):
            cl.enqueue_copy(self._queue, target, buffer, is_blocking=True)
        self.seconds += (event.profile.end - event.profile.start) * 1e-9

    def _read(self, array: NDArray[Any]) -> Any:
        flags = self._cl.mem_flags.READ_ONLY | self._cl.mem_flags.COPY_HOST_PTR
        return self._cl.Buffer(self._context, flags, hostbuf=array)


def _line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
