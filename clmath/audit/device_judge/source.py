"""Text of the programs on a device, which make arguments, compare results with enclosures, and list inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

import numpy as np

from clmath.audit.acceptance.sets import signals
from clmath.audit.acceptance.values import in_one_double
from clmath.audit.counting.spread import BINS, shift
from clmath.audit.device_judge.measuring import Terms, accepted, facts, measured_integer, verdict
from clmath.audit.device_judge.question import APART, PART, STEP, Finer, Generated, Question
from clmath.audit.inputs import random
from clmath.audit.inputs.exhaustive import RUN
from clmath.audit.inputs.recipes import aimed
from clmath.audit.inputs.streams import mixture
from clmath.engines.device import source
from clmath.engines.device.source import Source, kinds
from clmath.ir.printing import printed
from clmath.ir.program import Kind, Tables
from clmath.ir.simplifying import simplified, usual
from clmath.ir.trace import trace
from clmath.kernels import Kernel
from clmath.numbers.formats import Format

STRETCHES = 512  # the largest number of intervals of an argument, see ``counting.spread``
POISON = 0x5A  # every byte of a result before it is stored; as a float, 1.5e16
_WORDS = {"half": "Short", "float": "Word", "double": "Double", "int": "Word"}  # the integer types of encodings


def errors(question: Question) -> int:
    """Return the number of errors that a device keeps of a row.

    They are the largest error of all, the largest error of each interval, and the errors known from the host.
    """
    return 1 + 2 * STRETCHES * len(question.item.measured)


def making(question: Question) -> Source:
    """Return the program that writes successively numbered arguments and fills the results' buffers with ``POISON``."""
    return _sweeping(question) if question.generated is None else _drawing(question, question.generated)


def _made_ready(question: Question) -> dict[str, str]:
    """The code that fills the results' buffers with ``POISON``."""
    words, poison = list(enumerate(_words(question))), f"LONG(0x{f'{POISON:02x}' * 8})"
    return {
        "results": ", ".join(f"GLOBAL {word} *results{n}" for n, word in words),
        "poisons": "\n    ".join(f"results{n}[INDEX] = ({word}){poison};" for n, word in words),
    }


def _words(question: Question) -> list[str]:
    """The integer types of the results' buffers."""
    return [_WORDS[question.item.form.name]] * question.reals + [_WORDS["int"]] * len(question.integers)


def _sweeping(question: Question) -> Source:
    """The program that writes all floats, part after part."""
    fill = _made_ready(question) | {
        "piece_bits": PART.bit_length() - 1,
        "run_bits": RUN.bit_length() - 1,
        "step_bits": STEP.bit_length() - 1,
        "apart": APART,
        "last_run": f"{PART // RUN - 1:#x}",
        "last_of_run": f"{RUN - 1:#x}",
    }
    return Source("sweep", _template("sweep", fill), np.zeros(1))


def _drawing(question: Question, generated: Generated) -> Source:
    """Return the program that generates random inputs from their numbers."""
    tables, types, aim = Tables(), question.types, random.aim_of(question.item, generated.seed)
    elements: list[Kind] = ["long"] * len(types)
    listed = range(len(types))
    functions = [
        printed("aimed", trace(aimed, ["long"], elements, tables, aim)),
        printed("mixture", trace(mixture, ["long", *elements], elements, tables, aim)),
    ]
    fill = _made_ready(question) | {
        "piece_bits": question.piece.bit_length() - 1,
        "last_of_piece": f"{question.piece - 1:#x}",
        "codes": ", ".join(f"GLOBAL {_WORDS[type]} *codes{n}" for n, type in enumerate(types)),
        "lanes": ", ".join(f"c{n}" for n in listed),
        "found": ", ".join(f"&c{n}" for n in listed),
        "stores": "\n    ".join(f"codes{n}[INDEX] = ({_WORDS[type]})c{n};" for n, type in enumerate(types)),
    }
    return Source("draw", "\n".join([*functions, _template("draw", fill)]), tables.entries)


def judging(question: Question) -> Source:
    """Return the program that judges the results of a row."""
    tables, kernel = Tables(), question.kernel
    functions = [
        source.enclosing_functions(kernel, tables),
        source.rounding_functions(kernel, question.item.form.name, tables, [question.criteria.mode]),
        _measuring(question, question.terms, tables),
    ]
    measures = [_measure(question, n, *_rounded_quickly(kernel, n)) for n in range(question.reals)]
    return _judging(question, kernel, tables, functions, measures, {"entry": "judge", "lane": "k", "listed": ""})


def judging_finely(question: Question) -> Source:
    """Return the program that judges inputs on a list by the finer kernel of a row."""
    tables, finer, terms = Tables(), question.finer, question.terms
    assert finer is not None
    kernel = finer.kernel
    if question.item.form.is_narrow:  # the values are rounded to odd, as the reference's
        terms = terms._replace(off=0.0)
    functions = [
        source.enclosing_functions(kernel, tables),
        source.deciding_function(question.kernel, question.item.form.name, tables, [question.criteria.mode]),
        *_closer_functions(question, finer, tables),
        _measuring(question, terms, tables),
    ]
    measures = [_measure(question, n, *_rounded_finely(question, kernel, n)) for n in range(kernel.results)]
    fill = {"entry": "judge_finely", "lane": "lanes[k]", "listed": ", GLOBAL const Word *lanes"}
    return _judging(question, kernel, tables, functions, measures, fill)


