"""Sources of correctly rounded built-ins for device libraries: ``clmath export``.

Uses the printers of ``engines``: the traced functions of kernels become self-contained files of C11, OpenCL C or
CUDA C. One call takes a value from the first phase that serves its format to the last; modes are arguments. The
tables of ``kernels`` list the phases, and the kernels with narrower enclosures.
"""

from clmath.export.folder import refuse_taken, write
from clmath.export.library import files
from clmath.export.request import ALL, LANGUAGES, Request, exportable, request_of

__all__ = ["ALL", "LANGUAGES", "Request", "exportable", "files", "refuse_taken", "request_of", "write"]
