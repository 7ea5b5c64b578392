/* Kernels on arrays: block after block, enclosures first, their rounding next, then exact results and the rest of
   rounding on the lanes that need them. No lane is written before its block has been read. */

static bool is_ordinary(const struct kernel *kernel, const void *const *x, const Long count) {
    return kernel->ordinary && !kernel->are_ordinary(x, 0, count);
}

/* Some lanes of a block: their arguments and the parts of their enclosures, next to each other. */
struct some {
    Short lanes[BLOCK];
    Double x_room[MOST_ARGUMENTS][BLOCK], p_room[MOST_PARTS][BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *p[MOST_PARTS];
};

/* The lanes that are flagged, with their arguments; how many there are. Copies of the first follow until there is a
   multiple of CLOSER lanes. */
static Long chosen(struct some *some, const struct kernel *kernel, const void *const *x, const Byte *flags, const Long count) {
    const Long few = listed(flags, some->lanes, count), all = (few + CLOSER - 1) & -CLOSER;
    for (Long i = few; i < all; i++) some->lanes[i] = some->lanes[0];
    for (Long i = 0; i < kernel->arguments; i++) {
        some->x[i] = some->x_room[i];
        gather((char *)some->x_room[i], x[i], kernel->sizes[i], some->lanes, all);
    }
    for (Long i = 0; i < kernel->parts; i++) some->p[i] = some->p_room[i];
    return few;
}

/* Enclose the results of a block, as in kernel.h, by one way for all of its lanes, or by one for those that lie far out,
   half of them at least, and another for the rest. */
EXPORT void clmath_enclosed(const Long number, const void *const *x, void *const *parts, const Long count) {
    const struct kernel *kernel = &KERNELS[number];
    Byte near[BLOCK];
    if (is_ordinary(kernel, x, count)) kernel->ordinary(x, parts, count);
    else if (!kernel->far || kernel->are_near(x, (void *[]){near}, count) > count / 2) kernel->general(x, parts, count);
    else {
        struct some some;
        kernel->far(x, parts, count);
        const Long few = chosen(&some, kernel, x, near, count);
        if (!few) return;
        kernel->general(some.x, some.p, few);
        for (Long i = 0; i < kernel->parts; i++) scatter(parts[i], some.p[i], 8, some.lanes, few);
    }
}

/* Decide the lanes flagged in `left`, by what `closer`, which may be null, makes of their enclosures; those that are still
   undecided stay flagged, and what was made of their enclosures is kept. */
static Long decided(const struct kernel *kernel, const struct rounding *rounding, const Long width, Loop *closer,
                    const void *const *x, void *const *parts, char *codes, Byte *left, const Long count) {
    struct some some;
    Double code_room[BLOCK];
    Byte undecided[BLOCK];
    const Long few = chosen(&some, kernel, x, left, count), all = (few + CLOSER - 1) & -CLOSER;
    for (Long i = 0; i < kernel->parts; i++) gather(some.p[i], parts[i], 8, some.lanes, all);
    if (closer) closer(some.x, some.p, all);
    const Long found = rounding->decide((const void *const *)some.p, (void *[]){code_room, undecided}, few);
    scatter(codes, (const char *)code_room, width, some.lanes, few);
    for (Long i = 0; i < few; i++) left[some.lanes[i]] = undecided[i];
    for (Long i = 0; i < kernel->parts && found; i++) scatter(parts[i], some.p[i], 8, some.lanes, few);
    return found;
}

enum { UNTRIED = 3 }; /* blocks of a call after one whose results are not all plain, for which that is not tried */

/* Round the result number n of a block; how many lanes were flagged in `open`. */
static Long rounded(const struct kernel *kernel, const struct rounding *rounding, const Long width, const Long n,
                    const void *const *x, void *const *parts, char *codes, Byte *open, const Long count, Long *waits) {
    Byte left[BLOCK];
    const void *const *p = (const void *const *)parts;
    void *const y[] = {codes, left};
    if (*waits) --*waits;
    else if (!rounding->plain(p, y, count)) return 0;
    else *waits = UNTRIED;
    if (!rounding->at_once(p, y, count)) return 0;
    Long few = rounding->flags(p, y, count); /* seldom: a loop without flags is faster */
    if (few > count / 32 && rounding->settle) few = rounding->settle(p, y, count);
    if (few) few = decided(kernel, rounding, width, kernel->refine, x, parts, codes, left, count);
    if (few && kernel->narrow[n]) few = decided(kernel, rounding, width, kernel->narrow[n], x, parts, codes, left, count);
    for (Long i = 0; i < count && few; i++) open[i] |= left[i];
    return few;
}

/* Round every result of a kernel to the format and in the mode of `roundings`; list the undecided lanes. */
EXPORT Long clmath_rounded(const Long number, const Long form, const Long mode, const Long count,
                           const Operand *arguments, const Operand *results, Long *undecided) {
    const struct kernel *kernel = &KERNELS[number];
    const struct rounding *rounding = &ROUNDINGS[(form * 2 + kernel->wide) * MODES + mode];
    const Long width = WIDTHS[form][0];
    Double x_room[MOST_ARGUMENTS][BLOCK], p_room[MOST_RESULTS * MOST_PARTS][BLOCK], code_room[BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *p[MOST_RESULTS * MOST_PARTS];
    Long known = 0, waits[MOST_RESULTS] = {0};
    for (Long i = 0; i < MOST_RESULTS * MOST_PARTS; i++) p[i] = p_room[i];
    for (Long first = 0; first < count; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        Byte open[BLOCK];
        Long found = 0;
        for (Long i = 0; i < lanes; i++) open[i] = 0;
        load(arguments, kernel->sizes, kernel->arguments, first, lanes, lanes, x_room, x);
        clmath_enclosed(number, x, p, lanes);
        for (Long n = 0; n < kernel->results; n++) {
            char *start = results[n].address + first * results[n].step;
            char *codes = results[n].step == width ? start : (char *)code_room;
            found += rounded(kernel, rounding, width, n, x, p + n * kernel->parts, codes, open, lanes, &waits[n]);
            if (codes != start) copy(start, results[n].step, codes, width, width, lanes);
        }
        if (found) known += listed_lanes(open, first, lanes, undecided + known);
    }
    return known;
}

/* The parts of the enclosures of every result of a kernel, by one way for all lanes; closer: 1 with exact results found, 2
   narrowed as well, of its one result. */
EXPORT void clmath_enclosures(const Long number, const Long closer, const Long count, const Operand *arguments,
                              char *const *parts) {
    const struct kernel *kernel = &KERNELS[number];
    Double x_room[MOST_ARGUMENTS][BLOCK], p_room[MOST_RESULTS * MOST_PARTS][BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *p[MOST_RESULTS * MOST_PARTS];
    bool all = true;
    for (Long i = 0; i < MOST_RESULTS * MOST_PARTS; i++) p[i] = p_room[i];
    for (Long first = 0; first < count && all; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        load(arguments, kernel->sizes, kernel->arguments, first, lanes, lanes, x_room, x);
        all = is_ordinary(kernel, x, lanes);
    }
    for (Long first = 0; first < count; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK, more = (lanes + CLOSER - 1) & -CLOSER;
        load(arguments, kernel->sizes, kernel->arguments, first, lanes, more, x_room, x);
        (all ? kernel->ordinary : kernel->general)(x, p, more);
        if (kernel->refine && closer > 0) kernel->refine(x, p, more);
        if (kernel->narrow[0] && closer > 1) kernel->narrow[0](x, p, more);
        for (Long i = 0; i < kernel->results * kernel->parts; i++) copy(parts[i] + 8 * first, 8, p[i], 8, 8, lanes);
    }
}

static Signature signature(const struct call *call) {
    const struct kernel *kernel = &KERNELS[call->number];
    return (Signature){kernel->arguments, kernel->results, kernel->sizes, WIDTHS[call->form]};
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_rounded(call->number, call->form, call->mode, lanes, arguments, results, undecided);
}

/* The loop of a ufunc for a kernel, which takes halves as floats. */
EXPORT UfuncLoop clmath_loop;
void clmath_loop(char **operands, const intptr_t *lengths, const intptr_t *steps, void *data) {
    run(operands, lengths[0], steps, data);
}
