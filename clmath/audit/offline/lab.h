/* What every host of this folder does: reads rows.txt and arguments, writes results and how each row went.

   rows.txt says what to do: for each row its name, the extension that it needs, launches (how many, of so many calls
   each), arguments and results (bytes of an element, elements of a call, CRC-32, file). A result file begins with the
   text at the end of its line, then one element that shows the order of bytes (0x0102...); then come the results.
   Files are little-endian; on another machine their bytes are exchanged. */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128, LINE = 4096, OPERANDS = 8, RUNS = 64, TEXT = 65536, POISON = 0x5A };

typedef struct {
    size_t bytes;      /* of an element */
    size_t elements;   /* of a call */
    unsigned long crc; /* of the file; results: as they are written */
    char file[NAME], head[LINE];
    FILE *stream;
    unsigned char *memory; /* of one launch, in the order of this machine */
} Operand;

typedef struct {
    char name[NAME], needs[NAME]; /* an extension, or nothing */
    unsigned long long count[RUNS], length[RUNS]; /* so many launches of so many calls each */
    int runs, arguments, results, tries;
    Operand argument[OPERANDS], result[OPERANDS];
} Row;

static void fail(const char *what, const char *about)
{
    fprintf(stderr, "host: %s: %s\n", what, about);
    exit(2);
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory) fail("out of memory", "close other programs, or run on a larger machine");
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
    if (!file) fail("cannot open", name);
    return file;
}

static char *text_of(const char *name)
{
    FILE *file = opened(name, "rb");
    size_t size = 0, room_left = TEXT;
    char *text = room(room_left);
    for (size_t n; (n = fread(text + size, 1, room_left - size - 1, file)) > 0;) {
        size += n;
        if (size + 1 == room_left) {
            char *larger = realloc(text, room_left *= 2);
            if (!larger) fail("out of memory", name);
            text = larger;
        }
    }
    fclose(file);
    text[size] = 0;
    return text;
}

static void check_argument(Operand *argument)
{
    static unsigned char block[TEXT];
    unsigned long crc = 0;
    FILE *file = opened(argument->file, "rb");
    for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) crc = crc32_of(crc, block, n);
    fclose(file);
    if (crc != argument->crc) fail("was damaged on its way (its CRC-32 is another): copy the folder again", argument->file);
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
    if (fclose(file)) fail("cannot write", name);
}

/* whether there is nothing to do: a row that was begun twice and did not end is to blame for it */
static int has_ended(Row *row, int again)
{
    char name[2 * NAME], word[16] = "";
    status_file(row, name);
    FILE *file = fopen(name, "rb");
    if (!file) return 0;
    if (fscanf(file, "%15s %d", word, &row->tries) < 1) word[0] = 0;
    fclose(file);
    if (!strcmp(word, "done")) return 1;
    if (again) row->tries = 0;
    if (again || !*word || (!strcmp(word, "begun") && row->tries < 2)) return 0;
    printf("%s: not tried again: it %s before (--again)\n", row->name, strcmp(word, "begun") ? "failed" : "did not end");
    return 1;
}

/* the next row of rows.txt; 0 at its end */
static int next_row(FILE *rows, Row *row)
{
    char line[LINE], word[16];
    memset(row, 0, sizeof *row);
    while (fgets(line, sizeof line, rows)) {
        int at = 0;
        Operand *operand;
        if (sscanf(line, "%15s %n", word, &at) != 1) continue;
        if (!strcmp(word, "row") && sscanf(line + at, "%127s", row->name) == 1) continue;
        if (!strcmp(word, "needs") && sscanf(line + at, "%127s", row->needs) == 1) continue;
        if (!strcmp(word, "end")) return 1;
        if (!strcmp(word, "launches") && row->runs < RUNS &&
            sscanf(line + at, "%llu %llu", &row->count[row->runs], &row->length[row->runs]) == 2) {
            row->runs++;
            continue;
        }
        if (!strcmp(word, "argument") && row->arguments < OPERANDS)
            operand = &row->argument[row->arguments++];
        else if (!strcmp(word, "result") && row->results < OPERANDS)
            operand = &row->result[row->results++];
        else if (!strcmp(word, "clmath"))
            continue;
        else
            fail("rows.txt has a line that this host does not know", line);
        int taken = 0;
        if (sscanf(line + at, "%zu %zu %lx %127s %n", &operand->bytes, &operand->elements, &operand->crc, operand->file,
                   &taken) != 4)
            fail("rows.txt has a line that is not complete", line);
        strcpy(operand->head, line + at + taken);
    }
    return 0;
}

/* results of two devices must not come together in one folder */
static void keep_apart(const char *facts)
{
    FILE *file = fopen("results/device.txt", "rb");
    if (file) {
        fclose(file);
        if (strcmp(text_of("results/device.txt"), facts))
            fail("results/ has results of another device or of other options", "empty it, or use a copy of the folder");
        return;
    }
    file = opened("results/device.part", "wb");
    fputs(facts, file);
    if (fclose(file) || rename("results/device.part", "results/device.txt")) fail("cannot write", "results/device.txt");
}

static void add_fact(char *facts, const char *name, const char *text)
{
    snprintf(facts + strlen(facts), TEXT, "%s: %s\n", name, text);
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
            memset(o->memory, POISON, o->bytes * count);
        else if (fread(o->memory, o->bytes, count, o->stream) != count)
            fail("is too short", o->file);
        else
            exchange(o->memory, o->bytes, count);
    }
    const char *problem = launch(row, calls, with);
    for (int k = 0; k < row->results; k++) {
        Operand *o = &row->result[k];
        const size_t count = calls * o->elements;
        exchange(o->memory, o->bytes, count);
        o->crc = crc32_of(o->crc, o->memory, o->bytes * count);
        if (fwrite(o->memory, o->bytes, count, o->stream) != count) fail("cannot write", o->file);
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
    if (fputs(o->head, o->stream) < 0 || fwrite(mark, o->bytes, 1, o->stream) != 1) fail("cannot write", o->file);
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
        o->memory = room(most * o->elements * o->bytes);
        o->stream = opened(o->file, k < row->arguments ? "rb" : "wb");
        if (k >= row->arguments) begin_result(o);
    }
    for (int r = 0; r < row->runs && !problem; r++)
        for (unsigned long long n = 0; n < row->count[r] && !problem; n++)
            problem = launch_one(row, (size_t)row->length[r], launch, with);
    for (int k = 0; k < row->arguments + row->results; k++) {
        Operand *o = operand(row, k);
        if (fclose(o->stream)) fail("cannot write", o->file);
        if (problem && k >= row->arguments) remove(o->file);
        free(o->memory);
    }
    return problem;
}

static void begin(Row *row)
{
    char begun[32];
    for (int k = 0; k < row->arguments; k++) check_argument(&row->argument[k]);
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
