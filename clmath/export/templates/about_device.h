/* NAME stands for a built-in of OpenCL C. clmath_NAME takes and gives doubles, clmath_NAMEf floats, clmath_NAME_h halves,
   which are encodings; conversions give what their name says, convert_half halves. Results are correctly rounded in the
   mode that is given.

   What is left undecided, which no half or float of one argument is, rounds as the middle of its enclosure.

   ..._interval: the numbers next to the exact value, lo <= it <= hi, which are one where it is one: what it rounds to in
   CLMATH_RTN and in CLMATH_RTP, or, where that is undecided, numbers beyond.
   The files of built-ins have a kernel ..._array, too: result[i] of the elements i < count of the arguments. It adds to
   *undecided, which the host sets to 0, how many of them are left undecided, and lists the first `room` of these in `lanes`. */
