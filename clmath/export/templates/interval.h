CLMATH_API void ${name}_interval($inputs, $number *lo, $number *hi);
