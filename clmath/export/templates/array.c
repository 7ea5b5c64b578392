CLMATH_API size_t ${name}_array(size_t count, $array, clmath_rounding mode, size_t *lanes, size_t room) {
    size_t undecided = 0;
    for (size_t i = 0; i < count; i++) {
        $declared
        if (!${name}_codes((int)mode & 3, $elements, $found)) {
            if (undecided < room) lanes[undecided] = i;
            undecided++;
        }
        $stores
    }
    return undecided;
}
