ENTRY enclosures(const Count first, const Count count, TABLE, $sources, $targets) {
    if (INDEX >= count) return;
    const Count i = first + INDEX;
    $arguments
    $parts
    find($values, tables, $found);
    $refine
    $stores
}
