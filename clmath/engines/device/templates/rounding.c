{
        Long code;
        bool again;
        at_once(mode, tables, $parts, &code, &again);
        if (again) {
            $refine
            decide(mode, tables, $parts, &code, &again);
            is_open |= again;
        }
        codes$n[i] = ($word)code;
    }
