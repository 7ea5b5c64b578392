/* Compares every function with correctly rounded results of hard calls on a CUDA device. Exit status: 0 all are right, 1
   some are not, 2 there is no device. */
#include "check.h"
$includes

#ifndef __CUDACC_RTC__
#include "report.h"

static const struct {
    const char *name;
    void (*kernel)(Double *reported);
} TESTS[] = {
$tests};

int main() {
    const int tests = (int)(sizeof TESTS / sizeof *TESTS);
    unsigned long long failed = 0, checked = 0;
    for (int i = 0; i < tests; i++) {
        Double reported[REPORT_FIELDS] = {0}, *there = nullptr;
        cudaMalloc(&there, sizeof reported);
        cudaMemcpy(there, reported, sizeof reported, cudaMemcpyHostToDevice);
        TESTS[i].kernel<<<1, 1>>>(there);
        cudaMemcpy(reported, there, sizeof reported, cudaMemcpyDeviceToHost);
        cudaFree(there);
        if (const cudaError_t error = cudaGetLastError()) {
            printf("%s: %s\n", TESTS[i].name, cudaGetErrorString(error));
            return 2;
        }
        failed += report_of(TESTS[i].name, reported);
        checked += reported[CHECKED];
    }
    printf("%d functions, %llu results, %llu wrong\n", tests, checked, failed);
    return failed > 0;
}
#endif
