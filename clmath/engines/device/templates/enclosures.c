ENTRY enclosures(const Count first, const Count count, TABLE, $sources, $targets) {
    EACH(lane, count) {
        const Count i = first + lane;
        $arguments
        $parts
        find($values, tables, $found);
        $refine
        $stores
    }
}
