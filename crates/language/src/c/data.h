/* The data of a rank, and errors: between data.c, sums.c and runtime.c. */
#ifndef DATA_H
#define DATA_H

#include "runtime.h"

#include <mpi.h>

#define MPI(call) check(call, #call)

/* A rank that shares nodes with this one. */
typedef struct {
    int rank;
    uint32_t send_phase, receive_phase;
    size_t count;     /* of nodes */
    uint32_t *nodes;  /* that both have, in the same order there */
    double *out, *in; /* what is sent and received */
} Neighbour;

extern Facts facts;
extern int rank;
extern uint64_t nodes, shared_nodes, all_nodes;
extern uint32_t *numbers;          /* by node, its number in the whole mesh */
extern unsigned char *owned_nodes; /* by node */
extern uint32_t neighbour_count, phases;
extern Neighbour *neighbours; /* in the order of ranks */
extern unsigned long long reductions;

/* Ends the whole job: code 2 for what the user can mend, 1 for the rest. */
_Noreturn void fail(int code, const char *format, ...);
void check(int code, const char *call);
void *memory(size_t count, size_t size);
void load(const char *folder);

#endif
