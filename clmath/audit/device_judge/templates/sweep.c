/* Encodings of a part of all floats, by their numbers, into the buffer of arguments; results are made what no one returns. */
ENTRY sweep(const Count first, const Count count, const Word part, const Word parts, TABLE, GLOBAL Word *codes, $results) {
    if (INDEX >= count) return;
    const Count number = first + INDEX;
    const Word piece = part + parts * (Word)(number >> $piece_bits);
    const Word run = ((Word)(number >> $run_bits) * $apart) & $last_run;
    codes[INDEX] = run << $step_bits | piece << $run_bits | ((Word)number & $last_of_run);
    $poisons
}
