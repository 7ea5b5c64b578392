        case $number:
            ALONE
            for (size_t i = 0; i < count; i++) {
                clmath_at_once_${name}_$mode($elements, clmath_none, &codes[i], &holds);
                again[i] = holds;
            }
            break;
