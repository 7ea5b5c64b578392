/* operations that are the same in every language */
#define double_neg(a) (-(a))
#define double_of_bool(c) ((c) ? 1.0 : 0.0)
/* sums and products of unsigned integers wrap; those of signed ones are undefined where they overflow */
#define long_add(a, b) ((Long)((Count)(a) + (Count)(b)))
#define long_sub(a, b) ((Long)((Count)(a) - (Count)(b)))
#define long_mul(a, b) ((Long)((Count)(a) * (Count)(b)))
#define long_neg(a) ((Long)(0 - (Count)(a)))
#define long_not(a) (~(a))
#define long_of_bool(c) ((Long)(c))
#define bool_not(a) (!(a))
#define bool_eq(a, b) ((a) == (b))
#define bool_ne(a, b) ((a) != (b))
