/* A program that runs loops of ufuncs, and of generalised ones, for a test. Each array lies in memory of exactly the bytes
   that it reaches, which a sanitizer watches.

   Read: a request; then of each array, arguments first, what `Described` has; then the bytes of each. Written: how many
   elements are undecided, whose results are bytes of 7; then the bytes of each result. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6, MOST_WIDTH = 4 };
enum { LOOP, WHOLE_LOOP, VECTORS };

struct ufunc {
    int64_t number, form, mode, halves, evaluated, undecided, id;
    int64_t (*answer)(int64_t, int64_t, char *const *, char *const *);
};
typedef void Loop(char **, const intptr_t *, const intptr_t *, void *);
struct vectors {
    struct ufunc *of[MOST_WIDTH];
    Loop *other;
    int64_t operands, vectors;
};
typedef struct {
    int64_t entry, number, form, mode, halves, vectors, arguments, results, count, width;
} Request;
typedef struct {
    int64_t bytes, offset, size, step, across; /* across: from one lane to the next */
} Described;

Loop clmath_loop, clmath_whole_loop, clmath_whole_vectors;

static void transfer(const int reads, void *bytes, const int64_t size) {
    const size_t wanted = (size_t)size;
    if ((reads ? fread(bytes, 1, wanted, stdin) : fwrite(bytes, 1, wanted, stdout)) != wanted) exit(1);
}

static int64_t results, sizes[MOST_WIDTH]; /* of the loop that runs */

/* The answer to undecided elements: bytes of 7. */
static int64_t sevens(const int64_t id, const int64_t count, char *const *arguments, char *const *found) {
    (void)id, (void)arguments;
    for (int64_t i = 0; i < results; i++) memset(found[i], 7, (size_t)(count * sizes[i]));
    return 1;
}

static void no_width(char **operands, const intptr_t *lengths, const intptr_t *steps, void *data) {
    (void)operands, (void)lengths, (void)steps, (void)data;
    exit(2);
}

/* Run a loop: how many elements it asks for. */
static int64_t looped(const Request *asked, const Described *told, char *const *memory) {
    struct ufunc ufunc = {asked->number, asked->form, asked->mode, asked->halves, 0, 0, 0, sevens};
    const int64_t number = asked->arguments + asked->results;
    struct vectors vectors = {{0}, no_width, number, asked->vectors};
    const intptr_t lengths[] = {(intptr_t)asked->count, (intptr_t)asked->width};
    char *operands[MOST];
    intptr_t steps[2 * MOST], lanes = number;
    results = 0;
    for (int64_t i = 0; i < number; i++) {
        const int64_t is_vector = asked->vectors >> i & 1;
        operands[i] = memory[i] + told[i].offset;
        steps[i] = (intptr_t)told[i].step;
        if (is_vector) steps[lanes++] = (intptr_t)told[i].across;
        for (int64_t k = 0; k < (is_vector ? asked->width : 1) && i >= asked->arguments; k++) sizes[results++] = told[i].size;
    }
    if (asked->entry == VECTORS) {
        vectors.of[asked->width - 1] = &ufunc;
        clmath_whole_vectors(operands, lengths, steps, &vectors);
    } else
        (asked->entry == LOOP ? clmath_loop : clmath_whole_loop)(operands, lengths, steps, &ufunc);
    return ufunc.undecided;
}

static void answer(const Request *asked) {
    const int64_t count = asked->arguments + asked->results;
    Described told[MOST];
    char *memory[MOST] = {0};
    transfer(1, told, count * (int64_t)sizeof *told);
    for (int64_t i = 0; i < count; i++) {
        memory[i] = malloc((size_t)told[i].bytes);
        transfer(1, memory[i], told[i].bytes);
    }
    const int64_t found = looped(asked, told, memory);
    transfer(0, (void *)&found, 8);
    for (int64_t i = asked->arguments; i < count; i++) transfer(0, memory[i], told[i].bytes);
    fflush(stdout);
    for (int64_t i = 0; i < count; i++) free(memory[i]);
}

int main(void) {
    for (;;) {
        Request asked;
        transfer(1, &asked, sizeof asked);
        if (asked.entry < 0) return 0;
        answer(&asked);
    }
}
