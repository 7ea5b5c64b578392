ENTRY ${name}_array(const Count count, $array, const int mode, GLOBAL Word *undecided, GLOBAL Count *lanes, const Word room) {
    EACH(i, count) {
        $declared
        if (!${name}_codes(mode & 3, $elements, $found)) {
            const Word place = NEXT(undecided);
            if (place < room) lanes[place] = i;
        }
        $stores
    }
}
