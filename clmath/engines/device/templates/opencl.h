/* What the operations of a traced program are in OpenCL C: IEEE 754 in double, one rounding each, and 64-bit integers. */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF

#ifndef TABLE_SPACE
#define TABLE_SPACE global
#define TABLE_TYPE double
#define TABLE_VALUE(entry) (entry)
#endif
#define FUNCTION static inline
#define ENTRY kernel void
#define GLOBAL global
#define INDEX get_global_id(0)
#define EACH(lane, count) const Count lane = INDEX; if (lane < (count))
#define NEXT(counter) atomic_inc(counter) /* what it was before it grew by one */
#define RAISE(target, value) atomic_max(target, value)
#define INCREASE(target, value) atomic_add(target, value)
#define TABLE TABLE_SPACE const TABLE_TYPE *tables

typedef long Long;
typedef ulong Count;
typedef uchar Byte;
typedef ushort Short;
typedef uint Word;
typedef ulong Double;

#define LONG(digits) ((long)digits##UL)
#define ENCODED(digits) as_double(digits##UL)

$operations
$double_arithmetic
#define double_abs(a) fabs(a)
#define double_select(c, a, b) ((c) ? (a) : (b))
#define double_of_long(i) convert_double(i)
#define fused(a, b, c) fma((double)(a), (double)(b), (double)(c))
#define root(a) sqrt((double)(a))

#define long_abs(a) as_long(abs(a))
#define long_shl(a, n) as_long(as_ulong(a) << (n))
#define long_shr(a, n) ((a) >> (n))
#define long_eq(a, b) ((a) == (b))
#define long_ne(a, b) ((a) != (b))
#define long_select(c, a, b) ((c) ? (a) : (b))

#define bool_select(c, a, b) ((c) ? (a) : (b))

#define bits(a) as_long(a)
#define from_bits(i) as_double(i)
#define widened(x) convert_double(x)
#define float_bits(a) ((long)as_int(convert_float(a)))
#define from_float_bits(i) convert_double(as_float((int)(i)))
#define integer(a) convert_long_sat(a) /* a number beyond 2^63 and NaN have no integer, but must not be undefined */
#define take(i, first, length) TABLE_VALUE(tables[first + clamp((long)(i), 0L, (long)(length - 1))])
