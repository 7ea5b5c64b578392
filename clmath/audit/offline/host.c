/* Runs every row of this folder on an OpenCL device and leaves the results in results/. Plain C99, OpenCL 1.2.

   cc -O2 -o host host.c -lOpenCL && ./host
   ./host --list                         the devices
   ./host --platform 0 --device 1        one of them
   ./host --build-options '-cl-mad-enable'
   ./host --again                        rows, too, that failed or did not end before

   What is done is not done again: a run that was stopped goes on where it was, and passes over a row that has stopped
   it twice. No header of OpenCL is needed: what is used of it is declared here. */

#include "lab.h"

/* ---- OpenCL 1.2, as far as it is used ---- */

#ifdef _WIN32
#define CL_CALL __stdcall
#else
#define CL_CALL
#endif

enum { GROUP = 64 }; /* calls of a work-group */

typedef struct _cl_platform_id *cl_platform_id;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_context *cl_context;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_program *cl_program;
typedef struct _cl_kernel *cl_kernel;
typedef struct _cl_event *cl_event;

enum {
    CL_PLATFORM_VERSION = 0x0901, CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004, CL_DEVICE_SINGLE_FP_CONFIG = 0x101B, CL_DEVICE_NAME = 0x102B,
    CL_DRIVER_VERSION = 0x102D, CL_DEVICE_PROFILE = 0x102E, CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030, CL_DEVICE_DOUBLE_FP_CONFIG = 0x1032, CL_DEVICE_HALF_FP_CONFIG = 0x1033,
    CL_DEVICE_OPENCL_C_VERSION = 0x103D, CL_PROGRAM_BUILD_LOG = 0x1183,
    CL_MEM_READ_WRITE = 1, CL_MEM_COPY_HOST_PTR = 32
};

extern int32_t CL_CALL clGetPlatformIDs(uint32_t, cl_platform_id *, uint32_t *);
extern int32_t CL_CALL clGetPlatformInfo(cl_platform_id, uint32_t, size_t, void *, size_t *);
extern int32_t CL_CALL clGetDeviceIDs(cl_platform_id, uint64_t, uint32_t, cl_device_id *, uint32_t *);
extern int32_t CL_CALL clGetDeviceInfo(cl_device_id, uint32_t, size_t, void *, size_t *);
extern cl_context CL_CALL clCreateContext(const intptr_t *, uint32_t, const cl_device_id *,
                                          void(CL_CALL *)(const char *, const void *, size_t, void *), void *,
                                          int32_t *);
extern cl_command_queue CL_CALL clCreateCommandQueue(cl_context, cl_device_id, uint64_t, int32_t *);
extern cl_mem CL_CALL clCreateBuffer(cl_context, uint64_t, size_t, void *, int32_t *);
extern int32_t CL_CALL clReleaseMemObject(cl_mem);
extern cl_program CL_CALL clCreateProgramWithSource(cl_context, uint32_t, const char **, const size_t *, int32_t *);
extern int32_t CL_CALL clBuildProgram(cl_program, uint32_t, const cl_device_id *, const char *,
                                      void(CL_CALL *)(cl_program, void *), void *);
extern int32_t CL_CALL clGetProgramBuildInfo(cl_program, cl_device_id, uint32_t, size_t, void *, size_t *);
extern int32_t CL_CALL clReleaseProgram(cl_program);
extern cl_kernel CL_CALL clCreateKernel(cl_program, const char *, int32_t *);
extern int32_t CL_CALL clSetKernelArg(cl_kernel, uint32_t, size_t, const void *);
extern int32_t CL_CALL clReleaseKernel(cl_kernel);
extern int32_t CL_CALL clEnqueueNDRangeKernel(cl_command_queue, cl_kernel, uint32_t, const size_t *, const size_t *,
                                              const size_t *, uint32_t, const cl_event *, cl_event *);
extern int32_t CL_CALL clEnqueueReadBuffer(cl_command_queue, cl_mem, uint32_t, size_t, size_t, void *, uint32_t,
                                           const cl_event *, cl_event *);

/* ---- devices ---- */

