CLMATH_API $declared;
