#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ > 0) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "clmath computes every bit by IEEE 754: compile without -ffast-math, -Ofast and the like"
#endif
#include <float.h>
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16 /* the latter of processors that compute halves as well */
#error "clmath computes every bit in double: on x86 of 32 bits compile with -msse2 -mfpmath=sse"
#endif
#if defined(__clang__)
#if __clang_major__ >= 12
#pragma float_control(precise, on) /* whatever -funsafe-math-optimizations says, of which no macro tells */
#endif
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
/* Loops become vector code with -O2, too. No bit depends on traps, of which there are none. */
#pragma GCC optimize("fp-contract=off", "no-trapping-math", "tree-vectorize", "vect-cost-model=dynamic")
#endif
#ifdef __cplusplus
extern "C"
#endif
double sqrt(double) __attribute__((const, nothrow)); /* no error is noted in errno: an instruction */
#define root(a) sqrt(a)
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-parameter" /* of inner functions: those of one kind take the same */
#endif
#if defined(__cplusplus) && !defined(restrict)
#define restrict __restrict
#endif