static const char *device_text(cl_device_id device, uint32_t what)
{
    static char text[TEXT];
    memset(text, 0, sizeof text);
    if (clGetDeviceInfo(device, what, sizeof text - 1, text, NULL)) return "";
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
    return text;
}

static const char *platform_text(cl_platform_id platform, uint32_t what)
{
    static char text[TEXT];
    memset(text, 0, sizeof text);
    return clGetPlatformInfo(platform, what, sizeof text - 1, text, NULL) ? "" : text;
}

static void add_config(char *facts, cl_device_id device, const char *type, uint32_t what)
{
    static const char *names[] = {"DENORM", "INF_NAN", "ROUND_TO_NEAREST", "ROUND_TO_ZERO", "ROUND_TO_INF", "FMA",
                                  "SOFT_FLOAT", "CORRECTLY_ROUNDED_DIVIDE_SQRT"};
    uint64_t config = 0;
    if (clGetDeviceInfo(device, what, sizeof config, &config, NULL)) return;
    sprintf(facts + strlen(facts), "%s config:", type);
    for (int bit = 0; bit < 8; bit++)
        if (config >> bit & 1) sprintf(facts + strlen(facts), " %s", names[bit]);
    strcat(facts, "\n");
}

/* all that identifies the device */
static void describe(cl_platform_id platform, cl_device_id device, const char *options)
{
    char *facts = room(16 * TEXT);
    facts[0] = 0;
    add_fact(facts, "kind", "opencl");
    add_fact(facts, "platform", platform_text(platform, CL_PLATFORM_NAME));
    add_fact(facts, "platform version", platform_text(platform, CL_PLATFORM_VERSION));
    add_fact(facts, "device", device_text(device, CL_DEVICE_NAME));
    add_fact(facts, "device version", device_text(device, CL_DEVICE_VERSION));
    add_fact(facts, "driver", device_text(device, CL_DRIVER_VERSION));
    add_fact(facts, "profile", strncmp(device_text(device, CL_DEVICE_PROFILE), "EMBEDDED", 8) ? "full" : "embedded");
    add_fact(facts, "language", device_text(device, CL_DEVICE_OPENCL_C_VERSION));
    add_fact(facts, "extensions", device_text(device, CL_DEVICE_EXTENSIONS));
    add_fact(facts, "build options", options);
    if (strstr(device_text(device, CL_DEVICE_EXTENSIONS), "cl_khr_fp16"))
        add_config(facts, device, "half", CL_DEVICE_HALF_FP_CONFIG);
    add_config(facts, device, "float", CL_DEVICE_SINGLE_FP_CONFIG);
    if (strstr(device_text(device, CL_DEVICE_EXTENSIONS), "cl_khr_fp64"))
        add_config(facts, device, "double", CL_DEVICE_DOUBLE_FP_CONFIG);
    keep_apart(facts);
    free(facts);
}

static cl_device_id pick(int platform_number, int device_number, int list, cl_platform_id *platform)
{
    cl_platform_id platforms[64];
    uint32_t count = 0;
    if (clGetPlatformIDs(64, platforms, &count)) count = 0;
    for (uint32_t p = 0; p < count && p < 64; p++) {
        cl_device_id devices[64];
        uint32_t found = 0;
        if (platform_number >= 0 && (uint32_t)platform_number != p) continue;
        if (clGetDeviceIDs(platforms[p], 0xFFFFFFFFUL, 64, devices, &found)) found = 0;
        for (uint32_t d = 0; d < found && d < 64; d++) {
            if (device_number >= 0 && (uint32_t)device_number != d) continue;
            printf("--platform %u --device %u: ", (unsigned)p, (unsigned)d);
            printf("%s: ", platform_text(platforms[p], CL_PLATFORM_NAME));
            printf("%s\n", device_text(devices[d], CL_DEVICE_NAME));
            *platform = platforms[p];
            if (!list) return devices[d];
        }
    }
    if (list) exit(0);
    fail("no such OpenCL device", "./host --list shows those that there are");
    return NULL;
}

/* ---- rows ---- */

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

