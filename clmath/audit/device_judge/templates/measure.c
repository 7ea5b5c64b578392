{
            Long code, apart, low, high;
            bool again, conforms, is_open, is_counted;
            $rounding
            measured($values, $parts, code, (Long)results$n[i], brought, tables,
                     &conforms, &is_open, &is_counted, &apart, &low, &high);
            plain &= conforms && !again;
            open &= is_open;
            counted |= is_counted;
            farthest = apart > farthest ? apart : farthest;
            least = low > least ? low : least;
            most = high > most ? high : most;
        }
