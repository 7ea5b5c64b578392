"""NumPy, SciPy, PyTorch, JAX and CuPy as targets: arrays are converted, ``tables/libraries.toml`` has the names."""

from __future__ import annotations

import contextlib
import importlib
import platform
from types import ModuleType
from typing import Any

import numpy as np

from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.host import Host, checked
from clmath.audit.targets.layouts import LaidOut, in_memory, in_one_dimension
from clmath.audit.targets.names import Names, names
from clmath.callables import AnyFunction
from clmath.numbers.formats import Format
from clmath.spec.builtins import Builtin

_TRIED = 64  # elements that show whether subnormals are flushed: enough for the vector code of a library


class Adapter:
    """Conversions and facts that differ between namespaces: none for libraries that compute on NumPy's arrays."""

    def __init__(self, package: ModuleType, device: str) -> None:
        """Choose the device; an exception if the package has no such one."""

    def there(self, array: np.ndarray) -> object:
        """Return ``array`` on the device where the namespace computes."""
        return array

    def back(self, result: object) -> object:
        """Return a result as a NumPy array."""
        return result

    def facts(self) -> dict[str, str]:
        """Return facts that identify the device; empty if it is the processor."""
        return {}


class _Torch(Adapter):
    def __init__(self, package: ModuleType, device: str) -> None:
        self._torch = package
        self._device = package.device(device or "cpu")
        package.zeros(1, device=self._device)  # fails here, not in every case

    def there(self, array: np.ndarray) -> object:
        return self._torch.from_numpy(array).to(self._device)

    def back(self, result: Any) -> object:
        return result.cpu().numpy()

    def facts(self) -> dict[str, str]:
        if self._device.type == "cuda":
            return {"device": self._torch.cuda.get_device_name(self._device)}
        return {"device": str(self._device)}


class _Jax(Adapter):
    def __init__(self, package: ModuleType, device: str) -> None:
        package.config.update("jax_enable_x64", True)
        platform_name, _, number = device.partition(":")
        self._jax = package
        self._device = package.devices(platform_name or None)[int(number or 0)]

    def there(self, array: np.ndarray) -> object:
        return self._jax.device_put(array, self._device)

    def back(self, result: object) -> object:
        return np.asarray(result) if isinstance(result, self._jax.Array) else result

    def facts(self) -> dict[str, str]:
        return {"device": f"{self._device.platform} {self._device.device_kind}"}


class _Cupy(Adapter):
    def __init__(self, package: ModuleType, device: str) -> None:
        self._cupy = package
        package.cuda.Device(int(device or 0)).use()

    def there(self, array: np.ndarray) -> object:
        return self._cupy.asarray(array)

    def back(self, result: object) -> object:
        return self._cupy.asnumpy(result) if isinstance(result, self._cupy.ndarray) else result

    def facts(self) -> dict[str, str]:
        runtime = self._cupy.cuda.runtime
        name = runtime.getDeviceProperties(runtime.getDevice())["name"]
        return {"device": name.decode("utf-8", "replace"), "driver": str(runtime.driverGetVersion())}


_ADAPTERS = {"numpy": Adapter, "scipy": Adapter, "torch": _Torch, "jax": _Jax, "cupy": _Cupy}
NAMESPACES = tuple(_ADAPTERS)
DEVICES = tuple(name for name, adapter in _ADAPTERS.items() if adapter is not Adapter)  # these take NAME:DEVICE


class Arrays(Host):
    """A namespace of arrays on one of its devices; a trial shows whether it flushes subnormals."""

    def __init__(self, name: str, known: Names, version: str, adapter: Adapter) -> None:
        self.name = name
        self._names = known
        self._version = version
        self._adapter = adapter
        self.lays_out = type(adapter) is Adapter  # others copy arrays to a device
        self._functions = {row: found for row, path in known.functions.items() if (found := _resolved(path))}
        self._flushing = {form: self._loses_subnormals(form) for form in known.formats}

    def describe(self) -> dict[str, str]:
        """Return version, device and machine, and the types that flush subnormals."""
        flushed = ", ".join(form.name for form, flushes in self._flushing.items() if flushes)
        return {
            "kind": self._names.package,
            "version": self._version,
            **self._adapter.facts(),
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
    try:
        adapter = _ADAPTERS[name](package, device)
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
