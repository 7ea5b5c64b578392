"""Sources of correctly rounded built-ins for device libraries: ``clmath export``.

A reader of the printers of ``engines``: the lane functions of kernels, traced, become files of C11, OpenCL C or CUDA C
that need nothing else. A value climbs from the first phase that serves its format to the last in one call; modes are
arguments. The tables of ``kernels`` say which phases there are, and which of their kernels have narrower enclosures.
"""

from clmath.export.folder import refuse_taken, write
from clmath.export.library import files
from clmath.export.request import ALL, LANGUAGES, Request, exportable, request_of

__all__ = ["ALL", "LANGUAGES", "Request", "exportable", "files", "refuse_taken", "request_of", "write"]
