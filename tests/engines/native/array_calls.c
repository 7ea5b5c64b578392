/* A program that runs loops of ufuncs, and has whole built-ins read arrays as they are, for a test: any axes, steps and
   flags. Each array lies in memory of exactly the bytes that it reaches, which a sanitizer watches.

   Read: a request; then of each array, arguments first, what `Described` has; then the bytes of each. Written: what the
   call returned, or all calls together, REFUSED where one was; how many lanes are undecided, and which; then the bytes of
   each result. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { READ = 4, WRITTEN = 2, MOST = READ + WRITTEN, MOST_AXES = 8, REFUSED = -1, WRITEABLE = 0x400 };
enum { LOOP, WHOLE_LOOP, WHOLE_FEW, WHOLE_MANY, VECTORS, MANY_VECTORS };

struct call {
    int64_t number, form, mode, head, how[READ], evaluated, undecided;
};
struct ufunc {
    struct call call;
    int64_t id;
    int64_t (*answer)(int64_t, int64_t, char *const *, char *const *);
};
typedef struct {
    char *data;
    int axes;
    const int64_t *lengths, *steps;
    const void *base, *type;
    int flags;
} Array;
typedef struct {
    int64_t entry, number, form, mode, how[READ], arguments, results, lanes, room, least;
} Request;
typedef struct {
    int64_t bytes, offset, axes, flags, lengths[MOST_AXES], steps[MOST_AXES];
} Described;

#define SOME struct call *, const char *, const char *, const char *, const char *, const char *, const char *
#define ALL SOME, int64_t *, const char *, int64_t
int64_t clmath_whole_few(SOME), clmath_whole_many(ALL), clmath_whole_many_vectors(ALL);
void clmath_loop(char **, const intptr_t *, const intptr_t *, void *), clmath_whole_loop(char **, const intptr_t *, const intptr_t *, void *);
int64_t clmath_whole_vectors(const struct call *, const char *, const char *, const char *);

static void transfer(const int reads, void *bytes, const int64_t size) {
    const size_t wanted = (size_t)size;
    if ((reads ? fread(bytes, 1, wanted, stdin) : fwrite(bytes, 1, wanted, stdout)) != wanted) exit(1);
}

/* All pieces, one after the other: how many lanes are listed in `places`. */
static int64_t pieces(const Request *asked, struct call *call, const char **given, int64_t *places) {
    int64_t next[] = {0, asked->least}, found = 0;
    while (next[0] < asked->lanes) {
        int64_t *list = malloc((size_t)asked->room * 8);
        const Array undecided = {(char *)list, 1, &asked->room, 0, 0, 0, 0};
        int64_t (*many)(ALL) = asked->entry == WHOLE_MANY ? clmath_whole_many : clmath_whole_many_vectors;
        const int64_t more = many(call, given[0], given[1], given[2], given[3], given[4], given[5], next,
                                  (const char *)&undecided, asked->lanes / 2 + 1);
        if (more == REFUSED) return REFUSED;
        for (int64_t i = 0; i < more; i++) places[found + i] = list[i];
        found += more;
        free(list);
    }
    return found;
}

static int64_t results, sizes[WRITTEN]; /* of the loop that runs */

/* The answer to undecided elements: bytes of 7. */
static int64_t sevens(const int64_t id, const int64_t count, char *const *arguments, char *const *found) {
    (void)id, (void)arguments;
    for (int64_t i = 0; i < results; i++) memset(found[i], 7, (size_t)(count * sizes[i]));
    return 1;
}

/* Run the loop of a ufunc on arrays of one axis: how many elements it asks for. */
static int64_t looped(const Request *asked, const struct call *call, const Described *told, const Array *arrays) {
    struct ufunc ufunc = {*call, 0, sevens};
    const intptr_t length = (intptr_t)asked->lanes;
    char *operands[MOST];
    intptr_t steps[MOST];
    results = asked->results;
    for (int64_t i = 0; i < asked->arguments + results; i++) {
        operands[i] = arrays[i].data;
        steps[i] = (intptr_t)told[i].steps[0];
        if (i >= asked->arguments) sizes[i - asked->arguments] = told[i].bytes - (length - 1) * llabs(told[i].steps[0]);
    }
    (asked->entry == LOOP ? clmath_loop : clmath_whole_loop)(operands, &length, steps, &ufunc);
    return ufunc.call.undecided;
}

static void answer(const Request *asked) {
    const int64_t count = asked->arguments + asked->results;
    struct call call = {asked->number, asked->form, asked->mode, 0, {0}, 0, 0};
    Described told[MOST];
    Array arrays[MOST];
    char *memory[MOST] = {0};
    const char *given[MOST] = {0};
    for (int i = 0; i < READ; i++) call.how[i] = asked->how[i];
    transfer(1, told, count * (int64_t)sizeof *told);
    for (int64_t i = 0; i < count; i++) {
        memory[i] = malloc((size_t)told[i].bytes);
        transfer(1, memory[i], told[i].bytes);
        arrays[i] = (Array){memory[i] + told[i].offset, (int)told[i].axes, told[i].lengths, told[i].steps, 0, 0,
                            (int)told[i].flags};
        given[i < asked->arguments ? i : READ + i - asked->arguments] = (const char *)&arrays[i];
    }
    int64_t *places = malloc((size_t)asked->lanes * 8), found, listed = 0;
    if (asked->entry == LOOP || asked->entry == WHOLE_LOOP) found = looped(asked, &call, told, arrays);
    else if (asked->entry == WHOLE_FEW)
        found = clmath_whole_few(&call, given[0], given[1], given[2], given[3], given[4], given[5]);
    else if (asked->entry == VECTORS) found = clmath_whole_vectors(&call, given[0], given[1], given[READ]);
    else listed = found = pieces(asked, &call, given, places);
    if (listed < 0) listed = 0;
    transfer(0, &found, 8);
    transfer(0, &listed, 8);
    transfer(0, places, 8 * listed);
    for (int64_t i = asked->arguments; i < count; i++) transfer(0, memory[i], told[i].bytes);
    fflush(stdout);
    for (int64_t i = 0; i < count; i++) free(memory[i]);
    free(places);
}

int main(void) {
    for (;;) {
        Request asked;
        transfer(1, &asked, sizeof asked);
        if (asked.entry < 0) return 0;
        answer(&asked);
    }
}
