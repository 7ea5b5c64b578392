/* Prints what the test of a function has told; how many results are wrong. */
#include <stdio.h>
#include "told.h"

static unsigned long long told_of(const char *name, const Double *told) {
    static const char *const WHAT[] = {"rte", "rtz", "rtp", "rtn", "interval, low", "interval, high", "in the interval"};
    const unsigned long long failed = told[FAILED];
    for (int i = 0; i < LISTED && i < (int)failed; i++) {
        const Double *place = told + FIRST + FIELDS * i;
        printf("%s, row %d, result %d, %s: %#llx, not %#llx\n", name, (int)place[0], (int)(place[1] / 8),
               WHAT[place[1] % 8], (unsigned long long)place[2], (unsigned long long)place[3]);
    }
    if (failed > LISTED) printf("%s: %llu more\n", name, failed - LISTED);
    if (told[OPEN]) printf("%s: %llu results undecided\n", name, (unsigned long long)told[OPEN]);
    return failed;
}
