HIDDEN bool ${what}_${name}(const void *const *p, void *codes, const Long count) {
    return !${what}_${name}_loop($parts, codes, count);
}
