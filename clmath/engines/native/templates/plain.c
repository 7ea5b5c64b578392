LOOP bool ${what}_${name}_loop($inputs, $word *restrict codes, const Long count) {
    bool some = false;
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool is_other;
        $function($elements, TABLES, &code, &is_other);
        codes[i] = ($word)code;
        some |= is_other;
    }
    return !some;
}
HIDDEN bool ${what}_${name}(const void *const *p, void *codes, const Long count) {
    return ${what}_${name}_loop($parts, codes, count);
}
