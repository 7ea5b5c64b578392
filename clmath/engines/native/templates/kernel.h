/* What the loops over blocks of lanes know of a kernel, and of rounding to a format in a mode. */
#define BLOCK 512 /* lanes whose enclosures stay in the first cache until they are rounded */
#define MOST_ARGUMENTS 2
#define MOST_PARTS 4
#define MOST_RESULTS 2
#define MODES 4

/* Enclose the results of at most BLOCK lanes, whose arguments lie next to each other, by the kernel of that number. */
typedef void Enclose(Long number, const void *const *arguments, void *const *parts, Long count);

/* general encloses; so does ordinary, where are_ordinary flags no lane; refine finds exact results, narrow makes enclosures
   of one result narrower for the lanes that are undecided still; far encloses the one result where are_near flags no lane
   for general; all but general may be null. sizes: bytes of an element of each argument */
struct kernel {
    Loop *general, *ordinary, *are_ordinary, *refine, *far, *are_near;
    Loop *narrow[MOST_RESULTS];
    Byte arguments, results, parts, wide;
    Byte sizes[MOST_ARGUMENTS];
};

/* Loops over parts that write codes, and flag lanes that are left: plain, to normal numbers, without flags of single lanes;
   at_once, what middles round to, also without; flags, which lanes that leaves; settle, which may be null, clears flags
   of those that no boundary is close to; decide, what both ends round to */
struct rounding {
    Loop *plain, *at_once, *flags, *settle, *decide;
};
