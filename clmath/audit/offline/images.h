/* The images of rows: lines of texels that are an argument or a result of the row, or an image that is in a file and
   read with samplers. */

enum { TEXELS = 1024 }; /* in a line, as in kernels.cl */

typedef struct {
    char use[16]; /* read: the texels are the argument; write: they are the result; sample: they are in the file */
    cl_image_format format;
    cl_image_desc desc;
    size_t channels, bytes; /* numbers of a texel in memory, and bytes of a number in the file */
    unsigned long crc;
    char file[NAME];
} Image;

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

static uint64_t access_of(const Image *i)
{
    return strcmp(i->use, "write") ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY;
}

/* the image of a row, with the first of its two channel orders that the device has; 0 where it has none */
static int find_image(const Row *row, Image *i)
{
    uint32_t order[2];
    size_t channels[2];
    memset(i, 0, sizeof *i);
    cl_image_desc *d = &i->desc;
    const int found = sscanf(row->image, "%15s %x %x %x %zu %x %zu %zu %zu %zu %zu %zu %lx %127s", i->use, &d->image_type,
                             &i->format.type, order, channels, order + 1, channels + 1, &d->width, &d->height, &d->depth,
                             &d->array_size, &i->bytes, &i->crc, i->file);
    if (found != (strcmp(i->use, "sample") ? 7 : 14))
        fail("rows.txt", "has a line that this host does not understand", row->image);
    for (int o = 0; o < 2; o++) {
        i->format.order = order[o];
        i->channels = channels[o];
        if (has_format(access_of(i), d->image_type, &i->format)) return 1;
    }
    return 0;
}

/* the argument or result with the texels of a row's image; NULL where it has none */
static Operand *texels_of(Row *row, const Image *i)
{
    if (!strcmp(i->use, "read")) return &row->argument[0];
    return strcmp(i->use, "write") ? NULL : &row->result[0];
}

/* the first channels of texels, as many as a call has: taken from values, or given to them */
static void copy_channels(unsigned char *texels, const Image *i, Operand *values, size_t count, int take)
{
    const size_t size = values->bytes * values->elements;
    for (size_t k = 0; k < count; k++) {
        unsigned char *texel = texels + k * i->channels * values->bytes, *value = values->memory + k * size;
        memcpy(take ? texel : value, take ? value : texel, size);
    }
}

/* room for whole lines of texels, all 0 */
static unsigned char *lines(Image *i, const Operand *values, size_t calls)
{
    i->desc.width = TEXELS;
    i->desc.height = (calls + TEXELS - 1) / TEXELS;
    i->desc.depth = i->desc.array_size = 1;
    unsigned char *texels = calloc(TEXELS * i->desc.height * i->channels, values->bytes);
    if (!texels) fail("images", "are too large for the memory of this machine", "take a larger one");
    return texels;
}

static unsigned char *texels_in_file(const Image *i)
{
    size_t size = 0;
    check_file(i->file, i->crc);
    unsigned char *texels = bytes_of(i->file, &size);
    exchange(texels, i->bytes, size / i->bytes);
    return texels;
}

/* an argument of the kernel: the image with its texels; what is written begins as poison, which has to be replaced */
static const char *give_image(cl_kernel kernel, uint32_t place, Image *i, Operand *values, size_t calls, cl_mem *image)
{
    int32_t code;
    unsigned char *texels = values ? lines(i, values, calls) : texels_in_file(i);
    if (values) copy_channels(texels, i, values, calls, 1);
    *image = clCreateImage(context, access_of(i) | CL_MEM_COPY_HOST_PTR, &i->format, &i->desc, texels, &code);
    free(texels);
    return code ? trouble("clCreateImage", code) : set_argument(kernel, place, sizeof *image, image);
}

/* what is in an image now, in the operand's memory */
static const char *take_image(Image *i, Operand *values, size_t calls, cl_mem image)
{
    unsigned char *texels = lines(i, values, calls);
    const size_t origin[3] = {0, 0, 0}, region[3] = {TEXELS, i->desc.height, 1};
    const int32_t code = clEnqueueReadImage(queue, image, 1, origin, region, 0, 0, texels, 0, NULL, NULL);
    copy_channels(texels, i, values, calls, 0);
    free(texels);
    return trouble("clEnqueueReadImage", code);
}
