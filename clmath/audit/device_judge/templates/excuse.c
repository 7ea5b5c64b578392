if (!plain && refused && !(missed && decided)) {
            conforms_flushed($values, mode, tables, $returned, i, brought, &plain);
            flushed = plain;
        }
        if (flushed) {
            counted = false;
            farthest = least = most = 0;
        }
