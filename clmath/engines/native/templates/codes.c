LOOP bool ${what}_${name}_loop($inputs, $word *restrict codes, const Long count) {
    bool some = false;
    VECTORS
    for (Long i = 0; i < count; i++) {
        Long code;
        bool again;
        $function($elements, TABLES, &code, &again);
        codes[i] = ($word)code;
        some |= again;
    }
    return some;
}
