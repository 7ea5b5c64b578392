"""Run C programs that call OpenCL in a process with a loader and drivers.

The only loader and drivers may be in pyopencl's package, whose import takes half a second.
"""

import sys

from clmath.audit.opencl import devices

RUN = """
import ctypes, os, sys
from clmath.audit.opencl import drivers
loader, program, *others = sys.argv[1:]
words = list(map(os.fsencode, (program, *others)))
with drivers.visible():
    ctypes.CDLL(loader, ctypes.RTLD_GLOBAL)
    status = ctypes.CDLL(program).main(len(words), (ctypes.c_char_p * (len(words) + 1))(*words))
ctypes.CDLL(None).fflush(None)
os._exit(status)
"""


def command(library, *words):
    """Return the command that runs a program compiled as a library."""
    return [sys.executable, "-c", RUN, devices.pyopencl()._cl.__file__, library, *words]
