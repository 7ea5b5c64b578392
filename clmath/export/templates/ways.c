        bool all = true;
        ALONE
        for (size_t i = 0; i < count; i++) {
            bool holds;
            ${stem}is_ordinary($elements, clmath_${row}_tables, &holds);
            all &= holds;
        }
        if (all)
    $ordinary        else
    $general
