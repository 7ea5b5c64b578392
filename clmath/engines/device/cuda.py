"""A CUDA device as a machine for the engine, through CuPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines.device.engine import Device
from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.source import header
from clmath.locks import once

if TYPE_CHECKING:
    from clmath.engines.device.source import Language, Source

BLOCK = 256  # threads
BLOCKS = 256  # for each multiprocessor: starting one for every 256 elements takes longer than a kernel
EXACTLY = ("--fmad=false", "--prec-div=true", "--prec-sqrt=true")


class CudaMachine:
    """The CUDA device of that number; buffers are contiguous arrays of CuPy, and work is queued on its current stream.

    ``options``: build options of programs. ``preamble``: the header of the language, which tests replace.
    """

    language: Language = "cuda"

    def __init__(self, number: int, options: tuple[str, ...] = EXACTLY, preamble: str | None = None) -> None:
        import cupy

        self._cupy, self._device = cupy, cupy.cuda.Device(number)
        properties = cupy.cuda.runtime.getDeviceProperties(number)
        self.name, self._blocks = f"CUDA: {properties['name'].decode()}", BLOCKS * properties["multiProcessorCount"]
        self._options, self._preamble = options, header("cuda") if preamble is None else preamble

    def build(self, source: Source) -> object:
        """The entry of ``source``, compiled."""
        text = f"{self._preamble}\n{source.text}"
        try:
            with self._device:
                return self._cupy.RawModule(code=text, options=self._options).get_function(source.entry)
        except self._cupy.cuda.compiler.CompileException as error:
            log = "\n".join(line for line in str(error).splitlines() if line.strip())
            raise UnfitDeviceError(f"{self.name}: the program does not compile: {log}") from None

    def put(self, array: np.ndarray) -> object:
        """A buffer with the bytes of ``array``."""
        with self._device:
            return self._cupy.asarray(np.ascontiguousarray(array).reshape(-1).view(np.uint8))

    def room(self, size: int) -> object:
        """A buffer of ``size`` bytes."""
        with self._device:
            return self._cupy.empty(size, np.uint8)

    def counter(self) -> object:
        """Return a buffer with an unsigned int, 0, made without waiting for a copy from the host."""
        with self._device:
            return self._cupy.zeros(1, np.uint32)

    def get(self, buffer: Any, array: np.ndarray, first: int = 0) -> None:
        """Fill ``array`` from ``buffer``."""
        with self._device:
            part = buffer.reshape(-1).view(np.uint8)[first : first + array.nbytes]
            array.reshape(-1).view(np.uint8)[...] = part.get()

    def set(self, buffer: Any, array: np.ndarray, first: int) -> None:
        """Write ``array`` into ``buffer``."""
        with self._device:
            buffer.reshape(-1).view(np.uint8)[first : first + array.nbytes] = self.put(array)

    def run(self, entry: Any, elements: int, *args: object) -> None:
        """Queue ``entry`` for so many ``elements``; each thread takes several if there are many."""
        with self._device:
            entry((min(-(-elements // BLOCK), self._blocks),), (BLOCK,), args)


@once
def engine_of(number: int) -> Device:
    """Return the engine of the CUDA device of that number, calibrated on first use."""
    return Device(CudaMachine(number))
