ENTRY calibration(const Count count, const int mode, TABLE, $sources, $targets) {
    const Count i = INDEX;
    if (i >= count) return;
    $results
    checks($values, tables, $found);
    $stores
}
