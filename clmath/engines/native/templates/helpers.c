/* Threads that help with a call: each waits in here for a job, and after it a while for the next one, since a thread that
   sleeps takes as long to wake as to compute ten thousand lanes. No lock of Python's is held meanwhile. */

typedef Long Many(struct call *, const char *, const char *, const char *, const char *, const char *, const char *,
                  Long *, const char *, Long);

/* What is shared: the function, what it takes, the next lane, how many a thread takes at least, and how many there are; how
   many microseconds a thread waits afterwards, 0 where there are more threads than processors. */
struct job {
    Many *many;
    struct call *call;
    const char *arguments[READ], *results[WRITTEN];
    Long next, least, lanes, patience;
};

/* A thread: ASLEEP in Python, READY, ASKED to do a job, BUSY with it, or AWAITED: busy, and the caller is to be woken then.
   What `many` returned last, the array in which that lists undecided lanes, and how long it waits. */
struct helper {
    Long state;
    struct job *job;
    Long found;
    const char *undecided;
    Long patience;
};
enum { ASLEEP, READY, ASKED, BUSY, AWAITED };

static Count microseconds(void) {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc() >> 11; /* of processors of 2 GHz; of faster ones they are shorter */
#else
    Count ticks, frequency;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    __asm__ volatile("mrs %0, cntfrq_el0" : "=r"(frequency));
    return ticks * 1000 / (frequency / 1000);
#endif
}

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

/* Make the state `then` if it is `now`; whether it was. */
static bool becomes(Long *state, Long now, const Long then) {
    return __atomic_compare_exchange_n(state, &now, then, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Wait while the state is `now`, and make it `then` after `patience` microseconds; whether that took so long. */
static bool waited(Long *state, const Long now, const Long then, const Long patience) {
    const Count begun = microseconds();
    while (__atomic_load_n(state, __ATOMIC_ACQUIRE) == now) {
        if (microseconds() - begun < (Count)patience) relax();
        else if (becomes(state, now, then)) return true;
    }
    return false;
}

/* Ask a helper that has no job to do this one; whether it has to be woken. */
EXPORT Long clmath_begin(struct helper *helper, struct job *job) {
    helper->job = job;
    return __atomic_exchange_n(&helper->state, ASKED, __ATOMIC_ACQ_REL) == ASLEEP;
}

/* Do jobs until there was none for a while, or the caller has to be woken: whether it has. */
EXPORT Long clmath_serve(struct helper *helper) {
    while (!waited(&helper->state, READY, ASLEEP, helper->patience)) {
        if (!becomes(&helper->state, ASKED, BUSY)) continue; /* the caller has done all by itself */
        struct job *job = helper->job;
        const char *const *x = job->arguments, *const *r = job->results;
        helper->found =
            job->many(job->call, x[0], x[1], x[2], x[3], r[0], r[1], &job->next, helper->undecided, job->lanes);
        helper->patience = job->patience;
        if (__atomic_exchange_n(&helper->state, READY, __ATOMIC_ACQ_REL) == AWAITED) return true;
    }
    return false;
}

/* Whether a helper has done its job. */
EXPORT Long clmath_done(const struct helper *helper) { return __atomic_load_n(&helper->state, __ATOMIC_ACQUIRE) <= READY; }

/* Wait until a helper that is busy is done, for `patience` microseconds at most; one that has not begun does not. Whether
   it takes longer: then it is AWAITED. */
EXPORT Long clmath_awaited(struct helper *helper, const Long patience) {
    return !becomes(&helper->state, ASKED, READY) && waited(&helper->state, BUSY, AWAITED, patience);
}
