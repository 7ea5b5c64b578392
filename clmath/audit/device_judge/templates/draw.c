/* Random arguments by their numbers, into the buffers of arguments; results are made what no one returns. */
ENTRY draw(const Count first, const Count count, const Word part, const Word parts, TABLE, $codes, $results) {
    if (INDEX >= count) return;
    const Count number = first + INDEX;
    const Count piece = part + (Count)parts * (number >> $piece_bits);
    const Long index = (Long)(piece << $piece_bits | (number & $last_of_piece));
    Long $lanes;
    aimed(index, tables, $found);
    mixture(index, $lanes, tables, $found);
    $stores
    $poisons
}
