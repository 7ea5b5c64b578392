"""NumPy, SciPy, PyTorch, JAX and CuPy as targets: arrays are converted, ``tables/libraries.toml`` has the names."""

from __future__ import annotations

import contextlib
import importlib
import platform
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.host import Host, checked
from clmath.audit.targets.layouts import LaidOut, in_memory, in_one_dimension
from clmath.audit.targets.names import Names, names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import ModuleType

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["DEVICES", "NAMESPACES", "Arrays", "arrays"]

_TRIED = 64  # elements that show whether subnormals are flushed: enough for the vector code of a library


class Adapter(NamedTuple):
    """Conversions and facts that differ between namespaces; the defaults are for libraries that take NumPy's arrays.

    ``there``: returns an array on the device where the namespace computes; ``back``: returns a result as NumPy's array.
    ``facts`` identify the device.
    """

    there: AnyFunction = lambda array: array
    back: AnyFunction = lambda result: result
    facts: Mapping[str, str] = MappingProxyType({})


def _torch(torch: ModuleType, name: str) -> Adapter:
    device = torch.device(name or "cpu")
    torch.zeros(1, device=device)  # fails here, not in every case
    fact = torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)
    return Adapter(lambda a: torch.from_numpy(a).to(device), lambda r: r.cpu().numpy(), {"device": fact})


def _jax(jax: ModuleType, name: str) -> Adapter:
    jax.config.update("jax_enable_x64", True)
    platform_name, _, number = name.partition(":")
    device = jax.devices(platform_name or None)[int(number or 0)]
    facts = {"device": f"{device.platform} {device.device_kind}"}
    return Adapter(
        lambda a: jax.device_put(a, device), lambda r: np.asarray(r) if isinstance(r, jax.Array) else r, facts
    )


def _cupy(cupy: ModuleType, name: str) -> Adapter:
    cupy.cuda.Device(int(name or 0)).use()
    runtime = cupy.cuda.runtime
    device = runtime.getDeviceProperties(runtime.getDevice())["name"].decode("utf-8", "replace")
    facts = {"device": device, "driver": str(runtime.driverGetVersion())}
    return Adapter(cupy.asarray, lambda r: cupy.asnumpy(r) if isinstance(r, cupy.ndarray) else r, facts)


# the namespaces and their adapters; None if a namespace takes NumPy's own arrays
_ADAPTERS: dict[str, Callable[[ModuleType, str], Adapter] | None] = {
    "numpy": None,
    "scipy": None,
    "torch": _torch,
    "jax": _jax,
    "cupy": _cupy,
}
NAMESPACES = tuple(_ADAPTERS)
DEVICES = tuple(name for name, adapter in _ADAPTERS.items() if adapter)  # these take NAME:DEVICE


class Arrays(Host):
    """A namespace of arrays on one of its devices; a trial shows whether it flushes subnormals."""

    def __init__(self, name: str, known: Names, version: str, adapter: Adapter) -> None:
        self.name = name
        self._names = known
        self._version = version
        self._adapter = adapter
        self.lays_out = not adapter.facts  # others copy arrays to a device
        self._functions = {row: found for row, path in known.functions.items() if (found := _resolved(path))}
        self._flushing = {form: self._loses_subnormals(form) for form in known.formats}

    def describe(self) -> dict[str, str]:
        """Return version, device and machine, and the types that flush subnormals."""
        flushed = ", ".join(form.name for form, flushes in self._flushing.items() if flushes)
        return {
            "kind": self._names.package,
            "version": self._version,
            **self._adapter.facts,
            "machine": platform.machine(),
            "system": platform.system(),
            **({"flushes subnormals of": flushed} if flushed else {}),
        }

    def formats(self) -> tuple[Format, ...]:
        """Return the formats that the table lists for the namespace."""
        return self._names.formats

    def flushes(self, form: Format) -> bool:
        """Whether a product lost a subnormal result or argument in a trial."""
        return self._flushing[form]

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the table names a function, and the installed version has it."""
        return row.name in self._functions and row.takes(form.name) and self._names.has(row.name, form)

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Call the function once on all elements."""
        if not self.defines(row, form):
            raise TargetError(f"{self.name}: {row.name}({form}) has no function in {self._names.title}")
        with np.errstate(all="ignore"):
            returned = self._functions[row.name](*map(self._adapter.there, in_memory(args)))
        values = tuple(map(self._adapter.back, returned if isinstance(returned, (tuple, list)) else (returned,)))
        found = in_one_dimension(values, len(args[0])) if isinstance(args, LaidOut) else values
        return checked(self.name, row, form, args, found)

    def _loses_subnormals(self, form: Format) -> bool:
        """Whether half of the smallest normal number, or a subnormal times a number, is zero."""
        product = self._functions.get("mul", np.multiply)
        factors = [(2.0**form.emin, 0.5), (2.0**form.quantum, 2.0 ** (form.precision - 1))]
        with contextlib.suppress(Exception), np.errstate(all="ignore"):  # a failure here will be reported by a case
            for x, y in factors:
                there = [self._adapter.there(np.full(_TRIED, v, form.dtype)) for v in (x, y)]
                if (np.asarray(self._adapter.back(product(*there))) == 0).any():
                    return True
        return False


def arrays(text: str, call: str = "clmath audit") -> Arrays:
    """Return the target NAME or NAME:DEVICE; ClmathError if the package is not installed or has no such device."""
    name, _, device = text.partition(":")
    known = names(name)
    try:
        package = importlib.import_module(known.package)
    except ImportError as error:
        remedy = f"pip install {known.package}"
        raise TargetError(f"{call}: {name} cannot be imported: {message_of(error)}; {remedy}") from None
    make = _ADAPTERS[name]
    try:
        adapter = make(package, device) if make else Adapter()
    except Exception as error:  # noqa: BLE001 - code of others
        raise TargetError(
            f"{call}: {text!r} cannot be used: {message_of(error)}; name one of its devices, or none: {name}"
        ) from None
    return Arrays(text, known, str(getattr(package, "__version__", "not known")), adapter)


def _resolved(path: str) -> AnyFunction | None:
    """Return the function with that name, or None if the installed version does not have it."""
    module, _, function = path.rpartition(".")
    try:
        found = getattr(importlib.import_module(module), function, None)
    except ImportError:
        return None
    return found if callable(found) else None
