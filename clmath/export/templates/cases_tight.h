        if (is_open[CLMATH_RTN]) {
            clmath_check(reported, row, OUTSIDE, OF_$form(lo) <= OF_$form($low), true);
        } else {
            clmath_check(reported, row, LOW, BITS_$form(lo), given[$rtn]);
        }
        if (is_open[CLMATH_RTP]) {
            clmath_check(reported, row, OUTSIDE, OF_$form($high) <= OF_$form(hi), true);
        } else {
            clmath_check(reported, row, HIGH, BITS_$form(hi), given[$rtp]);
        }
