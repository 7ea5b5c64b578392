#ifndef CLMATH_H
#define CLMATH_H

#define CLMATH_API extern "C" __device__
typedef unsigned short clmath_half; /* the encoding of a half: __half_as_ushort and __ushort_as_half */

$modes
$about

$declarations
#endif
