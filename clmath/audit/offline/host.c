/* Runs every row of this folder on an OpenCL device and leaves the results in results/. Plain C99, OpenCL 1.2.

   cc -O2 -o host host.c -lOpenCL && ./host
   ./host --list                         the devices
   ./host --platform 0 --device 1        one of them
   ./host --build-options '-cl-mad-enable'
   ./host --again                        rows, too, that failed or did not end before

   What is done is not done again: a run that was stopped goes on where it was, and passes over a row that has stopped
   it twice. No header of OpenCL is needed: what is used of it is declared here. */

#include "lab.h"

#include "cl12.h"
#include "programs.h"
#include "images.h"

/* ---- devices ---- */

static const char *device_text(cl_device_id device, uint32_t what)
{
    static char text[TEXT];
    memset(text, 0, sizeof text);
    return clGetDeviceInfo(device, what, sizeof text - 1, text, NULL) ? "" : text;
}

static const char *platform_text(cl_platform_id platform, uint32_t what)
{
    static char text[TEXT];
    memset(text, 0, sizeof text);
    return clGetPlatformInfo(platform, what, sizeof text - 1, text, NULL) ? "" : text;
}

/* whether a word stands in a list */
static int has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += length)
        if ((at == list || (unsigned char)at[-1] <= ' ') && (unsigned char)at[length] <= ' ') return 1;
    return 0;
}

static void add_config(char *facts, const char *type, uint32_t what)
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
static void describe(cl_platform_id platform)
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
    if (*language) add_fact(facts, "compiled as", language);
    const char *passed = device_text(device, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED);
    add_fact(facts, "latest conformance version passed", *passed ? passed : "not known");
    add_fact(facts, "extensions", device_text(device, CL_DEVICE_EXTENSIONS));
    add_fact(facts, "build options", build_options);
    if (has_word(device_text(device, CL_DEVICE_EXTENSIONS), "cl_khr_fp16"))
        add_config(facts, "half", CL_DEVICE_HALF_FP_CONFIG);
    add_config(facts, "float", CL_DEVICE_SINGLE_FP_CONFIG);
    if (has_word(device_text(device, CL_DEVICE_EXTENSIONS), "cl_khr_fp64"))
        add_config(facts, "double", CL_DEVICE_DOUBLE_FP_CONFIG);
    keep_apart(facts);
    free(facts);
}

static cl_device_id pick(int platform_number, int device_number, int list, cl_platform_id *platform)
{
    cl_platform_id platforms[64];
    uint32_t count = 0;
    if (clGetPlatformIDs(64, platforms, &count)) count = 0;
    int listed = 0;
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
            listed++;
            if (!list) return devices[d];
        }
    }
    if (listed) exit(0);
    if (platform_number >= 0 || device_number >= 0)
        fail("OpenCL", "has no such device here", "./host --list shows those that there are");
    fail("OpenCL", "has no device here", "install a driver, which names itself in /etc/OpenCL/vendors, or set OCL_ICD_VENDORS");
    return NULL;
}

/* ---- rows ---- */

static const char *launch(Row *row, size_t calls, void *with)
{
    cl_kernel kernel = with;
    cl_mem buffers[2 * OPERANDS] = {NULL}, image = NULL;
    Image i;
    const uint64_t number = calls;
    const int operands = row->arguments + row->results;
    uint32_t place = 0;
    if (*row->image && !find_image(row, &i)) return "the device has no such images any more";
    const Operand *texels = *row->image ? texels_of(row, &i) : NULL;
    const char *problem = set_argument(kernel, place++, sizeof number, &number);
    if (!problem && *row->group) problem = set_argument(kernel, place++, sizeof row->number, &row->number);
    if (!problem && *row->image) problem = give_image(kernel, place++, &i, texels_of(row, &i), calls, &image);
    for (int k = 0; k < operands && !problem; k++) {
        for (int s = row->arguments; k == row->arguments && s < row->slots && !problem; s++) /* that others need */
            problem = set_argument(kernel, place++, sizeof buffers[0], &buffers[0]);
        if (!problem && operand(row, k) != texels) problem = give(kernel, place++, operand(row, k), calls, &buffers[k]);
    }
    if (!problem) problem = start(kernel, calls, *row->work ? row->work : NULL);
    for (int k = row->arguments; k < operands && !problem; k++)
        problem = buffers[k] ? take(operand(row, k), calls, buffers[k]) : take_image(&i, operand(row, k), calls, image);
    for (int k = 0; k < operands; k++)
        if (buffers[k]) clReleaseMemObject(buffers[k]);
    if (image) clReleaseMemObject(image);
    return problem;
}

