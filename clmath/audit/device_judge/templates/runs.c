/* Neighbours that are marked and have the same results, each such run once: its first lane, with the results, and its
   last; or each lane, if they are to be apart. */
ENTRY runs(const Count first, const Count end, const Word apart, GLOBAL const Byte *marks,
           $results, const Word room, GLOBAL Word *found, GLOBAL Word *heads, GLOBAL Word *tails) {
    const Count i = first + INDEX;
    if (i >= end || !marks[i]) return;
    if (apart || i == first || !marks[i - 1]$differs_before) {
        const Word place = NEXT(found);
        if (place < room) {
            heads[place] = (Word)i;
            $kept
        }
    }
    if (apart || i + 1 == end || !marks[i + 1]$differs_after) {
        const Word place = NEXT(found + 1);
        if (place < room) tails[place] = (Word)i;
    }
}
