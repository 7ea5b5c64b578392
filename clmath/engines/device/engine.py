"""The engine of a device: every kernel, and its rounding, in one launch, in buffers that are copied there and back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.device import source
from clmath.engines.device.calibration import calibrate
from clmath.engines.locks import BUILDING
from clmath.engines.numba.loops import FORMS
from clmath.engines.numpy import round_enclosures
from clmath.kernels import RUNGS
from clmath.numbers.formats import format_of
from clmath.numbers.lane_rounding import MODE_NUMBERS
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.machine import Machine, Run
    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["Device"]

_ELEMENTS = {"float32": "float", "float64": "double", "int32": "int"}  # what buffers of arguments hold, by dtype
_ENCLOSURES = "enclosures"


class Device:
    """Runs kernels on ``machine``, which is calibrated first; UnfitDeviceError where it does not compute as the host.

    Each lane takes the way that its argument is for, ordinary or general: the other engines choose for a whole chunk.
    """

    name = "device"
    package = "pyopencl"
    extra = "opencl"
    chunk = 1 << 20  # buffers of a call with three double arguments stay at 32 MiB

    def __init__(self, machine: Machine) -> None:
        calibrate(machine)
        self.machine = machine
        self._built: dict[tuple[Kernel, str, tuple[str, ...]], Run] = {}

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of lanes into ``targets``; the lanes that are undecided."""
        plain = [_plain(a) for a in args]
        if form.name not in FORMS[kernel.rung]:
            doubles = [a.astype(np.float64) for a in args]
            return round_enclosures(kernel, form, mode, doubles, self._enclosures(kernel, plain), targets)
        codes = [np.empty(plain[0].size, form.bits_dtype) for _ in targets]
        undecided = np.empty(plain[0].size, np.uint8)
        self._run(kernel, form.name, mode, plain, [*codes, undecided])
        for target, code in zip(targets, codes, strict=True):
            target.view(form.bits_dtype)[...] = code
        return np.flatnonzero(undecided)

    def enclosure(self, kernel: Kernel, args: Sequence[Values]) -> Enclosure:
        """The enclosures of ``kernel``, which has one result, on a chunk of lanes, exact results found."""
        return Enclosure.of(**kernel.named_parts(self._enclosures(kernel, [_plain(a) for a in args])))

    def _enclosures(self, kernel: Kernel, plain: Sequence[Values]) -> list[Values]:
        """The parts of the enclosures of each result."""
        kinds = [np.int64 if part == "exponent" else np.float64 for part in RUNGS[kernel.rung].parts]
        found = [np.empty(plain[0].shape, kind) for kind in kinds * kernel.results]
        self._run(kernel, _ENCLOSURES, "rte", plain, found)
        return found

    def _run(
        self, kernel: Kernel, purpose: str, mode: Rounding, plain: Sequence[Values], targets: Sequence[Values]
    ) -> None:
        """Launch the program of ``purpose``, a format or enclosures, which is built when it is first asked for."""
        if not plain[0].size:
            return
        types = tuple(_ELEMENTS[a.dtype.name] for a in plain)
        key = (kernel, purpose, types)
        run = self._built.get(key)
        if run is None:
            with BUILDING:
                run = self._built.get(key) or self._built.setdefault(key, self._build(*key))
        run(plain[0].size, MODE_NUMBERS[mode], plain, targets)

    def _build(self, kernel: Kernel, purpose: str, types: tuple[str, ...]) -> Run:
        if purpose == _ENCLOSURES:
            return self.machine.build(source.enclosures(kernel, types))
        return self.machine.build(source.rounded(kernel, purpose, types))


def _plain(array: Values) -> Values:
    """``array`` as a buffer holds it: contiguous, short formats widened, which not every device can read."""
    form = format_of(array.dtype)
    return np.ascontiguousarray(array, np.float32 if form is not None and form.is_short else None)
