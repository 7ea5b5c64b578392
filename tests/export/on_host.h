/* What CUDA's compiler brings, for a compiler of C++: the text of a device runs on this machine, one lane at a time. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __ldg(place) (*(place))

struct Place {
    unsigned x;
};
static const Place blockIdx = {0}, blockDim = {1}, threadIdx = {0}, gridDim = {1};

template <class To, class From> static inline To same_bits(const From from) {
    To to;
    static_assert(sizeof to == sizeof from, "of one size");
    memcpy(&to, &from, sizeof to);
    return to;
}

static inline double __dadd_rn(const double a, const double b) { return a + b; }
static inline double __dsub_rn(const double a, const double b) { return a - b; }
static inline double __dmul_rn(const double a, const double b) { return a * b; }
static inline double __ddiv_rn(const double a, const double b) { return a / b; }
static inline double __fma_rn(const double a, const double b, const double c) { return fma(a, b, c); }
static inline double __dsqrt_rn(const double a) { return sqrt(a); }
static inline double __ll2double_rn(const long long a) { return (double)a; }
static inline long long __double_as_longlong(const double a) { return same_bits<long long>(a); }
static inline double __longlong_as_double(const long long a) { return same_bits<double>(a); }
static inline int __float_as_int(const float a) { return same_bits<int>(a); }
static inline float __int_as_float(const int a) { return same_bits<float>(a); }
static inline long long __double2ll_rz(const double a) { return a >= -0x1p63 && a < 0x1p63 ? (long long)a : INT64_MIN; }
static inline unsigned atomicAdd(unsigned *counter, const unsigned n) { return (*counter += n) - n; }
