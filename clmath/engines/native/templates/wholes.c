/* Whole built-ins on arrays: block after block, each by its way, and by the next one where that leaves lanes. No lane is
   written before its block has been read; results do not overlap arguments of built-ins that have two such ways. */

static void copy(char *to, const Long to_step, const char *from, const Long from_step, const Long size, const Long count) {
#define COPY(type) \
    for (Long i = 0; i < count; i++) { \
        type element; \
        __builtin_memcpy(&element, from + i * from_step, sizeof(type)); \
        __builtin_memcpy(to + i * to_step, &element, sizeof(type)); \
    }
    if (size == 8) COPY(Double) else if (size == 4) COPY(Word) else if (size == 2) COPY(Short) else COPY(Byte)
}

/* Copy the blocks of operands that do not lie next to each other to where a loop reads them. */
static void gathered(const Operand *operands, const Byte *sizes, const Long number, const Long first, const Long count,
                     Double room[][BLOCK], const void **x) {
    for (Long i = 0; i < number; i++) {
        const char *start = operands[i].address + first * operands[i].step;
        x[i] = start;
        if (operands[i].step != sizes[i]) {
            copy((char *)room[i], sizes[i], start, operands[i].step, sizes[i], count);
            x[i] = room[i];
        }
    }
}

/* Evaluate the built-in of that number; list the lanes that it leaves. */
EXPORT Long clmath_whole(const Long number, const Long count, const Operand *arguments, const Operand *results,
                         Long *undecided) {
    const struct whole *whole = &WHOLES[number];
    Double x_room[MOST_ARGUMENTS][BLOCK], y_room[MOST_RESULTS][BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *y[MOST_RESULTS];
    Long known = 0;
    for (Long first = 0; first < count; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        Byte left[BLOCK];
        gathered(arguments, whole->sizes, whole->arguments, first, lanes, x_room, x);
        for (Long i = 0; i < whole->results; i++) {
            const bool together = results[i].step == whole->widths[i];
            y[i] = together ? (void *)(results[i].address + first * results[i].step) : y_room[i];
        }
        const struct way *way = whole->ways;
        while (way->holds && !way->holds(x, lanes)) way++;
        Long found = way->loop(x, y, left, lanes);
        while (found && way + 1 < whole->ways + MOST_WAYS && way[1].loop) found = (++way)->loop(x, y, left, lanes);
        for (Long i = 0; i < whole->results; i++) {
            char *start = results[i].address + first * results[i].step;
            if (y[i] != start) copy(start, results[i].step, y[i], whole->widths[i], whole->widths[i], lanes);
        }
        for (Long i = 0; i < lanes && found; i++) {
            undecided[known] = first + i;
            known += left[i];
        }
    }
    return known;
}
