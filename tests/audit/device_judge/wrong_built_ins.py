"""Faulty built-ins of a device, many in one program, because compiling takes longer than the tests."""

from __future__ import annotations

import numpy as np

from clmath.audit.inputs import random
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.spec.builtins import builtin

WORDS = {FLOAT: "uint", DOUBLE: "ulong"}

# the built-in with the faults of all its cases: ``code`` and ``result`` encode its first argument and its result
WRONG = """
{form} wrong_{name}(int number, {parameters}) {{
    {form} r = {name}({arguments});
    const {word} code = as_{word}({first}), result = as_{word}(r);
    switch (number) {{
        {cases}
    }}
    return r;
}}
"""


def wrong(name, form, changes):
    """Return the text of the built-in ``name`` with all its ``changes`` by number."""
    names = [p.name for p in builtin(name).inputs]
    return WRONG.format(
        form=form,
        name=name,
        word=WORDS[form],
        first=names[0],
        parameters=", ".join(f"{form} {n}" for n in names),
        arguments=", ".join(names),
        cases="\n        ".join(f"case {number}: {{ {change} break; }}" for number, change in changes.items()),
    )


def changed_at(form, name, change, number):
    """Return the built-in ``name`` and its change, where ``here`` is true for the input numbered ``number``."""
    item = item_named(name, form.name)
    given = [int(form.bits(column)[0]) for column in random.numbered(item, 0, np.array([number]))]
    codes = zip([p.name for p in item.builtin.inputs], given, strict=True)
    here = " && ".join(f"as_{WORDS[form]}({n}) == {code:#x}ul" for n, code in codes)
    return name, f"const bool here = {here}; {change}"


def wrong_targets(device, cases, form):
    """Return a function that makes the target of a case; ``cases``: by name, the built-in and the change in it.

    One program contains all cases. Each built-in has one kernel, which takes the number of the case.
    """
    from clmath.audit.opencl import opencl_target
    from clmath.audit.opencl.kernel import kernel_source
    from clmath.engines.device.opencl import Built

    def kernel(name, changes):
        written = kernel_source(builtin(name), form, entry=f"call_{name}")
        assert written.count(f" {name}(") == written.count("(ulong n,") == 1
        reported = written.replace("(ulong n,", "(ulong n, int number,").replace(f" {name}(", f" wrong_{name}(number, ")
        return wrong(name, form, changes) + reported

    first, numbers = opencl_target.OpenCL(device), {case: number for number, case in enumerate(cases)}
    changes = {name: {} for name, _ in cases.values()}
    for case, (name, change) in cases.items():
        changes[name][numbers[case]] = change
    program = first._program("".join(kernel(name, own) for name, own in changes.items()))

    def target(case):
        one, entry = opencl_target.OpenCL(device), f"call_{cases[case][0]}"
        assert one._context is first._context
        start, number = one._start, np.int32(numbers[case])
        one._kernels._compiled = lambda *_: [Built(first._cl.Kernel(program, entry), program)]
        one._start = lambda built, count, queue, *args: start(built, count, queue, number, *args)
        return one

    return target
