#if defined(__opencl_c_program_scope_global_variables) || defined(CLMATH_GLOBAL_TABLES)
#define TABLE_SPACE global
#else
#define TABLE_SPACE constant
#endif
#define TABLE_TYPE ulong /* encodings: not every compiler takes an infinity for a constant */
#define TABLE_VALUE(entry) as_double(entry)
