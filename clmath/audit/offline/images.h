/* Rows that read the channels of an image, which the host fills, or write them, to be read back; and rows that read an
   image of their own with samplers. */

enum { TEXELS = 1024 }; /* in a line, as in kernels.cl */

static const struct {
    const char *name;
    uint32_t value;
} IMAGE_WORDS[] = {
    {"1D", 0x10F4}, {"2D", 0x10F1}, {"3D", 0x10F2}, {"1D_ARRAY", 0x10F5}, {"2D_ARRAY", 0x10F3},
    {"R", 0x10B0}, {"A", 0x10B1}, {"RG", 0x10B2}, {"RA", 0x10B3}, {"RGB", 0x10B4}, {"RGBA", 0x10B5}, {"BGRA", 0x10B6},
    {"ARGB", 0x10B7}, {"INTENSITY", 0x10B8}, {"LUMINANCE", 0x10B9}, {"RX", 0x10BA}, {"RGX", 0x10BB}, {"RGBX", 0x10BC},
    {"DEPTH", 0x10BD}, {"SRGB", 0x10BF}, {"SRGBX", 0x10C0}, {"SRGBA", 0x10C1}, {"SBGRA", 0x10C2}, {"ABGR", 0x10C3},
    {"SNORM_INT8", 0x10D0}, {"SNORM_INT16", 0x10D1}, {"UNORM_INT8", 0x10D2}, {"UNORM_INT16", 0x10D3},
    {"UNORM_SHORT_565", 0x10D4}, {"UNORM_SHORT_555", 0x10D5}, {"UNORM_INT_101010", 0x10D6},
    {"SIGNED_INT8", 0x10D7}, {"SIGNED_INT16", 0x10D8}, {"SIGNED_INT32", 0x10D9},
    {"UNSIGNED_INT8", 0x10DA}, {"UNSIGNED_INT16", 0x10DB}, {"UNSIGNED_INT32", 0x10DC},
    {"HALF_FLOAT", 0x10DD}, {"FLOAT", 0x10DE}, {NULL, 0},
};

static uint32_t image_word(const char *name)
{
    for (size_t k = 0; IMAGE_WORDS[k].name; k++)
        if (!strcmp(IMAGE_WORDS[k].name, name)) return IMAGE_WORDS[k].value;
    fail(name, "is no kind, channel order or type of images that this host knows", "copy the folder again");
    return 0;
}

static int reads(const Row *row)
{
    return !strncmp(row->image, "read ", 5);
}

static uint64_t access_of(const Row *row)
{
    return reads(row) ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
}

/* whether the device has images of a kind with these channels */
static int has_format(uint64_t access, uint32_t kind, const cl_image_format *format)
{
    uint32_t has = 0, count = 0;
    if (clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL) || !has) return 0;
    if (clGetSupportedImageFormats(context, access, kind, 0, NULL, &count)) return 0;
    cl_image_format *known = room(count * sizeof *known);
    int found = 0;
    if (clGetSupportedImageFormats(context, access, kind, count, known, NULL)) count = 0;
    for (uint32_t k = 0; k < count; k++) found |= known[k].order == format->order && known[k].type == format->type;
    free(known);
    return found;
}

/* the first of the row's channel orders that the device has with its type; 0 where it has none */
static int image_format(const Row *row, cl_image_format *format)
{
    char verb[16], type[NAME], orders[2][NAME] = {"", ""};
    sscanf(row->image, "%15s %127s %127s %127s", verb, type, orders[0], orders[1]);
    format->type = image_word(type);
    for (int o = 0; o < 2 && *orders[o]; o++) {
        format->order = image_word(orders[o]);
        if (has_format(access_of(row), CL_MEM_OBJECT_IMAGE2D, format)) return 1;
    }
    return 0;
}

/* the first channels of texels that follow each other, as many as a call has: taken from values, or given to them */
static void first_channels(unsigned char *texels, size_t lanes, Operand *values, size_t count, int take)
{
    const size_t size = values->bytes * values->elements;
    for (size_t i = 0; i < count; i++) {
        unsigned char *texel = texels + i * lanes * values->bytes, *value = values->memory + i * size;
        memcpy(take ? texel : value, take ? value : texel, size);
    }
}

