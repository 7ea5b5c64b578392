#define ENTRY(name) clmath_##name /* of kernels, which take halves as floats */

static Signature signature(const struct call *call) {
    const struct kernel *kernel = &KERNELS[call->number];
    return (Signature){kernel->arguments, kernel->results, kernel->sizes, WIDTHS[call->form]};
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_rounded(call->number, call->form, call->mode, lanes, arguments, results, undecided);
}
