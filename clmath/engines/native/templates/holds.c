LOOP bool ${name}_loop($parameters, const Long count) {
    bool all = true;
    for (Long i = 0; i < count; i++) {
        bool holds;
        $reads
        $call
        all &= holds;
    }
    return all;
}
HIDDEN bool ${name}(const void *const *x, const Long count) {
    return ${name}_loop($passed, count);
}
