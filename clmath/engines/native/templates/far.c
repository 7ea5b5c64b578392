LOOP Long all_are_near($inputs, Byte *restrict near, const Long count) {
    Long found = 0;
    for (Long i = 0; i < count; i++) {
        bool holds;
        is_far($values, TABLES, &holds);
        near[i] = !holds;
        found += !holds;
    }
    return found;
}
HIDDEN Long are_near_$name(const void *const *x, Byte *near, const Long count) {
    return all_are_near($arguments, near, count);
}
