ENTRY enclosures(const Count count, const int mode, TABLE, $sources, $targets) {
    const Count i = INDEX;
    if (i >= count) return;
    $arguments
    $parts
    find($values, tables, $found);
    $settle
    $stores
}
