/* The effect of a fault on one line: bytes in, bytes out, random choices from a seeded generator. */
#ifndef VRIG_FAULT_LINE_H
#define VRIG_FAULT_LINE_H

#include <stddef.h>

#include "cb_rng.h"
#include "vrig_fault_script.h"

#define VRIG_FAULT_LINE_MAX 192

typedef struct vrig_fault_line {
  size_t n; /* 0: nothing is sent */
  char text[VRIG_FAULT_LINE_MAX];
  size_t cut; /* VRIG_FAULT_PIECES: start of the second piece; 0: one piece */
} vrig_fault_line;

/* Applies a fault to a line. before is the line sent before on this port (n = 0: none yet). The line is
 * unchanged if the result would not fit, or the kind does not affect lines. */
void vrig_fault_line_spoil(vrig_fault_kind kind, cb_rng *rng, const char *line, size_t n,
                           const vrig_fault_line *before, vrig_fault_line *out);

#endif
