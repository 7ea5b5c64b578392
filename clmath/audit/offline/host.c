/* Runs every row of this folder on an OpenCL device and leaves the results in results/. Plain C99, OpenCL 1.2.

   cc -O2 -o host host.c -lOpenCL && ./host
   ./host --list                         the devices
   ./host --platform 0 --device 1        one of them
   ./host --build-options '-cl-mad-enable'
   ./host --again                        rows, too, that failed or did not end before

   What is done is not done again: a run that was stopped goes on where it was, and passes over a row that has stopped
   it twice. No header of OpenCL is needed: what is
   used of it is declared here. Files are little-endian; on another machine their bytes are exchanged.

   rows.txt says what to do: for each row its name, the extension that it needs, launches (how many, of so many calls
   each), arguments and results (bytes of an element, elements of a call, CRC-32, file). A result file begins with the
   text at the end of its line, then one element that shows the order of bytes (0x0102...); then come the results. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- OpenCL 1.2, as far as it is used ---- */

#ifdef _WIN32
#define CL_CALL __stdcall
#else
#define CL_CALL
#endif

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

/* ---- files ---- */

enum { NAME = 128, LINE = 4096, OPERANDS = 8, RUNS = 64, TEXT = 65536, GROUP = 64, POISON = 0x5A };

typedef struct {
    size_t bytes;      /* of an element */
    size_t elements;   /* of a call */
    unsigned long crc; /* of the file; results: as they are written */
    char file[NAME], head[LINE];
    FILE *stream;
    unsigned char *memory;
    cl_mem buffer;
} Operand;

typedef struct {
    char name[NAME], needs[NAME]; /* an extension, or nothing */
    unsigned long long count[RUNS], length[RUNS]; /* so many launches of so many calls each */
    int runs, arguments, results, tries;
    Operand argument[OPERANDS], result[OPERANDS];
} Row;

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "host: %s: %s\n", what, about);
    exit(2);
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) fail("out of memory", "close other programs, or run on a larger machine");
    return memory;
}

static int is_little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one;
}

/* from the order of files to that of this machine, and back */
static void exchange(unsigned char *memory, size_t bytes, size_t count)
{
    if (is_little()) return;
    for (; count > 0; count--, memory += bytes)
        for (size_t i = 0; i < bytes / 2; i++) {
            const unsigned char byte = memory[i];
            memory[i] = memory[bytes - 1 - i];
            memory[bytes - 1 - i] = byte;
        }
}

static unsigned long crc32_of(unsigned long crc, const unsigned char *data, size_t count)
{
    static unsigned long table[256];
    if (!table[1])
        for (unsigned long i = 0; i < 256; i++) {
            unsigned long word = i;
            for (int bit = 0; bit < 8; bit++) word = word & 1 ? 0xEDB88320UL ^ (word >> 1) : word >> 1;
            table[i] = word;
        }
    crc ^= 0xFFFFFFFFUL;
    while (count--) crc = table[(crc ^ *data++) & 0xFF] ^ (crc >> 8);
    return crc ^ 0xFFFFFFFFUL;
}

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (!file) fail("cannot open", name);
    return file;
}

static char *text_of(const char *name)
{
    FILE *file = opened(name, "rb");
    size_t size = 0, room_left = TEXT;
    char *text = room(room_left);
    for (size_t n; (n = fread(text + size, 1, room_left - size - 1, file)) > 0;) {
        size += n;
        if (size + 1 == room_left) {
            char *larger = realloc(text, room_left *= 2);
            if (!larger) fail("out of memory", name);
            text = larger;
        }
    }
    fclose(file);
    text[size] = 0;
    return text;
}

static void check_argument(Operand *argument)
{
    static unsigned char block[TEXT];
    unsigned long crc = 0;
    FILE *file = opened(argument->file, "rb");
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) crc = crc32_of(crc, block, n);
    fclose(file);
    if (crc != argument->crc) fail("was damaged on its way (its CRC-32 is another): copy the folder again", argument->file);
}

