/* The device side of a PI C-863 Mercury with one stage, in millimetres, by GCS 2: lines that end in LF, and
 * single characters without an end. Commands are not answered; the number of their error waits for ERR?,
 * which clears it. A question that is refused is not answered either.
 *
 * Supported: #4, #5, #24 (stop), STP, HLT, MOV, FRF, SVO, VEL, ACC, DEC, and the questions POS?, MOV?, ONT?,
 * FRF?, SVO?, VEL?, ACC?, DEC?, ERR?, *IDN?. The reference switch is in the middle of the travel. */
#ifndef VRIG_GCS_H
#define VRIG_GCS_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

enum { VRIG_GCS_VEL, VRIG_GCS_ACC, VRIG_GCS_DEC, VRIG_GCS_N_SETTINGS };

typedef struct vrig_gcs {
  vrig_stage *stage; /* borrowed */
  double zero_m;     /* stage position of its 0 */
  double middle_m;   /* of the reference switch */
  bool servo, referenced, referencing, dead;
  bool reject_next;
  int error; /* for ERR? */
  double setting[VRIG_GCS_N_SETTINGS], most[VRIG_GCS_N_SETTINGS];
  char line[64];
  size_t n;
} vrig_gcs;

#endif
