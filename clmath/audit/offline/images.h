/* Rows that read the channels of an image, which the host fills, or write them, to be read back. */

enum { TEXELS = 1024 }; /* in a line, as in kernels.cl */

static const struct {
    const char *name;
    uint32_t value;
} IMAGE_WORDS[] = {
    {"R", 0x10B0}, {"RGBA", 0x10B5}, {"sRGBA", 0x10C1},
    {"SNORM_INT8", 0x10D0}, {"SNORM_INT16", 0x10D1}, {"UNORM_INT8", 0x10D2}, {"UNORM_INT16", 0x10D3},
    {"SIGNED_INT8", 0x10D7}, {"SIGNED_INT16", 0x10D8}, {"SIGNED_INT32", 0x10D9},
    {"UNSIGNED_INT8", 0x10DA}, {"UNSIGNED_INT16", 0x10DB}, {"UNSIGNED_INT32", 0x10DC},
    {"HALF_FLOAT", 0x10DD}, {"FLOAT", 0x10DE}, {NULL, 0},
};

static uint32_t image_word(const char *name)
{
    for (size_t k = 0; IMAGE_WORDS[k].name; k++)
        if (!strcmp(IMAGE_WORDS[k].name, name)) return IMAGE_WORDS[k].value;
    fail(name, "is no channel order or type that this host knows", "copy the folder again");
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

/* the first of the row's channel orders that the device has with its type; 0 where it has none */
static int image_format(const Row *row, cl_image_format *format)
{
    char verb[16], type[NAME], orders[2][NAME] = {"", ""};
    uint32_t has = 0, count = 0;
    sscanf(row->image, "%15s %127s %127s %127s", verb, type, orders[0], orders[1]);
    format->type = image_word(type);
    if (clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has, &has, NULL) || !has) return 0;
    if (clGetSupportedImageFormats(context, access_of(row), CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count)) return 0;
    cl_image_format *known = room(count * sizeof *known);
    if (clGetSupportedImageFormats(context, access_of(row), CL_MEM_OBJECT_IMAGE2D, count, known, NULL)) count = 0;
    int found = 0;
    for (int o = 0; o < 2 && *orders[o] && !found; o++) {
        format->order = image_word(orders[o]);
        for (uint32_t k = 0; k < count; k++) found |= known[k].order == format->order && known[k].type == format->type;
    }
    free(known);
    return found;
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

static size_t channels_of(const Row *row)
{
    cl_image_format format = {0, 0};
    image_format(row, &format);
    return format.order == image_word("R") ? 1 : 4;
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
    if (!problem)
        problem = trouble("clEnqueueNDRangeKernel",
                          clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    if (!problem) problem = reads(row) ? take(other, calls, buffer) : take_image(image, lines, texels);
    if (!problem && !reads(row)) first_channels(texels, lanes, stored, calls, 0);
    if (buffer) clReleaseMemObject(buffer);
    if (image) clReleaseMemObject(image);
    free(texels);
    return problem;
}
