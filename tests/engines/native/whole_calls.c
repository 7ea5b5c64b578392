/* A program that calls whole built-ins for a test, each array in memory of exactly its size, which a sanitizer watches.

   Read: the built-in's number, lanes, arguments, results; the bytes of an element of each argument, then of each result;
   then the arguments. Written: the results, one after the other, how many lanes are left, and which. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 8 };

typedef struct {
    char *address;
    int64_t step;
} Operand;
int64_t clmath_whole(int64_t, int64_t, const Operand *, const Operand *, int64_t *);

static void written(const void *bytes, const int64_t size) {
    if (fwrite(bytes, 1, (size_t)size, stdout) != (size_t)size) exit(1);
}

static void answer(const int64_t *asked, const int64_t *sizes) {
    const int64_t lanes = asked[1], arguments = asked[2], results = asked[3];
    Operand operands[2 * MOST] = {0};
    for (int64_t i = 0; i < arguments + results; i++) {
        const size_t size = (size_t)(lanes * sizes[i]);
        operands[i] = (Operand){malloc(size), sizes[i]};
        if (i < arguments && fread(operands[i].address, 1, size, stdin) != size) exit(1);
    }
    int64_t *undecided = malloc((size_t)lanes * 8);
    const int64_t left = clmath_whole(asked[0], lanes, operands, operands + arguments, undecided);
    for (int64_t i = arguments; i < arguments + results; i++) written(operands[i].address, lanes * sizes[i]);
    written(&left, 8);
    written(undecided, 8 * left);
    fflush(stdout);
    for (int64_t i = 0; i < arguments + results; i++) free(operands[i].address);
    free(undecided);
}

int main(void) {
    for (;;) {
        int64_t asked[4], sizes[2 * MOST];
        if (fread(asked, 8, 4, stdin) != 4) return 1;
        if (asked[0] < 0) return 0;
        const size_t operands = (size_t)(asked[2] + asked[3]);
        if (fread(sizes, 8, operands, stdin) != operands) return 1;
        answer(asked, sizes);
    }
}
