{
            Long due;
            bool conforms, is_open, is_counted;
            due$n($values, tables, &due);
            measured_integer($values, due, (Long)(int)results$n[i], tables, &conforms, &is_open, &is_counted);
            plain &= conforms;
            open &= is_open;
            counted |= is_counted;
        }
