LOOP Long ${name}_loop($parameters, const Long count) {
    Long found = 0;
    $vectors
    for (Long i = 0; i < count; i++) {
        $reads
        $declared
        $calls
        $stores
    }
    return found;
}
HIDDEN Long ${name}(const void *const *x, void *const *y, Byte *left, const Long count) {
    (void)left;
    return ${name}_loop($passed, count);
}
