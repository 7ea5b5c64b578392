/* Whole built-ins on arrays of NumPy as they are: any strides, byte order and broadcasting.
   Nothing of NumPy or Python is called. */

/* What follows the head of the object: every extension module has these offsets compiled into it, so they stay. */
typedef struct {
    char *data;
    int axes;
    const Long *lengths, *steps;
    const void *base, *type;
    int flags;
} Array;

enum { MOST_AXES = 8, FEW = 2048, PIECE = 2048, REFUSED = -1 };
enum { ALIGNED = 0x100, WRITEABLE = 0x400 };

typedef struct {
    double first, second;
} Pair;

/* Where the lanes of all operands lie, the results last. Axes are sorted by the steps of the first result, and those that
   can be taken together are one. If that changes their order, places are the distances in C order along unjoined axes. */
typedef struct {
    Long operands, axes, lanes, unjoined;
    Long lengths[MOST_AXES], unjoined_lengths[MOST_AXES], places[MOST_AXES];
    char *start[READ + WRITTEN];
    Long steps[READ + WRITTEN][MOST_AXES], sizes[READ + WRITTEN];
    bool is_permuted;
} Walk;

/* Whether this thread keeps subnormal numbers and rounds to nearest even: see numbers/guard.py */
static bool is_unaltered(void) {
    const volatile double smallest = 0x1p-1074, normal = 0x1p-1022, one = 1.0, tie = 0x1p-53, above = 0x3p-54;
    return normal * 0.5 != 0.0 && smallest * 0x1p60 != 0.0 && one + tie == 1.0 && one + above != 1.0;
}

/* Lay an operand along the axes of the result that have more than one element: steps are 0 where it is broadcast. False
   where it does not fit. */
static bool is_laid(Walk *walk, const Array *result, const Array *array, const Long size) {
    const Long n = walk->operands++, missing = result->axes - array->axes;
    if (!(array->flags & ALIGNED) || missing < 0) return false;
    walk->start[n] = array->data;
    walk->sizes[n] = size;
    for (Long i = 0, kept = 0; i < result->axes; i++) {
        const Long length = i < missing ? 1 : array->lengths[i - missing];
        if (length != result->lengths[i] && length != 1) return false;
        if (result->lengths[i] != 1) walk->steps[n][kept++] = length == 1 ? 0 : array->steps[i - missing];
    }
    return true;
}

static bool is_result(Walk *walk, const Array *first, const Array *array, const Long size) {
    if (!(array->flags & WRITEABLE) || array->axes != first->axes || !is_laid(walk, first, array, size)) return false;
    for (Long i = 0; i < walk->axes; i++)
        if (!walk->steps[walk->operands - 1][i]) return false;
    return true;
}

/* The axes of the result that have more than one element; false where there are too many. */
static bool has_axes(Walk *walk, const Array *result) {
    walk->axes = 0;
    walk->lanes = 1;
    for (Long i = 0; i < result->axes; i++) {
        walk->lanes *= result->lengths[i];
        if (result->lengths[i] == 1) continue;
        if (walk->axes == MOST_AXES) return false;
        walk->lengths[walk->axes++] = result->lengths[i];
    }
    return true;
}

static Long magnitude(const Long step) { return step < 0 ? -step : step; }

static void exchange(Long *axes, const Long i) {
    const Long before = axes[i - 1];
    axes[i - 1] = axes[i];
    axes[i] = before;
}

static void sort_axes(Walk *walk, const Long model) {
    const Long *steps = walk->steps[model];
    walk->is_permuted = false;
    for (Long i = walk->axes - 1, place = 1; i >= 0; place *= walk->lengths[i--]) walk->places[i] = place;
    for (Long i = 1; i < walk->axes; i++) {
        for (Long j = i; j > 0 && magnitude(steps[j - 1]) < magnitude(steps[j]); j--) {
            walk->is_permuted = true;
            exchange(walk->lengths, j);
            exchange(walk->places, j);
            for (Long n = 0; n < walk->operands; n++) exchange(walk->steps[n], j);
        }
    }
}

/* Take axes together along which every operand goes on in steps of one size. */
static void join_axes(Walk *walk) {
    Long kept = 0;
    walk->unjoined = walk->axes;
    for (Long i = 0; i < walk->axes; i++) {
        const Long length = walk->unjoined_lengths[i] = walk->lengths[i];
        bool joins = kept > 0;
        for (Long n = 0; n < walk->operands && joins; n++)
            joins = walk->steps[n][kept - 1] == walk->steps[n][i] * length;
        if (!joins) kept++;
        walk->lengths[kept - 1] = joins ? walk->lengths[kept - 1] * length : length;
        for (Long n = 0; n < walk->operands; n++) walk->steps[n][kept - 1] = walk->steps[n][i];
    }
    walk->axes = kept;
}

/* The first byte that operand n may touch, and what follows the last. */
static void extent(const Walk *walk, const Long n, const char **low, const char **high) {
    *low = walk->start[n];
    *high = *low + walk->sizes[n];
    for (Long i = 0; i < walk->axes; i++) {
        const Long reach = (walk->lengths[i] - 1) * walk->steps[n][i];
        if (reach < 0) *low += reach; else *high += reach;
    }
}

