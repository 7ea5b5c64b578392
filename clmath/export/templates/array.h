CLMATH_API size_t ${name}_array(size_t count, $array, clmath_rounding mode, size_t *lanes, size_t room);
