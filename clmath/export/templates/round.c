/* the middles of a block of enclosures rounded, and where that may be wrong */
SEPARATE void clmath_round_$name(const int mode, const size_t count, $sources, Long *restrict codes, Byte *restrict again) {
    bool holds;
    switch (mode) {
$cases    }
}
