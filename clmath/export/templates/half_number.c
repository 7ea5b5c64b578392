FUNCTION double clmath_number_of_half(const Short code) {
    double x;
    clmath_half_value((Long)code, clmath_none, &x);
    return x;
}
