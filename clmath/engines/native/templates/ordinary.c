LOOP bool all_are_ordinary($inputs, const Long count) {
    bool all = true;
    VECTORS
    for (Long i = 0; i < count; i++) {
        bool holds;
        is_ordinary($values, TABLES, &holds);
        all &= holds;
    }
    return all;
}
HIDDEN bool are_ordinary_$name(const void *const *x, const Long count) {
    return all_are_ordinary($arguments, count);
}
