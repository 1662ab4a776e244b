/* The device side of the force read-outs: readings in, lines out; and, for the D500, command bytes in.
 *
 * line: `[i,][unit-less filler,]VALUE CR LF`, the number in rig.force.field; the first field before it is a running index, the
 *   others are 0. Between fields stands rig.force.separator (one blank where that is ""). number = reading / scale.
 * futek-d500 (FUTEK IPM500 display): `+0.1234 CR LF`, sign and point always there, the letter A before CR while saturated.
 *   Commands end with CR: *1A0 continuous lines (as powered up), *1A1 only on command, *1B1 one reading (command mode), *1CA
 *   tare to the reading shown, *1CB tare off. Anything else is ignored, as there is no word for "no" in that protocol. */
#ifndef VRIG_FORCE_H
#define VRIG_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"

#define VRIG_FORCE_LINE_MAX 192

typedef struct vrig_force {
  const cb_rig_force *rig; /* borrowed */
  int decimals;            /* of the number on the wire */
  bool on_command;
  double reading, tare;
  bool saturated;
  unsigned long index; /* of the next line */
  char command[8];
  size_t n;
} vrig_force;

/* quantum: the digit of the reading, in force.unit. */
void vrig_force_init(vrig_force *f, const cb_rig_force *rig, double quantum);

/* The next sample. Returns the length of the line to send (NUL-terminated), 0 if none is to be sent. */
size_t vrig_force_sample(vrig_force *f, double reading, bool saturated, char line[VRIG_FORCE_LINE_MAX]);

/* One byte from the host. Returns the length of the answer, 0 if there is none. */
size_t vrig_force_byte(vrig_force *f, char byte, char line[VRIG_FORCE_LINE_MAX]);

#endif
