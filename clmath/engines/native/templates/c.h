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
   last: four in fast kernels, two in those that need more registers */
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

#if defined(__GNUC__) && !defined(__clang__)
/* by masks: gcc makes branches of ?:, moves reads of tables into these, and has no vector code for such loops then */
FUNCTION Long long_select(const bool c, const Long a, const Long b) {
    const Long mask = -(Long)c;
    return (a & mask) | (b & ~mask);
}
FUNCTION double double_select(const bool c, const double a, const double b) {
    return from_bits(long_select(c, bits(a), bits(b)));
}
FUNCTION bool bool_select(const bool c, const bool a, const bool b) { return (a & c) | (b & !c); }
#else
/* functions, since what a condition chooses from is not computed on condition then, which is no business of vectors */
FUNCTION double double_select(const bool c, const double a, const double b) { return c ? a : b; }
FUNCTION Long long_select(const bool c, const Long a, const Long b) { return c ? a : b; }
FUNCTION bool bool_select(const bool c, const bool a, const bool b) { return c ? a : b; }
#endif

$operations
$double_arithmetic
#define double_abs(a) __builtin_fabs(a)
#ifndef root
#define root(a) __builtin_sqrt(a)
#endif

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

FUNCTION Long long_abs(const Long a) { return long_select(a < 0, long_neg(a), a); }
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 12
/* of what gcc knows to be 0 or 1 it takes the last bit, for which it has no vector code: of a double it knows no bounds */
#define unbounded(a) bits(__builtin_assoc_barrier(from_bits(a)))
#else
#define unbounded(a) (a)
#endif
/* nor has it for shifts of constants, if only by the number of places: x, but not as a constant */
FUNCTION Count varying(const Count x, const Long places) { return x + ((Count)unbounded(places) >> 63); }
FUNCTION Long long_shl(const Long a, const Long n) {
    const Count shifted = __builtin_constant_p(a) ? varying((Count)a, n & 63) : (Count)a;
    return (Long)(shifted << (n & 63));
}
#define long_eq(a, b) (unbounded(a) == (b))
#define long_ne(a, b) (unbounded(a) != (b))

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
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && !defined(__AVX512DQ__)
/* gcc has no vector code for conversions and signed shifts that the processor has none for: the same from what it has */
FUNCTION double double_of_long(const Long i) {
    const double high = from_bits((Long)(((Count)i >> 32) ^ 0x4530000080000000ULL)); /* 2^84 + 2^63 and 2^32 times it */
    const double low = from_bits((Long)(((Count)i & 0xffffffffULL) | 0x4330000000000000ULL)); /* 2^52 and it */
    return (high - 0x1.00000801p+84) + low;
}
FUNCTION Long long_shr(const Long a, const Long n) {
    const Count sign = varying(1ULL << 63, n & 63);
    return (Long)((((Count)a ^ sign) >> (n & 63)) - (sign >> (n & 63)));
}
FUNCTION double whole(const double a) { /* of a number below 2^32 */
    const double nearest = (a + 0x1p52) - 0x1p52;
    return nearest - double_select(nearest > a, 1.0, 0.0);
}
FUNCTION Long integer(const double a) {
    const double size = __builtin_fabs(a), high = whole(size * 0x1p-32), low = whole(size - high * 0x1p32);
    const Count digits = ((Count)bits(high + 0x1p52) << 32) | ((Count)bits(low + 0x1p52) & 0xffffffffULL);
    return long_select(size < 0x1p63, long_select(a < 0.0, (Long)(0 - digits), (Long)digits), INT64_MIN);
}
#else
#define double_of_long(i) ((double)(i))
#define long_shr(a, n) ((a) >> ((n) & 63))
/* a number beyond 2^63 and NaN have no integer, but must not be undefined */
FUNCTION Long integer(const double a) { return a >= -0x1p63 && a < 0x1p63 ? (Long)a : INT64_MIN; }
#endif
FUNCTION Long inside(const Long i, const Long last) { return long_select(i < 0, 0, long_select(i > last, last, i)); }
#define take(i, first, length) tables[first + inside(i, length - 1)]
