/* The loop of a ufunc of NumPy, for one built-in, format and mode. Elements that compiled code leaves undecided are asked of
   Python in the same call. Whatever rounding and flushing the thread has set, results are right; neither that nor NumPy's
   flags of floating point are changed. */

typedef void UfuncLoop(char **operands, const intptr_t *lengths, const intptr_t *steps, void *data);

/* A kernel and what its results are rounded to, or a whole built-in; which arguments are halves that are taken as floats,
   a bit for each; how many lanes were evaluated so far, and left undecided. */
struct call {
    Long number, form, mode, halves;
    Long evaluated, undecided;
};

/* How many arguments are read, and results written; the bytes of an element of each. */
typedef struct {
    Long arguments, results;
    const Byte *sizes, *widths;
} Signature;

/* Of what is called, and what stores all its results for lanes and lists those that it leaves: see loops.c, and wholes.c. */
static Signature signature(const struct call *call);
static Long evaluate(const struct call *call, Long lanes, const Operand *arguments, const Operand *results, Long *undecided);

/* answer: store the results of `count` elements that lie next to each other, and return DONE, or STOPPED after an error;
   nothing else is an answer */
struct ufunc {
    struct call call;
    Long id;
    Long (*answer)(Long id, Long count, char *const *arguments, char *const *results);
};

enum { MOST_OPERANDS = MOST_ARGUMENTS + MOST_RESULTS, PART = 2048, COPIED = BLOCK };
enum { DONE = 1, STOPPED = 2, BROKEN_OFF = -1 };

#if defined(__x86_64__)
typedef Word Control;
static Control set_plain(void) {
    const Control before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);
    return before;
}
static void set_back(const Control before) { __builtin_ia32_ldmxcsr(before); }
#elif defined(__aarch64__)
typedef struct { Count control, status; } Control;
static Control set_plain(void) {
    Control before;
    __asm__ volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(before.control), "=r"(before.status));
    __asm__ volatile("msr fpcr, xzr");
    return before;
}
static void set_back(const Control before) {
    __asm__ volatile("msr fpsr, %1\n\tmsr fpcr, %0" : : "r"(before.control), "r"(before.status));
}
#endif

/* The operands of one call, the arguments first: of a part of the elements, each where its first element lies. */
typedef struct {
    Signature of;
    char *at[MOST_OPERANDS];
    Long steps[MOST_OPERANDS], sizes[MOST_OPERANDS];
    bool is_copied[MOST_ARGUMENTS];
} Operands;

/* Whether an argument and a result share memory, other than element by element. */
static bool is_shifted(const Operands *all, const Long i, const Long j, const Long count) {
    const char *low[2], *high[2];
    const Long pair[] = {i, j};
    if (all->steps[i] == all->steps[j] && all->steps[i]) {
        const Long step = all->steps[i] < 0 ? -all->steps[i] : all->steps[i], apart = (all->at[j] - all->at[i]) % step;
        const Long after = apart < 0 ? apart + step : apart; /* from an argument to the next result */
        if (all->at[i] == all->at[j] || (after >= all->sizes[i] && step - after >= all->sizes[j])) return false;
    }
    for (Long k = 0; k < 2; k++) {
        const Long n = pair[k], reach = (count - 1) * all->steps[n];
        low[k] = all->at[n] + (reach < 0 ? reach : 0);
        high[k] = all->at[n] + (reach > 0 ? reach : 0) + all->sizes[n];
    }
    return low[0] < high[1] && low[1] < high[0];
}

/* Elements that may be taken together: one where a result is an argument of the next element, as in reductions. */
static Long together(Operands *all, const struct ufunc *ufunc, const Long count) {
    Long most = PART;
    bool follow = false;
    for (Long i = 0; i < all->of.arguments; i++) {
        all->is_copied[i] = ufunc->call.halves >> i & 1;
        for (Long j = all->of.arguments; j < all->of.arguments + all->of.results; j++) {
            follow |= is_shifted(all, i, j, count);
            all->is_copied[i] |= all->at[i] == all->at[j]; /* for the elements that are left */
        }
        if (all->is_copied[i]) most = COPIED;
    }
    return follow ? 1 : most;
}

