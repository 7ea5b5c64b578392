/* What the operations of a traced program are in CUDA C: intrinsics that no option contracts or approximates. */
#define FUNCTION static __device__ __forceinline__
#define ENTRY extern "C" __global__ void
#define GLOBAL
#define INDEX ((Count)blockIdx.x * blockDim.x + threadIdx.x)
#define EACH(lane, count) for (Count lane = INDEX; lane < (count); lane += (Count)gridDim.x * blockDim.x)
#define NEXT(counter) atomicAdd(counter, 1u) /* what it was before it grew by one */
#define RAISE(target, value) atomicMax(target, value)
#define INCREASE(target, value) atomicAdd(target, value)
#define TABLE const double *__restrict__ tables

typedef long long Long;
typedef unsigned long long Count;
typedef unsigned char Byte;
typedef unsigned short Short;
typedef unsigned int Word;
typedef unsigned long long Double;

/* conversions that --ftz=true, which CuPy always asks for, does not make flush subnormal floats */
#ifdef __CUDA_ARCH__
FUNCTION double double_of_float(const float x) { double y; asm("cvt.f64.f32 %0, %1;" : "=d"(y) : "f"(x)); return y; }
FUNCTION float float_of_double(const double x) { float y; asm("cvt.rn.f32.f64 %0, %1;" : "=f"(y) : "d"(x)); return y; }
#else
FUNCTION double double_of_float(const float x) { return (double)x; }
FUNCTION float float_of_double(const double x) { return (float)x; }
#endif

#define LONG(digits) ((Long)digits##ULL)
#define ENCODED(digits) __longlong_as_double((Long)digits##ULL)

$operations
#define double_add(a, b) __dadd_rn(a, b)
#define double_sub(a, b) __dsub_rn(a, b)
#define double_mul(a, b) __dmul_rn(a, b)
#define double_div(a, b) __ddiv_rn(a, b)
#define double_abs(a) fabs(a)
#define double_select(c, a, b) ((c) ? (a) : (b))
#define double_of_long(i) __ll2double_rn(i)
#define fused(a, b, c) __fma_rn(a, b, c)
#define root(a) __dsqrt_rn(a)

#define long_abs(a) ((a) < 0 ? long_neg(a) : (a))
#define long_shl(a, n) ((Long)((Count)(a) << ((n) & 63)))
#define long_shr(a, n) ((a) >> ((n) & 63))
#define long_eq(a, b) ((a) == (b))
#define long_ne(a, b) ((a) != (b))
#define long_select(c, a, b) ((c) ? (a) : (b))

#define bool_select(c, a, b) ((c) ? (a) : (b))

#define bits(a) __double_as_longlong(a)
#define from_bits(i) __longlong_as_double(i)
#define widened(x) double_of_float(x)
#define float_bits(a) ((Long)__float_as_int(float_of_double(a)))
#define from_float_bits(i) double_of_float(__int_as_float((int)(i)))
#define integer(a) __double2ll_rz(a)
#define take(i, first, length) __ldg(tables + first + ((i) < 0 ? 0 : (i) > length - 1 ? length - 1 : (i)))
