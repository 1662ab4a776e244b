/* Private to vrig/: what the loop of the rig asks of its faults. */
#ifndef VRIG_FAULT_IMPL_H
#define VRIG_FAULT_IMPL_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rng.h"
#include "vrig_device.h"
#include "vrig_fault.h"
#include "vrig_fault_script.h"

/* Begins the faults due at t_s, on ports with a host. Called once per sample. */
void vrig_fault_tick(vrig_fault *f, double t_s, const bool host[VRIG_N_WIRES]);

/* A piece of a line, with its extra delay. n = 0: nothing is sent. */
typedef struct vrig_fault_piece {
  const char *text; /* valid until the next call */
  size_t n;
  double delay_s;
} vrig_fault_piece;
/* Turns a line that is sent now into up to two pieces. */
void vrig_fault_send(vrig_fault *f, vrig_wire wire, double t_s, const char *line, size_t n,
                     vrig_fault_piece piece[2]);

/* Called once per sample with the number of pulls that have begun: logs the mishap of one that began since,
 * and returns that of the next. */
vrig_mishap vrig_fault_pull(vrig_fault *f, double t_s, unsigned long n_pulls);
/* Returns what the read-out says for a reading of that pull: one that repeats says what it said before. */
double vrig_fault_reading(vrig_fault *f, unsigned long n_pulls, bool repeats, double reading);

/* State of the rig's own faults at t_s. */
bool vrig_fault_unplugged(const vrig_fault *f, vrig_wire wire, double t_s);
double vrig_fault_clock(const vrig_fault *f, double t_s);    /* the read-out's rate over its nominal one */
double vrig_fault_overload(const vrig_fault *f, double t_s); /* force on the cell, in units of overload_N */
/* Event inside the stage at t_s, reported once each. After duration_s the stage is switched off and on
 * (POWERED), which ends a fault. *fault is set with VRIG_STAGE_FAULT. */
typedef enum vrig_stage_event { VRIG_STAGE_NOTHING, VRIG_STAGE_POWERED, VRIG_STAGE_FAULT } vrig_stage_event;
vrig_stage_event vrig_fault_of_stage(vrig_fault *f, double t_s, vrig_stage_fault *fault);

/* The effect of a fault on one line: bytes in, bytes out, random choices from a seeded generator. */

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

/* The readings of the present pull and of the one before, so that a read-out can repeat itself to the last
 * digit (VRIG_MISHAP_REPEATED). */

#define VRIG_ECHO_READINGS 65536 /* of a pull; what comes after them is not repeated */

/* A zeroed echo is empty. */
typedef struct vrig_echo {
  unsigned long pull; /* its number */
  int now;            /* which of the two is that of the present pull */
  size_t n[2];
  double reading[2][VRIG_ECHO_READINGS];
} vrig_echo;

/* Takes a reading of a pull, counted from 1, and returns it, or the one at its place in the pull before.
 * Readings before the first pull (0) pass. */
double vrig_echo_pass(vrig_echo *e, unsigned long pull, bool repeats, double reading);

#endif
