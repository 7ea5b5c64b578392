        case $number:
            ALONE
            for (size_t i = 0; i < count; i++) {
                $declared
                ${name}_in_mode_$mode($elements, $tables, $found);
                $stores_in_case
            }
            break;
