        Long others = 0;
        ALONE
        for (size_t i = 0; i < count; i++) {
            bool holds;
            ${stem}is_ordinary($elements, clmath_${row}_tables, &holds);
            others |= holds ? 0 : 1;
        }
        if (others == 0)
    $ordinary        else
    $general
