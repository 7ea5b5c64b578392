/* Prints what the test of a function has reported; how many results are wrong. */
#include <stdio.h>
#include "test_report.h"

static unsigned long long report_of(const char *name, const Double *reported) {
    static const char *const WHAT[] = {"rte", "rtz", "rtp", "rtn", "interval, low", "interval, high", "in the interval"};
    const unsigned long long failed = reported[FAILED];
    for (int i = 0; i < LISTED && i < (int)failed; i++) {
        const Double *place = reported + FIRST + FIELDS * i;
        printf("%s, row %d, result %d, %s: %#llx, not %#llx\n", name, (int)place[0], (int)(place[1] / 8),
               WHAT[place[1] % 8], (unsigned long long)place[2], (unsigned long long)place[3]);
    }
    if (failed > LISTED) printf("%s: %llu more\n", name, failed - LISTED);
    if (reported[OPEN]) printf("%s: %llu results undecided\n", name, (unsigned long long)reported[OPEN]);
    return failed;
}
