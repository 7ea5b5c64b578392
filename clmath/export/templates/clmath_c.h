#ifndef CLMATH_H
#define CLMATH_H
#include <stddef.h>
#include <stdint.h>

#define CLMATH_API
typedef uint16_t clmath_half; /* the encoding of a half */

#ifdef __cplusplus
extern "C" {
#endif

$modes
$about

$declarations
#ifdef __cplusplus
}
#endif
#endif
