/* The arrays of a call, and copies of blocks of them. */

typedef struct {
    char *address;
    Long step; /* bytes from one lane to the next */
} Operand;

static void copy(char *to, const Long to_step, const char *from, const Long from_step, const Long size, const Long count) {
#define COPY(type) \
    for (Long i = 0; i < count; i++) { \
        type element; \
        __builtin_memcpy(&element, from + i * from_step, sizeof(type)); \
        __builtin_memcpy(to + i * to_step, &element, sizeof(type)); \
    }
    if (size == 8) COPY(Double) else if (size == 4) COPY(Word) else if (size == 2) COPY(Short) else COPY(Byte)
}

/* The arguments of a block of `count` lanes as they lie in memory; copied next to each other where they do not lie so, or
   copies of the first lane are to follow until there are `all`. */
static void load(const Operand *arguments, const Byte *sizes, const Long number, const Long first, const Long count,
                 const Long all, Double room[][BLOCK], const void **x) {
    for (Long i = 0; i < number; i++) {
        const char *start = arguments[i].address + first * arguments[i].step;
        const Long size = sizes[i];
        x[i] = start;
        if (arguments[i].step == size && count == all) continue;
        copy((char *)room[i], size, start, arguments[i].step, size, count);
        copy((char *)room[i] + count * size, size, start, 0, size, all - count);
        x[i] = room[i];
    }
}

/* Number the lanes that are flagged. */
static Long listed_lanes(const Byte *flags, const Long first, const Long count, Long *lanes) {
    Long found = 0;
    for (Long i = 0; i < count; i++) {
        lanes[found] = first + i;
        found += flags[i];
    }
    return found;
}
