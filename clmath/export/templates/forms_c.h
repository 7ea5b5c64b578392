
#define SEPARATE static __attribute__((noinline, unused))
#define CLMATH_TABLES static __attribute__((unused)) const double
#define INFINITE __builtin_inf()
#define NOT_A_NUMBER __builtin_nan("")
#if defined(__GNUC__) && !defined(__clang__)
#define ALONE _Pragma("GCC ivdep") /* no number of a loop's waits for another */
#else
#define ALONE
#endif
#define BLOCK 256 /* numbers of an array that are computed together */

FUNCTION float clmath_float_of(const Long code) {
    const uint32_t encoding = (uint32_t)code;
    float x;
    __builtin_memcpy(&x, &encoding, 4);
    return x;
}
FUNCTION Long clmath_code_of_float(const float x) {
    uint32_t encoding;
    __builtin_memcpy(&encoding, &x, 4);
    return encoding;
}
#define CODE_half(x) ((Long)(x))
#define CODE_float(x) clmath_code_of_float(x)
#define CODE_double(x) bits(x)
#define OF_half(x) clmath_number_of_half(x)
#define OF_float(x) ((double)(x))
#define OF_double(x) (x)
#define TO_half(code) ((clmath_half)(code))
#define TO_float(code) clmath_float_of(code)
#define TO_double(code) from_bits(code)
