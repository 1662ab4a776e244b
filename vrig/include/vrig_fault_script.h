/* The fault script: what goes wrong on the virtual rig, and when. docs/virtual-rig.md, section "Faults", lists every key.
 *
 * Times are rig seconds since the virtual rig started; a fault waits until a host has the port open and, where it is one of a
 * line, until the next line. */
#ifndef VRIG_FAULT_SCRIPT_H
#define VRIG_FAULT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"

typedef enum vrig_wire { VRIG_WIRE_FORCE, VRIG_WIRE_STAGE, VRIG_N_WIRES } vrig_wire;
extern const char *const vrig_wire_names[]; /* "force", "stage", NULL */

typedef enum vrig_fault_kind {
  /* of one line */
  VRIG_FAULT_TORN,         /* its tail is lost, line end and all */
  VRIG_FAULT_LOST_BYTE,    /* one byte of it is lost */
  VRIG_FAULT_FLIPPED_BIT,  /* one bit of it is wrong */
  VRIG_FAULT_GARBAGE,      /* 1 to 16 random bytes before it, with or without a line end of their own */
  VRIG_FAULT_NOT_A_NUMBER, /* "nan", "inf", "1e999" instead of its number */
  VRIG_FAULT_DOUBLED,      /* it comes twice */
  VRIG_FAULT_DROPPED,      /* it never comes */
  VRIG_FAULT_PIECES,       /* it comes in two pieces, duration_s apart */
  VRIG_FAULT_STALE,        /* the line before it comes again instead: the reply to another message */
  VRIG_FAULT_FOREIGN,      /* the same reply under another device's address comes before it */
  /* of all lines for duration_s */
  VRIG_FAULT_SILENCE, /* none comes; they are lost */
  VRIG_FAULT_BURST,   /* none comes; then all at once: the latency of a USB adapter, a reply after the host's time-out */
  /* of the rig */
  VRIG_FAULT_UNPLUGGED,  /* the port goes away, and comes back after duration_s */
  VRIG_FAULT_CLOCK,      /* the read-out's clock runs at `factor` times its rate */
  VRIG_FAULT_OVERLOAD,   /* the cell feels `factor` times overload_N in addition */
  VRIG_FAULT_SATURATION, /* the same, beyond what the read-out can show */
  /* inside the stage (vrig_device.h), in the order of vrig_stage_fault */
  VRIG_FAULT_OF_STAGE,
  VRIG_FAULT_OF_STAGE_END = VRIG_FAULT_OF_STAGE + 3,
  VRIG_N_FAULTS
} vrig_fault_kind;
extern const char *const vrig_fault_names[VRIG_N_FAULTS + 1]; /* as in the script; NULL at the end */

typedef struct vrig_fault_rule {
  int kind;       /* vrig_fault_kind */
  int wire;       /* vrig_wire */
  double at_s;    /* once at this time; NAN: again and again */
  double every_s; /* mean interval, exponentially distributed */
  double duration_s, factor;
} vrig_fault_rule;

#define VRIG_FAULT_RULES 32

typedef struct vrig_fault_mix {
  bool present;
  double every_s; /* mean interval */
  int count;      /* so many altogether */
  double weight[VRIG_N_WIRES][VRIG_N_FAULTS];
} vrig_fault_mix;

typedef struct vrig_fault_script {
  int seed;
  double from_s;  /* nothing comes again and again before this time */
  bool log_lines; /* the log gets every line that is sent, not only those with a fault */
  size_t n;
  vrig_fault_rule rule[VRIG_FAULT_RULES];
  vrig_fault_mix mix;
} vrig_fault_script;

/* Can this kind happen on this port? */
bool vrig_fault_fits(vrig_fault_kind kind, vrig_wire wire);
/* A rule of that kind with the durations and factors that stand in the documentation. */
vrig_fault_rule vrig_fault_default(vrig_fault_kind kind, vrig_wire wire);

/* Strict, as every file of this program: CB_E_PARSE, CB_E_RANGE with file:line. */
CB_CHECKED cb_status vrig_fault_script_load(const char *path, vrig_fault_script *s, cb_err *err);
CB_CHECKED cb_status vrig_fault_script_parse(const char *text, size_t n, const char *name, vrig_fault_script *s, cb_err *err);

#endif
