CLMATH_API void ${name}_interval($inputs, $number *lo, $number *hi) {
    Long low = 0, high = 0;
    ${name}_codes(CLMATH_RTN, $passed, &low);
    ${name}_codes(CLMATH_RTP, $passed, &high);
    *lo = $low;
    *hi = $high;
}
