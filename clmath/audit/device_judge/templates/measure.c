{
            Long code, apart, low, high;
            bool again, is_due, is_known, conforms, is_counted, rare, is_flushed = false, fails = false, misses = false;
            bool $open_here;
            $rounding
            infinite |= (code & $magnitude) >= $infinite; /* or NaN */
            facts$n($values, $parts, code, (Long)results$n[i], brought, tables,
                    &is_due, &is_known, &is_counted, &apart, &low, &high, $are_unspecified);
            conforms = is_due;
            if (!is_due) {
                accepted$n($values, $parts, code, (Long)results$n[i], brought, tables, &conforms, &rare);
                conforms &= !rare;
            }
            conforms &= is_known;
            if (!conforms) {
                verdict$n($values, $parts, code, (Long)results$n[i], brought, tables,
                          &conforms, &is_flushed, &fails, &misses);
                if (is_flushed) {
                    is_counted = false;
                    apart = low = high = 0;
                }
            }
            plain &= conforms && !again;
            decided &= (conforms || misses) && !again;
            missed |= misses;
            refused |= fails && !again;
            flushed |= is_flushed;
            $opens
            counted |= is_counted;
            farthest = apart > farthest ? apart : farthest;
            least = low > least ? low : least;
            most = high > most ? high : most;
        }
