ENTRY integers(const Count first, const Count count, TABLE, $sources, GLOBAL int *targets) {
    EACH(lane, count) {
        const Count i = first + lane;
        $arguments
        Long found;
        values($values, tables, &found);
        targets[i] = (int)found;
    }
}
