#define TABLE_SPACE constant
