/* The device side of a Thorlabs KDC101 with one DC servo stage, by APT: binary messages of six bytes, and a
 * packet where the fifth says so. Its model, serial number and firmware are KDC101, 27000001, 1.2.3.
 *
 * Supported: HW_REQ_INFO, MOD_SET_CHANENABLESTATE, MOT_SET_VELPARAMS, MOT_REQ_VELPARAMS, MOT_MOVE_HOME,
 * MOT_MOVE_ABSOLUTE, MOT_MOVE_STOP, MOT_REQ_DCSTATUSUPDATE, MOT_ACK_DCSTATUSUPDATE. Everything else is read
 * and ignored, as a motion before homing or beyond the travel is. After 50 states without an acknowledgement
 * no more are sent. Home is the position 0. */
#ifndef VRIG_APT_H
#define VRIG_APT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

typedef struct vrig_apt {
  vrig_stage *stage; /* borrowed */
  double zero_m;     /* stage position of its 0 */
  double count_m;
  int32_t acceleration, speed; /* in its units, at most what it began with */
  int32_t most_acceleration, most_speed;
  bool enabled, homing, homed, underway, stops, stuck, dead, reject_next;
  int unacknowledged;
  unsigned char message[6 + 64];
  size_t n;
} vrig_apt;

#endif
