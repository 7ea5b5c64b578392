/* Whole built-ins on arrays: block after block, each by its way, and by the next one where that leaves lanes. No lane is
   written before its block has been read; results do not overlap arguments of built-ins that have two such ways. */

/* Evaluate the built-in of that number; list the lanes that it leaves. */
EXPORT Long clmath_whole(const Long number, const Long count, const Operand *arguments, const Operand *results,
                         Long *undecided) {
    const struct whole *whole = &WHOLES[number];
    const Long together = whole->together;
    Double x_room[MOST_ARGUMENTS][BLOCK], y_room[MOST_RESULTS][BLOCK];
    const void *x[MOST_ARGUMENTS];
    void *y[MOST_RESULTS + 1];
    Byte left[BLOCK];
    Long known = 0, lanes;
    y[whole->results] = left;
    for (Long first = 0; first < count; first += lanes) {
        lanes = count - first < BLOCK ? count - first : BLOCK;
        if (lanes > together) lanes &= -together;
        const Long all = lanes < together ? together : lanes;
        load(arguments, whole->sizes, whole->arguments, first, lanes, all, x_room, x);
        for (Long i = 0; i < whole->results; i++) {
            const bool in_place = results[i].step == whole->widths[i] && lanes == all;
            y[i] = in_place ? (void *)(results[i].address + first * results[i].step) : y_room[i];
        }
        const struct way *way = whole->ways;
        while (way->holds && way->holds(x, y, all)) way++;
        Long found = way->loop(x, y, all);
        while (found && way + 1 < whole->ways + MOST_WAYS && way[1].loop) found = (++way)->loop(x, y, all);
        for (Long i = 0; i < whole->results; i++) {
            char *start = results[i].address + first * results[i].step;
            if (y[i] != start) copy(start, results[i].step, y[i], whole->widths[i], whole->widths[i], lanes);
        }
        if (found) known += listed_lanes(left, first, lanes, undecided + known);
    }
    return known;
}

static Signature signature(const struct call *call) {
    const struct whole *whole = &WHOLES[call->number];
    return (Signature){whole->arguments, whole->results, whole->sizes, whole->widths};
}

static Long evaluate(const struct call *call, const Long lanes, const Operand *arguments, const Operand *results,
                     Long *undecided) {
    return clmath_whole(call->number, lanes, arguments, results, undecided);
}

/* The loop of a ufunc for a whole built-in. */
EXPORT UfuncLoop clmath_whole_loop;
void clmath_whole_loop(char **operands, const intptr_t *lengths, const intptr_t *steps, void *data) {
    run(operands, lengths[0], steps, data);
}
