CLMATH_API size_t ${name}_array(size_t count, $array, clmath_rounding mode, size_t *lanes, size_t room) {
    (void)lanes; /* nothing is left undecided */
    (void)room;
    switch ((int)mode & 3) {
$cases    }
    return 0;
}
