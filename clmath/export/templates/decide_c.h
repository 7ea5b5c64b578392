            $alone
            is_open[mode] = ${name}_array(1, $addresses, (clmath_rounding)mode, NULL, 0) > 0 && $may_be_open;
