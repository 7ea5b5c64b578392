/* $what, where what the enclosure rounds to is not seen at once: exact results, then narrower enclosures, until both ends
   round alike; whether they do */
SEPARATE bool $name(const int mode, $inputs, $parts, Long *code, Long *low, Long *high) {
    ${unused}
$stages    return *low == *high;
}
