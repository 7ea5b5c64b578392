/* both encodings: what the value rounds to downwards and upwards, or where that is not decided a number beyond */
FUNCTION void ${name}_ends($numbers, Long *low, Long *high) {
    bool again;
    Long code, other;
    $parts
    ${stem}find($values, clmath_${row}_tables, $targets);
    $at_once(CLMATH_RTN, clmath_${row}_tables, $p, low, &again);
    if (again) ${name}_climb0(CLMATH_RTN, $values, $p, &code, low, &other);
    $at_once(CLMATH_RTP, clmath_${row}_tables, $p, high, &again);
    if (again) ${name}_climb0(CLMATH_RTP, $values, $p, &code, &other, high);
}

CLMATH_API void ${name}_interval($inputs, $number *lo, $number *hi) {
    Long low = 0, high = 0;
    ${name}_ends($passed, &low, &high);
    *lo = $low;
    *hi = $high;
}
