
#define SEPARATE static __attribute__((noinline))
#define CLMATH_TABLES constant ulong
#define CODE_half(x) ((Long)(x))
#define CODE_float(x) ((Long)as_uint(x))
#define CODE_double(x) bits(x)
#define OF_half(x) clmath_number_of_half(x)
#define OF_float(x) widened(x)
#define OF_double(x) (x)
#define TO_half(code) ((clmath_half)(code))
#define TO_float(code) as_float((uint)(code))
#define TO_double(code) from_bits(code)
