/* Results in float compared with what kernels of one float enclose, block after block: enclosures first, which stay in the
   first cache, then what is rounded correctly, then the errors of the rest; these lane after lane at last. */

enum { RANGE = 20, RANGES = 4095 };    /* bits of an argument that do not tell its range, see judge/regimes.py */
enum { STRETCH = 23, STRETCHES = 511 }; /* bits of an argument that do not tell its stretch: the significand */
enum { NOTHING, WAIVED, FREE };         /* what is left out, see loop.py */
enum { UNDECIDED, CONFORMS, FAILS };
#define ROOM __attribute__((aligned(64))) /* vectors do not lie across lines of the cache */
#define LITTLE 0x0.0000000000001p-1022 /* a floor that only errors of 0 lie below */

/* What is asked, where it is noted, and what is known so far: see Screen in loop.py. */
struct screen {
    struct limits {
        const double *allowed, *refused, *tolerance;
        Long left_out;
    } limits;
    struct notes {
        double *best, *bounds;
        Long *counts, *others, *wrong;
        Long last; /* of `counts`, for what is farthest off */
    } notes;
    struct progress {
        double floor;
        Long shown, left, marked, failed, out;
    } progress;
};

/* A kernel, of this library or of the one of kernels: the function that encloses by it, its number there, and how many
   results it has. exact: its enclosures are values, of ints where it is integer as well; reach: how many ulp a value of no
   width may lie from the exact one. */
struct source {
    Enclose *enclose;
    Long number, results, exact, integer;
    double reach;
};

/* Of a block, a result's enclosures, and the encodings that are compared with them. */
struct column {
    const struct source *source;
    const double *hi, *err;
    const int32_t *codes;
};

static Long code_of(const float x) {
    int32_t code;
    __builtin_memcpy(&code, &x, 4);
    return code;
}

LOOP void all_rounded(const double *restrict hi, const double *restrict err, const int32_t *restrict codes,
                      Byte *restrict rounded, const Long count) {
    VECTORS
    for (Long i = 0; i < count; i++) {
        bool is;
        is_rounded(hi[i], err[i], codes[i], TABLES, &is);
        rounded[i] = is & rounded[i];
    }
}

LOOP void all_equal(const double *restrict hi, const int32_t *restrict codes, Byte *restrict rounded, const Long count) {
    VECTORS
    for (Long i = 0; i < count; i++) rounded[i] = (hi[i] == codes[i]) & rounded[i];
}

#define LEAVING_OUT(name) \
    LOOP void all_##name(const float *restrict x, const double *restrict hi, const double *restrict err, \
                         const int32_t *restrict codes, Byte *restrict out, Byte *restrict within, const Long count) { \
        VECTORS \
        for (Long i = 0; i < count; i++) { \
            bool is_out, is_within; \
            left_##name(x[i], hi[i], err[i], codes[i], TABLES, &is_out, &is_within); \
            out[i] = is_out | out[i]; \
            within[i] = is_within & within[i]; \
        } \
    }
LEAVING_OUT(waived)
LEAVING_OUT(free)

/* Of listed lanes of one result, gathered: argument, enclosure and encoding, and what is asked of the argument. */
struct gathered {
    float x[BLOCK];
    double hi[BLOCK], err[BLOCK], allowed[BLOCK], tolerance[BLOCK], refused[BLOCK];
    int32_t codes[BLOCK];
};

/* What is said of each of them: the verdict, bounds on the error, and in which bin it is counted. */
struct said {
    Byte verdicts[BLOCK];
    double least[BLOCK], most[BLOCK];
    Long bins[BLOCK];
};

LOOP void all_judged(const struct gathered *restrict of, const double off, struct said *restrict said, const Long count) {
    VECTORS
    for (Long i = 0; i < count; i++) {
        bool conforms, fails;
        judged(of->x[i], of->hi[i], of->err[i], of->codes[i], off, of->allowed[i], of->refused[i], of->tolerance[i], TABLES,
               &conforms, &fails, &said->least[i], &said->most[i], &said->bins[i]);
        said->verdicts[i] = conforms ? CONFORMS : fails ? FAILS : UNDECIDED;
    }
}

/* The same for lanes that are all rounded correctly. */
LOOP void all_measured(const struct gathered *restrict of, const double off, struct said *restrict said, const Long count) {
    VECTORS
    for (Long i = 0; i < count; i++) {
        bool is;
        measured(of->hi[i], of->err[i], of->codes[i], off, TABLES, &is, &said->least[i], &said->most[i]);
        said->verdicts[i] = is ? CONFORMS : UNDECIDED;
        said->bins[i] = 0;
    }
}

