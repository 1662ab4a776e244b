/* The device side of the force read-outs: readings in, lines out; and command bytes in, where the device listens.
 *
 * line: `[i,][unit-less filler,]VALUE CR LF`, the number in rig.force.field; the first field before it is a running index, the
 *   others are 0. Between fields stands rig.force.separator (one blank where that is ""). number = reading / scale.
 * futek-d500 (FUTEK IPM500 display): `+0.1234 CR LF`, sign and point always there, the letter A before CR while saturated.
 *   Commands end with CR: *1A0 continuous lines (as powered up), *1A1 only on command, *1B1 one reading (command mode), *1CA
 *   tare to the reading shown, *1CB tare off. Anything else is ignored, as there is no word for "no" in that protocol.
 * mark10-gcl: `-0.1234 N CR LF`, no plus sign. Silent as powered up; AOUTn starts the stream (every sample of the rig, whichever n of
 *   the manual's: the rig file's rate is meant to be it), AOUT0 ends it. FULL and NUM: with and without unit; CUR, ?, ?C, Z, LIST.
 *   What it does not know gets *10, a wrong n *12.
 * mt-sics: `S S     1.25 g CR LF`, S D while the reading changes, S + and S - while saturated. Silent as powered up; SIR starts the
 *   stream, S, SI and @ end it; Z zeroes, I4 and @ tell the serial number. What it does not know gets ES.
 * The other drivers' devices are not played here: nothing is ever to be sent. */
#ifndef VRIG_FORCE_H
#define VRIG_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"

#define VRIG_FORCE_LINE_MAX 192

typedef struct vrig_force {
  const cb_rig_force *rig; /* borrowed */
  int decimals;            /* of the number on the wire */
  bool on_command;         /* sends only what it is asked for */
  bool bare;               /* gcl: without unit */
  double reading, tare;
  double shown; /* sics: before this one */
  bool saturated;
  unsigned long index; /* of the next line */
  char command[16];
  size_t n;
} vrig_force;

/* quantum: the digit of the reading, in force.unit. */
void vrig_force_init(vrig_force *f, const cb_rig_force *rig, double quantum);

/* The next sample. Returns the length of the line to send (NUL-terminated), 0 if none is to be sent. */
size_t vrig_force_sample(vrig_force *f, double reading, bool saturated, char line[VRIG_FORCE_LINE_MAX]);

/* One byte from the host. Returns the length of the answer, 0 if there is none. */
size_t vrig_force_byte(vrig_force *f, char byte, char line[VRIG_FORCE_LINE_MAX]);

#endif
