/* What is called for the elements of arrays: a kernel that rounds to a format in a mode, or a whole built-in. */

/* A kernel and what its results are rounded to, or a whole built-in; which arguments are halves that are taken as floats,
   a bit for each; how many lanes were evaluated so far, and left undecided. */
struct call {
    Long number, form, mode, halves;
    Long evaluated, undecided;
};

/* How many arguments are read, and results written; the bytes of an element of each. */
typedef struct {
    Long arguments, results;
    const Byte *sizes, *widths;
} Signature;

/* Of what is called, and what stores all its results for lanes and lists those that it leaves: see of_kernels.c, and
   of_wholes.c. */
static Signature signature(const struct call *call);
static Long evaluate(const struct call *call, Long lanes, const Operand *arguments, const Operand *results, Long *undecided);

/* The float that a half is: its exponent is moved, but those of subnormals, infinities and NaNs are others. */
static void widen(const Short *restrict from, Word *restrict to, const Long count) {
    for (Long i = 0; i < count; i++) {
        const Word half = from[i], sign = (half & 0x8000) << 16, rest = half & 0x7fff;
        const float small = (float)(int32_t)rest * 0x1p-24f;
        Word code;
        __builtin_memcpy(&code, &small, 4);
        code = rest < 0x400 ? code : rest < 0x7c00 ? (rest << 13) + 0x38000000 : (rest << 13) | 0x7f800000;
        to[i] = sign | code;
    }
}
