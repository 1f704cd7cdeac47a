/* The data of a rank, and errors. */
#include "data.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t unknowns, shared;
unsigned char *owned;

Facts facts;
int rank;
uint64_t nodes, shared_nodes, all_nodes;
uint32_t *numbers;
unsigned char *owned_nodes;
uint32_t neighbour_count, phases;
Neighbour *neighbours;

static Matrix *matrices;
static double **vectors;

_Noreturn void fail(int code, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    fprintf(stderr, "%s: rank %d: ", facts.name ? facts.name : "program", rank);
    vfprintf(stderr, format, values);
    fprintf(stderr, "\n");
    fflush(stderr);
    va_end(values);
    MPI_Abort(MPI_COMM_WORLD, code);
    exit(code);
}

void check(int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    fail(1, "%.*s: %.*s", (int)strcspn(call, "("), call, length, text);
}

void *memory(size_t count, size_t size)
{
    void *found = calloc(count ? count : 1, size);
    if (!found)
        fail(1, "no memory for %zu times %zu bytes", count, size);
    return found;
}

/* The data of a rank: little-endian numbers, a checksum of all bytes at the end. */

static FILE *file;
static char path[4096];
static uint64_t left, hash;

static void read_bytes(void *to, size_t count, size_t size)
{
    const unsigned char *bytes = to;
    if (size && count > left / size)
        fail(2, "%s: ends too early", path);
    if (count && fread(to, size, count, file) != count)
        fail(2, "%s: cannot be read", path);
    left -= count * size;
    for (size_t k = 0; k < count * size; k++)
        hash = (hash ^ bytes[k]) * 1099511628211u;
}

static uint32_t read_u32(void)
{
    uint32_t value;
    read_bytes(&value, 1, sizeof value);
    return value;
}

static uint64_t read_u64(void)
{
    uint64_t value;
    read_bytes(&value, 1, sizeof value);
    return value;
}

/* An array whose size is checked before memory is taken; arrays end at multiples of 8. */
static void *read_array(uint64_t count, size_t size)
{
    char padding[8];
    void *array;
    if (count > left / size)
        fail(2, "%s: an array of %llu entries does not fit the file", path,
             (unsigned long long)count);
    array = memory(count, size);
    read_bytes(array, count, size);
    read_bytes(padding, (8 - count * size % 8) % 8, 1);
    return array;
}

static void read_header(void)
{
    char magic[8];
    uint32_t version, order;
    read_bytes(magic, 1, 8);
    version = read_u32();
    order = read_u32();
    if (memcmp(magic, "palmette", 8) != 0)
        fail(2, "%s: no data of a rank", path);
    if (order != 0x01020304)
        fail(2, "%s: written for little-endian machines", path);
    if (version != 1)
        fail(2, "%s: version %u, expected 1", path, (unsigned)version);
    if (read_u64() != facts.fingerprint)
        fail(2, "%s: made for another program than %s", path, facts.name);
    if (read_u32() != (uint32_t)rank || read_u32() != (uint32_t)facts.ranks)
        fail(2, "%s: made for another rank, or for another number of ranks", path);
    if (read_u32() != (uint32_t)facts.components)
        fail(2, "%s: another number of components than %d", path, facts.components);
    phases = read_u32();
    nodes = read_u64();
    shared_nodes = read_u64();
    all_nodes = read_u64();
    neighbour_count = read_u32();
    if (read_u32() != (uint32_t)facts.matrices || read_u32() != (uint32_t)facts.vectors)
        fail(2, "%s: another number of matrices or vectors than %s has", path, facts.name);
    read_u32();
    if (shared_nodes > nodes || nodes > left || neighbour_count > left)
        fail(2, "%s: impossible numbers of nodes or neighbours", path);
}