/* Note the lanes all of whose results are correctly rounded, and ints right; how many are. */
static Long look(const struct column *columns, const Long results, Byte *rounded, const Long count) {
    Long found = 0;
    for (Long i = 0; i < count; i++) rounded[i] = true;
    for (Long n = 0; n < results; n++) {
        const struct column one = columns[n];
        if (one.source->integer) all_equal(one.hi, one.codes, rounded, count);
        else all_rounded(one.hi, one.err, one.codes, rounded, count);
    }
    for (Long i = 0; i < count; i++) found += rounded[i];
    return found;
}

/* Count the lanes with a result that is left out; how many others are rounded correctly. Both are noted as rounded. What
   is not known to be left out, nor to be judged, is noted as not within. */
static Long leave_out(const struct limits *limits, const struct column *columns, const Long results, const float *x,
                      Byte *rounded, Byte *out, Byte *within, Long *here, const Long count) {
    Long left_out = 0, counted = 0;
    for (Long i = 0; i < count; i++) out[i] = false;
    for (Long n = 0; n < results; n++) {
        const struct column one = columns[n];
        if (one.source->integer) continue;
        if (limits->left_out == FREE) all_free(x, one.hi, one.err, one.codes, out, within, count);
        else all_waived(x, one.hi, one.err, one.codes, out, within, count);
    }
    for (Long i = 0; i < count; i++) {
        const Byte counts = rounded[i] & within[i] & !out[i];
        rounded[i] = out[i] | counts;
        left_out += out[i];
        counted += counts;
    }
    *here = counted;
    return left_out;
}

/* Judge listed lanes of one result; those that are all rounded correctly are only measured. */
static void judge_result(const struct limits *limits, const struct column *column, const float *x, const Byte *rounded,
                         const Short *lanes, struct said *said, const Long count) {
    ROOM struct gathered of;
    bool are_rounded = true;
    for (Long k = 0; k < count; k++) are_rounded &= rounded[lanes[k]];
    gather((char *)of.x, (const char *)x, 4, lanes, count);
    gather((char *)of.hi, (const char *)column->hi, 8, lanes, count);
    gather((char *)of.err, (const char *)column->err, 8, lanes, count);
    gather((char *)of.codes, (const char *)column->codes, 4, lanes, count);
    for (Long k = 0; k < count; k++) {
        const Long range = code_of(of.x[k]) >> RANGE & RANGES;
        of.allowed[k] = limits->allowed[range];
        of.tolerance[k] = limits->tolerance[range];
        of.refused[k] = limits->refused[range];
    }
    if (are_rounded) all_measured(&of, column->source->reach, said, count);
    else all_judged(&of, column->source->reach, said, count);
}

static double larger(const double a, const double b) { return a < b ? b : a; }

/* The verdict on several results: decided where that on each is. */
static inline int both(const int one, const int other) {
    if (one == UNDECIDED || other == UNDECIDED) return UNDECIDED;
    return one > other ? one : other;
}

/* Count a call with an error below the floor; note it where that may be the largest of its stretch. */
static inline void count_one(const struct notes *notes, struct progress *progress, const Long lane, const Long x,
                             const double least, const double most, const Long bin) {
    const Long stretch = x >> STRETCH & STRETCHES;
    notes->counts[bin < notes->last ? bin : notes->last]++;
    if (bin > 0 && most >= notes->best[stretch]) {
        notes->wrong[progress->marked] = lane;
        notes->bounds[progress->marked++] = most;
        notes->best[stretch] = larger(notes->best[stretch], least);
    }
}

