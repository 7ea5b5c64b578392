#ifndef CLMATH_CHECK_H
#define CLMATH_CHECK_H
#include "../clmath.h"
#include "../clmath_rounding.h"
#include "told.h"

$macros

TEST void clmath_check(GLOBAL Double *told, const int row, const int what, const Double got, const Double expected) {
    told[CHECKED]++;
    if (got == expected) return;
    if (told[FAILED] < LISTED) {
        GLOBAL Double *place = told + FIRST + FIELDS * told[FAILED];
        place[0] = (Double)row, place[1] = (Double)what, place[2] = got, place[3] = expected;
    }
    told[FAILED]++;
}
#endif
