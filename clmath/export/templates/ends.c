SEPARATE void clmath_ends_$name(const int mode, TABLE, $taken, Long *code, Long *low, Long *high) {
    clmath_ends_${name}_parts(mode, tables, $values, code, low, high);
}
