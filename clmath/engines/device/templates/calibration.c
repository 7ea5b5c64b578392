ENTRY calibration(const Count first, const Count count, TABLE, $sources, $targets) {
    EACH(lane, count) {
        const Count i = first + lane;
        $results
        checks($values, tables, $found);
        $stores
    }
}
