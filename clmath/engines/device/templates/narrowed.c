ENTRY narrowed(const Count count, const int mode, TABLE, $sources, GLOBAL Double *codes,
               GLOBAL const Count *listed, GLOBAL Word *found, GLOBAL Word *undecided) {
    EACH(place, count) {
        const Count i = listed[place];
        $arguments
        $parts
        find($values, tables, $found);
        $refine
        narrow($values, $parts_found, tables, $found);
        Long code;
        bool is_open;
        decide(mode, tables, $parts_found, &code, &is_open);
        codes[i] = (Double)code;
        if (is_open) undecided[NEXT(found)] = (Word)place;
    }
}
