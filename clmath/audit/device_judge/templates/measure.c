{
            Long code, apart, low, high;
            bool again, conforms, is_counted, fails, misses, $open_here;
            $rounding
            infinite |= (code & $magnitude) >= $infinite; /* or NaN */
            passed$n($values, $parts, code, (Long)results$n[i], brought, tables,
                    &conforms, &is_counted, &apart, &low, &high, $are_open);
            fails = misses = false;
            if (!conforms)
              measured$n($values, $parts, code, (Long)results$n[i], brought, tables,
                      &conforms, &is_counted, &apart, &low, &high, $are_open, &fails, &misses);
            plain &= conforms && !again;
            told &= (conforms || misses) && !again;
            missed |= misses;
            refused |= fails && !again;
            $opens
            counted |= is_counted;
            farthest = apart > farthest ? apart : farthest;
            least = low > least ? low : least;
            most = high > most ? high : most;
        }
