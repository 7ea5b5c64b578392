at_once(mode, tables, $parts, &code, &again);
            if (again$exact) {
                $refine
                decide(mode, tables, $parts, &code, &again);
            }
