        ALONE
        for (size_t i = 0; i < count; i++) ${stem}$way($elements, clmath_${row}_tables, $targets);