/* NULL, or what the device said of a step that failed */
static const char *trouble(const char *step, int32_t code)
{
    static char text[TEXT];
    if (!code) return NULL;
    sprintf(text, "the device failed: %s: error %d", step, (int)code);
    return text;
}

static const char *launch(Row *row, size_t calls, void *with)
{
    cl_kernel kernel = with;
    cl_mem buffers[2 * OPERANDS] = {NULL};
    const uint64_t number = calls;
    size_t group = GROUP, most = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL) == 0 && most && most < group)
        group = most;
    const size_t global = (calls + group - 1) / group * group;
    const char *problem = trouble("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof number, &number));
    for (int k = 0; k < row->arguments + row->results && !problem; k++) {
        Operand *o = operand(row, k);
        int32_t code;
        buffers[k] = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, o->bytes * calls * o->elements,
                                    o->memory, &code);
        problem = trouble("clCreateBuffer", code);
        if (!problem)
            problem = trouble("clSetKernelArg",
                              clSetKernelArg(kernel, (uint32_t)k + 1, sizeof buffers[k], &buffers[k]));
    }
    if (!problem)
        problem = trouble("clEnqueueNDRangeKernel",
                          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL));
    for (int k = row->arguments; k < row->arguments + row->results && !problem; k++) {
        Operand *o = operand(row, k);
        problem = trouble("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, buffers[k], 1, 0,
                                                                    o->bytes * calls * o->elements, o->memory, 0, NULL,
                                                                    NULL));
    }
    for (int k = 0; k < row->arguments + row->results; k++)
        if (buffers[k]) clReleaseMemObject(buffers[k]);
    return problem;
}

static const char *build_log(cl_program program)
{
    static const char *first = "the kernel does not compile: ";
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(strlen(first) + size + 1, 1); /* lives as long as the program */
    if (!log) return first;
    strcpy(log, first);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log + strlen(first), NULL);
    return log;
}

static void run(Row *row, const char *source, const char *options)
{
    char *line = room(strlen(options) + 2 * NAME);
    const char *problem;
    int32_t code = 0;
    cl_kernel kernel = NULL;
    begin(row);
    sprintf(line, "%s -D ROW_%s", options, row->name);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    problem = trouble("clCreateProgramWithSource", code);
    if (!problem && clBuildProgram(program, 1, &device, line, NULL, NULL)) problem = build_log(program);
    if (!problem) {
        kernel = clCreateKernel(program, "call", &code);
        problem = code ? trouble("clCreateKernel", code) : launch_all(row, launch, kernel);
    }
    end(row, problem);
    if (kernel) clReleaseKernel(kernel);
    if (program) clReleaseProgram(program);
    free(line);
}

int main(int count, char **words)
{
    int platform_number = -1, device_number = -1, list = 0, again = 0;
    const char *options = "";
    cl_platform_id platform = NULL;
    int32_t code;
    for (int i = 1; i < count; i++) {
        const int has_value = i + 1 < count;
        if (!strcmp(words[i], "--list")) list = 1;
        else if (!strcmp(words[i], "--again")) again = 1;
        else if (!strcmp(words[i], "--platform") && has_value) platform_number = atoi(words[++i]);
        else if (!strcmp(words[i], "--device") && has_value) device_number = atoi(words[++i]);
        else if (!strcmp(words[i], "--build-options") && has_value) options = words[++i];
        else fail("not understood; the options are --list --platform N --device N --build-options TEXT --again", words[i]);
    }
    device = pick(platform_number, device_number, list, &platform);
    FILE *rows = opened("rows.txt", "rb");
    char *source = text_of("kernels.cl");
    describe(platform, device, options);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code) fail("the device cannot be opened", trouble("clCreateContext", code));
    queue = clCreateCommandQueue(context, device, 0, &code);
    if (code) fail("the device cannot be opened", trouble("clCreateCommandQueue", code));
    static Row row;
    while (next_row(rows, &row))
        if (strstr(device_text(device, CL_DEVICE_EXTENSIONS), row.needs) && !has_ended(&row, again)) run(&row, source, options);
    fclose(rows);
    free(source);
    puts("all rows are done: take the folder back, and let 'clmath check' judge it");
    return 0;
}
