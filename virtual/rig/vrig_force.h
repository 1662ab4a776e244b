/* The device side of the force read-outs: readings in, lines out; command bytes in, if the device listens.
 *
 * - line: `[i,][0,...]VALUE CR LF`, the number in rig.force.field. The first field before it is a running
 *   index, the others are 0. The separator is rig.force.separator (a blank if that is ""). number = reading /
 *   scale. With rig.force.request it answers that alone, else with rig.force.start it sends from there until
 *   rig.force.stop.
 * - futek-d500 (FUTEK IPM500 display): `+0.1234 CR LF`, always with sign and point, the letter A before CR
 *   while saturated. Commands end with CR: *1A0 continuous lines (as at power-up), *1A1 only on command, *1B1
 *   one reading (command mode), *1CA tare to the present reading, *1CB tare off. Anything else is ignored, as
 *   the protocol has no refusal.
 * - mark10-gcl: `-0.1234 N CR LF`, no plus sign. Silent at power-up. AOUTn starts the stream at the rig
 *   file's rate, whatever n of the manual's; AOUT0 ends it. FULL and NUM: with and without unit. CUR, ?, ?C,
 *   Z, LIST. An unknown command gets *10, a wrong n *12.
 * - mt-sics: `S S     1.25 g CR LF`, S D while the reading changes, S + and S - while saturated. Silent at
 *   power-up. SIR starts the stream; S, SI and @ end it. Z zeroes; I4 and @ report the serial number. An
 *   unknown command gets ES.
 *
 * - modbus-rtu: vrig_modbus.h.
 * - scpi: `+1.25000000E-03 LF` to READ?, FETC? and MEAS:...?, 9.9E37 while saturated; *IDN?, *CLS, SYST:ERR?.
 *   It takes settings and forgets them; any other command is an undefined header.
 *
 * The other drivers' devices send nothing here: a Comedi board is in vrig_board.h, a stand's gauge in its
 * stage's device. */
#ifndef VRIG_FORCE_H
#define VRIG_FORCE_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_modbus.h"

#define VRIG_FORCE_LINE_MAX 192

typedef struct vrig_force {
  const cb_rig_force *rig; /* borrowed */
  int decimals;            /* of the number on the wire */
  bool on_command;         /* sends only on command */
  bool bare;               /* gcl: without unit */
  bool refused;            /* scpi: the error queue has one */
  double reading, tare;
  double shown; /* sics: the reading before */
  bool saturated;
  unsigned long index; /* of the next line */
  char command[96];
  size_t n;
  vrig_modbus modbus;
} vrig_force;

/* Digits after the point that a multiple of the quantum needs. */
int vrig_force_decimals(double quantum);

/* rig must outlive f. quantum is the digit of the reading [force.unit]. */
void vrig_force_init(vrig_force *f, const cb_rig_force *rig, double quantum);

/* Takes the next sample [force.unit]. Returns the length of the line to send (NUL-terminated), 0 for none. */
size_t vrig_force_sample(vrig_force *f, double reading, bool saturated, char line[VRIG_FORCE_LINE_MAX]);

/* Takes one byte from the host. Returns the length of the answer (NUL-terminated), 0 for none. */
size_t vrig_force_byte(vrig_force *f, char byte, char line[VRIG_FORCE_LINE_MAX]);

#endif
