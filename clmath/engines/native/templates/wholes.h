/* What the loop over blocks knows of whole built-ins. */
#define BLOCK 512 /* lanes that stay in the first cache where they have to be copied */
#define MOST_ARGUMENTS 8
#define MOST_RESULTS 4
#define MOST_WAYS 4

/* One way to evaluate, where holds, which may be null, is true of all lanes of a block; loop returns how many lanes it
   leaves, and flags them */
struct way {
    bool (*holds)(const void *const *arguments, Long count);
    Long (*loop)(const void *const *arguments, void *const *results, Byte *left, Long count);
};

/* sizes, widths: bytes of an element of each argument and each result */
struct whole {
    struct way ways[MOST_WAYS];
    Byte arguments, results;
    Byte sizes[MOST_ARGUMENTS], widths[MOST_RESULTS];
};

typedef struct {
    char *address;
    Long step; /* bytes from one lane to the next */
} Operand;
