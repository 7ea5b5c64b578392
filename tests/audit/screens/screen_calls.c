/* A program that screens results for a test, each array in memory of exactly its size, which a sanitizer watches.

   Read: how many kernels, lanes, results, counts, how many failures are shown, what is left out, and the floor; of each
   kernel whether the library of screens has it, its number, its results, whether it is exact, whether it is of ints, and
   its reach; then the limits, arguments and results. Written: the counts, the floor for the next ones, how many lanes
   are left, marked, failed and out; then the lanes that are left, those that are marked, their bounds, and the best. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { RANGES = 4096, STRETCHES = 512 }; /* see judge/regimes.py */

typedef void Enclose(int64_t, const void *const *, void *const *, int64_t);
struct source {
    Enclose *enclose;
    int64_t number, results, exact, integer;
    double reach;
};
struct screen {
    double *allowed, *refused, *tolerance;
    int64_t left_out;
    double *best, *bounds;
    int64_t *counts, *others, *wrong, last;
    double floor;
    int64_t shown, left, marked, failed, out;
};
Enclose clmath_enclosed, clmath_enclosed_here;
void clmath_screened(const struct source *, int64_t, int64_t, const float *, const int32_t *const *, struct screen *);

static void *given(const int64_t size) {
    void *bytes = malloc((size_t)size);
    if (fread(bytes, 1, (size_t)size, stdin) != (size_t)size) exit(1);
    return bytes;
}

static void written(const void *bytes, const int64_t size) {
    if (fwrite(bytes, 1, (size_t)size, stdout) != (size_t)size) exit(1);
}

static void answer(const int64_t *asked) {
    const int64_t kernels = asked[0], lanes = asked[1], results = asked[2];
    struct screen screen = {0};
    double *numbers[4];
    int32_t *codes[2] = {0};
    struct source *sources = given(kernels * (int64_t)sizeof(struct source));
    for (int64_t i = 0; i < kernels; i++) sources[i].enclose = sources[i].enclose ? clmath_enclosed_here : clmath_enclosed;
    for (int i = 0; i < 4; i++) numbers[i] = given(8 * (i < 3 ? RANGES : STRETCHES));
    screen.allowed = numbers[0], screen.refused = numbers[1], screen.tolerance = numbers[2], screen.best = numbers[3];
    screen.last = asked[3] - 2;
    screen.shown = asked[4];
    screen.left_out = asked[5];
    __builtin_memcpy(&screen.floor, &asked[6], 8);
    screen.bounds = malloc((size_t)lanes * 8);
    screen.counts = calloc((size_t)asked[3], 8);
    screen.others = malloc((size_t)lanes * 8);
    screen.wrong = malloc((size_t)lanes * 8);
    float *x = given(4 * lanes);
    for (int64_t i = 0; i < results; i++) codes[i] = given(4 * lanes);
    clmath_screened(sources, kernels, lanes, x, (const int32_t *const *)codes, &screen);
    written(screen.counts, 8 * asked[3]);
    written(&screen.floor, 8);
    written(&screen.left, 4 * 8);
    written(screen.others, 8 * screen.left);
    written(screen.wrong, 8 * screen.marked);
    written(screen.bounds, 8 * screen.marked);
    written(screen.best, 8 * STRETCHES);
    fflush(stdout);
    void *mine[] = {x, codes[0], codes[1], sources, screen.bounds, screen.counts, screen.others, screen.wrong};
    for (int i = 0; i < 8; i++) free(mine[i]);
    for (int i = 0; i < 4; i++) free(numbers[i]);
}

int main(void) {
    for (;;) {
        int64_t asked[9];
        if (fread(asked, 8, 9, stdin) != 9) return 1;
        if (asked[0] < 0) return 0;
        answer(asked);
    }
}
