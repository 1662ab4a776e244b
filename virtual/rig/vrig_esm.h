/* The device side of a Mark-10 ESM303 stand with PC control and a gauge: single characters, numbers of fixed
 * width, no terminators. Travel is the rig's own co-ordinate, in hundredths of a millimetre; up is forward.
 *
 * Supported: u d s, o j k, eXXXX.X, g and h with [-]XXX.XX, l m, a n p v w x, i z. Everything else is
 * ignored, gauge commands between slash and backslash included. In limit mode u and d end at the upper and
 * lower limit, in manual mode at the end of the track. */
#ifndef VRIG_ESM_H
#define VRIG_ESM_H

#include <stdbool.h>
#include <stddef.h>

#include "cb_rig.h"
#include "vrig_device.h"
#include "vrig_stage.h"

typedef struct vrig_esm {
  vrig_stage *stage; /* borrowed */
  const char *unit;  /* of the force, as the gauge writes it */
  int decimals;
  double force;                        /* reading of the gauge */
  double zero_m;                       /* stage position of travel 0 */
  double upper_m, lower_m;             /* travel limits */
  double programmed, fastest, m_per_s; /* speeds: programmed, of the stand, used [m/s] */
  double m_per_s2;
  char mode;     /* 'L', 'M' */
  int direction; /* 1, -1 of the last move */
  bool dead;     /* emergency stop */
  bool at_switch, reject_next;
  char command; /* command whose number is being read: 'e', 'g', 'h', '/'; 0: none */
  char number[8];
  size_t n;
} vrig_esm;

#endif
