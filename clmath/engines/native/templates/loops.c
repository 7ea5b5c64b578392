/* Kernels on arrays: block after block, enclosures first, their rounding next, then exact results and the rest of
   rounding on the lanes that need them. No lane is written before its block has been read. */

typedef struct {
    char *address;
    Long step; /* bytes from one lane to the next */
} Operand;

static void copy(char *to, const Long to_step, const char *from, const Long from_step, const Long size, const Long count) {
#define COPY(type) \
    for (Long i = 0; i < count; i++) { \
        type element; \
        __builtin_memcpy(&element, from + i * from_step, sizeof(type)); \
        __builtin_memcpy(to + i * to_step, &element, sizeof(type)); \
    }
    if (size == 8) COPY(Double) else if (size == 4) COPY(Word) else COPY(Short)
}

/* The arguments of a block, as they lie in memory or copied next to each other. */
static void load(const struct kernel *kernel, const Operand *arguments, const Long first, const Long count,
                 Double room[][BLOCK], const void **x) {
    for (Long i = 0; i < kernel->arguments; i++) {
        const char *start = arguments[i].address + first * arguments[i].step;
        const Long size = kernel->sizes[i];
        x[i] = start;
        if (arguments[i].step != size) {
            copy((char *)room[i], size, start, arguments[i].step, size, count);
            x[i] = room[i];
        }
    }
}

static bool is_ordinary(const struct kernel *kernel, const void *const *x, const Long count) {
    return kernel->ordinary && kernel->are_ordinary(x, count);
}

/* Enclose the results of a block by one way for all of its lanes, or by one for those that lie far out, half of them at
   least, and another for the rest. */
static void enclose(const struct kernel *kernel, const void *const *x, void *const *parts, const Long count) {
    Byte near[BLOCK];
    Short lanes[BLOCK];
    Double x_room[MOST_ARGUMENTS][BLOCK / 2], p_room[MOST_PARTS][BLOCK / 2];
    const void *few_x[MOST_ARGUMENTS];
    void *few_p[MOST_PARTS];
    if (is_ordinary(kernel, x, count)) {
        kernel->ordinary(x, parts, count);
        return;
    }
    if (!kernel->far || kernel->are_near(x, near, count) > count / 2) {
        kernel->general(x, parts, count);
        return;
    }
    kernel->far(x, parts, count);
    const Long few = listed(near, lanes, count);
    if (!few) return;
    for (Long i = 0; i < kernel->arguments; i++) {
        few_x[i] = x_room[i];
        gather((char *)x_room[i], x[i], kernel->sizes[i], lanes, few);
    }
    for (Long i = 0; i < kernel->parts; i++) few_p[i] = p_room[i];
    kernel->general(few_x, few_p, few);
    for (Long i = 0; i < kernel->parts; i++) scatter(parts[i], few_p[i], 8, lanes, few);
}

/* Enclose the results of a block as clmath_rounded does: see Enclose in kernel.h. */
EXPORT void clmath_enclosed(const Long number, const void *const *x, void *const *parts, const Long count) {
    enclose(&KERNELS[number], x, parts, count);
}

/* Decide the lanes flagged in `left`, by what `closer`, which may be null, makes of their enclosures; those that are still
   undecided stay flagged, and what was made of their enclosures is kept. */
static Long decided(const struct kernel *kernel, const struct rounding *rounding, const Long width, Loop *closer,
                    const void *const *x, void *const *parts, char *codes, Byte *left, const Long count) {
    Short lanes[BLOCK];
    Double x_room[MOST_ARGUMENTS][BLOCK], p_room[MOST_PARTS][BLOCK], code_room[BLOCK];
    Byte undecided[BLOCK];
    const void *few_x[MOST_ARGUMENTS];
    void *few_p[MOST_PARTS];
    const Long few = listed(left, lanes, count);
    for (Long i = 0; i < kernel->parts; i++) {
        few_p[i] = p_room[i];
        gather((char *)p_room[i], parts[i], 8, lanes, few);
    }
    if (closer) {
        for (Long i = 0; i < kernel->arguments; i++) {
            few_x[i] = x_room[i];
            gather((char *)x_room[i], x[i], kernel->sizes[i], lanes, few);
        }
        closer(few_x, few_p, few);
    }
    const Long found = rounding->decide((const void *const *)few_p, code_room, undecided, few);
    scatter(codes, (const char *)code_room, width, lanes, few);
    for (Long i = 0; i < few; i++) left[lanes[i]] = undecided[i];
    for (Long i = 0; i < kernel->parts && found; i++) scatter(parts[i], few_p[i], 8, lanes, few);
    return found;
}

enum { UNTRIED = 3 }; /* blocks of a call after one whose results are not all plain, for which that is not tried */

/* Round the result number n of a block; how many lanes were flagged in `open`. */
static Long rounded(const struct kernel *kernel, const struct rounding *rounding, const Long width, const Long n,
                    const void *const *x, void *const *parts, char *codes, Byte *open, const Long count, Long *waits) {
    Byte left[BLOCK];
    Loop *const narrow = kernel->narrow[n];
    if (*waits) --*waits;
    else if (rounding->plain((const void *const *)parts, codes, count)) return 0;
    else *waits = UNTRIED;
    Long few = rounding->at_once((const void *const *)parts, codes, left, count);
    if (few > count / 32 && rounding->settle) few = rounding->settle((const void *const *)parts, codes, left, count);
    if (few) few = decided(kernel, rounding, width, kernel->refine, x, parts, codes, left, count);
    if (few && narrow) few = decided(kernel, rounding, width, narrow, x, parts, codes, left, count);
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
        load(kernel, arguments, first, lanes, x_room, x);
        enclose(kernel, x, p, lanes);
        for (Long n = 0; n < kernel->results; n++) {
            char *start = results[n].address + first * results[n].step;
            char *codes = results[n].step == width ? start : (char *)code_room;
            found += rounded(kernel, rounding, width, n, x, p + n * kernel->parts, codes, open, lanes, &waits[n]);
            if (codes != start) copy(start, results[n].step, codes, width, width, lanes);
        }
        for (Long i = 0; i < lanes && found; i++) {
            undecided[known] = first + i;
            known += open[i];
        }
    }
    return known;
}

/* The parts of the enclosures of every result of a kernel, by one way for all lanes; closer: 1 with exact results found, 2
   narrowed as well, of its one result. */
EXPORT void clmath_enclosures(const Long number, const Long closer, const Long count, const Operand *arguments,
                              char *const *parts) {
    const struct kernel *kernel = &KERNELS[number];
    Double x_room[MOST_ARGUMENTS][BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *p[MOST_RESULTS * MOST_PARTS];
    bool all = true;
    for (Long first = 0; first < count && all; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        load(kernel, arguments, first, lanes, x_room, x);
        all = is_ordinary(kernel, x, lanes);
    }
    for (Long first = 0; first < count; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        load(kernel, arguments, first, lanes, x_room, x);
        for (Long i = 0; i < kernel->results * kernel->parts; i++) p[i] = parts[i] + 8 * first;
        (all ? kernel->ordinary : kernel->general)(x, p, lanes);
        if (kernel->refine && closer > 0) kernel->refine(x, p, lanes);
        if (kernel->narrow[0] && closer > 1) kernel->narrow[0](x, p, lanes);
    }
}
