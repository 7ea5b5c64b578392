if (fails && !conforms && !again) {
                conforms_flushed($values, mode, tables, (Long)results$n[i], brought, &conforms);
                is_flushed = conforms;
                is_counted &= !conforms;
            }