static void status_file(const Row *row, char *name)
{
    sprintf(name, "results/%s.txt", row->name);
}

static void say(const Row *row, const char *word, const char *text)
{
    char name[2 * NAME];
    status_file(row, name);
    FILE *file = opened(name, "wb");
    fprintf(file, "%s\n%s%s", word, text, *text ? "\n" : "");
    if (fclose(file)) fail("cannot write", name);
}

/* whether there is nothing to do: a row that was begun twice and did not end is to blame for it */
static int has_ended(Row *row, int again)
{
    char name[2 * NAME], word[16] = "";
    status_file(row, name);
    FILE *file = fopen(name, "rb");
    if (!file) return 0;
    if (fscanf(file, "%15s %d", word, &row->tries) < 1) word[0] = 0;
    fclose(file);
    if (!strcmp(word, "done")) return 1;
    if (again) row->tries = 0;
    if (again || !*word || (!strcmp(word, "begun") && row->tries < 2)) return 0;
    printf("%s: not tried again: it %s before (--again)\n", row->name, strcmp(word, "begun") ? "failed" : "did not end");
    return 1;
}

/* the next row of rows.txt; 0 at its end */
static int next_row(FILE *rows, Row *row)
{
    char line[LINE], word[16];
    memset(row, 0, sizeof *row);
    while (fgets(line, sizeof line, rows)) {
        int at = 0;
        Operand *operand;
        if (sscanf(line, "%15s %n", word, &at) != 1) continue;
        if (!strcmp(word, "row") && sscanf(line + at, "%127s", row->name) == 1) continue;
        if (!strcmp(word, "needs") && sscanf(line + at, "%127s", row->needs) == 1) continue;
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "launches") && row->runs < RUNS &&
            sscanf(line + at, "%llu %llu", &row->count[row->runs], &row->length[row->runs]) == 2) {
            row->runs++;
            continue;
        }
        if (!strcmp(word, "argument") && row->arguments < OPERANDS)
            operand = &row->argument[row->arguments++];
        else if (!strcmp(word, "result") && row->results < OPERANDS)
            operand = &row->result[row->results++];
        else if (!strcmp(word, "clmath"))
            continue;
        else
            fail("rows.txt has a line that this host does not know", line);
        int taken = 0;
        if (sscanf(line + at, "%zu %zu %lx %127s %n", &operand->bytes, &operand->elements, &operand->crc, operand->file,
                   &taken) != 4)
            fail("rows.txt has a line that is not complete", line);
        strcpy(operand->head, line + at + taken);
    }
    return 0;
}

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

static void add_fact(char *facts, const char *name, const char *text)
{
    snprintf(facts + strlen(facts), TEXT, "%s: %s\n", name, text);
}

/* all that identifies the device; results of two devices must not come together in one folder */
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
    FILE *file = fopen("results/device.txt", "rb");
    if (file) {
        fclose(file);
        if (strcmp(text_of("results/device.txt"), facts))
            fail("results/ has results of another device or of other build options", "empty it, or use another copy of the folder");
    } else {
        file = opened("results/device.part", "wb");
        fputs(facts, file);
        if (fclose(file) || rename("results/device.part", "results/device.txt")) fail("cannot write", "results/device.txt");
    }
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

