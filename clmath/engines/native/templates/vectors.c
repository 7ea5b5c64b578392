/* The loop of a generalised ufunc of NumPy, for one geometric built-in, format and mode: each lane of a vector is an operand
   of a whole built-in. */

enum { MOST_WIDTH = 4 };

/* of: what is called for vectors of 1, 2 ... lanes; for others, and where that is null, `other` is. vectors: which of the
   operands have lanes, a bit for each. */
struct vectors {
    struct ufunc *of[MOST_WIDTH];
    UfuncLoop *other;
    Long operands, vectors;
};

EXPORT void clmath_whole_vectors(char **operands, const intptr_t *lengths, const intptr_t *steps, void *data) {
    const struct vectors *all = data;
    const Long width = lengths[1];
    const intptr_t *across = steps + all->operands; /* from one lane to the next, of each operand that has lanes */
    char *lanes[MOST_OPERANDS];
    intptr_t apart[MOST_OPERANDS];
    struct ufunc *ufunc = width < 1 || width > MOST_WIDTH ? 0 : all->of[width - 1];
    if (!ufunc) {
        all->other(operands, lengths, steps, 0);
        return;
    }
    for (Long i = 0, n = 0; i < all->operands; i++) {
        const bool is_vector = all->vectors >> i & 1;
        const intptr_t step = is_vector ? *across++ : 0;
        for (Long lane = 0; lane < (is_vector ? width : 1); lane++, n++) {
            lanes[n] = operands[i] + lane * step;
            apart[n] = steps[i];
        }
    }
    run(lanes, lengths[0], apart, ufunc);
}
