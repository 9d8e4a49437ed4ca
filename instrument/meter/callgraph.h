/* callgraph: the functions of a module, callees before callers.
 *
 * Direct calls only; a call through a pointer is an unknown one to who asks.
 * Tarjan, Depth-First Search and Linear Graph Algorithms (1972).
 */
#pragma once

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct callgraph_node {
    LLVMValueRef function;
    uint32_t callee, callee_count; /* in graph.callee: indices of nodes */
    uint32_t group; /* functions that reach each other have one number */
    uint32_t low, index;
};

struct callgraph {
    struct callgraph_node *node; /* by function, for finding */
    uint32_t count;
    uint32_t *callee;
    uint32_t callee_count, callee_capacity;
    uint32_t *order; /* indices of nodes: callees first */
};

void callgraph_open(struct callgraph *graph, LLVMModuleRef module);
void callgraph_release(struct callgraph *graph);
#define auto_callgraph __attribute__((cleanup(callgraph_release)))

/* The node of a function with a body; UINT32_MAX for any other value. */
uint32_t callgraph_find(const struct callgraph *graph, LLVMValueRef function);

/* True if `caller` calling `callee` may come back to `caller`. */
bool callgraph_is_round(const struct callgraph *graph, uint32_t caller,
                        uint32_t callee);