static const char *launch(cl_kernel kernel, Row *row, uint64_t calls)
{
    const char *problem = NULL;
    int32_t code;
    uint32_t place = 0;
    size_t group = GROUP, most = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL) == 0 && most && most < group)
        group = most;
    const size_t global = (size_t)((calls + group - 1) / group * group);
    if ((code = clSetKernelArg(kernel, place++, sizeof calls, &calls))) return trouble("clSetKernelArg", code);
    for (int k = 0; k < row->arguments + row->results; k++) {
        const int given = k < row->arguments;
        Operand *o = given ? &row->argument[k] : &row->result[k - row->arguments];
        const size_t count = (size_t)calls * o->elements;
        if (given && fread(o->memory, o->bytes, count, o->stream) != count) fail("is too short", o->file);
        if (given)
            exchange(o->memory, o->bytes, count);
        else
            memset(o->memory, POISON, o->bytes * count);
        o->buffer = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, o->bytes * count, o->memory, &code);
        if (code && !problem) problem = trouble("clCreateBuffer", code);
        if (!problem) problem = trouble("clSetKernelArg", clSetKernelArg(kernel, place++, sizeof o->buffer, &o->buffer));
    }
    if (!problem)
        problem = trouble("clEnqueueNDRangeKernel",
                          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL));
    for (int k = 0; k < row->results; k++) {
        Operand *o = &row->result[k];
        const size_t count = (size_t)calls * o->elements;
        if (!problem)
            problem = trouble("clEnqueueReadBuffer", clEnqueueReadBuffer(queue, o->buffer, 1, 0, o->bytes * count,
                                                                        o->memory, 0, NULL, NULL));
        exchange(o->memory, o->bytes, count);
        o->crc = crc32_of(o->crc, o->memory, o->bytes * count);
        if (fwrite(o->memory, o->bytes, count, o->stream) != count) fail("cannot write", o->file);
    }
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = k < row->arguments ? &row->argument[k] : &row->result[k - row->arguments];
        if (o->buffer) clReleaseMemObject(o->buffer);
        o->buffer = NULL;
    }
    return problem;
}

static const char *launches(cl_kernel kernel, Row *row)
{
    const char *problem = NULL;
    size_t most = 0;
    for (int r = 0; r < row->runs; r++)
        if (row->length[r] > most) most = (size_t)row->length[r];
    for (int k = 0; k < row->arguments + row->results; k++) {
        const int given = k < row->arguments;
        Operand *o = given ? &row->argument[k] : &row->result[k - row->arguments];
        unsigned char mark[16];
        o->memory = room(most * o->elements * o->bytes);
        o->stream = opened(o->file, given ? "rb" : "wb");
        if (given) continue;
        o->crc = crc32_of(0, (unsigned char *)o->head, strlen(o->head));
        for (size_t i = 0; i < o->bytes; i++) mark[is_little() ? o->bytes - 1 - i : i] = (unsigned char)(i + 1);
        exchange(mark, o->bytes, 1);
        o->crc = crc32_of(o->crc, mark, o->bytes);
        if (fputs(o->head, o->stream) < 0 || fwrite(mark, o->bytes, 1, o->stream) != 1) fail("cannot write", o->file);
    }
    for (int r = 0; r < row->runs && !problem; r++)
        for (unsigned long long n = 0; n < row->count[r] && !problem; n++) problem = launch(kernel, row, row->length[r]);
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = k < row->arguments ? &row->argument[k] : &row->result[k - row->arguments];
        if (fclose(o->stream)) fail("cannot write", o->file);
        if (problem && k >= row->arguments) remove(o->file);
        free(o->memory);
    }
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
    char begun[32], words[256] = "done", *line = room(strlen(options) + 2 * NAME);
    const char *problem = NULL;
    int32_t code = 0;
    cl_kernel kernel = NULL;
    for (int k = 0; k < row->arguments; k++) check_argument(&row->argument[k]);
    sprintf(begun, "begun %d", row->tries + 1);
    say(row, begun, "");
    sprintf(line, "%s -D ROW_%s", options, row->name);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
    if (code)
        problem = trouble("clCreateProgramWithSource", code);
    else if ((code = clBuildProgram(program, 1, &device, line, NULL, NULL))) {
        problem = build_log(program);
    } else {
        kernel = clCreateKernel(program, "call", &code);
        problem = code ? trouble("clCreateKernel", code) : launches(kernel, row);
    }
    if (problem)
        say(row, "failed", problem);
    else {
        for (int k = 0; k < row->results; k++) sprintf(words + strlen(words), " %08lx", row->result[k].crc);
        say(row, words, "");
    }
    printf("%s: %s\n", row->name, problem ? problem : "done");
    fflush(stdout);
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
