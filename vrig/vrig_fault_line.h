/* What a fault does to one line on its way: bytes in, bytes out, dice from a seeded generator. */
#ifndef VRIG_FAULT_LINE_H
#define VRIG_FAULT_LINE_H

#include <stddef.h>

#include "cb_rng.h"
#include "vrig_fault_script.h"

#define VRIG_FAULT_LINE_MAX 192

typedef struct vrig_fault_line {
  size_t n; /* 0: nothing is sent */
  char text[VRIG_FAULT_LINE_MAX];
  size_t cut; /* VRIG_FAULT_PIECES: the second piece begins here; 0: one piece */
} vrig_fault_line;

/* before: the line that was sent before on this port (n = 0: none yet). What would not fit is not done: then out is the line as it
 * is. Kinds that are none of a line leave it as it is. */
void vrig_fault_line_spoil(vrig_fault_kind kind, cb_rng *rng, const char *line, size_t n, const vrig_fault_line *before,
                           vrig_fault_line *out);

#endif
