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

/* Store the result for at most FEW vectors, or for one: arrays of one type, whose last axis is the lanes of a vector and
   whose other one, if any, is as long in all. How many are undecided, or REFUSED. */
EXPORT Long clmath_whole_vectors(const struct call *call, const char *x0, const char *x1, const char *r0) {
    const struct whole *whole = &WHOLES[call->number];
    const Array *given[] = {(const Array *)(x0 + call->head), (const Array *)(x1 + call->head)};
    const Array *result = (const Array *)(r0 + call->head);
    const Long vectors = call->how[0], width = whole->arguments / vectors, axes = given[0]->axes;
    const Long count = axes == 2 ? given[0]->lengths[0] : 1;
    Operand arguments[MOST_OPERANDS], results[MOST_OPERANDS];
    Long undecided[FEW];
    if (count > FEW || !is_unaltered()) return REFUSED;
    for (Long v = 0; v < vectors; v++) {
        if (!(given[v]->flags & ALIGNED)) return REFUSED;
        for (Long i = 0; i < width; i++)
            arguments[v * width + i] =
                (Operand){given[v]->data + i * given[v]->steps[axes - 1], axes == 2 ? given[v]->steps[0] : 0};
    }
    for (Long i = 0; i < whole->results; i++)
        results[i] = (Operand){result->data + (i ? i * result->steps[axes - 1] : 0), axes == 2 ? result->steps[0] : 0};
    return clmath_whole(call->number, count, arguments, results, undecided);
}
