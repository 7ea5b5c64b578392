/* What every host of this folder does: reads rows.txt and arguments, writes results and how each row went.

   rows.txt says what to do: the CRC-32 of kernels.cl, all extensions of OpenCL that rows need; then for each row its
   name, the extensions that it needs, what kernel it has (group: one for several rows, the number of this one in it, how
   many inputs it takes; image: read, write or sample, numbers of cl.h for the kind of image and the type of its channels,
   two orders of channels, each with the numbers of a texel in memory, of which the second is for devices without the
   first; for sample also width, height, depth, layers, bytes of an element, CRC-32 and file of the texels; work: the
   sizes in x, y and z of work-groups, of which each is one call, and what the device has to have for them; else one of
   its own), launches (how many, of so many calls each), arguments and results (bytes of an element, elements of a call,
   CRC-32, file). A result file begins with the text at the end of its line, then one element that shows the order of
   bytes (0x0102...); then come the results.
   The last line is 'all rows'. Files are little-endian; on another machine their bytes are exchanged. */

#ifndef _FILE_OFFSET_BITS
#define _FILE_OFFSET_BITS 64 /* files may have more than 2 GiB */
#endif

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, LINE = 4096, OPERANDS = 8, RUNS = 64, TEXT = 65536, POISON = 0x5A };
enum { GUARD = 16 }; /* elements behind results, which a function must leave as they are */

typedef struct {
    size_t bytes;      /* of an element */
    size_t elements;   /* of a call */
    unsigned long crc; /* of the file; results: as they are written */
    char file[NAME], head[LINE];
    FILE *stream;
    unsigned char *memory; /* of one launch, in the order of this machine */
} Operand;

typedef struct {
    char name[NAME], needs[LINE], group[NAME], image[LINE], features[LINE];
    size_t work[3];  /* sizes in x, y and z of a work-group that is one call; else 0 */
    uint32_t number; /* in its group */
    int slots;
    unsigned long long count[RUNS], length[RUNS]; /* so many launches of so many calls each */
    int runs, arguments, results, tries;
    Operand argument[OPERANDS], result[OPERANDS];
} Row;

static void fail(const char *about, const char *fact, const char *remedy)
{
    fflush(stdout);
    fprintf(stderr, "host: %s: %s; %s\n", about, fact, remedy);
    exit(2);
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) fail("the machine", "has no memory left", "close other programs, or take a larger one");
    return memory;
}

static int is_little(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one;
}

/* from the order of files to that of this machine, and back */
static void exchange(unsigned char *memory, size_t bytes, size_t count)
{
    if (is_little()) return;
    for (; count > 0; count--, memory += bytes)
        for (size_t i = 0; i < bytes / 2; i++) {
            const unsigned char byte = memory[i];
            memory[i] = memory[bytes - 1 - i];
            memory[bytes - 1 - i] = byte;
        }
}

static unsigned long crc32_of(unsigned long crc, const unsigned char *data, size_t count)
{
    static unsigned long table[256];
    if (!table[1])
        for (unsigned long i = 0; i < 256; i++) {
            unsigned long word = i;
            for (int bit = 0; bit < 8; bit++) word = word & 1 ? 0xEDB88320UL ^ (word >> 1) : word >> 1;
            table[i] = word;
        }
    crc ^= 0xFFFFFFFFUL;
    while (count--) crc = table[(crc ^ *data++) & 0xFF] ^ (crc >> 8);
    return crc ^ 0xFFFFFFFFUL;
}

static FILE *opened(const char *name, const char *mode)
{
    FILE *file = fopen(name, mode);
    if (!file) fail(name, strerror(errno), "run this in the whole folder that clmath wrote, where you may write");
    return file;
}

