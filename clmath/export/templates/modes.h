/* To nearest, ties to even; toward zero; toward +infinity; toward -infinity. Other numbers count modulo 4. */
typedef enum { CLMATH_RTE, CLMATH_RTZ, CLMATH_RTP, CLMATH_RTN } clmath_rounding;
