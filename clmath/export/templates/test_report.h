#ifndef CLMATH_TEST_REPORT_H
#define CLMATH_TEST_REPORT_H
/* What the test of a function tells: how many results are wrong, how many are left undecided, how many
   results were compared, and of the first wrong ones the row, what it is, the encodings got and expected. */
enum { FAILED, OPEN, CHECKED, FIRST, FIELDS = 4, LISTED = 8, REPORT_FIELDS = FIRST + FIELDS * LISTED };
/* what a result is: of which number in which mode is 8 number + mode; or an end of an interval; or out of the interval */
enum { LOW = 4, HIGH, OUTSIDE };
#endif