def _judging(  # noqa: PLR0917 - the parts of a program
    question: Question, kernel: Kernel, tables: Tables, functions: list[str], measures: list[str], fill: dict[str, str]
) -> Source:
    """Return a program that judges by the enclosures of ``kernel``."""
    form, types, words = question.item.form, question.types, list(enumerate(_words(question)))
    ints = range(question.reals, len(words))
    whole = source.entry(kernel, types) | fill | {
        "results": ", ".join(f"GLOBAL const {word} *results{n}" for n, word in words),
        "measures": "\n        ".join([*measures, *(_measure_integer(question, n) for n in ints)]),
    } | _by_criteria(question)  # fmt: skip
    due = [_due(n, one, question, tables) for n, one in zip(ints, question.integers, strict=True)]
    numbers = [n for n, type in enumerate(types) if type != "int"]
    behind = {"place": "(Long)code0" if question.generated is None else "(Long)0"}
    flushed, waiver = _waiver(question, whole)
    judge = _template("judge", whole | behind | {"excuse": waiver} | _stretches(numbers, form))
    texts = [source.reading(types, tables), *functions, *due, flushed, judge]
    return Source(fill["entry"], "\n".join(texts), tables.entries)


def listing(question: Question) -> Source:
    """Return the program that lists marked inputs as runs of neighbours with the same results."""
    words = list(enumerate(_words(question)))
    fill = {
        "results": ", ".join(f"GLOBAL const {word} *results{n}, GLOBAL {word} *kept{n}" for n, word in words),
        "kept": " ".join(f"kept{n}[place] = results{n}[i];" for n, _ in words),
        "differs_before": "".join(f" || results{n}[i - 1] != results{n}[i]" for n, _ in words),
        "differs_after": "".join(f" || results{n}[i + 1] != results{n}[i]" for n, _ in words),
    }
    return Source("runs", _template("runs", fill), np.zeros(1))


def _measuring(question: Question, terms: Terms, tables: Tables) -> str:
    """Return the functions that measure each result that is a number of the format."""
    args: list[Kind] = ["double"] * len(question.types)
    inputs: list[Kind] = [*args, *kinds(question.kernel), "long", "long", "bool"]
    outputs: list[Kind] = ["bool", "bool", "bool", "long", "long", "long", *_opens(question)]
    text = printed("signals", trace(signals, ["long"], ["bool"], tables, question.item.form))
    for n in range(question.reals):
        first = simplified(trace(facts, inputs, outputs, tables, terms, n))
        quick = usual(trace(accepted, inputs, ["bool"], tables, terms, n, machine="usual"))
        last = simplified(trace(verdict, inputs, ["bool"] * 4, tables, terms, n))
        text += printed(f"facts{n}", first) + printed(f"accepted{n}", quick) + printed(f"verdict{n}", last)
    return text


def _opens(question: Question) -> list[Kind]:
    """Return the types of the outputs that say, for each edition, whether a result is unspecified."""
    return ["bool"] * len(question.all_criteria)


def _by_criteria(question: Question) -> dict[str, str]:
    """Return the code that declares, combines and counts the verdicts of each edition."""
    editions = range(len(question.all_criteria))
    return {
        "unjudged": ", ".join([*(f"unjudged{k} = 0" for k in editions), "excused = 0", "failed = 0"]),
        "opened": ", ".join(f"open{k} = true" for k in editions),
        "open_here": ", ".join(f"here{k}" for k in editions),
        "are_unspecified": ", ".join(f"&here{k}" for k in editions),
        "opens": " ".join(f"open{k} &= here{k};" for k in editions),
        "adds": " ".join([*(f"unjudged{k} += open{k};" for k in editions), "excused += flushed;", "failed += missed;"]),
        "increases": "\n    ".join(
            f"if ({name}) INCREASE(counts + {len(BINS) + 1 + k}, {name});"
            for k, name in enumerate([*(f"unjudged{k}" for k in editions), "excused", "failed"])
        ),
        "uncounted": f"counts + {len(BINS)}",
    }


def _measure(question: Question, n: int, parts: list[str], rounding: str) -> str:
    """Return the code that measures result ``n`` by ``parts`` of an enclosure, which the code ``rounding`` rounds."""
    form, fill = (
        question.item.form,
        {"n": n, "parts": ", ".join(parts), "values": _values(question), "rounding": rounding},
    )
    numbers = {"magnitude": f"{form.magnitude:#x}", "infinite": f"{form.infinite:#x}"}
    return _template("measure", fill | numbers | _by_criteria(question)).strip()


