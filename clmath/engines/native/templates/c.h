/* What the operations of a traced program are in C11: IEEE 754 in double, one rounding each, and 64-bit integers. */
#include <stdbool.h>
#include <stdint.h>

#define FUNCTION static inline __attribute__((always_inline, unused))
#define LOOP static __attribute__((noinline)) /* what is restricted stays so */
#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif
#define HIDDEN __attribute__((visibility("hidden")))
#ifdef __clang__
/* also where entries of tables seem to cost too much for it; several vectors at a time, as each operation waits for the
   last: four in quick kernels, two in those that need more registers */
#define VECTORS _Pragma("clang loop vectorize(enable) interleave_count(2)")
#define FOUR_VECTORS _Pragma("clang loop vectorize(enable) interleave_count(4)")
#define SINGLE_VECTORS _Pragma("clang loop vectorize(enable) interleave_count(1)") /* half as long to compile */
#else
#define VECTORS
#define FOUR_VECTORS
#define SINGLE_VECTORS
#endif
#define TABLE const double *restrict tables __attribute__((unused))

typedef int64_t Long;
typedef uint64_t Count;
typedef uint8_t Byte;
typedef uint16_t Short;
typedef uint32_t Word;
typedef uint64_t Double;

FUNCTION double from_bits(const Long i) { double x; __builtin_memcpy(&x, &i, 8); return x; }
FUNCTION Long bits(const double x) { Long i; __builtin_memcpy(&i, &x, 8); return i; }

#define LONG(digits) ((Long)digits##ULL)
#define ENCODED(digits) from_bits((Long)digits##ULL)

/* functions, since what a condition chooses from is not computed on condition then, which is no business of vectors */
FUNCTION double double_select(const bool c, const double a, const double b) { return c ? a : b; }
FUNCTION Long long_select(const bool c, const Long a, const Long b) { return c ? a : b; }
FUNCTION bool bool_select(const bool c, const bool a, const bool b) { return c ? a : b; }

#define double_add(a, b) ((a) + (b))
#define double_sub(a, b) ((a) - (b))
#define double_mul(a, b) ((a) * (b))
#define double_div(a, b) ((a) / (b))
#define double_neg(a) (-(a))
#define double_abs(a) __builtin_fabs(a)
#define double_lt(a, b) ((a) < (b))
#define double_le(a, b) ((a) <= (b))
#define double_gt(a, b) ((a) > (b))
#define double_ge(a, b) ((a) >= (b))
#define double_eq(a, b) ((a) == (b))
#define double_ne(a, b) ((a) != (b))
#define double_of_long(i) ((double)(i))
#define double_of_bool(c) ((c) ? 1.0 : 0.0)
#define root(a) __builtin_sqrt(a)

#if defined(__FMA__) || defined(__aarch64__)
#define fused(a, b, c) __builtin_fma(a, b, c)
#else
/* a b + c, c being -a b rounded: the same bits from halves of 26 digits (Veltkamp, Dekker) */
FUNCTION double upper(const double a) { const double t = 134217729.0 * a; return t - (t - a); }
FUNCTION double fused(const double a, const double b, const double c) {
    const double ah = upper(a), bh = upper(b), al = a - ah, bl = b - bh;
    return ((ah * bh + c) + ah * bl + al * bh) + al * bl;
}
#endif

/* sums and products of unsigned integers wrap; those of signed ones are undefined where they overflow */
#define long_add(a, b) ((Long)((Count)(a) + (Count)(b)))
#define long_sub(a, b) ((Long)((Count)(a) - (Count)(b)))
#define long_mul(a, b) ((Long)((Count)(a) * (Count)(b)))
#define long_neg(a) ((Long)(0 - (Count)(a)))
#define long_abs(a) ((a) < 0 ? long_neg(a) : (a))
#define long_and(a, b) ((a) & (b))
#define long_or(a, b) ((a) | (b))
#define long_xor(a, b) ((a) ^ (b))
#define long_not(a) (~(a))
#define long_shl(a, n) ((Long)((Count)(a) << ((n) & 63)))
#define long_shr(a, n) ((a) >> ((n) & 63))
#define long_lt(a, b) ((a) < (b))
#define long_le(a, b) ((a) <= (b))
#define long_gt(a, b) ((a) > (b))
#define long_ge(a, b) ((a) >= (b))
#define long_eq(a, b) ((a) == (b))
#define long_ne(a, b) ((a) != (b))
#define long_of_bool(c) ((Long)(c))

#define bool_and(a, b) ((a) & (b))
#define bool_or(a, b) ((a) | (b))
#define bool_xor(a, b) ((a) ^ (b))
#define bool_not(a) (!(a))
#define bool_eq(a, b) ((a) == (b))
#define bool_ne(a, b) ((a) != (b))

FUNCTION Long float_bits(const double a) {
    const float x = (float)a;
    int32_t i;
    __builtin_memcpy(&i, &x, 4);
    return i;
}
FUNCTION double from_float_bits(const Long i) {
    const int32_t code = (int32_t)i;
    float x;
    __builtin_memcpy(&x, &code, 4);
    return x;
}
/* a number beyond 2^63 and NaN have no integer, but must not be undefined */
FUNCTION Long integer(const double a) { return a >= -0x1p63 && a < 0x1p63 ? (Long)a : INT64_MIN; }
#define take(i, first, length) tables[first + ((i) < 0 ? 0 : (i) > length - 1 ? length - 1 : (i))]
