LOOP $type ${name}_loop($parameters, const Long count) {
    $type found = 0;
    $vectors
    for (Long i = 0; i < $count; i++) {
        $body
    }
    return found;
}
HIDDEN Long $name(const void *const *x, void *const *y, const Long count) {
    (void)x, (void)y;
    return ${name}_loop($passed, count);
}
