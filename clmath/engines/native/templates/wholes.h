/* What the loop over blocks knows of whole built-ins. */
#define BLOCK 512 /* lanes that stay in the first cache where they have to be copied */
#define MOST_ARGUMENTS 8
#define MOST_RESULTS 4
#define MOST_WAYS 4

/* One way to evaluate, where holds, which may be null, flags no lane of a block; loop flags the lanes that it leaves in an
   array after its results */
struct way {
    Loop *holds, *loop;
};

/* sizes, widths: bytes of an element of each argument and each result; together: the loops take a multiple of so many lanes */
struct whole {
    struct way ways[MOST_WAYS];
    Byte arguments, results, together;
    Byte sizes[MOST_ARGUMENTS], widths[MOST_RESULTS];
};