/* all of a file, and a 0 behind it */
static void *bytes_of(const char *name, size_t *count)
{
    FILE *file = opened(name, "rb");
    size_t size = 0, room_left = TEXT;
    char *text = room(room_left);
    for (size_t n; (n = fread(text + size, 1, room_left - size - 1, file)) > 0;) {
        size += n;
        if (size + 1 == room_left) {
            char *larger = realloc(text, room_left *= 2);
            if (!larger) fail(name, "is too long for the memory of this machine", "take a larger one");
            text = larger;
        }
    }
    fclose(file);
    text[size] = 0;
    *count = size;
    return text;
}

static char *text_of(const char *name)
{
    size_t count;
    return bytes_of(name, &count);
}

static void check_file(const char *name, unsigned long expected)
{
    static unsigned char block[TEXT];
    unsigned long crc = 0;
    FILE *file = opened(name, "rb");
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) crc = crc32_of(crc, block, n);
    fclose(file);
    if (crc != expected) fail(name, "was changed or damaged on its way: its CRC-32 is another", "copy the folder again");
}

static void status_file(const Row *row, char *name)
{
    sprintf(name, "results/%s.txt", row->name);
}

static void say(const Row *row, const char *word, const char *text)
{
    char name[2 * NAME];
    status_file(row, name);
    FILE *file = opened(name, "wb");
    fprintf(file, "%s\n%s%s", word, text, *text ? "\n" : "");
    if (fclose(file)) fail(name, "cannot be written", "see that the disk has room");
}

/* whether a file is the result of these inputs, and as it was written */
static int is_as_written(const Operand *o, unsigned long expected)
{
    static unsigned char block[TEXT];
    const size_t length = strlen(o->head);
    unsigned long crc = 0;
    FILE *file = fopen(o->file, "rb");
    if (!file) return 0;
    size_t n = fread(block, 1, sizeof block, file);
    const int is_its_own = n >= length && !memcmp(block, o->head, length);
    for (; n > 0; n = fread(block, 1, sizeof block, file)) crc = crc32_of(crc, block, n);
    fclose(file);
    return is_its_own && crc == expected;
}

/* whether the results of a row that is done are there; status: behind its word */
static int has_results(const Row *row, FILE *status)
{
    unsigned long crc;
    for (int k = 0; k < row->results; k++)
        if (fscanf(status, "%lx", &crc) != 1 || !is_as_written(&row->result[k], crc)) return 0;
    return 1;
}

/* whether there is nothing to do: a row that was begun twice and did not end is to blame for it */
static int has_ended(Row *row, int again)
{
    char name[2 * NAME], word[16] = "";
    status_file(row, name);
    FILE *file = fopen(name, "rb");
    if (!file) return 0;
    if (fscanf(file, "%15s", word) < 1) word[0] = 0;
    const int is_done = !strcmp(word, "done"), is_begun = !strcmp(word, "begun");
    if (is_begun && fscanf(file, "%d", &row->tries) < 1) row->tries = 0;
    const int is_whole = is_done && has_results(row, file);
    fclose(file);
    if (is_whole) return 1;
    if (is_done) printf("%s: its results are missing, or not those that were written: it is run again\n", row->name);
    if (is_done || !strcmp(word, "absent")) return 0;
    if (again) row->tries = 0;
    if (again || !*word || (is_begun && row->tries < 2)) return 0;
    printf("%s: not tried again: it %s before (--again)\n", row->name, is_begun ? "did not end" : "failed");
    return 1;
}

/* rows.txt behind its first lines; extensions: those that rows need */
static FILE *opened_rows(char *extensions)
{
    char line[LINE];
    unsigned long crc;
    FILE *rows = opened("rows.txt", "rb");
    if (!fgets(line, sizeof line, rows) || strcmp(line, "clmath rows 3\n"))
        fail("rows.txt", "is not of this host's version, or not as it was written", "copy the whole folder again");
    if (!fgets(line, sizeof line, rows) || sscanf(line, "kernels %lx", &crc) != 1)
        fail("rows.txt", "does not name the CRC-32 of kernels.cl", "copy the folder again");
    check_file("kernels.cl", crc);
    if (!fgets(line, sizeof line, rows) || strncmp(line, "extensions", 10))
        fail("rows.txt", "does not name extensions", "copy the folder again");
    line[strcspn(line, "\n")] = 0;
    strcpy(extensions, line + 10);
    return rows;
}