/* whether the language has what a row needs of it: a feature of OpenCL C 3.0; then an extension, or '-', a part of 2.0 */
static int has_feature(const Row *row)
{
    cl_name_version known[64];
    size_t size = 0;
    char feature[NAME] = "", extension[NAME] = "";
    if (sscanf(row->features, "%127s %127s", feature, extension) < 2) return 1;
    if (has_word(device_text(device, CL_DEVICE_EXTENSIONS), extension)) return 1;
    if (clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof known, known, &size) || size > sizeof known)
        return *extension == '-' && !strncmp(device_text(device, CL_DEVICE_OPENCL_C_VERSION), "OpenCL C 2.", 11);
    for (size_t i = 0; i < size / sizeof *known; i++)
        if (!strncmp(known[i].name, feature, sizeof known[i].name)) return 1;
    return 0;
}

/* why the device cannot have the row, or NULL */
static const char *lacks(const Row *row)
{
    static char text[TEXT];
    Image image;
    char needs[LINE];
    strcpy(needs, row->needs);
    for (char *word = strtok(needs, " "); word; word = strtok(NULL, " "))
        if (!has_word(device_text(device, CL_DEVICE_EXTENSIONS), word)) {
            sprintf(text, "the device has no %s", word);
            return text;
        }
    if (*row->work && !has_feature(row)) return "the device has no functions of such groups";
    const size_t items = row->work[0] * row->work[1] * row->work[2], most = largest_group();
    if (most && items > most) return "the device has no groups of as many work-items";
    return *row->image && !find_image(row, &image) ? "the device has no such images" : NULL;
}

static void run(Row *row, int again)
{
    cl_kernel kernel = NULL;
    begin(row);
    const char *problem = kernel_of(row, again, &kernel);
    if (!problem) problem = launch_all(row, launch, kernel);
    end(row, problem);
}

static void open_device(const char *extensions)
{
    int32_t code;
    uint32_t little = 0;
    if (!clGetDeviceInfo(device, CL_DEVICE_ENDIAN_LITTLE, sizeof little, &little, NULL) && (int)little != is_little())
        fail("the device", "has another order of bytes than this machine", "run it from a machine that has its own");
    char *words = room(strlen(extensions) + 1);
    strcpy(words, extensions);
    present = room(8 * (strlen(extensions) + 1)); /* a word has two letters at least */
    *present = 0;
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " "))
        if (has_word(device_text(device, CL_DEVICE_EXTENSIONS), word))
            sprintf(present + strlen(present), " -D HAS_%s", word);
    free(words);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    if (code) fail("the device", "cannot be opened", trouble("clCreateContext", code));
    queue = clCreateCommandQueue(context, device, 0, &code);
    if (code) fail("the device", "cannot be opened", trouble("clCreateCommandQueue", code));
}

static void open_language(void)
{
    unsigned major = 0, minor = 0;
    if (sscanf(device_text(device, CL_DEVICE_OPENCL_C_VERSION), "OpenCL C %u.%u", &major, &minor) != 2) major = minor = 0;
    choose_language(major, minor);
}

static int number_of(const char *word)
{
    char *end;
    const long number = strtol(word, &end, 10);
    if (end == word || *end || number < 0 || number > 1000) fail(word, "is no number of a platform or device", "./host --list shows them");
    return (int)number;
}

int main(int count, char **words)
{
    int platform_number = -1, device_number = -1, list = 0, again = 0;
    cl_platform_id platform = NULL;
    static char extensions[LINE];
    build_options = "";
    for (int i = 1; i < count; i++) {
        const int has_value = i + 1 < count;
        if (!strcmp(words[i], "--list")) list = 1;
        else if (!strcmp(words[i], "--again")) again = 1;
        else if (!strcmp(words[i], "--platform") && has_value) platform_number = number_of(words[++i]);
        else if (!strcmp(words[i], "--device") && has_value) device_number = number_of(words[++i]);
        else if (!strcmp(words[i], "--build-options") && has_value) build_options = words[++i];
        else fail(words[i], "is not understood", "the options are --list --platform N --device N --build-options TEXT --again");
    }
    device = pick(platform_number, device_number, list, &platform);
    FILE *rows = opened_rows(extensions);
    source = text_of("kernels.cl");
    open_device(extensions);
    open_language();
    describe(platform);
    return run_all(rows, again, lacks, run);
}
