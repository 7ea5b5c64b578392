#ifndef CLMATH_CHECK_H
#define CLMATH_CHECK_H
#include "../clmath.h"
#include "../clmath_rounding.h"
#include "test_report.h"

$macros

TEST void clmath_check(GLOBAL Double *reported, const int row, const int what, const Double got, const Double expected) {
    reported[CHECKED]++;
    if (got == expected) return;
    if (reported[FAILED] < LISTED) {
        GLOBAL Double *place = reported + FIRST + FIELDS * reported[FAILED];
        place[0] = (Double)row, place[1] = (Double)what, place[2] = got, place[3] = expected;
    }
    reported[FAILED]++;
}
#endif
