"""The C header that calls one function of a library on every element of its arrays, written from declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.offline.folder import row_name
from clmath.audit.targets.names import c_function, names

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.audit.targets.names import CFunction
    from clmath.spec.builtins import Parameter

__all__ = ["calls_header"]

_HEAD = """\
/* One function for each row that C has a function for. Those that are not in C17, which a library may lack, are
   compiled with -DHAVE_exp10 and the like, or all of them with -DNEWER. */

#ifndef FUNCTION
#define FUNCTION(name) name
#endif

"""
_POISON = "0x5A5A5A5A"  # content of the place of a result before the call


def calls_header(items: Sequence[Item]) -> str:
    """Return the header for these cases; cases without a C function are left out."""
    known, table = names("c"), []
    text = _HEAD
    for item in items:
        function = c_function(item.builtin, item.form)
        if function is None or item.width or item.vector > 1:
            continue
        condition = f"defined NEWER || defined HAVE_{item.builtin.name}" if item.builtin.name in known.newer else ""
        text += _guarded("\n".join(_call(item, function)), condition)
        table.append(_guarded(f'    {{"{row_name(item)}", call_{row_name(item)}}},', condition))
    opening = "static const struct {\n    const char *name;\n    Function *function;\n} CALLS[] = {\n"
    return f"{text}{opening}{''.join(table)}    {{NULL, NULL}},\n}};\n"


def _guarded(text: str, condition: str) -> str:
    return f"#if {condition}\n{text}\n#endif\n" if condition else f"{text}\n"


def _call(item: Item, function: CFunction) -> Iterator[str]:
    """Yield the declaration of the library's function, and the function that calls it on every element."""
    row, real, stored = item.builtin, item.form.name, function.stored
    symbol = f"FUNCTION({function.name})"
    parameters = [*function.values, *(f"{kind} *" for kind in stored)]
    yield f"extern {function.result} {symbol}({', '.join(parameters)});"
    yield f"static void call_{row_name(item)}(size_t n, void *const *in, void *const *out)"
    yield "{"
    yield "    for (size_t i = 0; i < n; i++) {"
    yield from (
        f"        {kind} p{k} = {_POISON}; /* is seen where nothing is stored */" for k, kind in enumerate(stored)
    )
    values = [f"(({_element(p, real)} *)in[{k}])[i]" for k, p in enumerate(row.inputs)]
    call = f"{symbol}({', '.join(values + [f'&p{k}' for k in range(len(stored))])})"
    is_void = function.result == "void"
    results = ([] if is_void else [call]) + [f"p{k}" for k in range(len(stored))]
    yield from [f"        {call};"] * is_void
    for k, (p, value) in enumerate(zip(row.outputs, results, strict=True)):
        yield f"        (({_element(p, real)} *)out[{k}])[i] = {value};"
    yield from ("    }", "}")


def _element(parameter: Parameter, real: str) -> str:
    return real if parameter.type == "gentype" else "int32_t"