static int is_operand(Row *row, const char *word, const char *rest)
{
    int taken = 0;
    Operand *o = NULL;
    if (!strcmp(word, "argument") && row->arguments < OPERANDS) o = &row->argument[row->arguments++];
    if (!strcmp(word, "result") && row->results < OPERANDS) o = &row->result[row->results++];
    if (!o || sscanf(rest, "%zu %zu %lx %127s %n", &o->bytes, &o->elements, &o->crc, o->file, &taken) != 4) return 0;
    strcpy(o->head, rest + taken);
    return o->bytes > 0 && o->bytes <= 8 && o->elements > 0 && o->elements <= 1024;
}

static int is_work(Row *row, const char *rest)
{
    size_t *n = row->work;
    return sscanf(rest, "%zu %zu %zu %4095[^\n]", n, n + 1, n + 2, row->features) >= 3 && n[0] && n[1] && n[2];
}

static int is_fact(Row *row, const char *word, char *rest)
{
    const int run = row->runs;
    if (is_operand(row, word, rest)) return 1;
    rest[strcspn(rest, "\n")] = 0;
    if (!strcmp(word, "row")) return sscanf(rest, "%127s", row->name) == 1;
    if (!strcmp(word, "needs")) return strcpy(row->needs, rest) != NULL;
    if (!strcmp(word, "image")) return strcpy(row->image, rest) != NULL;
    if (!strcmp(word, "work")) return is_work(row, rest);
    if (!strcmp(word, "group")) return sscanf(rest, "%127s %u %d", row->group, &row->number, &row->slots) == 3;
    if (strcmp(word, "launches") || run == RUNS) return 0;
    row->runs++;
    return sscanf(rest, "%llu %llu", &row->count[run], &row->length[run]) == 2;
}

/* the next row of rows.txt; 0 at its end */
static int next_row(FILE *rows, Row *row)
{
    char line[LINE], word[16];
    memset(row, 0, sizeof *row);
    while (fgets(line, sizeof line, rows)) {
        int at = 0;
        if (sscanf(line, "%15s %n", word, &at) != 1) continue;
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "all") && !*row->name) return 0;
        if (!is_fact(row, word, line + at)) fail("rows.txt", "has a line that this host does not understand", line);
    }
    fail("rows.txt", "is cut off: its last line, 'all rows', is missing", "copy the folder again");
    return 0;
}

/* a line; text comes from a driver, and may have line feeds itself, and many blanks */
static void add_fact(char *facts, const char *name, const char *text)
{
    char *end = facts + strlen(facts);
    const char *const last = end + TEXT - 2;
    end += sprintf(end, "%s:", name);
    while (*(text += strspn(text, " \t\r\n\v\f")) && end < last) {
        *end++ = ' ';
        while (*text && !strchr(" \t\r\n\v\f", *text) && end < last) *end++ = *text++;
    }
    strcpy(end, "\n");
}

/* results of two devices must not come together in one folder */
static void keep_apart(char *facts)
{
    FILE *file = fopen("results/device.txt", "rb");
    add_fact(facts, "end", "all facts");
    if (file) {
        fclose(file);
        if (strcmp(text_of("results/device.txt"), facts))
            fail("results/", "has results of another device or of other options", "empty it, or use a copy of the folder");
        return;
    }
    file = opened("results/device.part", "wb");
    fputs(facts, file);
    if (fclose(file) || rename("results/device.part", "results/device.txt"))
        fail("results/device.txt", "cannot be written", "see that the disk has room");
}

static Operand *operand(Row *row, int k)
{
    return k < row->arguments ? &row->argument[k] : &row->result[k - row->arguments];
}

/* computes so many calls, from the memory of the arguments to that of the results; NULL, or what went wrong */
typedef const char *Launch(Row *row, size_t calls, void *with);

