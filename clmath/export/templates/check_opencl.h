#define CASES constant Double
#define CASE constant Double *
#define TEST static
#define BITS_float(x) ((Double)as_uint(x))
#define BITS_double(x) ((Double)bits(x))
#define BITS_half(x) ((Double)(x))
#define BITS_int(x) ((Double)(Long)(x))
