ENTRY rounded(const Count first, const Count count, const int mode, TABLE, $sources, $codes,
              const Word room, GLOBAL Word *found, GLOBAL Word *undecided) {
    EACH(lane, count) {
        const Count i = first + lane;
        $arguments
        $parts
        find($values, tables, $found);
        bool is_open = false;
        $roundings
        if (is_open) {
            const Word place = NEXT(found);
            if (place < room) undecided[place] = (Word)lane;
        }
    }
}
