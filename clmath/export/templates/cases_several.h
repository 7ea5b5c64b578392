$decide            $declared
            const $type result = $name($passed$pointers, (clmath_rounding)mode);
            reported[OPEN] += is_open[mode];
            if (is_open[mode]) continue;
$checks
