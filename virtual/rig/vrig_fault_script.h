/* The fault script: which faults happen on the virtual rig, and when. docs/reference/virtual-rig.md, section
 * "Faults", lists every key.
 *
 * Times are rig seconds since the start of the virtual rig. A fault waits until a host has the port open. A
 * fault of a line also waits for the next line. */
#ifndef VRIG_FAULT_SCRIPT_H
#define VRIG_FAULT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_err.h"
#include "vrig_mishap_plan.h"

typedef enum vrig_wire { VRIG_WIRE_FORCE, VRIG_WIRE_STAGE, VRIG_N_WIRES } vrig_wire;
extern const char *const vrig_wire_names[]; /* "force", "stage", NULL */

typedef enum vrig_fault_kind {
  /* of one line */
  VRIG_FAULT_TORN,         /* its tail is lost, with the line end */
  VRIG_FAULT_LOST_BYTE,    /* one byte of it is lost */
  VRIG_FAULT_FLIPPED_BIT,  /* one bit of it is wrong */
  VRIG_FAULT_GARBAGE,      /* 1 to 16 random bytes before it, with or without a line end */
  VRIG_FAULT_NOT_A_NUMBER, /* "nan", "inf", "1e999" instead of its number */
  VRIG_FAULT_DOUBLED,      /* it is sent twice */
  VRIG_FAULT_DROPPED,      /* it is not sent */
  VRIG_FAULT_PIECES,       /* it is sent in two pieces, duration_s apart */
  VRIG_FAULT_STALE,        /* the line before is sent again instead, as the reply to another message */
  VRIG_FAULT_FOREIGN,      /* before it, the same reply with another device's address */
  /* of all lines for duration_s */
  VRIG_FAULT_SILENCE, /* none is sent; they are lost */
  VRIG_FAULT_BURST,   /* none is sent, then all at once, as by a USB adapter or after the host's time-out */
  /* of the rig, for duration_s */
  VRIG_FAULT_UNPLUGGED,  /* the port is gone */
  VRIG_FAULT_CLOCK,      /* the read-out's clock runs at `factor` times its rate */
  VRIG_FAULT_OVERLOAD,   /* additional force of `factor` times overload_N on the cell */
  VRIG_FAULT_SATURATION, /* the same, beyond the range of the read-out */
  /* inside the stage (vrig_device.h), in the order of vrig_stage_fault */
  VRIG_FAULT_OF_STAGE,
  VRIG_FAULT_OF_STAGE_END = VRIG_FAULT_OF_STAGE + 3,
  VRIG_N_FAULTS
} vrig_fault_kind;
extern const char *const vrig_fault_names[VRIG_N_FAULTS + 1]; /* as in the script; NULL at the end */

typedef struct vrig_fault_rule {
  int kind;       /* vrig_fault_kind */
  int wire;       /* vrig_wire */
  double at_s;    /* once at this time; NAN: repeatedly */
  double every_s; /* mean interval, exponentially distributed */
  double duration_s, factor;
} vrig_fault_rule;

#define VRIG_FAULT_RULES 32

typedef struct vrig_fault_mix {
  bool present;
  double every_s; /* mean interval */
  int count;      /* number in all */
  double weight[VRIG_N_WIRES][VRIG_N_FAULTS];
} vrig_fault_mix;

typedef struct vrig_fault_script {
  int seed;
  double from_s;  /* no repeated fault before this time */
  bool log_lines; /* true: every line sent is logged, not only those with a fault */
  size_t n;
  vrig_fault_rule rule[VRIG_FAULT_RULES];
  vrig_fault_mix mix;
  vrig_mishap_plan mishaps;
} vrig_fault_script;

/* Returns true if a kind is possible on a port. */
bool vrig_fault_fits(vrig_fault_kind kind, vrig_wire wire);
/* Returns a rule with the documented defaults of its kind (docs/reference/virtual-rig.md). */
vrig_fault_rule vrig_fault_default(vrig_fault_kind kind, vrig_wire wire);

/* Read a script from a file, or from n bytes of text, where `name` stands for the path. Nothing has to be
 * freed.
 * Errors, with file:line: those of cb_yaml_load and cb_yaml_bind; CB_E_PARSE or CB_E_RANGE for a broken
 * rule. */
CB_CHECKED cb_status vrig_fault_script_load(const char *path, vrig_fault_script *s, cb_err *err);
CB_CHECKED cb_status vrig_fault_script_parse(const char *text, size_t n, const char *name,
                                             vrig_fault_script *s, cb_err *err);

#endif
