/* The device side of a Newport SMC100 with one stage, in millimetres. A command is address, two letters, a
 * value and CR LF. Questions are answered with the same letters, commands not at all: their error letter
 * waits for TE, which clears it.
 *
 * Supported: TS, TP, TE, VE, ID?, OR (not referenced only), PA, PR (ready only), ST, RS, and VA, AC, SL, SR
 * with a value (ready only) or `?`. Everything else is error A. VA and AC take up to the rig file's speed and
 * acceleration. */
#ifndef VRIG_SMC100_H
#define VRIG_SMC100_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

enum { VRIG_SMC100_VA, VRIG_SMC100_AC, VRIG_SMC100_SL, VRIG_SMC100_SR, VRIG_SMC100_N_SETTINGS };

typedef struct vrig_smc100 {
  vrig_stage *stage; /* borrowed */
  int address;
  double zero_m;    /* stage position of its 0 */
  unsigned state;   /* as reported by TS: 0x0A ... */
  unsigned errors;  /* bits of TS that TS clears */
  unsigned lasting; /* bits of TS that it does not clear */
  char letter;      /* for TE */
  bool reject_next;
  /* In mm and s. */
  double setting[VRIG_SMC100_N_SETTINGS], most[VRIG_SMC100_N_SETTINGS], least[VRIG_SMC100_N_SETTINGS];
  char line[64];
  size_t n;
} vrig_smc100;

#endif
