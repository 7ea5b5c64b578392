/* Geometric built-ins on arrays of vectors as they are. */

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

/* Vectors in the arrays of a call: axes but the last are those of a walk, `across` are the steps along the last one. The
   arguments are followed by the result, whose elements are vectors where how[1] says so. */
typedef struct {
    Walk walk;
    Long vectors, width, across[READ], base[READ];
} Vectors;

/* Lay an array of vectors of that width along the axes of the result, as bytes from the first of them to the last. */
static bool is_laid_across(Vectors *all, const Array *first, const Array *array, const Long width, const Long size) {
    const Long n = all->walk.operands, last = array->axes - 1;
    if (last < 0 || array->lengths[last] != width) return false;
    Array rest = *array;
    rest.axes = (int)last;
    const Long step = all->across[n] = array->steps[last], reach = (width - 1) * step;
    all->base[n] = reach < 0 ? -reach : 0;
    rest.data += reach < 0 ? reach : 0;
    return is_laid(&all->walk, first, &rest, size + magnitude(reach));
}

/* False where arrays of vectors are not what this file is for, or the thread's arithmetic is altered. */
static bool are_vectors(Vectors *all, const struct call *call, const char *const *arguments, const char *const *results) {
    const struct whole *whole = &WHOLES[call->number];
    const Array *result = (const Array *)(results[0] + call->head);
    Array first = *result;
    Walk *walk = &all->walk;
    walk->operands = 0;
    all->vectors = call->how[0];
    all->width = whole->arguments / all->vectors;
    first.axes -= call->how[1] ? 1 : 0;
    if (all->vectors >= READ || !(result->flags & WRITEABLE) || !is_unaltered() || !has_axes(walk, &first)) return false;
    for (Long i = 0; i < all->vectors; i++)
        if (!is_laid_across(all, &first, (const Array *)(arguments[i] + call->head), all->width, whole->sizes[0]))
            return false;
    if (!call->how[1]) {
        all->across[walk->operands] = all->base[walk->operands] = 0;
        if (!is_laid(walk, &first, result, whole->widths[0])) return false;
    } else if (!is_laid_across(all, &first, result, all->width, whole->widths[0]))
        return false;
    for (Long i = 0; i < walk->axes; i++)
        if (!walk->steps[all->vectors][i]) return false;
    sort_axes(walk, all->vectors);
    join_axes(walk);
    return walk->axes <= 1 && (!walk->lanes || !overlaps(walk, all->vectors));
}

/* Component i of a vector from the one of that number on. */
static Operand component(const Vectors *all, const Long n, const Long i, const Long first) {
    const Long step = all->walk.axes ? all->walk.steps[n][0] : 0;
    return (Operand){all->walk.start[n] + all->base[n] + i * all->across[n] + first * step, step};
}

/* As ENTRY(many), of vectors, each of which is one lane. */
EXPORT Long clmath_whole_many_vectors(struct call *call, const char *x0, const char *x1, const char *x2, const char *x3,
                                      const char *r0, const char *r1, Long *next, const char *undecided, const Long most) {
    const char *const given[] = {x0, x1, x2, x3}, *const written[] = {r0, r1};
    const Array *list = (const Array *)(undecided + call->head);
    const struct whole *whole = &WHOLES[call->number];
    Long *places = (Long *)list->data, found = 0, first, count, done = 0;
    Operand arguments[MOST_OPERANDS], results[MOST_OPERANDS];
    Vectors all;
    if (!are_vectors(&all, call, given, written)) return REFUSED;
    while (done < most && found + PIECE <= list->lengths[0] && (count = taken(next, all.walk.lanes, &first)) > 0) {
        for (Long i = 0; i < whole->arguments; i++)
            arguments[i] = component(&all, i / all.width, i % all.width, first);
        for (Long i = 0; i < whole->results; i++) results[i] = component(&all, all.vectors, i, first);
        const Long more = clmath_whole(call->number, count, arguments, results, places + found);
        for (Long i = 0; i < more; i++) places[found + i] += first;
        found += more;
        done += count;
    }
    for (Long i = 0; i < found && all.walk.is_permuted; i++) places[i] = placed(&all.walk, places[i]);
    return found;
}
