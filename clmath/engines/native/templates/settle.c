LOOP Long ${what}_${name}_loop($inputs, $word *restrict codes, Byte *restrict left, const Long count) {
    Long found = 0;
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool holds;
        $function($elements, TABLES, &code, &holds);
        const Byte stays = left[i] & !holds;
        codes[i] = holds ? ($word)code : codes[i];
        left[i] = stays;
        found += stays;
    }
    return found;
}
HIDDEN Long ${what}_${name}(const void *const *p, void *codes, Byte *left, const Long count) {
    return ${what}_${name}_loop($parts, codes, left, count);
}
