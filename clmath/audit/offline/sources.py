"""The sources of a folder: ``kernels.cl`` with every program, selected by a macro, and ``calls.h`` with calls of C."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from clmath.audit.offline.folder import row_name
from clmath.audit.opencl.abilities import needed_of_device
from clmath.audit.opencl.image_calls import image_numbers, is_read
from clmath.audit.opencl.kernel import group_source, kernel_source, slots_of
from clmath.audit.opencl.programs import UNSHARED
from clmath.audit.plan.exact_item import ExactItem, local_size
from clmath.audit.plan.item import Item
from clmath.audit.plan.sampled_rows import sampling
from clmath.audit.targets.names import CFunction, c_function, names
from clmath.spec.builtins import Parameter
from clmath.spec.families import is_sampled

_HEAD = """\
/* One function for each row that C has a function for. Those that are not in C17, which a library may lack, are
   compiled with -DHAVE_exp10 and the like, or all of them with -DNEWER. */

#ifndef FUNCTION
#define FUNCTION(name) name
#endif

"""
_POISON = "0x5A5A5A5A"  # content of the place of a result before the call


class Programs:
    """The kernels of cases: one for each with measured errors, on images, or on work-groups; others share kernels."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._alone: dict[Item, None] = {}
        self._groups: dict[str, list[ExactItem]] = {}
        for item in items:
            if isinstance(item, ExactItem) and item.builtin.chapter not in UNSHARED:
                self._groups.setdefault(_group(item), []).append(item)
            else:
                self._alone[item] = None

    def text(self) -> str:
        """Return the text of ``kernels.cl``."""
        return "\n".join(["/* The host defines ROW_... or GROUP_... */", *self._texts()])

    def kernel(self, item: Item) -> str:
        """Return the line of ``rows.txt`` with the kernel's call; empty if it takes only arguments and results."""
        if item in self._alone:
            return _call(item) if isinstance(item, ExactItem) else ""
        group = self._groups[_group(item)]
        return f"group {_group(item)} {group.index(item)} {slots_of(one.builtin for one in group)}"  # type: ignore[arg-type]

    def _texts(self) -> Iterator[str]:
        for item in self._alone:
            if isinstance(item, ExactItem):
                source = UNSHARED[item.builtin.chapter](item)
            else:
                source = kernel_source(item.builtin, item.form, item.components)
            yield f"\n#ifdef ROW_{row_name(item)}\n{source}#endif\n"
        for name, items in self._groups.items():
            yield f"\n#ifdef GROUP_{name}\n{group_source(items, conditional=True)}#endif\n"


def _group(item: Item) -> str:
    """Return the name of the kernel that a case shares with others of its chapter, type and number of components."""
    components = f"x{item.vector}" if item.vector > 1 else item.width or ""
    return f"{item.builtin.chapter}_{item.form}{components}"


def _call(item: ExactItem) -> str:
    row = item.builtin
    if row.chapter == "groups":
        return " ".join(["work", *map(str, local_size(item.width)), needed_of_device(row)])
    if not is_sampled(row):
        return f"image {'read' if is_read(row) else 'write'} {' '.join(image_numbers(item))}"
    how = sampling(row, item.form.name)
    sizes = (*how.sizes, 1, 1)[:3]  # a missing axis has one texel
    return " ".join(["image sample", *image_numbers(item), *map(str, (*sizes, how.layers, how.data.itemsize))])


def calls_header(items: Sequence[Item]) -> str:
    """Return the header for these cases; cases without a C function are left out."""
    known, table = names("c"), []
    text = _HEAD
    for item in items:
        function = c_function(item.builtin, item.form)
        if function is None or item.width or item.vector > 1:
            continue
        condition = f"defined NEWER || defined HAVE_{item.builtin.name}" if item.builtin.name in known.newer else ""
        text += _guarded("\n".join(_function(item, function)), condition)
        table.append(_guarded(f'    {{"{row_name(item)}", call_{row_name(item)}}},', condition))
    opening = "static const struct {\n    const char *name;\n    Function *function;\n} CALLS[] = {\n"
    return f"{text}{opening}{''.join(table)}    {{NULL, NULL}},\n}};\n"


def _guarded(text: str, condition: str) -> str:
    return f"#if {condition}\n{text}\n#endif\n" if condition else f"{text}\n"


def _function(item: Item, function: CFunction) -> Iterator[str]:
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
