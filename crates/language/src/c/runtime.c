/* Exchanges and results; runtime.h says what each function is for. */
#include "runtime.h"

#include "data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double *total; /* of copies, by shared unknown */
static MPI_Request *requests;
static int pending;
static unsigned long long assemblies, messages, words;
static const char *data_folder = "data", *out_folder = ".";
static double begun;

/* The command line. */

/* What is wrong on all ranks alike, the first one says; the others wait for the end. */
static void set_param(const char *text, const Param *params, size_t count)
{
    const char *sign = strchr(text, '=');
    for (size_t k = 0; sign && k < count; k++) {
        size_t length = strlen(params[k].name);
        char *end;
        if (length != (size_t)(sign - text) || strncmp(text, params[k].name, length) != 0)
            continue;
        if (params[k].settled && rank == 0)
            fail(2, "%s cannot be set any more: data were made with it; generate anew",
                 params[k].name);
        *params[k].value = strtod(sign + 1, &end);
        if ((end == sign + 1 || *end || !isfinite(*params[k].value)) && rank == 0)
            fail(2, "%s: expected a number", text);
        return;
    }
    if (rank == 0)
        fail(2, "unknown argument %s; known: name=value of a param, --data FOLDER, -o FOLDER",
             text);
}

void start(int argc, char **argv, const Facts *given, const Param *params, size_t count)
{
    int ranks = 0;
    facts = *given;
    if (MPI_Init(&argc, &argv) != MPI_SUCCESS) {
        fprintf(stderr, "%s: MPI cannot be started\n", facts.name);
        exit(1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI(MPI_Comm_rank(MPI_COMM_WORLD, &rank));
    MPI(MPI_Comm_size(MPI_COMM_WORLD, &ranks));
    if (ranks != facts.ranks && rank == 0)
        fail(2, "made for %d ranks, but started with %d; say mpirun -n %d", facts.ranks, ranks,
             facts.ranks);
    for (int k = 1; k < argc; k++) {
        if (strcmp(argv[k], "--data") == 0 && k + 1 < argc)
            data_folder = argv[++k];
        else if (strcmp(argv[k], "-o") == 0 && k + 1 < argc)
            out_folder = argv[++k];
        else
            set_param(argv[k], params, count);
    }
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    load(data_folder);
    total = memory(shared, sizeof *total);
    requests = memory(2 * (size_t)neighbour_count, sizeof *requests);
    MPI(MPI_Barrier(MPI_COMM_WORLD));
    if (rank == 0)
        printf("program = %s\nranks = %d\nnodes = %llu\ncomponents = %d\n", facts.name, facts.ranks,
               (unsigned long long)all_nodes, facts.components);
    begun = MPI_Wtime();
}

/* Exchanges: what is sent in a phase is on its way before the next phase begins. */

static void begin_phase(uint32_t phase)
{
    pending = 0;
    for (uint32_t k = 0; k < neighbour_count; k++) {
        Neighbour *n = &neighbours[k];
        int count = (int)n->count * facts.components;
        if (n->receive_phase == phase)
            MPI(MPI_Irecv(n->in, count, MPI_DOUBLE, n->rank, 0, MPI_COMM_WORLD,
                          &requests[pending++]));
    }
    for (uint32_t k = 0; k < neighbour_count; k++) {
        Neighbour *n = &neighbours[k];
        int count = (int)n->count * facts.components;
        if (n->send_phase == phase)
            MPI(MPI_Isend(n->out, count, MPI_DOUBLE, n->rank, 0, MPI_COMM_WORLD,
                          &requests[pending++]));
    }
}

void exchange_begin(const double *vector)
{
    size_t d = (size_t)facts.components;
    assemblies++;
    for (uint32_t k = 0; k < neighbour_count; k++) {
        Neighbour *n = &neighbours[k];
        for (size_t j = 0; j < n->count; j++)
            for (size_t c = 0; c < d; c++)
                n->out[j * d + c] = vector[n->nodes[j] * d + c];
        messages++;
        words += n->count * d;
    }
    begin_phase(0);
}

static void add_copies(const Neighbour *n)
{
    size_t d = (size_t)facts.components;
    for (size_t j = 0; j < n->count; j++)
        for (size_t c = 0; c < d; c++)
            total[n->nodes[j] * d + c] += n->in[j * d + c];
}

/* The copies of a node are added in the order of ranks, so that all get the same bits. */
void exchange_end(double *vector)
{
    uint32_t k = 0;
    for (uint32_t phase = 0; phase < phases; phase++) {
        if (phase > 0)
            begin_phase(phase);
        MPI(MPI_Waitall(pending, requests, MPI_STATUSES_IGNORE));
    }
    for (size_t i = 0; i < shared; i++)
        total[i] = -0.0;
    for (; k < neighbour_count && neighbours[k].rank < rank; k++)
        add_copies(&neighbours[k]);
    for (size_t i = 0; i < shared; i++)
        total[i] += vector[i];
    for (; k < neighbour_count; k++)
        add_copies(&neighbours[k]);
    for (size_t i = 0; i < shared; i++)
        vector[i] = total[i];
}

size_t rounds(double limit, const Loop *loop)
{
    double whole = round(limit);
    if (!(whole >= 0.0 && whole <= 9007199254740992.0))
        fail(2, "line %d: the limit of the loop is %g; expected a number of iterations", loop->line,
             limit);
    return (size_t)whole;
}

/* Results. */

void print_scalar(const char *label, double value)
{
    if (rank == 0) {
        printf("%s = %.17g\n", label, value);
        fflush(stdout);
    }
}

static void write_table(const char *name, size_t number, const double *field,
                        const unsigned char *known)
{
    static const char axes[] = "xyz";
    char target[4096], temporary[4200];
    int d = facts.components, length;
    FILE *table;
    if (number)
        length = snprintf(target, sizeof target, "%s/%s-%06zu.csv", out_folder, name, number);
    else
        length = snprintf(target, sizeof target, "%s/%s.csv", out_folder, name);
    if (length < 0 || (size_t)length >= sizeof target)
        fail(2, "the name of the output folder is too long");
    snprintf(temporary, sizeof temporary, "%s.part", target);
    table = fopen(temporary, "w");
    if (!table)
        fail(2, "%s: cannot be written", temporary);
    fprintf(table, "node");
    for (int c = 0; c < d; c++)
        fprintf(table, d == 1 ? ",%s" : ",%s.%c", name, axes[c]);
    fprintf(table, "\n");
    for (uint64_t v = 0; v < all_nodes; v++) {
        if (!known[v])
            continue;
        fprintf(table, "%llu", (unsigned long long)v);
        for (int c = 0; c < d; c++)
            fprintf(table, ",%.17g", field[v * (uint64_t)d + (uint64_t)c]);
        fprintf(table, "\n");
    }
    if (ferror(table) | fclose(table) || rename(temporary, target) != 0)
        fail(2, "%s: cannot be written", target);
}

/* Rank 0 receives the values that each rank owns, and writes them by number of the node. */
void output(const char *name, size_t number, const double *vector)
{
    size_t d = (size_t)facts.components, count = 0;
    uint32_t *mine = memory(nodes, sizeof *mine);
    double *values = memory(unknowns, sizeof *values);
    for (uint64_t v = 0; v < nodes; v++) {
        if (!owned_nodes[v])
            continue;
        mine[count] = numbers[v];
        memcpy(values + count * d, vector + v * d, d * sizeof *values);
        count++;
    }
    if (count * d > 0x7fffffff)
        fail(1, "too many values for one message");
    if (rank == 0) {
        double *field = memory(all_nodes * d, sizeof *field);
        unsigned char *known = memory(all_nodes, 1);
        for (int from = 0; from < facts.ranks; from++) {
            int length = (int)count;
            if (from > 0) {
                MPI_Status status;
                MPI(MPI_Probe(from, 1, MPI_COMM_WORLD, &status));
                MPI(MPI_Get_count(&status, MPI_UINT32_T, &length));
                mine = realloc(mine, (length ? (size_t)length : 1) * sizeof *mine);
                values = realloc(values, (length ? (size_t)length : 1) * d * sizeof *values);
                if (!mine || !values)
                    fail(1, "no memory for what rank %d sends", from);
                MPI(MPI_Recv(mine, length, MPI_UINT32_T, from, 1, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
                MPI(MPI_Recv(values, length * (int)d, MPI_DOUBLE, from, 2, MPI_COMM_WORLD,
                             MPI_STATUS_IGNORE));
            }
            for (size_t k = 0; k < (size_t)length; k++) {
                if (mine[k] >= all_nodes || known[mine[k]])
                    fail(2, "node %u has two owners, or is too large", (unsigned)mine[k]);
                known[mine[k]] = 1;
                memcpy(field + mine[k] * d, values + k * d, d * sizeof *field);
            }
        }
        write_table(name, number, field, known);
        free(field);
        free(known);
    } else {
        MPI(MPI_Send(mine, (int)count, MPI_UINT32_T, 0, 1, MPI_COMM_WORLD));
        MPI(MPI_Send(values, (int)(count * d), MPI_DOUBLE, 0, 2, MPI_COMM_WORLD));
    }
    free(mine);
    free(values);
}

void finish(const Loop *loops, size_t count)
{
    unsigned long long mine[2] = {messages, words}, all[2] = {0, 0};
    double seconds = MPI_Wtime() - begun;
    MPI(MPI_Reduce(mine, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD));
    if (rank == 0) {
        for (size_t k = 0; k < count; k++) {
            printf("iterations of line %d = %zu\n", loops[k].line, loops[k].iterations);
            if (loops[k].runs != 1)
                printf("runs of line %d = %zu\n", loops[k].line, loops[k].runs);
            if (loops[k].stopped)
                printf("runs of line %d that ended at the limit = %zu\n", loops[k].line,
                       loops[k].stopped);
        }
        printf("assemblies = %llu\nmessages = %llu\nwords = %llu\nreductions = %llu\n", assemblies,
               all[0], all[1], reductions);
        printf("seconds = %.6f\n", seconds);
        if (fflush(stdout) != 0)
            fail(1, "the log cannot be written");
    }
    MPI(MPI_Finalize());
}
