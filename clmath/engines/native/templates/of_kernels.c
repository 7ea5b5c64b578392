#define ENTRY(name) clmath_##name /* of kernels, which take halves as floats */

static Signature signature(const struct call *call) {
    const struct kernel *kernel = &KERNELS[call->number];
    Signature found = {kernel->arguments, kernel->results, {0}, {0}, {AS_IT_IS, AS_IT_IS}};
    for (Long i = 0; i < kernel->arguments; i++) found.sizes[i] = kernel->sizes[i];
    for (Long i = 0; i < kernel->results; i++) found.widths[i] = WIDTHS[call->form];
    return found;
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_rounded(call->number, call->form, call->mode, lanes, arguments, results, undecided);
}