static void read_neighbour(Neighbour *n)
{
    n->rank = (int)read_u32();
    n->send_phase = read_u32();
    n->receive_phase = read_u32();
    n->count = read_u32();
    if (n->rank < 0 || n->rank >= facts.ranks || n->rank == rank || n->send_phase >= phases ||
        n->receive_phase >= phases || n->count > 0x7fffffffu / (unsigned)facts.components)
        fail(2, "%s: impossible neighbour", path);
    if (n > neighbours && n[-1].rank >= n->rank)
        fail(2, "%s: neighbours are not in ascending order", path);
    n->nodes = read_array(n->count, sizeof *n->nodes);
    for (size_t k = 0; k < n->count; k++)
        if (n->nodes[k] >= shared_nodes)
            fail(2, "%s: rank %d shares a node that is not shared", path, n->rank);
    n->out = memory(n->count * (size_t)facts.components, sizeof *n->out);
    n->in = memory(n->count * (size_t)facts.components, sizeof *n->in);
}

static void read_matrix(Matrix *a)
{
    uint64_t entries;
    a->rows = read_u64();
    entries = read_u64();
    if (a->rows != unknowns)
        fail(2, "%s: a matrix with %zu rows, expected %zu", path, a->rows, unknowns);
    a->offsets = read_array(a->rows + 1, sizeof *a->offsets);
    a->columns = read_array(entries, sizeof *a->columns);
    a->values = read_array(entries, sizeof *a->values);
    if (a->offsets[0] != 0 || a->offsets[a->rows] != entries)
        fail(2, "%s: rows of a matrix do not fit its entries", path);
    for (size_t i = 0; i < a->rows; i++)
        if (a->offsets[i] > a->offsets[i + 1])
            fail(2, "%s: rows of a matrix do not ascend", path);
    for (uint64_t k = 0; k < entries; k++)
        if (a->columns[k] >= unknowns)
            fail(2, "%s: a column of a matrix is too large", path);
}

void load(const char *folder)
{
    uint64_t expected;
    long length = -1;
    hash = 14695981039346656037u;
    if ((size_t)snprintf(path, sizeof path, "%s/rank-%06d.bin", folder, rank) >= sizeof path)
        fail(2, "the name of the data folder is too long");
    file = fopen(path, "rb");
    if (!file)
        fail(2, "%s: cannot be opened; the data files lie beside the program, or say --data FOLDER",
             path);
    if (fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length < 0 || fseek(file, 0, SEEK_SET) != 0)
        fail(2, "%s: cannot be read", path);
    left = (uint64_t)length;
    read_header();
    unknowns = nodes * (size_t)facts.components;
    shared = shared_nodes * (size_t)facts.components;
    numbers = read_array(nodes, sizeof *numbers);
    owned_nodes = read_array(nodes, sizeof *owned_nodes);
    owned = memory(shared, sizeof *owned);
    for (size_t i = 0; i < shared; i++)
        owned[i] = owned_nodes[i / (size_t)facts.components];
    for (uint64_t v = 0; v < nodes; v++) {
        if (numbers[v] >= all_nodes)
            fail(2, "%s: a node's number is too large", path);
        if (v >= shared_nodes && !owned_nodes[v])
            fail(2, "%s: a node that is not shared has no owner", path);
    }
    neighbours = memory(neighbour_count, sizeof *neighbours);
    for (uint32_t k = 0; k < neighbour_count; k++)
        read_neighbour(&neighbours[k]);
    matrices = memory((size_t)facts.matrices, sizeof *matrices);
    for (int k = 0; k < facts.matrices; k++)
        read_matrix(&matrices[k]);
    vectors = memory((size_t)facts.vectors, sizeof *vectors);
    for (int k = 0; k < facts.vectors; k++)
        vectors[k] = read_array(unknowns, sizeof **vectors);
    expected = hash;
    if (read_u64() != expected || left != 0)
        fail(2, "%s: damaged: the checksum is wrong", path);
    fclose(file);
}

const Matrix *input_matrix(int number)
{
    return &matrices[number];
}

double *input_vector(int number)
{
    return vectors[number];
}

double *new_vector(void)
{
    return memory(unknowns, sizeof(double));
}
