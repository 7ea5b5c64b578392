
#define SEPARATE static __device__ __noinline__
#define CLMATH_TABLES static __device__ const double
#define INFINITE (1.0 / 0.0) /* constants: NVRTC has no other names for them */
#define NOT_A_NUMBER (0.0 / 0.0)
#define CODE_half(x) ((Long)(x))
#define CODE_float(x) ((Long)__float_as_int(x))
#define CODE_double(x) bits(x)
#define OF_half(x) clmath_number_of_half(x)
#define OF_float(x) widened(x)
#define OF_double(x) (x)
#define TO_half(code) ((clmath_half)(code))
#define TO_float(code) __int_as_float((int)(code))
#define TO_double(code) from_bits(code)
