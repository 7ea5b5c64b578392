"""Modules and tables that the server of children loads before it makes copies of itself: most children need them."""

import gc
import importlib

from clmath.spec.families import audited_builtins

for name in (
    "clmath.audit.isolation.child",
    "clmath.audit.targets.arrays",
    "clmath.audit.targets.function",
    "multiprocessing.popen_forkserver",
    "numpy.random",
    "resource",
):
    importlib.import_module(name)
audited_builtins()
gc.freeze()  # so that copies share this memory
