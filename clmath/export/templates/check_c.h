#define GLOBAL
#define CASES static const Double
#define CASE const Double *
#define TEST static __attribute__((unused))
TEST Double BITS_float(const float x) {
    uint32_t encoding;
    __builtin_memcpy(&encoding, &x, 4);
    return encoding;
}
#define BITS_double(x) ((Double)bits(x))
#define BITS_half(x) ((Double)(x))
#define BITS_int(x) ((Double)(Long)(x))
