/* calls of $name: encodings of the arguments, and of each result in the four modes */
CASES ${name}_cases[][$columns] = {
$rows};

TEST void ${name}_test(GLOBAL Double *reported) {
    for (int row = 0; row < $count; row++) {
        CASE given = ${name}_cases[row];
        bool is_open[4];
$arguments$ends        for (int mode = 0; mode < 4; mode++) {
$results        }
$tight    }
}
