/* Whether results conform where arguments that are subnormal are zeros. The digits of a choice, to the base of 3, say
   what becomes of each: nothing, 0 or -0. */
FUNCTION void conforms_flushed($given, const int mode, TABLE, $results, const Count i, const bool brought,
                               bool *found) {
    *found = false;
    for (int choice = 1; choice < $choices && !*found; choice++) {
        int rest = choice;
        bool may_be = true;
        $replaced
        if (!may_be) continue;
        $parts
        find($values, tables, $found);
        bool plain = true, refused = false, decided = true, missed = false, counted = false, infinite = false, flushed = false, $opened;
        Long farthest = 0, least = 0, most = 0;
        $measures
        *found = plain;
    }
}
