CLMATH_TABLES clmath_${row}_tables[] = {
    $entries
};
