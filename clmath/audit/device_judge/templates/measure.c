{
            Long code, apart, low, high;
            bool again, conforms;
            at_once(mode, tables, $parts, &code, &again);
            if (again) {
                $refine
                decide(mode, tables, $parts, &code, &again);
            }
            measured($parts, code, (Long)results$n[i], tables, &conforms, &apart, &low, &high);
            plain &= conforms && !again;
            farthest = apart > farthest ? apart : farthest;
            least = low > least ? low : least;
            most = high > most ? high : most;
        }
