ENTRY calibration(const Count first, const Count count, TABLE, $sources, $targets) {
    if (INDEX >= count) return;
    const Count i = first + INDEX;
    $results
    checks($values, tables, $found);
    $stores
}
