#define ENTRY(name) clmath_whole_##name /* of whole built-ins, whose form and mode tell what the results are as numbers */

static Signature signature(const struct call *call) {
    const struct whole *whole = &WHOLES[call->number];
    Signature found = {whole->arguments, whole->results, {0}, {0}, {call->form, call->mode}};
    for (Long i = 0; i < whole->arguments && i < READ; i++) found.sizes[i] = whole->sizes[i];
    for (Long i = 0; i < whole->results && i < WRITTEN; i++) found.widths[i] = whole->widths[i];
    return found;
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_whole(call->number, lanes, arguments, results, undecided);
}
