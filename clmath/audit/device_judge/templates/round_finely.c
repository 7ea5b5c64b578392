$refine
            $closer
            decide(mode, tables, $parts, &code, &again);
