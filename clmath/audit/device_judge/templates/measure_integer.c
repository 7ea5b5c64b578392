{
            Long due;
            bool conforms, is_counted, fails, $open_here;
            due$n($values, tables, &due);
            measured$n($values, infinite, due, (Long)(int)results$n[i], tables,
                      &conforms, &is_counted, $are_unspecified, &fails);
            plain &= conforms;
            decided &= conforms;
            refused |= fails;
            $opens
            counted |= is_counted;
        }
