LOOP Long ${what}_${name}_flags($inputs, Byte *restrict left, const Long count) {
    Long found = 0;
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool again;
        $function($elements, TABLES, &code, &again);
        left[i] = again;
        found += again;
    }
    return found;
}
HIDDEN Long ${what}_${name}(const void *const *p, void *codes, Byte *left, const Long count) {
    const bool some = ${what}_${name}_loop($parts, codes, count);
    return some ? ${what}_${name}_flags($parts, left, count) : 0; /* seldom: a loop without is faster */
}
