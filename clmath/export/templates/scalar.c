/* the encodings of all results; whether they are decided */
FUNCTION bool ${name}_codes(const int mode, $numbers, $codes) {
    bool decided = true;
    (void)mode;
$finding    return decided;
}

CLMATH_API $type $name($inputs$more, clmath_rounding mode) {
    $declared
    ${name}_codes((int)mode & 3, $passed, $found);
$stored    return $returned;
}
