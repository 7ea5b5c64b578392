/* Runs every row of this folder that C has a function for, and leaves the results in results/. Plain C99.

   cc -O2 -fno-builtin -o library library.c -lm && ./library
   cc -O2 -fno-builtin -o library library.c mine.a && ./library --name 'libmine 1.2'
   cc -O2 -fno-builtin '-DFUNCTION(name)=my_##name' -o library library.c mine.a && ./library      my_sin, my_sinf
   cc -O2 -fno-builtin -DHAVE_exp10 -DHAVE_sincos -o library library.c -lm && ./library        what is not in C17, too
   ./library --again                     rows, too, that failed or did not end before

   C has no functions for half, for vectors, and for what is judged bit by bit: conversions are casts there, integer and
   relational built-ins operators and macros. These rows are absent, and a device has to run them with host.c.

   What is done is not done again: a run that was stopped goes on where it was, and passes over a row that has stopped
   it twice. */

#include "lab.h"

typedef void Function(size_t, void *const *, void *const *);

#include "calls.h"

#define WHY_ABSENT "C17 has no such function; of newer ones, -DHAVE_exp10 and its like say which the library has"

static Function *function_of(const Row *row)
{
    for (size_t k = 0; CALLS[k].name; k++)
        if (!strcmp(CALLS[k].name, row->name)) return CALLS[k].function;
    return NULL;
}

static const char *lacks(const Row *row)
{
    return function_of(row) ? NULL : WHY_ABSENT;
}

static const char *launch(Row *row, size_t calls, void *with)
{
    void *in[OPERANDS], *out[OPERANDS];
    (void)with;
    for (int k = 0; k < row->arguments; k++) in[k] = row->argument[k].memory;
    for (int k = 0; k < row->results; k++) out[k] = row->result[k].memory;
    function_of(row)(calls, in, out);
    return NULL;
}

static void run(Row *row, int again)
{
    (void)again;
    begin(row);
    end(row, launch_all(row, launch, NULL));
}

static void describe(const char *name)
{
    static char facts[4 * TEXT];
    volatile float smallest = 1.17549435e-38f, half = 0.5f;
    const char *denormals = smallest * half != 0 ? " DENORM" : "";
    char config[NAME];
    add_fact(facts, "kind", "C library");
    add_fact(facts, "device", name);
#ifdef __VERSION__
    add_fact(facts, "compiler", __VERSION__);
#endif
    sprintf(config, "INF_NAN ROUND_TO_NEAREST%s", denormals);
    add_fact(facts, "float config", config);
    add_fact(facts, "double config", config);
    keep_apart(facts);
}

int main(int count, char **words)
{
    const char *name = "C library";
    int again = 0;
    static char extensions[LINE];
    for (int i = 1; i < count; i++) {
        if (!strcmp(words[i], "--again")) again = 1;
        else if (!strcmp(words[i], "--name") && i + 1 < count) name = words[++i];
        else fail(words[i], "is not understood", "the options are --name TEXT --again");
    }
    describe(name);
    return run_all(opened_rows(extensions), again, lacks, run);
}
