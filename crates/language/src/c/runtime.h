/* What generated programs need: data of a rank, exchanges, sums, output.
 *
 * Parts of a mesh share nodes, and each has a copy. A full vector has the whole value in
 * every copy; of a partial one the copies add up to it, and an exchange adds them. Unknowns
 * are numbered node by node; those of shared nodes come first. */
#ifndef RUNTIME_H
#define RUNTIME_H

#include <stddef.h>
#include <stdint.h>

/* A square matrix by rows: the part of it that this rank's elements make. */
typedef struct {
    size_t rows;
    uint64_t *offsets;
    uint32_t *columns;
    double *values;
} Matrix;

/* A number that can be set as name=value. */
typedef struct {
    const char *name;
    double *value;
    int settled; /* data depend on it, so it cannot be set any more */
} Param;

/* A loop and what it did. */
typedef struct {
    int line;
    size_t runs, iterations, stopped;
} Loop;

/* What a program was generated for. */
typedef struct {
    const char *name;
    uint64_t fingerprint;
    int ranks, components, matrices, vectors;
} Facts;

enum { SUM, SMALLEST, LARGEST };

extern size_t unknowns;      /* of this rank */
extern size_t shared;        /* of them, those of shared nodes, which come first */
extern unsigned char *owned; /* by shared unknown, whether this rank is the first that has it */

void start(int argc, char **argv, const Facts *facts, const Param *params, size_t count);
const Matrix *input_matrix(int number);
double *input_vector(int number);
double *new_vector(void);

/* Adds the copies of shared nodes. Between begin and end, entries after the shared ones may
 * be written. */
void exchange_begin(const double *vector);
void exchange_end(double *vector);

/* One number of this rank; reduce then combines those of all ranks, in their order. */
double local_dot(const double *a, const double *b);
double owned_dot(const double *a, const double *b);
double local_sum(const double *a);
double owned_sum(const double *a);
double local_smallest(const double *a);
double local_largest(const double *a);
void reduce(double *numbers, const int *kinds, int count);

/* The rounds of a loop, from a number that the program computed. */
size_t rounds(double limit, const Loop *loop);

void print_scalar(const char *label, double value);
void output(const char *name, size_t number, const double *vector);
void finish(const Loop *loops, size_t count);

/* Row i of A times x. */
static inline double row(const Matrix *a, size_t i, const double *x)
{
    double sum = -0.0; /* what adds nothing to any number */
    for (uint64_t k = a->offsets[i]; k < a->offsets[i + 1]; k++)
        sum += a->values[k] * x[a->columns[k]];
    return sum;
}

static inline void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

#endif
