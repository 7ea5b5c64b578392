/* the enclosures of a block of numbers, by loops that become vector code */
SEPARATE void ${name}_block(const size_t count, $sources, $enclosures) {
$ways}

CLMATH_API size_t ${name}_array(size_t count, $array, clmath_rounding mode, size_t *lanes, size_t room) {
    size_t undecided = 0;
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t some = count - first < BLOCK ? count - first : BLOCK;
        $room
        Long codes[BLOCK];
        Byte again[BLOCK];
        ${name}_block(some, $pointers, $arrays);
        clmath_round_$rounding((int)mode & 3, some, $arrays, codes, again);
        for (size_t j = 0; j < some; j++) {
            const size_t i = first + j;
            Long low, high;
            if (again[j] && !${name}_climb0((int)mode & 3, $elements, $parts_of_one, &codes[j], &low, &high)) {
                if (undecided < room) lanes[undecided] = i;
                undecided++;
            }
        }
        ALONE
        for (size_t j = 0; j < some; j++) result[first + j] = $stored_one;
    }
    return undecided;
}
