"""The text of the library of screens in C11: the loop that screens results, and the kernels that only it needs."""

from __future__ import annotations

from pathlib import Path

from clmath.audit.screens.loop import own_kernels
from clmath.audit.screens.one_float import element_functions
from clmath.engines.native.text import enclosing_loop, header, loop_name, tables_text, template
from clmath.ir.program import Tables

__all__ = ["library_texts"]


def library_texts() -> dict[str, str]:
    """Return the files of the library by name."""
    return {"kernels.c": _kernels_text(), "screens.c": _screens_text()}


def _kernels_text() -> str:
    """Return the functions of the library's own kernels, and the loops that compute enclosures."""
    tables = Tables()
    loops = [enclosing_loop(kernel, tables) for kernel in own_kernels()]
    return "\n".join([header(), tables_text(tables), *loops])


def _screens_text() -> str:
    """Return the loop that screens results, and the functions that it calls for every element."""
    tables, loops = Tables(), [loop_name(kernel) for kernel in own_kernels()]
    functions, names = element_functions(tables), " ".join(kernel.name for kernel in own_kernels())
    return "\n".join(
        [
            header(),
            template("kernel.h"),
            *(f"HIDDEN Loop {loop};" for loop in loops),
            f'EXPORT const char clmath_kernels_here[] = "{names}";',
            f"static Loop *const OWN[] = {{{', '.join(loops)}}};",
            template("listed.c"),
            tables_text(tables),
            functions,
            Path(__file__).with_name("screens.c").read_text(encoding="utf-8"),
        ]
    )
