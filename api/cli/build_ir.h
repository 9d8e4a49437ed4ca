/* build_ir: what each block of a build costs, beside the source. */
#pragma once

#include "runner/build/build.h"

#include <stdio.h>

/* For each file of the submission: its functions with the charge of each block,
 * then its lines, each with the part that it has of which block. What a block
 * has from a header is in its charge and on no line. */
void build_ir_print(const struct build *build, FILE *to);
