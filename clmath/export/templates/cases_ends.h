        $type lo, hi;
        ${name}_interval($passed, &lo, &hi);