/* Ask for the elements at the places `left`, at most COPIED; true to stop. */
static bool is_stopped(const struct ufunc *ufunc, const Operands *all, char *const *kept, const Long *left, const Long found) {
    Double x_room[MOST_ARGUMENTS][COPIED], r_room[MOST_RESULTS][COPIED];
    char *x[MOST_ARGUMENTS], *r[MOST_RESULTS];
    for (Long i = 0; i < all->of.arguments; i++) {
        const Long size = all->sizes[i], step = all->is_copied[i] ? size : all->steps[i];
        x[i] = (char *)x_room[i];
        for (Long k = 0; k < found; k++) copy(x[i] + k * size, size, kept[i] + left[k] * step, step, size, 1);
    }
    for (Long i = 0; i < all->of.results; i++) r[i] = (char *)r_room[i];
    Long answer;
    do answer = ufunc->answer(ufunc->id, found, x, r); while (answer != DONE && answer != STOPPED);
    if (answer == STOPPED) return true;
    for (Long i = 0; i < all->of.results; i++) {
        const Long n = all->of.arguments + i, size = all->sizes[n], step = all->steps[n];
        for (Long k = 0; k < found; k++) copy(all->at[n] + left[k] * step, step, r[i] + k * size, size, size, 1);
    }
    return false;
}

/* The float that a half is: its exponent is moved, but those of subnormals, infinities and NaNs are others. */
static void widen(const Short *restrict from, Word *restrict to, const Long count) {
    for (Long i = 0; i < count; i++) {
        const Word half = from[i], sign = (half & 0x8000) << 16, rest = half & 0x7fff;
        const float small = (float)(int32_t)rest * 0x1p-24f;
        Word code;
        __builtin_memcpy(&code, &small, 4);
        code = rest < 0x400 ? code : rest < 0x7c00 ? (rest << 13) + 0x38000000 : (rest << 13) | 0x7f800000;
        to[i] = sign | code;
    }
}

/* Store all results of elements that may be taken together; how many were asked for, or BROKEN_OFF to stop. */
static __attribute__((noinline)) Long store(const struct ufunc *ufunc, const Operands *all, const Long count) {
    Double raw[MOST_ARGUMENTS][COPIED], wide[MOST_ARGUMENTS][COPIED];
    Operand arguments[MOST_ARGUMENTS], results[MOST_RESULTS];
    char *kept[MOST_ARGUMENTS];
    Long left[PART];
    for (Long i = 0; i < all->of.arguments; i++) {
        const Long size = all->sizes[i];
        kept[i] = all->at[i];
        arguments[i] = (Operand){all->at[i], all->steps[i]};
        if (!all->is_copied[i]) continue;
        kept[i] = (char *)raw[i];
        copy(kept[i], size, all->at[i], all->steps[i], size, count);
        arguments[i] = (Operand){kept[i], size};
        if (!(ufunc->call.halves >> i & 1)) continue;
        widen((const Short *)kept[i], (Word *)wide[i], count);
        arguments[i] = (Operand){(char *)wide[i], 4};
    }
    for (Long i = 0; i < all->of.results; i++) {
        const Long n = all->of.arguments + i;
        results[i] = (Operand){all->at[n], all->steps[n]};
    }
    const Long found = evaluate(&ufunc->call, count, arguments, results, left);
    for (Long first = 0; first < found; first += COPIED) {
        const Long some = found - first < COPIED ? found - first : COPIED;
        if (is_stopped(ufunc, all, kept, left + first, some)) return BROKEN_OFF;
    }
    return found;
}

/* The loop of a ufunc, of as many operands as there are arguments and results. */
static void run(char *const *operands, const Long count, const intptr_t *steps, struct ufunc *ufunc) {
    Operands all;
    all.of = signature(&ufunc->call);
    const Long number = all.of.arguments + all.of.results;
    for (Long n = 0; n < number; n++) {
        const bool is_argument = n < all.of.arguments;
        all.at[n] = operands[n];
        all.steps[n] = steps[n];
        all.sizes[n] = is_argument ? all.of.sizes[n] : all.of.widths[n - all.of.arguments];
        if (is_argument && ufunc->call.halves >> n & 1) all.sizes[n] = 2;
    }
    const Control control = set_plain();
    const Long most = together(&all, ufunc, count);
    Long undecided = 0;
    for (Long first = 0; first < count; first += most) {
        const Long part = count - first < most ? count - first : most;
        const Long found = store(ufunc, &all, part);
        if (found == BROKEN_OFF) break;
        undecided += found;
        for (Long n = 0; n < number; n++) all.at[n] += part * all.steps[n];
    }
    set_back(control);
    __atomic_fetch_add(&ufunc->call.evaluated, count, __ATOMIC_RELAXED);
    __atomic_fetch_add(&ufunc->call.undecided, undecided, __ATOMIC_RELAXED);
}
