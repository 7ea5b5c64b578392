$decide            const $type result = $name($passed, (clmath_rounding)mode);
            reported[OPEN] += is_open[mode];
            if (is_open[mode]) {
                clmath_check(reported, row, OUTSIDE, OF_$form(lo) <= OF_$form(result) && OF_$form(result) <= OF_$form(hi), true);
            } else {
                clmath_check(reported, row, mode, BITS_$form(result), given[$first + mode]);
            }
$agree
