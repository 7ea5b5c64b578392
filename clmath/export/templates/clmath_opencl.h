#ifndef CLMATH_H
#define CLMATH_H

#define CLMATH_API
typedef ushort clmath_half; /* the encoding of a half: as_ushort and as_half where the device has cl_khr_fp16 */

$modes
$about

$declarations
#endif
