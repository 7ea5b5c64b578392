/* Lists of lanes of a block, and arrays of the elements that stand there. */

static void gather(char *to, const char *from, const Long size, const Short *lanes, const Long count) {
#define GATHER(type) for (Long i = 0; i < count; i++) ((type *)to)[i] = ((const type *)from)[lanes[i]];
    if (size == 8) GATHER(Double) else if (size == 4) GATHER(Word) else GATHER(Short)
}

static void scatter(char *to, const char *from, const Long size, const Short *lanes, const Long count) {
#define SCATTER(type) for (Long i = 0; i < count; i++) ((type *)to)[lanes[i]] = ((const type *)from)[i];
    if (size == 8) SCATTER(Double) else if (size == 4) SCATTER(Word) else SCATTER(Short)
}

static Long listed(const Byte *flags, Short *lanes, const Long count) {
    Long found = 0;
    for (Long i = 0; i < count; i++) {
        lanes[found] = (Short)i;
        found += flags[i];
    }
    return found;
}
