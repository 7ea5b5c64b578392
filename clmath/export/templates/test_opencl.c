/* Compares every function with correctly rounded results of hard calls on an OpenCL device: ./test [PLATFORM [DEVICE]].
   Exit status: 0 all are right, 1 some are not, 2 there is no device, or it builds no program. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "cl12.h"

typedef uint64_t Double;
#include "report.h"

static const struct {
    const char *program, *kernel, *name;
} TESTS[] = {
$tests};

enum { MOST = 16, TEXT = 4096 };

static void give_up(const char *what, const int32_t status) {
    printf("%s, status %d\n", what, (int)status);
    exit(2);
}

static cl_device_id device_of(const uint32_t platform, const uint32_t device) {
    cl_platform_id platforms[MOST];
    cl_device_id devices[MOST];
    uint32_t count = 0;
    int32_t status = clGetPlatformIDs(MOST, platforms, &count);
    if (status || platform >= count) give_up("there is no such platform", status);
    status = clGetDeviceIDs(platforms[platform], UINT64_C(0xFFFFFFFF), MOST, devices, &count);
    if (status || device >= count) give_up("there is no such device", status);
    return devices[device];
}

/* Built from the text of a program; of one that has the kernels of several tests once. */
static cl_program program_of(cl_context context, cl_device_id device, const char *text) {
    static const char *known;
    static cl_program program;
    int32_t status;
    if (known && !strcmp(known, text)) return program;
    if (known) clReleaseProgram(program);
    known = text;
    program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
    status = clBuildProgram(program, 1, &device, "-I .", NULL, NULL);
    if (status) {
        static char log[TEXT];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
        printf("%s%s\n", text, log);
        give_up("the program is not built", status);
    }
    return program;
}

static void run(cl_context context, cl_command_queue queue, cl_program program, const char *name, Double *reported) {
    const size_t size = REPORT_FIELDS * sizeof *reported, one = 1;
    int32_t status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    if (status) give_up("there is no such kernel", status);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size, reported, &status);
    status = clSetKernelArg(kernel, 0, sizeof memory, &memory);
    if (!status) status = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
    if (!status) status = clEnqueueReadBuffer(queue, memory, 1, 0, size, reported, 0, NULL, NULL);
    if (status) give_up("the kernel does not run", status);
    clReleaseMemObject(memory);
    clReleaseKernel(kernel);
}

int main(int count, char **words) {
    const int tests = (int)(sizeof TESTS / sizeof *TESTS);
    unsigned long long failed = 0, checked = 0;
    int32_t status;
    cl_device_id device = device_of(count > 1 ? (uint32_t)atoi(words[1]) : 0, count > 2 ? (uint32_t)atoi(words[2]) : 0);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status) give_up("there is no context", status);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    if (status) give_up("there is no queue", status);
    for (int i = 0; i < tests; i++) {
        Double reported[REPORT_FIELDS] = {0};
        run(context, queue, program_of(context, device, TESTS[i].program), TESTS[i].kernel, reported);
        failed += report_of(TESTS[i].name, reported);
        checked += reported[CHECKED];
    }
    printf("%d functions, %llu results, %llu wrong\n", tests, checked, failed);
    return failed > 0;
}
