"""What can be audited, by the name given on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors

if TYPE_CHECKING:
    from clmath.audit.subject import Subject

__all__ = ["DEFAULT", "subject"]

DEFAULT = "opencl"
_KINDS = ("opencl", "numpy", "libm", "clmath")


def subject(text: str = DEFAULT, build_options: str = "", call: str = "clmath audit") -> Subject:
    """The subject that ``text`` names: opencl[:PLATFORM[:DEVICE]], numpy, libm, clmath or MODULE:CALLABLE.

    ``build_options`` go to the OpenCL compiler. An unknown name, a missing package or a device that does not open is
    a ClmathError.
    """
    kind, _, rest = text.partition(":")
    if kind == "opencl":
        from clmath.audit.subjects import opencl

        return opencl.OpenCL(opencl.find(rest, call), build_options)
    if build_options:
        raise errors.ClmathError(
            f"{call}: build options are for OpenCL devices; {text!r} has no compiler: leave them out"
        )
    return _of_host(text, call)


def _of_host(text: str, call: str) -> Subject:
    if text == "numpy":
        from clmath.audit.subjects.numpy import NumPy

        return NumPy()
    if text == "libm":
        from clmath.audit.subjects.libm import Libm

        return Libm()
    if text == "clmath":
        from clmath.audit.subjects.clmath_itself import Clmath

        return Clmath()
    if ":" in text.strip(":"):
        from clmath.audit.subjects import function

        return function.load(text, call)
    raise errors.unknown(
        call, "subject", text, _KINDS, "write opencl[:PLATFORM[:DEVICE]], numpy, libm, clmath or MODULE:CALLABLE"
    )
