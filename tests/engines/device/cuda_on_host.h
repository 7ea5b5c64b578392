/* The intrinsics of CUDA C on a processor, so that a program in it runs without a GPU, one lane after the other. */
#include <cmath>
#include <cstdint>
#include <cstring>

#define __global__
#define __device__
#define __forceinline__ inline

struct Dimension { unsigned x; };
static Dimension blockIdx = {0}, blockDim = {1}, threadIdx = {0}, gridDim = {1u << 31};

template <class To, class From> static inline To same_bits(From value) {
    To to;
    std::memcpy(&to, &value, sizeof to);
    return to;
}

static inline double __dadd_rn(double a, double b) { return a + b; }
static inline double __dsub_rn(double a, double b) { return a - b; }
static inline double __dmul_rn(double a, double b) { return a * b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline double __dsqrt_rn(double a) { return std::sqrt(a); }
static inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
static inline double __ll2double_rn(long long i) { return (double)i; }
static inline long long __double2ll_rz(double a) {
    if (!(std::fabs(a) < 0x1p63)) return a > 0 ? INT64_MAX : INT64_MIN;
    return (long long)a;
}
static inline int __float_as_int(float a) { return same_bits<int>(a); }
static inline float __int_as_float(int i) { return same_bits<float>(i); }
static inline long long __double_as_longlong(double a) { return same_bits<long long>(a); }
static inline double __longlong_as_double(long long i) { return same_bits<double>(i); }
static inline double __ldg(const double *at) { return *at; }
static inline unsigned atomicAdd(unsigned *at, unsigned more) {
    const unsigned before = *at;
    *at += more;
    return before;
}