def _waiver(question: Question, fill: dict[str, str]) -> tuple[str, str]:
    """Return the function that judges results again with flushed arguments, and its call.

    Both are empty if nothing may be flushed.
    """
    if not question.may_flush:
        return "", ""
    border = question.item.form.smallest_normal.hex()
    replaced = [
        f"const double x{n} = v{n};"
        if type == "int"
        else f"may_be &= rest % 3 == 0 || (v{n} != 0.0 && fabs(v{n}) < {border});"
        f" const double x{n} = rest % 3 == 0 ? v{n} : rest % 3 == 1 ? 0.0 : -0.0; rest /= 3;"
        for n, type in enumerate(question.types)
    ]
    filled = fill | {
        "given": ", ".join(f"const double v{n}" for n in range(len(question.types))),
        "choices": 3 ** sum(type != "int" for type in question.types),
        "replaced": "\n        ".join(replaced),
        "returned": ", ".join(f"results{n}" for n in range(len(question.encodings))),
    }
    return _template("flushed", filled), _template("excuse", filled).strip()


def _values(question: Question) -> str:
    return ", ".join(f"x{i}" for i in range(len(question.types)))


def _rounded_quickly(kernel: Kernel, n: int) -> tuple[list[str], str]:
    """Return the parts of result ``n``, and the code that rounds it, which finds exact results if they matter."""
    parts = source.parts_of(kernel, n)
    fill = {"parts": ", ".join(parts), "refine": source.refining(kernel, n), "exact": ""}
    if "lo" in kernel.parts:  # refining finds out whether the value is a number of the format
        named = kernel.named_parts(parts)
        fill["exact"] = f" || fabs({named['lo']}) <= {named['err']}"
    return parts, _template("round_quickly", fill).strip()


def _rounded_finely(question: Question, kernel: Kernel, n: int) -> tuple[list[str], str]:
    """Return the parts of result ``n`` by the finer ``kernel``, narrowed, and the code that rounds the result."""
    parts = given = source.parts_of(kernel, n)
    call, declared = f"closer{n}({_values(question)}, {', '.join(given)}", ""
    if question.item.form.is_narrow:
        parts = [f"p{n}_{i}" for i in range(len(question.kernel.parts))]
        call, declared = f"in_one({', '.join(given)}", f"double {', '.join(parts)}; "
    targets = ", ".join(f"&{part}" for part in parts)
    fill = {"refine": source.refining(kernel, n), "closer": f"{declared}{call}, tables, {targets});"}
    return parts, _template("round_finely", fill | {"parts": ", ".join(parts)}).strip()


def _closer_functions(question: Question, finer: Finer, tables: Tables) -> list[str]:
    """Return the functions that ``_rounded_finely`` calls.

    They round an enclosure to one double for narrow formats, and narrow enclosures for double.
    """
    parts = kinds(finer.kernel)
    args: list[Kind] = ["double"] * len(question.types)
    if question.item.form.is_narrow:
        return [printed("in_one", trace(in_one_double, parts, kinds(question.kernel), tables))]
    return [
        printed(f"closer{n}", trace(narrow, args + parts, parts, tables)) for n, narrow in enumerate(finer.narrowing)
    ]


def _due(n: int, kernel: Kernel, question: Question, tables: Tables) -> str:
    """Return the functions that compute the correct int for result ``n``, and measure the result."""
    args: list[Kind] = ["double"] * len(question.types)
    outputs: list[Kind] = ["bool", "bool", *_opens(question), "bool"]
    measuring = trace(measured_integer, [*args, "bool", "long", "long"], outputs, tables, question.terms, n)
    return printed(f"due{n}", trace(kernel.function, args, ["long"], tables)) + printed(f"measured{n}", measuring)


def _measure_integer(question: Question, n: int) -> str:
    """Return the code that measures result ``n``, an int."""
    return _template("measure_integer", {"n": n, "values": _values(question)} | _by_criteria(question)).strip()


def _stretches(numbers: Sequence[int], form: Format) -> dict[str, str]:
    """Return the code that finds the interval of each argument that is a number, and keeps its largest error."""
    word = _WORDS[form.name]
    places = [f"best + {1 + place * STRETCHES} + stretch{n}" for place, n in enumerate(numbers)]
    count = len(numbers) * STRETCHES
    return {
        "stretches": "\n        ".join(
            f"const {word} code{n} = ((GLOBAL const {word} *)all_x{n})[i];"
            f" const Word stretch{n} = (Word)(code{n} >> {shift(form)});"
            for n in numbers
        ),
        "brings": "\n        ".join(f"signals((Long)code{n}, tables, &signal); brought |= signal;" for n in numbers),
        "leads": " || ".join(f"(most >= (Long)*({place}) && most > (Long)*({place} + {count}))" for place in places),
        "raises": "\n            ".join(
            f"if (least > (Long)*({place})) RAISE({place}, (Word)least);" for place in places
        ),
    }


def _template(name: str, fill: Mapping[str, object]) -> str:
    text = (Path(__file__).parent / "templates" / f"{name}.c").read_text(encoding="utf-8")
    return Template(text).substitute(fill)
