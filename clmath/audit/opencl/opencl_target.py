"""A live OpenCL device as a target: each built-in runs on it as a small kernel, batch by batch."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import warnings
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from clmath.audit.counting.tally import NONE_KNOWN, KnownErrors
from clmath.audit.device_judge.device import DeviceJudge
from clmath.audit.opencl.abilities import ABILITIES, OF_MODES, Able, has_groups, names_version, newest
from clmath.audit.opencl.buffers import Buffers, Lying, sizes
from clmath.audit.opencl.devices import pyopencl
from clmath.audit.opencl.image_calls import Images
from clmath.audit.opencl.kernel import EXTENSIONS, SELECTION, element_type, is_operator, selecting
from clmath.audit.opencl.printed_calls import printed_texts
from clmath.audit.opencl.programs import UNSHARED, Kernels, padded
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import WIDTHS, item_for, item_of
from clmath.audit.protocol.memory import BEHIND
from clmath.audit.protocol.target import FaultError, TargetError
from clmath.audit.targets.declared import mode_for
from clmath.engines.device.machine import UnfitDeviceError
from clmath.engines.device.opencl import Built, OpenCLMachine, build_log, build_output
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, Format

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray
    from pyopencl import Buffer, CommandQueue, Device, Event, Program

    from clmath.audit.device_judge.question import Question, Summary
    from clmath.audit.opencl.programs import Call
    from clmath.audit.plan.item import Item
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

    Argument: TypeAlias = Buffer | np.generic  # of a kernel

LAUNCH = 1 << 25  # elements judged by the device at a time: buffers of 128 MiB
BATCH = 1 << 18  # elements: the copied arrays stay in a processor's cache
_CONFIG = {HALF: "half_fp_config", FLOAT: "single_fp_config", DOUBLE: "double_fp_config"}
_CONFORMANCE = 0x1072  # CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED
_DTYPES = {"int": np.int32, "ushort": np.uint16, "uint": np.uint32, "ulong": np.uint64}


class OpenCL(Able):
    """One OpenCL device; kernels are built on first use with ``options`` (a string, as clBuildProgram takes it).

    ``mode``: selected for operators, if it is not the device's own.
    """

    widths = WIDTHS

    def __init__(self, device: Device, options: str = "", mode: str = "") -> None:
        self._cl = pyopencl()
        self._device = device
        self._options = options.split()
        self._kernels = Kernels(self._compiled, self._selecting)
        self._judge: DeviceJudge | None = None
        try:
            self._context = self._cl.Context([device])
            self._queue = self._cl.CommandQueue(self._context)
        except self._cl.Error as error:
            raise TargetError(f"{device.name.strip()}: the device cannot be opened: {_line(error)}") from None
        self._buffers = Buffers(self._cl, self._context, self._queue)
        self._lying = Lying(self._cl, self._context)
        self._images = Images(self._cl, self._context, self._queue, self._buffers)
        self.name = f"{device.platform.name.strip()}: {device.name.strip()}"
        self.largest_group = int(device.max_work_group_size)
        self.is_processor = bool(device.type & self._cl.device_type.CPU)  # of this machine: see running/device_rows.py
        self._selected = mode
        if (
            mode
            and SELECTION not in device.extensions.split()
            and any(mode_for(mode, f) not in ("", self.mode(f)) for f in self.formats())
        ):
            fact = f"the device has no {SELECTION}, which selects a rounding mode"
            raise TargetError(f"{self.name}: {fact}: leave out --mode {mode}")

    def describe(self) -> dict[str, str]:
        """Return facts that identify the device, its driver and the build in a report."""
        device = self._device
        return {
            "kind": "opencl",
            "platform": device.platform.name.strip(),
            "platform version": device.platform.version.strip(),
            "device": device.name.strip(),
            "device version": device.version.strip(),
            "driver": device.driver_version.strip(),
            "profile": self.profile,
            "language": device.opencl_c_version.strip(),
            **({"compiled as": self._language[0]} if self._language else {}),
            "latest conformance version passed": self._conformance(),
            "extensions": " ".join(device.extensions.split()),
            "build options": " ".join(self._options),
            **({"declared": f"--mode {self._selected}"} if self._selected else {}),
            **{f"{form} config": " ".join(self._config(form)) for form in self.formats()},
        }

    def formats(self) -> tuple[Format, ...]:
        """Return float, and half and double if the device has their extensions."""
        extensions = set(self._device.extensions.split())
        return tuple(f for f in FORMATS if f == FLOAT or EXTENSIONS[f.name] in extensions)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the language has ``row`` for ``form``: by the specification, only extensions are optional."""
        if not row.takes(form.name) or not item_of(row, form).is_offered(self.formats()):
            return False
        if row.chapter == "images":
            return bool(self._device.image_support and self._images.offers(row, form))
        if row.chapter == "groups" and not has_groups(self._device, row):
            return False
        return not row.extension or row.extension in self._device.extensions.split()

    def mode_of(self, row: Builtin, form: Format) -> Rounding:
        """Return the selected mode for an operator that has it, else the device's own."""
        selected = mode_for(self._selected, form)
        if selected and is_operator(row) and OF_MODES[selected] in self._config(form):
            return selected  # type: ignore[return-value] # it was checked
        return self.mode(form)

    def expect(self, items: Sequence[Item]) -> None:
        """Take note of the cases to come, so that several kernels are compiled at a time."""
        self._kernels.expect(items)

    def prepare(self, item: Item, *others: Item) -> str:
        """Compile the kernel of a case, which may take longer than to run it, with others of its kind in one program.

        Return the compiler's output for the whole program; empty if the driver does not report it.
        """
        self._kernels.join([item, *others])
        self._rehearse(item)
        program = self._kernels.call(item).built.program
        try:
            return build_output(program.get_build_info(self._device, self._cl.program_build_info.LOG) or "")
        except self._cl.Error:
            return ""

    def _rehearse(self, item: Item) -> None:
        """Start a kernel for no calls, which reads and writes nothing: some drivers compile it only then."""
        call = self._kernels.call(item)
        if isinstance(item, ExactItem) and item.builtin.chapter in UNSHARED:
            return
        buffers = [self._buffers.any()] * (call.inputs + len(item.builtin.outputs))
        with self._failures(item):
            self._start(call, 0, self._queue, *buffers).wait()

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Run ``row`` on the device; TargetError with the build log or the device's own words on failure."""
        item = item_for(row, form, args)
        call = self._kernels.call(item)
        with self._failures(item):
            if isinstance(item, ExactItem) and row.chapter == "printf":
                return (printed_texts(item, functools.partial(self._run_to_the_end, call), args),)
            return self._in_batches(item, call, args)

    def _run_to_the_end(self, call: Call, args: list[np.ndarray]) -> None:
        """Run calls without results, and wait until they have printed."""
        self._buffers.run(functools.partial(self._start, call, len(args[0]), self._queue), args, ())
        self._queue.finish()

    def _in_batches(self, item: Item, call: Call, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Run all calls, batch by batch, and return the results without padding."""
        sources = self._sources(item, args)
        layout = item.layout(len(args[0]))
        whole = [np.empty(shape, dtype) for dtype, shape in layout]
        whole = [padded(item, p.type, result) for p, result in zip(item.builtin.outputs, whole, strict=True)]
        size = BATCH // (item.width if call.group else 1)
        for first in range(0, len(args[0]), size):
            part = slice(first, first + size)
            given, results = [s[part] for s in sources], [r[part] for r in whole]
            start = functools.partial(self._start, call, len(given[0]), self._queue)
            if isinstance(item, ExactItem) and item.builtin.chapter == "images":
                self._check(item, self._images.run(item, start, given, results))
            else:
                given += given[:1] * (call.inputs - len(given))
                self._check(item, self._buffers.run(start, given, results))
        pairs = zip(whole, layout, strict=True)
        return tuple(r if r.shape == shape else np.ascontiguousarray(r[..., : shape[-1]]) for r, (_, shape) in pairs)

    def storing(
        self, row: Builtin, form: Format, args: tuple[np.ndarray, ...], rooms: Sequence[NDArray[np.uint8]]
    ) -> Callable[[], None]:
        """Begin a batch (see ``Storing``); a device that computes in the host's memory may have several under way."""
        item = item_for(row, form, args)
        if isinstance(item, ExactItem) or not self._device.type & self._cl.device_type.CPU:
            for room, result in zip(rooms, self.evaluate(row, form, args), strict=True):
                room[:-BEHIND] = result.reshape(-1).view(np.uint8)
            return lambda: None
        start = functools.partial(self._start, self._kernels.call(item), len(args[0]))
        with self._failures(item):
            ended = self._lying.begin(start, self._sources(item, args), rooms)
        return functools.partial(self._wait, item, ended)

    def _wait(self, item: Item, ended: Callable[[], bool]) -> None:
        """Wait for a batch that is under way."""
        with self._failures(item):
            self._check(item, ended())

    def _sources(self, item: Item, args: tuple[np.ndarray, ...]) -> list[np.ndarray]:
        """Return the arguments as the kernel of a built-in reads them."""
        pairs = zip(item.builtin.inputs, args, strict=True)
        if isinstance(item, ExactItem):
            return [np.ascontiguousarray(padded(item, p.type, a)) for p, a in pairs]
        return [np.ascontiguousarray(a.astype(_dtype(p.type, item.form), copy=False)) for p, a in pairs]

    @contextlib.contextmanager
    def _failures(self, item: Item) -> Iterator[None]:
        """Turn the driver's errors into TargetError."""
        try:
            yield
        except self._cl.Error as error:
            name = f"{item.builtin.name}({item.form})"
            raise TargetError(f"{name}: the device failed: {_line(error)}") from None

    def _check(self, item: Item, untouched: bool) -> None:
        """Raise FaultError if memory behind the results was written to."""
        if not untouched:
            components = item.components
            fact = (
                f"wrote beyond the last of {components} components"
                if components > 1
                else "wrote beyond its last result"
            )
            raise FaultError(f"{self.name}: {item.builtin.name}({item.form})", fact)

    def judging(self, question: Question | None, parts: range, known: KnownErrors = NONE_KNOWN) -> Summary | None:
        """Return the device's own summary of its results for the chunks ``parts`` of inputs, or for the first ones.

        ``known``: errors below which none need be looked for. Without a question, only check that the device can
        judge: TargetError if it does not compute as the host does.
        """
        try:
            if self._judge is None:
                machine = OpenCLMachine(self._device, context=self._context)
                most = min(LAUNCH, int(self._device.max_mem_alloc_size) // 8, int(self._device.global_mem_size) // 64)
                self._judge = DeviceJudge(machine, self._evaluate_there, most)
            return None if question is None else self._judge.judged(question, parts, known)
        except UnfitDeviceError as error:
            raise TargetError(str(error)) from None
        except self._cl.Error as error:
            raise TargetError(f"{self.name}: the device failed: {_line(error)}") from None

    def _evaluate_there(
        self, question: Question, components: int, sources: Sequence[object], targets: Sequence[object]
    ) -> None:
        """Run the built-in on buffers on the device."""
        buffers = cast("list[Buffer]", [*sources, *targets])
        self._start(self._kernels.call(question.item), components, self._queue, *buffers).wait()

    @property
    def profile(self) -> str:
        """The profile that the device claims: full or embedded."""
        return "embedded" if self._device.profile.startswith("EMBEDDED") else "full"

    def _conformance(self) -> str:
        """Return the OpenCL-CTS version that the device claims to have passed; pyopencl has no name for the query."""
        text = ctypes.create_string_buffer(256)
        try:
            ask = ctypes.CDLL(self._cl._cl.__file__).clGetDeviceInfo  # noqa: SLF001 - the loader it is linked with
        except (OSError, AttributeError):
            return "not known"
        ask.argtypes = (ctypes.c_void_p, ctypes.c_uint32, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p)
        failed = ask(self._device.int_ptr, _CONFORMANCE, ctypes.sizeof(text), text, None)
        return "not known" if failed else text.value.decode("utf-8", "replace").strip()

    def _start(self, call: Call, count: int, queue: CommandQueue, *args: Argument) -> Event:
        """Start a kernel for ``count`` calls, each a work-item or a group of them; return the event of its end."""
        kernel = call.built.kernel
        kernel.set_args(np.uint64(count), *call.numbers, *args)
        started: Event = self._cl.enqueue_nd_range_kernel(queue, kernel, *sizes(self._device, count, call.group))
        return started

    def _selecting(self, item: Item) -> str:
        """Return the text before a program that selects another mode than the device's own; empty for that mode."""
        if isinstance(item, ExactItem) or (mode := self.mode_of(item.builtin, item.form)) == self.mode(item.form):
            return ""
        return selecting(mode)

    def _compiled(self, text: str, entries: Sequence[str], what: str) -> list[Built]:
        """Return the kernels of a program text; TargetError with the build log if it does not compile."""
        try:
            program = self._program(text)
            return [Built(self._cl.Kernel(program, entry), program) for entry in entries]
        except self._cl.Error as error:
            raise TargetError(f"{what}: the kernel does not compile: {build_log(error)}") from None

    def _program(self, text: str) -> Program:
        program: Program = self._cl.Program(self._context, text)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            program.build([*self._options, *self._language])
        return program

    @functools.cached_property
    def _language(self) -> tuple[str, ...]:
        """The option with the version of OpenCL C; empty if the user's options have it, or if none is needed."""
        return () if names_version(self._options) else newest(self._cl, self._context, self._device)

    def _built_with(self) -> list[str]:
        return self._options

    def _config(self, form: Format) -> tuple[str, ...]:
        config, flags = int(getattr(self._device, _CONFIG[form])), self._cl.device_fp_config
        return tuple(name for name in ABILITIES if config & getattr(flags, name))


def _dtype(kind: str, form: Format) -> np.dtype:
    element = element_type(kind, form)
    return form.dtype if element == form.name else np.dtype(_DTYPES[element])


def _line(error: Exception) -> str:
    return str(error).strip().splitlines()[0]