static const char *launch_one(Row *row, size_t calls, Launch *launch, void *with)
{
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = operand(row, k);
        const size_t count = calls * o->elements;
        if (k >= row->arguments)
            memset(o->memory, POISON, o->bytes * (count + GUARD));
        else if (fread(o->memory, o->bytes, count, o->stream) != count)
            fail(o->file, "is too short", "copy the folder again");
        else
            exchange(o->memory, o->bytes, count);
    }
    const char *problem = launch(row, calls, with);
    for (int k = 0; k < row->results; k++) {
        Operand *o = &row->result[k];
        const size_t count = calls * o->elements;
        for (size_t i = 0; i < o->bytes * GUARD; i++)
            if (o->memory[o->bytes * count + i] != POISON && !problem) problem = "wrote beyond its last result";
        exchange(o->memory, o->bytes, count);
        o->crc = crc32_of(o->crc, o->memory, o->bytes * count);
        if (fwrite(o->memory, o->bytes, count, o->stream) != count) fail(o->file, "cannot be written", "see that the disk has room");
    }
    return problem;
}

static void begin_result(Operand *o)
{
    unsigned char mark[16];
    for (size_t i = 0; i < o->bytes; i++) mark[is_little() ? o->bytes - 1 - i : i] = (unsigned char)(i + 1);
    exchange(mark, o->bytes, 1);
    o->crc = crc32_of(0, (unsigned char *)o->head, strlen(o->head));
    o->crc = crc32_of(o->crc, mark, o->bytes);
    if (fputs(o->head, o->stream) < 0 || fwrite(mark, o->bytes, 1, o->stream) != 1) fail(o->file, "cannot be written", "see that the disk has room");
}

/* all launches of a row; NULL, or what went wrong, of which no results are kept */
static const char *launch_all(Row *row, Launch *launch, void *with)
{
    const char *problem = NULL;
    size_t most = 0;
    for (int r = 0; r < row->runs; r++)
        if (row->length[r] > most) most = (size_t)row->length[r];
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = operand(row, k);
        o->memory = room((most * o->elements + GUARD) * o->bytes);
        o->stream = opened(o->file, k < row->arguments ? "rb" : "wb");
        if (k >= row->arguments) begin_result(o);
    }
    for (int r = 0; r < row->runs && !problem; r++)
        for (unsigned long long n = 0; n < row->count[r] && !problem; n++)
            problem = launch_one(row, (size_t)row->length[r], launch, with);
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = operand(row, k);
        if (fclose(o->stream)) fail(o->file, "cannot be written", "see that the disk has room");
        if (problem && k >= row->arguments) remove(o->file);
        free(o->memory);
    }
    return problem;
}

static void begin(Row *row)
{
    char begun[32];
    for (int k = 0; k < row->arguments; k++) check_file(row->argument[k].file, row->argument[k].crc);
    sprintf(begun, "begun %d", row->tries + 1);
    say(row, begun, "");
}

static void end(const Row *row, const char *problem)
{
    char words[256] = "done";
    for (int k = 0; k < row->results; k++) sprintf(words + strlen(words), " %08lx", row->result[k].crc);
    say(row, problem ? "failed" : words, problem ? problem : "");
    printf("%s: %s\n", row->name, problem ? problem : "done");
    fflush(stdout);
}

/* runs all rows; lacks: why there is no function for a row, or NULL */
static int run_all(FILE *rows, int again, const char *(*lacks)(const Row *), void (*run)(Row *, int))
{
    static Row row;
    int absent = 0;
    while (next_row(rows, &row)) {
        if (has_ended(&row, again)) continue;
        const char *lacking = lacks(&row);
        if (lacking) say(&row, "absent", lacking);
        else run(&row, again);
        absent += lacking != NULL;
    }
    fclose(rows);
    if (absent) printf("%d rows are absent: there are no such functions here; results/NAME.txt says why\n", absent);
    puts("all rows are done: take the folder back, and let 'clmath check' judge it");
    return 0;
}
