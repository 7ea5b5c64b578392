/* A program without C's library, for another architecture: reads a call of a kernel, and writes what it gives.

   Read: the kernel's number, format, mode, lanes, arguments, bytes of an element of each and of a result, results; then
   the arguments. Written: the results, one after the other, how many lanes are undecided, and which. */
#include <stdint.h>

int64_t clmath_rounded(int64_t, int64_t, int64_t, int64_t, const int64_t *, const int64_t *, int64_t *);

enum { MOST = 1 << 16 };
static char arguments[2][8 * MOST], results[2][8 * MOST];
static int64_t undecided[MOST];

static long call(long number, long a, long b, long c) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

static void transfer(const long number, const long file, void *bytes, const long size) {
    for (long done = 0; done < size;) {
        const long moved = call(number, file, (long)bytes + done, size - done);
        if (moved <= 0) call(93, 1, 0, 0);
        done += moved;
    }
}

void _start(void) {
    int64_t asked[9], given[4], taken[4];
    while (1) {
        transfer(63, 0, asked, sizeof asked);
        if (asked[0] < 0) call(93, 0, 0, 0);
        for (int i = 0; i < asked[4]; i++) {
            transfer(63, 0, arguments[i], asked[3] * asked[5 + i]);
            given[2 * i] = (int64_t)arguments[i];
            given[2 * i + 1] = asked[5 + i];
        }
        for (int i = 0; i < asked[8]; i++) {
            taken[2 * i] = (int64_t)results[i];
            taken[2 * i + 1] = asked[7];
        }
        int64_t left = clmath_rounded(asked[0], asked[1], asked[2], asked[3], given, taken, undecided);
        for (int i = 0; i < asked[8]; i++) transfer(64, 1, results[i], asked[3] * asked[7]);
        transfer(64, 1, &left, 8);
        transfer(64, 1, undecided, 8 * left);
    }
}
