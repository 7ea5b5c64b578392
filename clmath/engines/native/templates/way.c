LOOP void ${stem}all_$way($inputs, $targets, const Long count) {
    $vectors
    for (Long i = 0; i < count; i++) {
        $declared
        $function($values, TABLES, $found);
        $stores
    }
}
HIDDEN void ${way}_$name(const void *const *x, void *const *p, const Long count) {
    ${stem}all_$way($arguments, $parts, count);
}
