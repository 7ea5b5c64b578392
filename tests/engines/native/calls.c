/* A program that calls kernels for a test: without C's library on aarch64, and on Windows, where it loads library.dll;
   elsewhere with it, each array in memory of exactly its size, which a sanitizer watches.

   Read: the kernel's number, format, mode, lanes, arguments, bytes of an element of each and of a result, results; then
   the arguments. Written: the results, one after the other, how many lanes are undecided, and which. A negative format
   asks for enclosures, refined: results are their parts. */
#include <stdint.h>

#define OPERANDS const int64_t *, const int64_t *, int64_t *
enum { READ, WRITE };
static void transfer(int way, void *bytes, int64_t size);
static void end(int failed);

#if defined(_WIN32) || defined(__aarch64__)
enum { MOST = 1 << 16 };
static char arguments[2][8 * MOST], results[4][8 * MOST];
static char lanes_left[8 * MOST];
#define ROOM(where, size) (where)
#define FREE(where) ((void)0)
#else
#include <stdio.h>
#include <stdlib.h>
#define ROOM(where, size) malloc(size)
#define FREE(where) free(where)
#endif

#if defined(_WIN32)
typedef void *Handle;
__declspec(dllimport) Handle LoadLibraryA(const char *);
__declspec(dllimport) Handle GetProcAddress(Handle, const char *);
__declspec(dllimport) Handle GetStdHandle(uint32_t);
__declspec(dllimport) int ReadFile(Handle, void *, uint32_t, uint32_t *, Handle);
__declspec(dllimport) int WriteFile(Handle, const void *, uint32_t, uint32_t *, Handle);
__declspec(dllimport) void ExitProcess(uint32_t);

static int64_t (*clmath_rounded)(int64_t, int64_t, int64_t, int64_t, OPERANDS);
static void (*clmath_enclosures)(int64_t, int64_t, int64_t, const int64_t *, void *const *);

static void end(const int failed) { ExitProcess(failed); }

static void transfer(const int way, void *bytes, const int64_t size) {
    for (int64_t done = 0; done < size;) {
        uint32_t moved = 0;
        const Handle file = GetStdHandle(way == READ ? -10 : -11);
        char *place = (char *)bytes + done;
        if (!(way == READ ? ReadFile : (int (*)(Handle, void *, uint32_t, uint32_t *, Handle))WriteFile)(
                file, place, (uint32_t)(size - done), &moved, 0) || !moved) end(1);
        done += moved;
    }
}

static void prepare(void) {
    const Handle library = LoadLibraryA("library.dll");
    if (!library) end(2);
    *(Handle *)&clmath_rounded = GetProcAddress(library, "clmath_rounded");
    *(Handle *)&clmath_enclosures = GetProcAddress(library, "clmath_enclosures");
}
#else
int64_t clmath_rounded(int64_t, int64_t, int64_t, int64_t, OPERANDS);
void clmath_enclosures(int64_t, int64_t, int64_t, const int64_t *, void *const *);
static void prepare(void) {}
#if defined(__aarch64__)
static long call(long number, long a, long b, long c) {
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
    return x0;
}

static void end(const int failed) { call(93, failed, 0, 0); }

static void transfer(const int way, void *bytes, const int64_t size) {
    for (long done = 0; done < size;) {
        const long moved = call(way == READ ? 63 : 64, way == READ ? 0 : 1, (long)bytes + done, size - done);
        if (moved <= 0) end(1);
        done += moved;
    }
}
#else
static void end(const int failed) { exit(failed); }

static void transfer(const int way, void *bytes, const int64_t size) {
    const size_t wanted = (size_t)size;
    if ((way == READ ? fread(bytes, 1, wanted, stdin) : fwrite(bytes, 1, wanted, stdout)) != wanted) end(1);
    if (way == WRITE) fflush(stdout);
}
#endif
#endif

static void answer(const int64_t *asked) {
    void *x[2] = {0}, *found[4] = {0};
    int64_t given[4], taken[8], left = 0;
    for (int i = 0; i < asked[4]; i++) {
        x[i] = ROOM(arguments[i], asked[3] * asked[5 + i]);
        transfer(READ, x[i], asked[3] * asked[5 + i]);
        given[2 * i] = (int64_t)x[i];
        given[2 * i + 1] = asked[5 + i];
    }
    for (int i = 0; i < asked[8]; i++) {
        found[i] = ROOM(results[i], asked[3] * asked[7]);
        taken[2 * i] = (int64_t)found[i];
        taken[2 * i + 1] = asked[7];
    }
    int64_t *undecided = (int64_t *)ROOM(lanes_left, asked[3] * 8);
    if (asked[1] < 0) clmath_enclosures(asked[0], 1, asked[3], given, found);
    else left = clmath_rounded(asked[0], asked[1], asked[2], asked[3], given, taken, undecided);
    for (int i = 0; i < asked[8]; i++) transfer(WRITE, found[i], asked[3] * asked[7]);
    transfer(WRITE, &left, 8);
    transfer(WRITE, undecided, 8 * left);
    for (int i = 0; i < 2; i++) FREE(x[i]);
    for (int i = 0; i < 4; i++) FREE(found[i]);
    FREE(undecided);
}

static void run(void) {
    int64_t asked[9];
    prepare();
    while (1) {
        transfer(READ, asked, sizeof asked);
        if (asked[0] < 0) end(0);
        answer(asked);
    }
}

#if defined(_WIN32) || defined(__aarch64__)
void _start(void) { run(); }
#else
int main(void) { run(); }
#endif
