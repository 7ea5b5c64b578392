            Long $codes;
            is_open[mode] = !${name}_codes(mode, $numbers, $code_addresses) && $may_be_open;
