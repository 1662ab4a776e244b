/* The device side of Grbl 1.1 for one axis, stock build. Machine co-ordinates run from -$130 to 0. Homing
 * goes to the upper end with a pull-off of 1 mm. The axis is locked until homed ($22 = 1). Soft and hard
 * limits are on. Opening the port resets it, as the DTR line resets an Arduino.
 *
 * Supported: the real-time bytes ? ! ~ 0x18 0x84 0x85; $$, $I, $H, $X, $J= with G53 G90 G91 G21, the rig's
 * axis and F; an empty line. Anything else is error:20 (G code) or error:3 ($). Not modelled: work offsets,
 * the other axes, writing $ settings, and the planner's queue (a jog during a jog replaces it). */
#ifndef VRIG_GRBL_H
#define VRIG_GRBL_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

typedef struct vrig_grbl {
  vrig_stage *stage; /* borrowed */
  char axis;
  double steps_per_mm, max_mm_per_min, accel_mm_per_s2, travel_mm;
  double zero_m;      /* stage position of its 0 */
  bool locked;        /* by an alarm, or not homed since power-up */
  bool jogging, held; /* held: feed hold */
  bool door;          /* the safety door is open */
  bool critical;      /* after a limit switch: accepts only a reset */
  bool reject_next;
  int homing; /* 0: not; 1: to the switch; 2: off it */
  bool stalled;
  vrig_stage counted; /* while stalled: the motion that the controller assumes */
  unsigned n_reports;
  char line[81];
  size_t n;
} vrig_grbl;

#endif
