/* The loops of a library: arrays that are read, arrays that are written, and how many elements there are; how many of them
   are flagged is returned. */
typedef Long Loop(const void *const *x, void *const *y, Long count);

/* What is at most `count`, which is one, and which compilers know to be a multiple of `of`: loops for vectors of so many
   lanes need no other code for the rest of the lanes. */
#define CLOSER 8 /* lanes of the widest vectors of doubles */
FUNCTION Long multiple(const Long count, const Long of) {
    if (count < of) __builtin_unreachable();
    return count & -of;
}
