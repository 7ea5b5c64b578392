#define TABLE_SPACE constant
#define TABLE_TYPE ulong /* encodings: not every compiler takes an infinity for a constant */
#define TABLE_VALUE(entry) as_double(entry)
