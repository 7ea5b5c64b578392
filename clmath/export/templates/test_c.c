/* Compares every function with correctly rounded results of hard calls. Exit status: 0 all are right, 1 some are not. */
#include "check.h"
$includes
#include "report.h"

static const struct {
    const char *name;
    void (*test)(Double *reported);
} TESTS[] = {
$tests};

int main(void) {
    const int count = (int)(sizeof TESTS / sizeof *TESTS);
    unsigned long long failed = 0, checked = 0;
    for (int i = 0; i < count; i++) {
        Double reported[REPORT_FIELDS] = {0};
        TESTS[i].test(reported);
        failed += report_of(TESTS[i].name, reported);
        checked += reported[CHECKED];
    }
    printf("%d functions, %llu results, %llu wrong\n", count, checked, failed);
    return failed > 0;
}
