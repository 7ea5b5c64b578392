ENTRY rounded(const Count count, const int mode, TABLE, $sources, $codes, GLOBAL Flag *undecided) {
    const Count i = INDEX;
    if (i >= count) return;
    $arguments
    $parts
    find($values, tables, $found);
    bool is_open = false;
    $roundings
    undecided[i] = is_open;
}
