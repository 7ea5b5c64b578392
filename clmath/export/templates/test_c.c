/* Compares every function with correctly rounded results of hard calls. Exit status: 0 all are right, 1 some are not. */
#include "check.h"
$includes
#include "report.h"

static const struct {
    const char *name;
    void (*test)(Double *told);
} TESTS[] = {
$tests};

int main(void) {
    const int count = (int)(sizeof TESTS / sizeof *TESTS);
    unsigned long long failed = 0, checked = 0;
    for (int i = 0; i < count; i++) {
        Double told[TOLD] = {0};
        TESTS[i].test(told);
        failed += told_of(TESTS[i].name, told);
        checked += told[CHECKED];
    }
    printf("%d functions, %llu results, %llu wrong\n", count, checked, failed);
    return failed > 0;
}
