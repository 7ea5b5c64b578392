/* What the loops over blocks of lanes know of a kernel, and of rounding to a format in a mode. */
#define BLOCK 512 /* lanes whose enclosures stay in the first cache until they are rounded */
#define MOST_ARGUMENTS 2
#define MOST_PARTS 4
#define MOST_RESULTS 2
#define MODES 4

typedef void Loop(const void *const *arguments, void *const *parts, Long count);

/* Enclose the results of at most BLOCK lanes, whose arguments lie next to each other, by the kernel of that number. */
typedef void Enclose(Long number, const void *const *arguments, void *const *parts, Long count);

/* general encloses; so does ordinary, where are_ordinary holds; refine finds exact results, narrow makes enclosures of one
   result narrower for the lanes that are undecided still; far encloses the one result where are_near, which tells how many
   lanes are for general, does not flag; all but general may be null. sizes: bytes of an element of each argument */
struct kernel {
    Loop *general, *ordinary, *refine;
    bool (*are_ordinary)(const void *const *arguments, Long count);
    Loop *far;
    Long (*are_near)(const void *const *arguments, Byte *near, Long count);
    Loop *narrow[MOST_RESULTS];
    Byte arguments, results, parts, wide;
    Byte sizes[MOST_ARGUMENTS];
};

/* plain: whether all results are plain, and what they round to; else `codes` are of no use. The others return how many
   lanes are left, and flag them in `left`: at_once, what middles round to, only if any are; settle, which may be null,
   clears those that no boundary is close to; decide, what both ends round to */
struct rounding {
    bool (*plain)(const void *const *parts, void *codes, Long count);
    Long (*at_once)(const void *const *parts, void *codes, Byte *left, Long count);
    Long (*settle)(const void *const *parts, void *codes, Byte *left, Long count);
    Long (*decide)(const void *const *parts, void *codes, Byte *left, Long count);
};
