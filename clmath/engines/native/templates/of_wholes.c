#define ENTRY(name) clmath_whole_##name /* of whole built-ins */

static Signature signature(const struct call *call) {
    const struct whole *whole = &WHOLES[call->number];
    return (Signature){whole->arguments, whole->results, whole->sizes, whole->widths};
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_whole(call->number, lanes, arguments, results, undecided);
}