/* Whether a result may share memory with another operand. */
static bool overlaps(const Walk *walk, const Long arguments) {
    const char *low, *high, *other_low, *other_high;
    for (Long n = arguments; n < walk->operands; n++) {
        extent(walk, n, &low, &high);
        for (Long i = 0; i < n; i++) {
            extent(walk, i, &other_low, &other_high);
            if (low < other_high && other_low < high) return true;
        }
    }
    return false;
}

/* False where the operands are not what this file is for, or the thread's arithmetic is altered. */
static bool is_walk(Walk *walk, const struct call *call, const char *const *arguments, const char *const *results) {
    const Signature of = signature(call);
    const Array *first = (const Array *)(results[0] + call->head);
    walk->operands = 0;
    if (of.arguments > READ || !is_unaltered() || !has_axes(walk, first)) return false;
    for (Long i = 0; i < of.arguments; i++) {
        if (!is_laid(walk, first, (const Array *)(arguments[i] + call->head), of.sizes[i])) return false;
    }
    for (Long i = 0; i < of.results; i++)
        if (!is_result(walk, first, (const Array *)(results[i] + call->head), of.widths[i])) return false;
    sort_axes(walk, of.arguments);
    join_axes(walk);
    return !walk->lanes || !overlaps(walk, of.arguments);
}

/* Copy operand n from the lane `first` on next to each other, or write it from there. */
static void move(const Walk *walk, const Long n, const Long first, const Long count, char *room, const bool writes) {
    Long at[MOST_AXES], rest = first;
    const Long last = walk->axes - 1, size = walk->sizes[n];
    char *lane = walk->start[n];
    for (Long i = last; i >= 0; rest /= walk->lengths[i--]) {
        at[i] = rest % walk->lengths[i];
        lane += at[i] * walk->steps[n][i];
    }
    for (Long done = 0; done < count;) {
        const Long step = last < 0 ? 0 : walk->steps[n][last], left = last < 0 ? 1 : walk->lengths[last] - at[last];
        const Long run = left < count - done ? left : count - done;
        if (writes) copy(lane, step, room + done * size, size, size, run);
        else copy(room + done * size, size, lane, step, size, run);
        done += run;
        if (done == count) return;
        lane -= at[last] * step;
        at[last] = 0;
        for (Long i = last - 1; i >= 0; i--) {
            lane += walk->steps[n][i];
            if (++at[i] < walk->lengths[i]) break;
            lane -= at[i] * walk->steps[n][i];
            at[i] = 0;
        }
    }
}

static void swap(char *room, const Long size, const Long count) {
#define SWAP(type, swapped) for (Long i = 0; i < count; i++) ((type *)room)[i] = swapped(((type *)room)[i]);
    if (size == 8) SWAP(Double, __builtin_bswap64)
    else if (size == 4) SWAP(Word, __builtin_bswap32)
    else SWAP(Short, __builtin_bswap16)
}

/* One argument of a block as it is taken. */
static Operand read(const Walk *walk, const Long n, const Long how, const Long first, const Long count, Double *room) {
    const Long size = walk->sizes[n];
    if (walk->axes <= 1 && how == AS_IT_IS) {
        const Long step = walk->axes ? walk->steps[n][0] : 0;
        return (Operand){walk->start[n] + first * step, step};
    }
    move(walk, n, first, count, (char *)room, false);
    if (how == SWAPPED) swap((char *)room, size, count);
    return (Operand){(char *)room, size};
}

/* Store all results of lanes that are close in memory, block after block. */
static Long of_blocks(const struct call *call, const Walk *walk, const Long first, const Long count, Long *undecided) {
    const Signature of = signature(call);
    Double x_room[READ][BLOCK], r_room[WRITTEN][BLOCK];
    Operand arguments[READ], results[WRITTEN];
    bool is_plain = walk->axes <= 1;
    for (Long i = 0; i < of.arguments; i++) is_plain &= call->how[i] == AS_IT_IS;
    const Long most = is_plain ? count : BLOCK;
    Long found = 0;
    for (Long done = 0; done < count; done += most) {
        const Long lanes = count - done < most ? count - done : most, start = first + done;
        for (Long i = 0; i < of.arguments; i++) arguments[i] = read(walk, i, call->how[i], start, lanes, x_room[i]);
        for (Long i = 0; i < of.results; i++)
            results[i] = walk->axes <= 1 ? read(walk, of.arguments + i, AS_IT_IS, start, lanes, 0)
                                         : (Operand){(char *)r_room[i], of.widths[i]};
        const Long more = evaluate(call, lanes, arguments, results, undecided + found);
        for (Long i = 0; i < more; i++) undecided[found + i] += start;
        found += more;
        for (Long i = 0; i < of.results && walk->axes > 1; i++)
            move(walk, of.arguments + i, start, lanes, (char *)r_room[i], true);
    }
    return found;
}

/* The place in C order of a lane of the walk. */
static Long placed(const Walk *walk, Long lane) {
    Long place = 0;
    for (Long i = walk->unjoined - 1; i >= 0; lane /= walk->unjoined_lengths[i--])
        place += lane % walk->unjoined_lengths[i] * walk->places[i];
    return place;
}
