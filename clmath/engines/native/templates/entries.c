/* What is called by name: arrays as they are, few or many, and numbers. */

/* Store every result of at most FEW lanes; how many are undecided, which are not listed, or REFUSED. */
EXPORT Long ENTRY(few)(struct call *call, const char *x0, const char *x1, const char *x2, const char *x3,
                       const char *r0, const char *r1) {
    const char *const arguments[] = {x0, x1, x2, x3}, *const results[] = {r0, r1};
    Walk walk;
    Long undecided[FEW];
    if (!is_walk(&walk, call, arguments, results) || walk.lanes > FEW) return REFUSED;
    const Long found = of_blocks(call, &walk, 0, walk.lanes, undecided);
    if (!found) __atomic_fetch_add(&call->evaluated, walk.lanes, __ATOMIC_RELAXED);
    return found;
}

/* Take a piece of what is left from the lane next[0] on, which threads share, of next[1] lanes at least: an eighth, so that
   pieces get smaller towards the end, and threads are done at about the same time. How many lanes; `first` is the first. */
static Long taken(Long *next, const Long lanes, Long *first) {
    Long size, left;
    *first = __atomic_load_n(next, __ATOMIC_RELAXED);
    do {
        left = lanes - *first;
        if (left <= 0) return 0;
        size = left / 8 / next[1] * next[1];
        size = size < next[1] ? next[1] : size > PIECE ? PIECE : size;
    } while (!__atomic_compare_exchange_n(next, first, *first + size, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    return size < left ? size : left;
}

/* Store every result of pieces of the arrays, which are `taken` as long as there are any, of `most` lanes or a few more, and
   while the array `undecided` has room for a piece more: how many undecided lanes it lists, by their places in C order, or
   REFUSED. */
EXPORT Long ENTRY(many)(struct call *call, const char *x0, const char *x1, const char *x2, const char *x3,
                        const char *r0, const char *r1, Long *next, const char *undecided, const Long most) {
    const char *const arguments[] = {x0, x1, x2, x3}, *const results[] = {r0, r1};
    const Array *list = (const Array *)(undecided + call->head);
    Long *places = (Long *)list->data, found = 0;
    Walk walk;
    if (!is_walk(&walk, call, arguments, results)) return REFUSED;
    Long first, lanes, done = 0;
    while (done < most && found + PIECE <= list->lengths[0] && (lanes = taken(next, walk.lanes, &first)) > 0) {
        found += of_blocks(call, &walk, first, lanes, places + found);
        done += lanes;
    }
    __atomic_fetch_add(&call->evaluated, done, __ATOMIC_RELAXED);
    for (Long i = 0; i < found && walk.is_permuted; i++) places[i] = placed(&walk, places[i]);
    __atomic_fetch_add(&call->undecided, found, __ATOMIC_RELAXED);
    return found;
}

/* The element that holds a number: an integer, a double, a float, or a half where there are two bytes. */
static Double encoded(const double number, const Long size, const Long kind) {
    const float narrow = (float)number;
    Double code;
    Word word;
    if (kind >= SIGNED) return (Double)(Long)number;
    __builtin_memcpy(&code, &number, 8);
    __builtin_memcpy(&word, &narrow, 4);
    if (size >= 4) return size == 8 ? code : word;
    const Word sign = (word >> 16) & 0x8000, rest = word & 0x7fffffff;
    if (rest < 0x38800000) return sign | (Word)(__builtin_fabsf(narrow) * 0x1p24f); /* below 2^-14 */
    return sign | (rest < 0x7f800000 ? (rest - 0x38000000) >> 13 : 0x7c00 | (rest & 0x7fffff) >> 13);
}

/* The number that an element holds. */
static double decoded(const Double code, const Long width, const Long kind) {
    const Long above = 64 - 8 * width;
    const Short half = (Short)code;
    double wide;
    float narrow;
    Word word = (Word)code;
    if (kind == SIGNED) return (double)((Long)(code << above) >> above);
    if (kind == UNSIGNED) return (double)((code << above) >> above);
    if (width == 2) widen(&half, &word, 1);
    __builtin_memcpy(&wide, &code, 8);
    __builtin_memcpy(&narrow, &word, 4);
    return width == 8 ? wide : (double)narrow;
}

/* Every result for numbers, which their types hold; false where one is undecided, or may not be computed. */
static bool is_told(const struct call *call, const double *x, double *found) {
    const Signature of = signature(call);
    Operand arguments[READ], results[WRITTEN];
    Double codes[READ], made[WRITTEN] = {0}, undecided;
    for (Long i = 0; i < of.arguments && i < READ; i++) {
        codes[i] = encoded(x[i], of.sizes[i], call->how[i]);
        arguments[i] = (Operand){(char *)&codes[i], 0};
    }
    for (Long i = 0; i < WRITTEN; i++) results[i] = (Operand){(char *)&made[i], 0};
    if (of.results > WRITTEN || !is_unaltered() || evaluate(call, 1, arguments, results, (Long *)&undecided)) return false;
    for (Long i = 0; i < of.results; i++) found[i] = decoded(made[i], of.widths[i], of.kinds[i]);
    return true;
}

/* The one result for numbers; NaN where it is that, or is not told. */
EXPORT double ENTRY(one)(const struct call *call, const double x0, const double x1, const double x2,
                         const double x3) {
    const double x[] = {x0, x1, x2, x3};
    double found[WRITTEN];
    return is_told(call, x, found) ? found[0] : __builtin_nan("");
}

/* The two results likewise. */
EXPORT Pair ENTRY(two)(const struct call *call, const double x0, const double x1, const double x2, const double x3) {
    const double x[] = {x0, x1, x2, x3};
    double found[WRITTEN] = {__builtin_nan(""), 0.0};
    (void)is_told(call, x, found);
    return (Pair){found[0], found[1]};
}