/* an image with these texels, as the first argument after the number of calls */
static const char *give_image(cl_kernel kernel, const Row *row, size_t lines, void *texels, cl_mem *image)
{
    const cl_image_desc desc = {CL_MEM_OBJECT_IMAGE2D, TEXELS, lines, 1, 1, 0, 0, 0, 0, NULL};
    cl_image_format format;
    int32_t code;
    if (!image_format(row, &format)) return "the device has no such images any more";
    *image = clCreateImage(context, access_of(row) | CL_MEM_COPY_HOST_PTR, &format, &desc, texels, &code);
    if (code) return trouble("clCreateImage", code);
    return trouble("clSetKernelArg", clSetKernelArg(kernel, 1, sizeof *image, image));
}

static const char *take_image(cl_mem image, size_t lines, void *texels)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {TEXELS, lines, 1};
    return trouble("clEnqueueReadImage",
                   clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, texels, 0, NULL, NULL));
}

/* numbers of a texel: those of RGB are packed in one */
static size_t channels_of(const Row *row)
{
    cl_image_format format = {0, 0};
    image_format(row, &format);
    return format.order == image_word("RGBA") || format.order == image_word("SRGBA") ? 4 : 1;
}

static const char *launch_image(Row *row, size_t calls, void *with)
{
    cl_kernel kernel = with;
    cl_mem image = NULL, buffer = NULL;
    const uint64_t number = calls;
    const size_t lines = (calls + TEXELS - 1) / TEXELS, global = lines * TEXELS, lanes = channels_of(row);
    Operand *stored = reads(row) ? &row->argument[0] : &row->result[0];
    Operand *other = reads(row) ? &row->result[0] : &row->argument[0];
    unsigned char *texels = calloc(global * lanes, stored->bytes);
    if (!texels) fail(row->name, "has images too large for the memory of this machine", "take a larger one");
    first_channels(texels, lanes, stored, calls, 1); /* those of results are poison, which a write has to replace */
    const char *problem = trouble("clSetKernelArg", clSetKernelArg(kernel, 0, sizeof number, &number));
    if (!problem) problem = give_image(kernel, row, lines, texels, &image);
    if (!problem) problem = give(kernel, 2, other, calls, &buffer);
    if (!problem) problem = start(kernel, global, NULL);
    if (!problem) problem = reads(row) ? take(other, calls, buffer) : take_image(image, lines, texels);
    if (!problem && !reads(row)) first_channels(texels, lanes, stored, calls, 0);
    if (buffer) clReleaseMemObject(buffer);
    if (image) clReleaseMemObject(image);
    free(texels);
    return problem;
}

/* ---- reads with samplers ---- */

/* what a row reads: an image of this kind and these sizes, whose texels are in a file */
typedef struct {
    cl_image_format format;
    cl_image_desc desc;
    size_t bytes; /* of an element */
    unsigned long crc;
    char file[NAME];
} Sampled;

static Sampled sampled_of(const Row *row)
{
    Sampled s;
    char kind[16], order[16], type[NAME];
    memset(&s, 0, sizeof s);
    if (sscanf(row->sampled, "%15s %15s %127s %zu %zu %zu %zu %zu %lx %127s", kind, order, type, &s.desc.width, &s.desc.height,
               &s.desc.depth, &s.desc.array_size, &s.bytes, &s.crc, s.file) != 10)
        fail("rows.txt", "has a line that this host does not understand", row->sampled);
    s.desc.image_type = image_word(kind);
    s.format.order = image_word(order);
    s.format.type = image_word(type);
    return s;
}

static int has_sampled(const Row *row)
{
    const Sampled s = sampled_of(row);
    return has_format(CL_MEM_READ_ONLY, s.desc.image_type, &s.format);
}

/* an argument of the kernel: the image of a row */
static const char *give_sampled(cl_kernel kernel, uint32_t place, const Row *row, cl_mem *image)
{
    const Sampled s = sampled_of(row);
    size_t size = 0;
    int32_t code;
    check_file(s.file, s.crc);
    unsigned char *texels = bytes_of(s.file, &size);
    exchange(texels, s.bytes, size / s.bytes);
    *image = clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &s.format, &s.desc, texels, &code);
    free(texels);
    if (code) return trouble("clCreateImage", code);
    return trouble("clSetKernelArg", clSetKernelArg(kernel, place, sizeof *image, image));
}
