/* Whether a result conforms where arguments that are subnormal are zeros. The digits of a choice, to the base of 3,
   say what becomes of each: nothing, 0 or -0. */
FUNCTION void conforms_flushed($given, const int mode, TABLE, const Long got, const bool brought, bool *result) {
    *result = false;
    for (int choice = 1; choice < $choices && !*result; choice++) {
        int rest = choice;
        bool may_be = true;
        $replaced
        if (!may_be) continue;
        $parts
        find($values, tables, $found);
        Long code, apart, low, high;
        bool again, conforms, is_counted, fails, $open_here;
        $rounding
        measured($values, $enclosure, code, got, brought, tables,
                 &conforms, &is_counted, &apart, &low, &high, $are_open, &fails);
        *result = conforms && !again;
    }
}
