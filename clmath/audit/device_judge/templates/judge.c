/* Lanes that are plain, or miss a limit, and lead nowhere are counted by how far they are off; the others are marked.
   Those that miss it are marked, by 2, up to the place shown: the first ones of all.
   The largest error is kept as one more than its upper half, 0 where none is known. Errors that may be the worst of the
   row have at least the encoding before, that of an input behind the one at at least behind. */
ENTRY $entry(const Count first, const Count count, const Count items, const int mode, TABLE, $sources, $results,
            GLOBAL Word *best, const Long before, const Long behind, const Long at, const Long shown,
            GLOBAL Word *counts, GLOBAL Word *found, GLOBAL Byte *marks$listed) {
    if (INDEX >= items) return;
    Word uncounted = 0, marked = 0, seen = 0, $unjudged;
    Count few = 0; /* how many lanes are in each of the first bins: a byte each, and an item has fewer lanes */
    for (Count k = first + INDEX; k < first + count; k += items) {
        const Count i = $lane;
        seen += 1;
        $arguments
        $parts
        find($values, tables, $found);
        $stretches
        bool plain = true, refused = false, decided = true, missed = false, flushed = false, $opened;
        bool counted = false, infinite = false, brought = false, signal;
        $brings
        Long farthest = 0, least = 0, most = 0;
        $measures
        $excuse
        missed &= decided && !plain && !infinite;
        plain |= missed;
        const Long place = $place;
        const bool exceeds = most >= (place > at ? behind : before);
        most = (most + 0xffffffff) >> 32; /* the upper half, rounded up */
        const bool leads = counted && ((exceeds && most + 1 >= (Long)best[0]) || (farthest > 0 && ($leads)));
        if (plain && counted && least + 1 > (Long)best[0]) RAISE(best, (Word)least + 1);
        if (plain && farthest > 0) {
            $raises
        }
        const bool lists = !plain || leads || (missed && place <= shown);
        marks[i] = lists ? 1 + missed : 0;
        if (lists) {
            marked += 1;
            continue;
        }
        $adds
        uncounted += !counted;
        if (farthest > 8) INCREASE(counts + farthest, 1);
        else if (farthest > 0) few += (Count)1 << 8 * (farthest - 1);
    }
    for (int bin = 1; few != 0; bin++, few >>= 8)
        if (few & 255) INCREASE(counts + bin, (Word)(few & 255));
    if (marked) INCREASE(found, marked);
    INCREASE(found + 1, seen);
    if (uncounted) INCREASE($uncounted, uncounted);
    $increases
}
