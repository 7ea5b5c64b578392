#define CASES static __device__ const Double
#define CASE const Double *
#define TEST static __device__ __noinline__
#define BITS_float(x) ((Double)(unsigned)__float_as_int(x))
#define BITS_double(x) ((Double)bits(x))
#define BITS_half(x) ((Double)(x))
#define BITS_int(x) ((Double)(Long)(x))
