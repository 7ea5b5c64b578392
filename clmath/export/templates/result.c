    bool again$i = false;
    $at_once(mode, $tables, $parts, r$i, &again$i);
    if (again$i) {
        Long low, high;
        decided &= $climb(mode, $values, $parts, r$i, &low, &high);
    }