/* Look at the listed lanes of a block, which is the one from `first` on, one after the other. */
FUNCTION void judge_lanes(struct screen *screen, const struct column *columns, const Long results, const float *x,
                          const Byte *rounded, const Byte *within, const Short *lanes, const Long first, const Long count) {
    ROOM struct said all[MOST_RESULTS];
    const struct limits limits = screen->limits; /* which no store changes, nor what follows: they stay in registers */
    const struct notes notes = screen->notes;
    struct progress progress = screen->progress;
    for (Long n = 0; n < results; n++)
        if (!columns[n].source->integer) judge_result(&limits, &columns[n], x, rounded, lanes, &all[n], count);
    for (Long k = 0; k < count; k++) {
        const Long i = lanes[k];
        int verdict = within[i] ? CONFORMS : UNDECIDED;
        double least = 0.0, most = 0.0;
        Long bin = 0;
        for (Long n = 0; n < results; n++) {
            const struct said *said = &all[n];
            if (columns[n].source->integer) {
                verdict = both(verdict, columns[n].hi[i] == columns[n].codes[i] ? CONFORMS : UNDECIDED);
                continue;
            }
            verdict = both(verdict, said->verdicts[k]);
            least = larger(least, said->least[k]);
            most = larger(most, said->most[k]);
            bin = bin < said->bins[k] ? said->bins[k] : bin;
        }
        if (verdict == FAILS && progress.shown > 0) {
            progress.shown--;
            verdict = UNDECIDED;
        }
        if (verdict != UNDECIDED && most < progress.floor) {
            progress.failed += verdict == FAILS;
            count_one(&notes, &progress, first + i, code_of(x[i]), least, most, bin);
            continue;
        }
        notes.others[progress.left++] = first + i;
        if (verdict != UNDECIDED) progress.floor = larger(progress.floor, larger(least, LITTLE));
    }
    screen->progress = progress;
}

/* The same; most rows have one result, for which less is looked up. */
static void judge(struct screen *screen, const struct column *columns, const Long results, const float *x,
                  const Byte *rounded, const Byte *within, const Short *lanes, const Long first, const Long count) {
    const struct column one = columns[0];
    if (results == 1) judge_lanes(screen, &one, 1, x, rounded, within, lanes, first, count);
    else judge_lanes(screen, columns, results, x, rounded, within, lanes, first, count);
}

/* Compare a block with its enclosures. What is correctly rounded is not looked at where it cannot be above the floor. */
static void compare(struct screen *screen, const struct column *columns, const Long results, const double rounded,
                    const float *x, const Long first, const Long count) {
    ROOM Byte right[BLOCK], asked[BLOCK], out[BLOCK], within[BLOCK];
    Short lanes[BLOCK];
    const bool leaves_out = screen->limits.left_out != NOTHING, passes = screen->progress.floor > rounded;
    Long here = look(columns, results, right, count), done = 0;
    for (Long i = 0; i < count; i++) within[i] = true;
    if (leaves_out) done = leave_out(&screen->limits, columns, results, x, right, out, within, &here, count);
    screen->progress.out += done;
    if (passes) {
        screen->notes.counts[0] += here;
        done += here;
    }
    if (done == count) return;
    for (Long i = 0; i < count; i++) asked[i] = !(passes & right[i]);
    for (Long i = 0; i < count && leaves_out; i++) asked[i] &= !out[i];
    judge(screen, columns, results, x, right, within, lanes, first, listed(asked, lanes, count));
}

/* Enclose the results of a block by a kernel of this library. */
EXPORT void clmath_enclosed_here(const Long number, const void *const *x, void *const *parts, const Long count) {
    OWN[number](x, parts, count);
}

/* Count the lanes that conform with errors below the floor, by how many floats they are off; note the rest. */
EXPORT void clmath_screened(const struct source *sources, const Long kernels, const Long count, const float *x,
                            const int32_t *const *codes, struct screen *screen) {
    ROOM double room[MOST_RESULTS * 2][BLOCK];
    void *p[MOST_RESULTS * 2];
    struct column columns[MOST_RESULTS];
    Long results = 0;
    double rounded = 0.0; /* ulp: what correctly rounded results are off by, at most */
    for (Long i = 0; i < MOST_RESULTS * 2; i++) p[i] = room[i];
    for (Long k = 0; k < kernels; k++) {
        const struct source *source = &sources[k];
        if (!source->exact) rounded = 0.5;
        for (Long n = 0; n < source->results; n++, results++)
            columns[results] = (struct column){source, room[2 * results], room[2 * results + 1], 0};
    }
    for (Long first = 0; first < count; first += BLOCK) {
        const Long lanes = count - first < BLOCK ? count - first : BLOCK;
        const void *here = x + first;
        for (Long k = 0, n = 0; k < kernels; n += sources[k++].results)
            sources[k].enclose(sources[k].number, &here, p + 2 * n, lanes);
        for (Long n = 0; n < results; n++) columns[n].codes = codes[n] + first;
        compare(screen, columns, results, rounded, x + first, first, lanes);
    }
}
