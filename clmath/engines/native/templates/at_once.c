LOOP Long ${what}_${name}_loop($inputs, $word *restrict codes, const Long count) {
    Long found = 0;
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool again;
        $function($elements, TABLES, &code, &again);
        codes[i] = ($word)code;
        found += again;
    }
    return found;
}
LOOP void ${what}_${name}_flags($inputs, Byte *restrict left, const Long count) {
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool again;
        $function($elements, TABLES, &code, &again);
        left[i] = again;
    }
}
HIDDEN Long ${what}_${name}(const void *const *p, void *codes, Byte *left, const Long count) {
    const Long found = ${what}_${name}_loop($parts, codes, count);
    if (found) ${what}_${name}_flags($parts, left, count); /* seldom: a loop without is faster */
    return found;
}
