/* Whether the processor has what a library is compiled for. This file alone is compiled for every processor. */
#include <stdint.h>
#ifdef _WIN32
__declspec(dllexport)
#else
__attribute__((visibility("default")))
#endif
int clmath_fits(void);

#if LEVEL
enum { EAX, EBX, ECX, EDX };
static void ask(uint32_t *const registers, const uint32_t leaf) {
    __asm__("cpuid"
            : "=a"(registers[EAX]), "=b"(registers[EBX]), "=c"(registers[ECX]), "=d"(registers[EDX])
            : "a"(leaf), "c"(0));
}
static int has(const uint32_t word, const uint32_t bits) { return (word & bits) == bits; }
#define BIT(n) (1u << (n))

int clmath_fits(void) {
    uint32_t registers[4];
    ask(registers, 0);
    const uint32_t last = registers[EAX];
    ask(registers, 1);
    /* sse3, ssse3, cx16, sse4.1, sse4.2, popcnt */
    if (!has(registers[ECX], BIT(0) | BIT(9) | BIT(13) | BIT(19) | BIT(20) | BIT(23))) return 0;
    if (LEVEL == 2) return 1;
    /* fma, movbe, osxsave, avx, f16c */
    if (!has(registers[ECX], BIT(12) | BIT(22) | BIT(27) | BIT(28) | BIT(29)) || last < 7) return 0;
    uint32_t saved, high;
    __asm__("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    const uint32_t needed = LEVEL == 3 ? 0x06 : 0xe6; /* the registers that the system keeps: ymm; zmm and masks */
    if ((saved & needed) != needed) return 0;
    ask(registers, 0x80000001);
    if (!has(registers[ECX], BIT(5))) return 0; /* lzcnt */
    ask(registers, 7);
    if (!has(registers[EBX], BIT(3) | BIT(5) | BIT(8))) return 0; /* bmi1, avx2, bmi2 */
    return LEVEL == 3 || has(registers[EBX], BIT(16) | BIT(17) | BIT(28) | BIT(30) | BIT(31)); /* avx512 f, dq, cd, bw, vl */
}
#else
int clmath_fits(void) { return 1; }
#endif
