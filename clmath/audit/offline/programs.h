/* The device in use, its buffers, and the kernels of rows: one of its own, or one that many rows share and tell apart by
   a number. */

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static const char *source, *build_options;
static char language[32]; /* -cl-std=CL3.0; empty where the user names a version, or none is needed */
static char *present; /* -D HAS_... for each extension that some row needs and the device has */

enum { GROUP = 64 }; /* calls of a work-group, of one size: PoCL compiles a kernel anew for each */

typedef struct {
    char name[NAME]; /* of a group */
    cl_program program;
    cl_kernel kernel; /* NULL where it does not compile */
} Built;

/* NULL, or what the device said of a step that failed */
static const char *trouble(const char *step, int32_t code)
{
    static char text[TEXT];
    if (!code) return NULL;
    sprintf(text, "the device failed: %s: error %d", step, (int)code);
    return text;
}

/* the most work-items that a work-group of the device may have; 0 where it does not tell */
static size_t largest_group(void)
{
    size_t most = 0;
    return clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL) ? 0 : most;
}

/* as many work-items as calls may come together */
static size_t size_of_groups(void)
{
    const size_t most = largest_group();
    return most && most < GROUP ? most : GROUP;
}

/* starts a kernel for calls, which are work-items, or groups of the sizes in ``work`` where it is not NULL */
static const char *start(cl_kernel kernel, size_t calls, const size_t *work)
{
    const size_t group = size_of_groups(), rounded = (calls + group - 1) / group * group;
    const size_t global[3] = {work ? calls * work[0] : rounded, work ? work[1] : 1, work ? work[2] : 1};
    return trouble("clEnqueueNDRangeKernel",
                   clEnqueueNDRangeKernel(queue, kernel, work ? 3 : 1, NULL, global, work ? work : &group, 0, NULL, NULL));
}

static const char *build_log(cl_program program)
{
    static const char *first = "the kernel does not compile: ";
    static char *log;
    size_t size = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    free(log);
    log = calloc(strlen(first) + size + 1, 1);
    if (!log) return first;
    strcpy(log, first);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log + strlen(first), NULL);
    return log;
}

static void release(Built *built)
{
    if (built->kernel) clReleaseKernel(built->kernel);
    if (built->program) clReleaseProgram(built->program);
    memset(built, 0, sizeof *built);
}

static const char *build(Built *built, const char *defines)
{
    char *line = room(strlen(build_options) + strlen(language) + strlen(present) + strlen(defines) + 4);
    int32_t code = 0;
    sprintf(line, "%s %s%s %s", build_options, language, present, defines);
    built->program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    const char *problem = trouble("clCreateProgramWithSource", code);
    if (!problem && clBuildProgram(built->program, 1, &device, line, NULL, NULL)) problem = build_log(built->program);
    free(line);
    if (problem) return problem;
    built->kernel = clCreateKernel(built->program, "call", &code);
    if (code) built->kernel = NULL;
    return trouble("clCreateKernel", code);
}

/* whether a small kernel compiles with an option */
static int compiles_with(const char *option)
{
    static const char *text =
        "__kernel void tried(__global float *x) { x[get_global_id(0)] = fabs(x[get_global_id(0)]); }\n";
    int32_t code = 0;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &code);
    if (code) return 0;
    code = clBuildProgram(program, 1, &device, option, NULL, NULL);
    clReleaseProgram(program);
    return !code;
}

/* the newest OpenCL C from 2.0 on that the device says it has and that compiles: without an option it may be 1.2;
   named: the version in the text that older devices have */
static void choose_language(unsigned major, unsigned minor)
{
    cl_name_version known[64];
    size_t size = 0;
    uint32_t named = major << 22 | minor << 12, last = 0xFFFFFFFFU;
    if (strstr(build_options, "-cl-std")) return;
    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof known, known, &size) || size > sizeof known)
        size = 0;
    for (;;) {
        uint32_t next = named < last ? named : 0;
        for (size_t i = 0; i < size / sizeof *known; i++)
            if (known[i].version < last && known[i].version > next) next = known[i].version;
        if (next >> 22 < 2) break;
        sprintf(language, "-cl-std=CL%u.%u", (unsigned)(next >> 22), (unsigned)(next >> 12 & 0x3FF));
        if (compiles_with(language)) return;
        last = next;
    }
    language[0] = 0;
}

/* a group at whose compilation the host was stopped is not compiled again */
static void build_group(Built *group, const char *name, int again)
{
    char file[2 * NAME], defines[2 * NAME];
    FILE *mark;
    sprintf(file, "results/GROUP_%s.txt", name);
    sprintf(defines, "-D GROUP_%s", name);
    strcpy(group->name, name);
    if (!again && (mark = fopen(file, "rb")) != NULL) {
        fclose(mark);
        return;
    }
    mark = opened(file, "wb");
    fputs("begun\n", mark);
    fclose(mark);
    build(group, defines);
    remove(file);
}

/* the kernel of a row; where it keeps others from compiling, or they keep it, by itself */
static const char *kernel_of(const Row *row, int again, cl_kernel *kernel)
{
    static Built group, own;
    char defines[3 * NAME];
    const char *problem = NULL;
    release(&own);
    if (*row->group && strcmp(group.name, row->group)) {
        release(&group);
        build_group(&group, row->group, again);
    }
    if (*row->group && group.kernel) {
        *kernel = group.kernel;
        return NULL;
    }
    if (*row->group)
        sprintf(defines, "-D GROUP_%s -D ALONE=%lu", row->group, (unsigned long)row->number);
    else
        sprintf(defines, "-D ROW_%s", row->name);
    problem = build(&own, defines);
    *kernel = own.kernel;
    return problem;
}

static const char *set_argument(cl_kernel kernel, uint32_t place, size_t size, const void *value)
{
    return trouble("clSetKernelArg", clSetKernelArg(kernel, place, size, value));
}

/* an argument of the kernel: a buffer with what is in the operand's memory */
static const char *give(cl_kernel kernel, uint32_t place, Operand *o, size_t calls, cl_mem *buffer)
{
    int32_t code;
    *buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, o->bytes * (calls * o->elements + GUARD),
                             o->memory, &code);
    if (code) return trouble("clCreateBuffer", code);
    return set_argument(kernel, place, sizeof *buffer, buffer);
}

/* what is in a buffer now, in the operand's memory */
static const char *take(Operand *o, size_t calls, cl_mem buffer)
{
    return trouble("clEnqueueReadBuffer",
                   clEnqueueReadBuffer(queue, buffer, 1, 0, o->bytes * (calls * o->elements + GUARD), o->memory, 0, NULL,
                                       NULL));
}
