/* Numbers from vectors. Entries are added in blocks, and those of a block in lanes, as the
 * engines of palmette do: quick, and in an order that nothing changes. */
#include "data.h"

#include <math.h>

enum { BLOCK = 4096, LANES = 8, MOST = 64 };

unsigned long long reductions;

static double add_lanes(const double *lanes)
{
    double sum = lanes[0];
    for (int k = 1; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

static double block_dot(const double *a, const double *b, size_t count)
{
    double lanes[LANES] = {0.0}, sum;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (sum = add_lanes(lanes); i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Entries from first on; without b those of a alone. Copies of other owners count as 0 if only
 * owned ones are wanted. */
static double block_sum(const double *a, const double *b, size_t first, size_t count, int only)
{
    double lanes[LANES] = {0.0}, sum = 0.0;
    size_t whole = count / LANES * LANES;
    for (size_t k = 0; k < count; k++) {
        size_t i = first + k;
        double entry = b ? a[i] * b[i] : a[i];
        if (only && i < shared && !owned[i])
            entry *= 0.0;
        if (k == whole)
            sum = add_lanes(lanes);
        if (k < whole)
            lanes[k % LANES] += entry;
        else
            sum += entry;
    }
    return whole == count ? add_lanes(lanes) : sum;
}

static double add_up(const double *a, const double *b, int only)
{
    double sum = -0.0;
    for (size_t first = 0; first < unknowns; first += BLOCK) {
        size_t count = unknowns - first < BLOCK ? unknowns - first : BLOCK;
        if (b && (!only || first >= shared))
            sum += block_dot(a + first, b + first, count);
        else
            sum += block_sum(a, b, first, count, only);
    }
    return sum;
}

double local_dot(const double *a, const double *b)
{
    return add_up(a, b, 0);
}

double owned_dot(const double *a, const double *b)
{
    return add_up(a, b, 1);
}

double local_sum(const double *a)
{
    return add_up(a, NULL, 0);
}

double owned_sum(const double *a)
{
    return add_up(a, NULL, 1);
}

/* What is no number stays none. */
static double smaller(double a, double b)
{
    return isnan(a) || a <= b ? a : b;
}

static double larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

double local_smallest(const double *a)
{
    double smallest = INFINITY;
    for (size_t i = 0; i < unknowns; i++)
        smallest = smaller(smallest, a[i]);
    return smallest;
}

double local_largest(const double *a)
{
    double largest = -INFINITY;
    for (size_t i = 0; i < unknowns; i++)
        largest = larger(largest, a[i]);
    return largest;
}

/* Every rank combines the numbers of all in the order of ranks: the same bits everywhere. */
void reduce(double *own, const int *kinds, int count)
{
    static double *all;
    if (!all)
        all = memory((size_t)facts.ranks * MOST, sizeof *all);
    for (int first = 0; first < count; first += MOST) {
        int some = count - first < MOST ? count - first : MOST;
        MPI(MPI_Allgather(own + first, some, MPI_DOUBLE, all, some, MPI_DOUBLE, MPI_COMM_WORLD));
        reductions++;
        for (int k = 0; k < some; k++) {
            int kind = kinds[first + k];
            double result = all[k];
            for (int r = 1; r < facts.ranks; r++) {
                double next = all[r * some + k];
                result = kind == SUM ? result + next
                         : kind == SMALLEST ? smaller(result, next)
                                            : larger(result, next);
            }
            own[first + k] = result;
        }
    }
}
