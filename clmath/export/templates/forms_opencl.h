
#define SEPARATE static __attribute__((noinline))
#if defined(__opencl_c_program_scope_global_variables) || defined(CLMATH_GLOBAL_TABLES) /* constant memory may be too small: 64 KiB are */
#define CLMATH_TABLES global const ulong
#else
#define CLMATH_TABLES constant ulong
#endif
#define CODE_half(x) ((Long)(x))
#define CODE_float(x) ((Long)as_uint(x))
#define CODE_double(x) bits(x)
#define OF_half(x) clmath_number_of_half(x)
#define OF_float(x) widened(x)
#define OF_double(x) (x)
#define TO_half(code) ((clmath_half)(code))
#define TO_float(code) as_float((uint)(code))
#define TO_double(code) from_bits(code)
